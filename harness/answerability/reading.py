"""A query beside what the stations found for it, read once for all signals. English question and stop words."""

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from math import log

from harness.terms import stems
from harness.text import sentences, words
from harness.types import Hit, Query, Ranking

# fmt: off
_ASKING = frozenset((
    "what", "which", "who", "whom", "whose", "when", "where", "why", "how", "do", "doe", "did", "can", "could", "should", "would",
    "must", "may", "i", "we", "you", "my", "our", "your", "me", "us", "have", "has", "had", "been", "am", "were", "ani", "pleas",
    "tell", "give", "mani", "much", "he", "she", "his", "her", "from",
))
_NUMBERS = frozenset((
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "dozen", "half", "hundred",
    "thousand", "million", "billion", "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
))
# fmt: on
_QUANTITY = re.compile(
    r"\b(?:when|how (?:many|much|long|old|far|often|large|big|high|heavy)|(?:what|which) (?:year|date|day|month|century|decade|number|time))\b"
)
_NAME = re.compile(r"\b(?:who|whom|whose|where)\b")
_TRIM = "?.,;:!()[]\"'"


class Reading:
    """The words of a query and of the passages found; each is worked out when a signal first asks for it."""

    def __init__(self, query: Query, stations: Mapping[str, Ranking]) -> None:
        self.query = query
        self.stations = stations

    def scores(self, station: str, k: int) -> Sequence[float]:
        """The first k scores of a station."""
        return [hit.score for hit in self.stations[station].hits[:k]]

    @cached_property
    def terms(self) -> frozenset[str]:
        """Distinct stems of the query without stop words and question words."""
        return frozenset(stems([self.query.text])[0]) - _ASKING

    @cached_property
    def rarity(self) -> Mapping[str, float]:
        """Weight of each term, ln(1 + (N - n + 0.5) / (n + 0.5)) over the fused candidates: no access to the corpus is needed."""
        pool = _stems_of(self.stations["fused"].hits)
        held = {term: sum(term in passage for passage in pool) for term in sorted(self.terms)}
        return {term: log(1 + (len(pool) - n + 0.5) / (n + 0.5)) for term, n in held.items()}

    @cached_property
    def best(self) -> frozenset[str]:
        """Stems of the best reranked passage."""
        return frozenset().union(*_stems_of(self.stations["reranked"].hits[:1]))

    @cached_property
    def context(self) -> frozenset[str]:
        """Stems of all passages shown."""
        return frozenset().union(*_stems_of(self.stations["context"].hits))

    def share(self, held: frozenset[str]) -> float:
        """Rarity of the terms held over that of all; 0 for a query without terms."""
        total = sum(self.rarity.values())
        return sum(weight for term, weight in self.rarity.items() if term in held) / total if total else 0.0

    @cached_property
    def details(self) -> frozenset[str]:
        """Stems of the query's words with a digit, and of its capitalised words but the first."""
        spoken = self.query.text.split()
        told = [word.strip(_TRIM) for place, word in enumerate(spoken) if _has_digit(word) or (place and word[:1].isupper())]
        return frozenset(term for found in stems(told) for term in found[:1]) - _ASKING

    @cached_property
    def sentence(self) -> tuple[str, float]:
        """The sentence of the context that shares most with the query, and how much; of equals the first."""
        said = [text for hit in self.stations["context"].hits for text in sentences(hit.chunk.text)]
        shares = [self.share(frozenset(found)) for found in stems(said)]
        place = max(range(len(said)), key=lambda number: (shares[number], -number), default=None)
        return ("", 0.0) if place is None else (said[place], shares[place])

    @cached_property
    def has_answer_kind(self) -> float:
        """Whether that sentence holds what the question word asks for, beyond the question's own words: 1 or 0, .5 unknown."""
        asked, said = words(self.query.text), self.sentence[0]
        if _QUANTITY.search(self.query.text.lower()):
            return float(any(_is_number(word) and word not in asked for word in words(said)))
        if _NAME.search(self.query.text.lower()):
            names = [word.strip(_TRIM).lower() for word in said.split()[1:] if word.strip(_TRIM)[:1].isupper()]
            return float(any(name not in asked for name in names))
        return 0.5


def _stems_of(hits: Sequence[Hit]) -> list[frozenset[str]]:
    return [frozenset(found) for found in stems([hit.chunk.indexed_text for hit in hits])]


def _has_digit(word: str) -> bool:
    return any(letter.isdigit() for letter in word)


def _is_number(word: str) -> bool:
    return _has_digit(word) or word in _NUMBERS
