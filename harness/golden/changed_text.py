"""How much of a text changed, in time that grows with its length: lines first, then words and letters inside what differs."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

_Lengths = tuple[int, int]
"""Characters of a stretch, old and new."""


class _Unit(NamedTuple):
    pattern: re.Pattern[str]
    longest: int
    """Characters up to which a stretch is compared in this unit; a longer one counts as replaced."""


_UNITS = (
    _Unit(re.compile(r"[^\n]*\n|[^\n]+"), 1_000_000_000),
    _Unit(re.compile(r"\w+|\W"), 2_000_000),
    _Unit(re.compile(r"(?s)."), 200),
)
"""Lines, words, letters."""
_DEEPEST = 12
"""How often what lies between units that stay is looked through again."""
_EDITS = 64
"""Units taken away and put in up to which the shortest edit is looked for."""


def text_change(old: str, new: str) -> tuple[int, float]:
    """Characters taken away, put in or replaced (a replaced one counts once), and the similarity, 0 to 1.

    Similarity is twice what is common over what there is. Both are bounds: what cannot be aligned in time counts as changed.
    """
    differing = _differing(old, new, _UNITS)
    total, common = len(old) + len(new), len(old) - sum(taken for taken, _ in differing)
    return sum(map(max, differing)), 2 * common / total if total else 1.0


def _differing(old: str, new: str, units: Sequence[_Unit]) -> list[_Lengths]:
    """Lengths of the stretches that differ in the smallest units; none for equal texts."""
    if old == new:
        return []
    if not (old and new and units) or max(len(old), len(new)) > units[0].longest:
        return [(len(old), len(new))]
    gaps = _gaps(units[0].pattern.findall(old), units[0].pattern.findall(new), _DEEPEST)
    return [lengths for left, right in gaps for lengths in _inside(left, right, units[1:])]


def _inside(old: Sequence[str], new: Sequence[str], units: Sequence[_Unit]) -> list[_Lengths]:
    """What differs inside a stretch taken as a whole or, where as many units replace as many, each by each: the less of both."""
    whole = _differing("".join(old), "".join(new), units)
    if len(old) != len(new) or len(old) == 1:
        return whole
    each = [lengths for one, other in zip(old, new, strict=True) for lengths in _differing(one, other, units)]
    return min(each, whole, key=lambda found: sum(map(max, found)))


def _gaps(old: Sequence[str], new: Sequence[str], depth: int) -> Iterator[tuple[Sequence[str], Sequence[str]]]:
    """What lies between the units that stay."""
    start, stop = 0, min(len(old), len(new))
    while start < stop and old[start] == new[start]:
        start += 1
    end = 0
    while end < stop - start and old[-1 - end] == new[-1 - end]:
        end += 1
    old, new = old[start : len(old) - end], new[start : len(new) - end]
    staying = _staying(old, new) if depth else []
    if not staying:
        yield old, new
        return
    for (low, first), (high, last) in pairwise([(-1, -1), *staying, (len(old), len(new))]):
        yield from _gaps(old[low + 1 : high], new[first + 1 : last], depth - 1)


def _staying(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Places of units that stay: those that stand once in each (patience diff, B. Cohen), or all if few edits are needed."""
    found = _in_order(_once(old), _once(new)) or _by_few_edits(old, new)
    return [] if all(old[place].isspace() for place, _ in found) else found


def _once(units: Sequence[str]) -> dict[str, int]:
    counted = Counter(units)
    return {unit: place for place, unit in enumerate(units) if counted[unit] == 1}


def _in_order(old: Mapping[str, int], new: Mapping[str, int]) -> list[tuple[int, int]]:
    """The longest run of common units that have the same order in both (patience sorting)."""
    ends: list[int] = []
    tops: list[int] = []
    pairs: list[tuple[int, int, int]] = []
    for mark, place in old.items():
        if mark in new:
            pile = bisect_left(ends, new[mark])
            pairs.append((place, new[mark], tops[pile - 1] if pile else -1))
            ends[pile : pile + 1] = [new[mark]]
            tops[pile : pile + 1] = [len(pairs) - 1]
    run: list[tuple[int, int]] = []
    at = tops[-1] if tops else -1
    while at >= 0:
        place, other, at = pairs[at]
        run.append((place, other))
    return run[::-1]


def _by_few_edits(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """All common units of the shortest edit (E. Myers, An O(ND) Difference Algorithm, 1986); none when it is long."""
    reached, trail = {1: 0}, []
    for edits in range(min(len(old) + len(new), _EDITS) + 1):
        trail.append(dict(reached))
        for diagonal in range(-edits, edits + 1, 2):
            before = _before(reached, diagonal, edits)
            place = reached[before] + (before < diagonal)
            while place < len(old) and 0 <= place - diagonal < len(new) and old[place] == new[place - diagonal]:
                place += 1
            reached[diagonal] = place
            if place >= len(old) and place - diagonal >= len(new):
                return _steps(trail, len(old), len(new))
    return []


def _before(reached: Mapping[int, int], diagonal: int, edits: int) -> int:
    """The diagonal from which one more edit leads furthest."""
    down = diagonal == -edits or (diagonal != edits and reached[diagonal - 1] < reached[diagonal + 1])
    return diagonal + 1 if down else diagonal - 1


def _steps(trail: Sequence[Mapping[int, int]], place: int, other: int) -> list[tuple[int, int]]:
    """Common units on the way back to the start."""
    found: list[tuple[int, int]] = []
    for edits in range(len(trail) - 1, -1, -1):
        before = _before(trail[edits], place - other, edits)
        low = trail[edits][before]
        while place > low and other > max(low - before, 0):
            place, other = place - 1, other - 1
            found.append((place, other))
        place, other = low, low - before
    return found[::-1]
