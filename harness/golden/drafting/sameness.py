"""Near-copies of a question among lines of a file: the rule of `harness.golden.duplicates`, one question at a time."""

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping
from math import ceil
from typing import Any

from harness.golden.duplicates import THRESHOLD, asker
from harness.text import normalise, words

_ROUNDING = 1e-9


class Alike:
    """Questions of which the near-copies are found by their words, each question read once.

    A set as similar as THRESHOLD shares one of any few words of the other: the rarest ones are looked up.
    """

    def __init__(self, as_of: str) -> None:
        self._as_of = as_of
        self._sets: list[frozenset[str]] = []
        self._holding: dict[tuple[Hashable, str], list[int]] = defaultdict(list)

    def add(self, fields: Mapping[str, Any]) -> None:
        """One more question; the first has place 0."""
        mine, who = _words(fields), asker(fields, self._as_of)
        for word in mine:
            self._holding[who, word].append(len(self._sets))
        self._sets.append(mine)

    def near(self, fields: Mapping[str, Any]) -> Iterator[int]:
        """Places of the near-copies of a question by the same asker, in order."""
        mine, who = _words(fields), asker(fields, self._as_of)
        holders = sorted((self._holding.get((who, word), []) for word in mine), key=len)
        rare = holders[: len(mine) - ceil(THRESHOLD * len(mine) - _ROUNDING) + 1]
        for place in sorted({place for found in rare for place in found}):
            other = self._sets[place]
            if len(mine & other) >= THRESHOLD * len(mine | other) - _ROUNDING:
                yield place


def _words(fields: Mapping[str, Any]) -> frozenset[str]:
    return frozenset(words(normalise(fields["question"])))
