"""Which candidates become drafts: nothing that is asked already, spread evenly over rules and documents."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from harness.fingerprint import fingerprint
from harness.golden.drafting.candidates import Candidate
from harness.golden.drafting.material import IDENTIFIER
from harness.golden.duplicates import THRESHOLD
from harness.text import normalise, words
from harness.types import Document

INVENTED = "neighbour"
"""Topic of questions about an identifier that stands nowhere: one question each is enough."""


@dataclass
class Asked:
    """What questions, retired ones and earlier drafts included, ask already."""

    words: dict[str, list[frozenset[str]]] = field(default_factory=lambda: defaultdict(list))
    """By persona, the set of words of each question."""
    facts: set[tuple[str, str]] = field(default_factory=set)
    """(quote, answer) and (identifier, answer) of each question."""
    documents: Counter[str] = field(default_factory=Counter)
    """Questions by document."""
    identifiers: set[str] = field(default_factory=set)
    """Part numbers and codes that any question names."""

    @classmethod
    def of(cls, rows: Iterable[Mapping[str, Any]]) -> "Asked":
        """What lines of questions.jsonl and of a review file ask."""
        asked = cls()
        for row in rows:
            places = [place for group in row.get("evidence", []) for place in group]
            answers, text = row.get("answers", []), row.get("question", "")
            persona = str(row.get("tenant") or row.get("persona") or "")
            asked.add(text, persona, [place.get("quote", "") for place in places], answers)
            asked.documents.update({place["doc"] for place in places})
        return asked

    def add(self, question: str, persona: str, quotes: Sequence[str], answers: Sequence[str]) -> None:
        """Counts one more question."""
        self.words[persona].append(_words(question))
        self.identifiers |= set(IDENTIFIER.findall(question))
        self.facts |= _facts(question, quotes, answers)

    def has(self, question: str, persona: str, quotes: Sequence[str], answers: Sequence[str]) -> bool:
        """Whether some question has nearly the same words (Jaccard), or one answer with it from one quote or identifier."""
        mine = _words(question)
        alike = any(len(mine & other) >= THRESHOLD * len(mine | other) for other in self.words[persona])
        return alike or bool(_facts(question, quotes, answers) & self.facts)


def _words(question: str) -> frozenset[str]:
    return frozenset(words(normalise(question)))


def _facts(question: str, quotes: Sequence[str], answers: Sequence[str]) -> set[tuple[str, str]]:
    about = [*quotes, *IDENTIFIER.findall(question)]
    return {(item, answer.lower().strip()) for item in about for answer in answers}


def select(candidates: Iterable[Candidate], documents: Mapping[str, Document], asked: Asked, limit: int) -> list[Candidate]:
    """At most `limit` candidates that are new.

    Rules take turns. Each takes the document with the fewest drafts of this batch, then the fewest questions before, and of
    its candidates one of the least used topic. The rest of the order is that of a digest, so that drafts spread over rows.
    """
    pools: dict[str, list[Candidate]] = defaultdict(list)
    for candidate in sorted(candidates, key=lambda item: fingerprint(item.question, item.persona)):
        pools[candidate.rule].append(candidate)
    chosen: list[Candidate] = []
    drawn: Counter[str] = Counter()
    while pools and len(chosen) < limit:
        for rule in sorted(pools):
            if len(chosen) < limit and (best := _next(pools[rule], documents, asked, drawn)):
                chosen.append(best)
                drawn.update((best.documents[0], f"{rule} {best.topic}"))
            elif not pools[rule]:
                del pools[rule]
    return chosen


def _next(pool: list[Candidate], documents: Mapping[str, Document], asked: Asked, drawn: Counter[str]) -> Candidate | None:
    """Takes the best new candidate out of a pool, and out of the pool what is asked already."""

    def order(item: Candidate) -> tuple[int, int, int]:
        doc_id = item.documents[0]
        return drawn[doc_id], drawn[f"{item.rule} {item.topic}"], asked.documents[doc_id]

    while pool:
        best = min(pool, key=order)
        pool.remove(best)
        quotes = [documents[span.doc_id].text[span.start : span.end] for group in best.evidence for span in group]
        invented = best.topic == INVENTED and set(IDENTIFIER.findall(best.question)) & asked.identifiers
        if not invented and not asked.has(best.question, best.persona, quotes, best.answers):
            asked.add(best.question, best.persona, quotes, best.answers)
            return best
    return None
