"""Near-copies: questions of almost the same words. One of them in tune gives the other one in test away."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence, Set
from itertools import combinations
from math import ceil
from typing import Any, TypeVar

from harness.text import normalise, words
from harness.types import Question

THRESHOLD = 0.8
"""Jaccard similarity of the sets of words from which two questions are near-copies."""

_ROUNDING = 1e-9
_Name = TypeVar("_Name", str, int)


def asker(question: Question | Mapping[str, Any], as_of: str = "") -> tuple[str, str, tuple[tuple[str, str], ...]]:
    """Who asks, on which day and after which turns, of a question or of a line of questions.jsonl.

    `as_of` is the card's day, on which questions that name none are asked.
    """
    if isinstance(question, Question):
        turns = tuple((turn.role, turn.content) for turn in question.history)
        return question.persona, question.as_of or as_of, turns
    turns = tuple((turn["role"], turn["content"]) for turn in question.get("history") or ())
    return str(question.get("tenant") or question.get("persona") or ""), question.get("as_of") or as_of, turns


def same_asker(one: Question | Mapping[str, Any], other: Question | Mapping[str, Any], as_of: str = "") -> bool:
    """Whether the same one asks on the same day after the same turns; else the same words are no near-copies."""
    return asker(one, as_of) == asker(other, as_of)


def near_copies(questions: Sequence[Question], threshold: float = THRESHOLD, as_of: str = "") -> list[tuple[Question, Question]]:
    """All pairs of near-copies, each once, in the order of the questions; n alike ones are n (n - 1) / 2 pairs.

    `as_of` is the card's day.

    Raises:
        ValueError: for a threshold outside (0, 1].
    """
    sets = _sets(questions)
    pairs = [pair for lot in _lots(questions, sets, threshold, as_of) for pair in combinations(lot, 2)]
    found = sorted(pair for pair in pairs if _jaccard(sets[pair[0]], sets[pair[1]]) >= threshold - _ROUNDING)
    return [(questions[first], questions[second]) for first, second in found]


def copy_lots(questions: Sequence[Question], threshold: float = THRESHOLD, as_of: str = "") -> list[tuple[Question, ...]]:
    """Questions that are near-copies of each other, directly or over others: lots of two or more, in the order of the questions.

    Raises:
        ValueError: for a threshold outside (0, 1].
    """
    return [tuple(questions[place] for place in lot) for lot in _lots(questions, _sets(questions), threshold, as_of)]


def similarity(one: str, other: str) -> float:
    """Jaccard similarity of two texts' sets of words, 0 to 1; 0 when neither has a word."""
    first, second = (frozenset(words(normalise(text))) for text in (one, other))
    return _jaccard(first, second)


def united(names: Iterable[_Name], pairs: Iterable[tuple[_Name, _Name]]) -> dict[_Name, _Name]:
    """For each name the one that stands for all that pairs connect with it, directly or over others: the first in order."""
    parent = {name: name for name in names}
    for one, other in pairs:
        _unite(parent, one, other)
    return {name: _root(parent, name) for name in parent}


def _unite(parent: dict[_Name, _Name], one: _Name, other: _Name) -> None:
    first, second = sorted((_root(parent, one), _root(parent, other)))
    parent[second] = first


def _root(parent: dict[_Name, _Name], name: _Name) -> _Name:
    while parent[name] != name:
        parent[name] = parent[parent[name]]
        name = parent[name]
    return name


def _sets(questions: Iterable[Question]) -> list[frozenset[str]]:
    return [frozenset(words(normalise(question.text))) for question in questions]


def _lots(questions: Sequence[Question], sets: Sequence[frozenset[str]], threshold: float, as_of: str) -> list[list[int]]:
    """Places of questions that similar sets connect, for each asker."""
    if not 0 < threshold <= 1:
        raise ValueError(f"threshold must lie in (0, 1], got {threshold}")
    alike: dict[Hashable, list[int]] = defaultdict(list)
    for place, question in enumerate(questions):
        alike[asker(question, as_of)].append(place)
    lots: dict[int, list[int]] = defaultdict(list)
    for members in alike.values():
        for place, first in _connected(members, sets, threshold).items():
            lots[first].append(place)
    return [lots[first] for first in sorted(lots) if len(lots[first]) > 1]


def _connected(places: Sequence[int], sets: Sequence[frozenset[str]], threshold: float) -> dict[int, int]:
    """For each place the first one that similar sets connect with it. Exact, yet not quadratic.

    Sets as similar as that share one of their first words, ordered from rare to common; of the smaller set even fewer words
    need be looked at (Bayardo, Ma & Srikant 2007, Scaling up all pairs similarity search; Xiao et al. 2008, Efficient
    similarity joins for near duplicate detection). A lot that is joined already is not compared again, so thousands of
    questions from one template cost one comparison each.
    """
    common = Counter(word for place in places for word in sets[place])
    parent = {place: place for place in places}
    holding: dict[str, dict[int, list[int]]] = defaultdict(dict)
    for place in sorted(places, key=lambda place: (len(sets[place]), place)):
        ordered = sorted(sets[place], key=lambda word: (common[word], word))
        for word in _first(ordered, threshold):
            for lot, members in holding[word].items():
                if _root(parent, lot) != _root(parent, place) and _similar_to_any(place, members, sets, threshold):
                    _unite(parent, lot, place)
        for word in _first(ordered, 2 * threshold / (1 + threshold)):
            holding[word].setdefault(_root(parent, place), []).append(place)
    return {place: _root(parent, place) for place in places}


def _first(ordered: Sequence[str], share: float) -> Sequence[str]:
    """The words of which another set must hold one to share `share` of all."""
    return ordered[: len(ordered) - ceil(share * len(ordered) - _ROUNDING) + 1]


def _similar_to_any(place: int, others: Iterable[int], sets: Sequence[frozenset[str]], threshold: float) -> bool:
    needed = threshold * len(sets[place]) - _ROUNDING
    return any(len(sets[other]) >= needed and _jaccard(sets[place], sets[other]) >= threshold - _ROUNDING for other in others)


def _jaccard(one: Set[str], other: Set[str]) -> float:
    shared = len(one & other)
    return shared / (len(one) + len(other) - shared) if shared else 0.0
