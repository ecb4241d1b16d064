"""Near-copies: questions of almost the same words. One of them in tune gives the other one in test away."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence, Set
from math import ceil

from harness.text import normalise, words
from harness.types import Question

THRESHOLD = 0.8
"""Jaccard similarity of the sets of words from which two questions are near-copies."""

_ROUNDING = 1e-9


def near_copies(questions: Sequence[Question], threshold: float = THRESHOLD) -> list[tuple[Question, Question]]:
    """All pairs of near-copies, each once, in the order of the questions.

    Questions asked by another persona, on another day or after other turns are no copies of each other. Exact, yet not
    quadratic: two sets as similar as that share one of the first few words when words are ordered from rare to common
    (prefix filter of Bayardo, Ma & Srikant 2007, Scaling up all pairs similarity search).

    Raises:
        ValueError: for a threshold outside (0, 1].
    """
    if not 0 < threshold <= 1:
        raise ValueError(f"threshold must lie in (0, 1], got {threshold}")
    alike: dict[Hashable, list[int]] = defaultdict(list)
    for place, question in enumerate(questions):
        alike[question.persona, question.as_of, question.history].append(place)
    sets = [frozenset(words(normalise(question.text))) for question in questions]
    places = sorted(pair for members in alike.values() for pair in _similar(members, sets, threshold))
    return [(questions[first], questions[second]) for first, second in places]


def similarity(one: str, other: str) -> float:
    """Jaccard similarity of two texts' sets of words, 0 to 1; 0 when neither has a word."""
    first, second = (frozenset(words(normalise(text))) for text in (one, other))
    return _jaccard(first, second)


def united(names: Iterable[str], pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """For each name the one that stands for all that pairs connect with it, directly or over others: the first in order."""
    parent = {name: name for name in names}
    for one, other in pairs:
        first, second = sorted((_root(parent, one), _root(parent, other)))
        parent[second] = first
    return {name: _root(parent, name) for name in parent}


def _root(parent: dict[str, str], name: str) -> str:
    while parent[name] != name:
        parent[name] = parent[parent[name]]
        name = parent[name]
    return name


def _similar(places: Sequence[int], sets: Sequence[frozenset[str]], threshold: float) -> Iterator[tuple[int, int]]:
    """Pairs of places, the smaller one first, whose sets are similar."""
    common = Counter(word for place in places for word in sets[place])
    holding: dict[str, list[int]] = defaultdict(list)
    for place in sorted(places, key=lambda place: (len(sets[place]), place)):
        size = len(sets[place])
        needed = ceil(threshold * size - _ROUNDING)
        prefix = sorted(sets[place], key=lambda word: (common[word], word))[: size - needed + 1] if size else []
        candidates = {other for word in prefix for other in holding[word]}
        for other in candidates:
            if len(sets[other]) >= needed and _jaccard(sets[place], sets[other]) >= threshold - _ROUNDING:
                yield min(place, other), max(place, other)
        for word in prefix:
            holding[word].append(place)


def _jaccard(one: Set[str], other: Set[str]) -> float:
    shared = len(one & other)
    return shared / (len(one) + len(other) - shared) if shared else 0.0
