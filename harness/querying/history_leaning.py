"""Whether a turn leans on the conversation before it, told from its words."""

import re
from collections.abc import Sequence

from harness.querying.history_terms import Term
from harness.querying.history_words import (
    CLAUSE_ENDS,
    COMPARES,
    DEFINES,
    DETERMINED,
    EXPLETIVE,
    GOES_ON,
    POINTS,
    SAYS_NOTHING,
)

_FEW = 3
"""Words of its own up to which an English turn without a name is too short to stand alone."""
_FEW_COMPARING = 4
"""Words of its own up to which a word such as `other` compares with what was said before."""
_FEW_ELSEWHERE = 8
"""As `_FEW`, for a language of whose words we do not know which name a topic."""
_READ = 2000
"""Characters of a turn that are looked at for words that point back."""
_WHOLE = 2
"""Words of a clause that may name what a later pronoun stands for, where none of them is a name or has an article."""


def asks_nothing(text: str) -> bool:
    """Whether a turn is punctuation, thanks or a greeting alone."""
    return bool(SAYS_NOTHING.fullmatch(text))


def leaning(text: str, own: Sequence[Term], english: bool) -> str:
    """Why a turn does not stand alone; empty when it does.

    Args:
        text: the turn.
        own: its terms.
        english: whether the conversation is in English.
    """
    count = len({term.key for term in own})
    if not english:
        return "few words of its own" if count <= _FEW_ELSEWHERE else ""
    if word := refers_back(text, own):
        return f"{word!r} refers back"
    if match := GOES_ON.match(text):
        return f"{match.group().strip()!r} goes on"
    if DEFINES.match(text) or any(term.name for term in own):
        return ""
    return "few words of its own" if count <= _FEW else ""


def refers_back(text: str, own: Sequence[Term]) -> str:
    """The English word by which a text points to something that it does not name itself; empty where there is none."""
    text, own = text[:_READ], [term for term in own if term.end <= _READ]
    empty = [match.span() for match in EXPLETIVE.finditer(text)]
    for match in POINTS.finditer(text):
        kind = match.lastgroup or ""
        start, end = match.span(kind)
        if not any(begin <= start < stop for begin, stop in empty) and not _named(text, own, kind, start, end):
            return match[kind].strip()
    if any(term.name for term in own) or len({term.key for term in own}) > _FEW_COMPARING:
        return ""
    found = COMPARES.search(text)
    return found.group() if found else ""


def _named(text: str, own: Sequence[Term], kind: str, start: int, end: int) -> bool:
    """Whether the text itself names, before a word that points, what it points to."""
    word = text[start:end].lower()
    if kind in ("near", "opens", "after", "placed") and _repeats(text, own, start, end):
        return True
    if kind == "pronoun" and word in ("its", "their", "theirs", "his", "hers", "her"):
        return _names_a_thing(text, own, start, plain=False) or _names_a_thing(text, own, _clause(text, start), plain=True)
    if kind == "pronoun":
        return _names_a_thing(text, own, _clause(text, start), plain=True)
    return _names_a_thing(text, own, _sentence(text, start), plain=False)


def _repeats(text: str, own: Sequence[Term], start: int, end: int) -> bool:
    """Whether a noun beside the word stood before it: `the camp facilities ... those facilities`."""
    before = {term.key for term in own if term.end <= start}
    after = [term for term in own if term.start > start][:2]
    return any(term.key in before and not re.search(r"\W\W", text[end : term.start]) for term in after)


def _names_a_thing(text: str, own: Sequence[Term], stop: int, plain: bool) -> bool:
    """Whether a name, a word with its article, or (`plain`) several words stand before a place."""
    before = [term for term in own if term.end <= stop]
    if any(term.name for term in before) or (plain and len(before) >= _WHOLE):
        return True
    articles = [match.end() for match in DETERMINED.finditer(text[:stop])]
    return any(term.start >= place for term in before for place in articles)


def _clause(text: str, start: int) -> int:
    """Where the clause before the one of a place ends; 0 where there is none."""
    return max((match.start() for match in CLAUSE_ENDS.finditer(text[:start])), default=0)


def _sentence(text: str, start: int) -> int:
    """Where the sentence before the one of a place ends; 0 where there is none."""
    return max((match.start() for match in re.finditer(r"[.?!] ", text[:start])), default=0)
