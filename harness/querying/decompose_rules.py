"""A question of several parts, taken apart by rules: offline, the same every time.

Several sentences that ask, questions joined by `and`, verbs that share a subject, enumerated codes or things, and comparisons
are parts; `terms and conditions`, `Johnson & Johnson`, `between 5 and 10`, the gap that ends an enumeration (`heat, light and what?`)
and what is asked of several things together are not. Statements beside the question go with each
part unless they are long, and a part that says `it` gets the terms of the part before it. Only several sentences are told apart
in other languages than English.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

from harness.querying import decompose_patterns as patterns
from harness.querying.asking import distinct, of_part
from harness.querying.history_leaning import refers_back
from harness.querying.history_terms import carried, is_english, terms
from harness.text import sentences, words
from harness.types import Query, Question, Turn

LONGEST = 400
"""Characters of a sentence that the patterns look at; a longer one is no plain question and stays whole."""
_ASKS = ("?", "？", "؟")
_CARRIED = 4
_FEW = 3
"""Words up to which a question needs the terms of the one before it: `how deep`; in other languages than English, longer words."""


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Decomposition:
    """Puts the parts of the first query behind it; a question of one part stays alone."""

    most: Annotated[int, Field(ge=2, le=20)] = 4
    """Parts at most."""

    def transform(self, question: Question, queries: Sequence[Query]) -> Sequence[Query]:
        """The first query, its parts, then the others."""
        whole, *others = queries
        kept, left = distinct(parts(whole.text), self.most, [whole.text])
        if not kept:
            return queries
        notes = (f"subqueries: {len(kept)} by rules", *(f"subqueries: {note}" for note in left))
        return [
            replace(whole, notes=(*whole.notes, *notes)),
            *(replace(of_part(whole, text), part=True) for text in kept),
            *others,
        ]


def parts(text: str) -> list[str]:
    """The parts of a question, each to be read alone; none where it asks for one thing."""
    pieces = sentences(" ".join(text.split()))
    asking = [piece for piece in pieces if piece.endswith(_ASKS)]
    stated = [piece for piece in pieces if not piece.endswith(_ASKS)]
    if not asking:
        asking, stated = stated[-1:], stated[:-1]
    context = " ".join(stated)
    clauses = [_of_clause(clause) for piece in asking for clause in _clauses(piece)]
    found = [part for clause in clauses for part in clause]
    if len(found) < 2:
        return []
    opening = {sum(map(len, clauses[:place])) for place in range(len(clauses))}
    alone = [_resolved(part, found[max(0, place - 1) : place], place in opening) for place, part in enumerate(found)]
    return [f"{context} {part}" for part in alone] if 0 < len(context) <= LONGEST else alone


def _resolved(part: str, before: Sequence[str], opening: bool) -> str:
    """The part with the weightiest terms of the one before it, where it refers back, or opens a question with few words of its own."""
    said = [Turn("user", text) for text in before]
    if not said or max(len(part), len(said[0].content)) > LONGEST:
        return part
    english = is_english([part, said[0].content])
    own = terms(part, english)
    few = opening and len(words(part) if english else own) <= _FEW
    if not few and not (english and refers_back(part, own)):
        return part
    found = carried(said, own, _CARRIED, english)
    return f"{part} ({found})" if found else part


def _clauses(sentence: str) -> list[str]:
    """The questions of a sentence that are joined by `and`; a long sentence is one."""
    if len(sentence) > LONGEST:
        return [sentence]
    found, start, bare = [], 0, sentence.rstrip(" ?.!")
    for match in patterns.QUESTION_FOLLOWS.finditer(bare):
        clause = bare[start : match.start()]
        if _asks_more(clause, match["and"], bare[match.end() :]):
            found.append(f"{_capital(clause)}?")
            start = match.end()
    return [*found, f"{_capital(bare[start:])}?"] if found else [sentence]


def _asks_more(clause: str, joint: str, rest: str) -> bool:
    """Whether a question ends before the joint and another begins behind it."""
    if not patterns.ASKED.search(clause) or patterns.OPEN_END.search(clause) or patterns.LIST_END.match(rest):
        return False
    if joint == ",":
        verbs = patterns.VERB.search(clause) and patterns.VERB.search(rest)
        return bool(verbs and patterns.ASKS.match(clause) and not patterns.RELATIVE.match(rest))
    return not (patterns.RELATIVE_TOO.match(rest) and patterns.RELATIVE_CLAUSE.search(clause))


def _of_clause(clause: str) -> list[str]:
    """The parts of one question; itself where it has none."""
    if len(clause) > LONGEST:
        return [clause]
    bare = clause.rstrip(" ?.!")
    found = _compared(bare) or _verbs(bare) or _things(bare)
    return [f"{_capital(part)}?" for part in found] or [clause]


def _compared(clause: str) -> list[str]:
    """Each of two things with what they are compared in."""
    for pattern in patterns.COMPARED:
        match = pattern.fullmatch(clause)
        if match is None:
            continue
        first, second, tail = match["a"], match["b"], match["tail"] or ""
        if patterns.NUMBER.fullmatch(first) or patterns.NUMBER.fullmatch(second):
            return []
        shared, alone = patterns.SHARED_OF.fullmatch(first), patterns.THAT_OF.sub("", second, count=1)
        if shared and not patterns.SHARED_OF.fullmatch(alone):
            second = f"{shared['shared']}{alone}"
        return [f"{tail}: {thing}" if match.start("tail") == 0 else f"{thing}{tail}" for thing in (first, second)]
    return []


def _verbs(clause: str) -> list[str]:
    """Each verb with the subject that they share, and with the object where it has none of its own."""
    match = patterns.FRAME.fullmatch(clause)
    done = patterns.VERB_FOLLOWS.split(match["done"]) if match else []
    if match is None or len(done) < 2 or any(patterns.PURPOSE.search(verb) for verb in done[:-1]):
        return []
    shared = done[-1].partition(" ")[2]
    return [f"{match['frame']}{verb if ' ' in verb else f'{verb} {shared}'.rstrip()}" for verb in done]


def _things(clause: str) -> list[str]:
    """The clause with each of the things in place of all."""
    match = patterns.THINGS.search(clause)
    if match is None:
        return []
    before, after = clause[: match.start()], clause[match.end() :]
    apart = patterns.NAMED_APART.match(after) and patterns.TITLE.search(match.group())
    if apart or patterns.BETWEEN.search(before) or patterns.TOGETHER.search(clause):
        return []
    return [f"{before}{thing}{after}" for thing in patterns.AND.split(match.group())]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
