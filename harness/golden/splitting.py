"""A division into tune and test through which nothing leaks, as `harness.golden.ties` defines it."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from harness.errors import ConfigError, GoldenSetError
from harness.golden.duplicates import united
from harness.golden.golden_set import GoldenSet
from harness.golden.schema import SPLITS
from harness.golden.ties import Ties, group_of, ties
from harness.types import Question

ALL = ""
"""The stratum of all questions."""
Tally = Mapping[str, Mapping[str, int]]
"""Stratum -> split -> questions."""
TOLERATED = 0.5
"""Questions a stratum, on average, by which a present division may miss its shares more than a new one and stay."""


@dataclass(frozen=True, slots=True)
class Division:
    """A proposed division."""

    splits: Mapping[str, str]
    """question_id to tune or test."""
    changed: tuple[str, ...]
    """Ids of the questions that change side, in the order of the set."""
    units: int
    """Groups, those with near-copies of each other or shared evidence joined."""
    kept: bool
    """The present division stays: nothing leaks and it is balanced nearly as well as can be."""


def stratum(question: Question) -> str:
    """What is balanced: the kind, and for questions to be refused the reason."""
    return question.kind if question.answerable else f"{question.kind}: {question.reason}"


def tally(questions: Sequence[Question], splits: Mapping[str, str]) -> dict[str, dict[str, int]]:
    """Questions of each stratum on each side, strata sorted; under `ALL` those of the whole set, first."""
    counted: dict[str, Counter[str]] = {ALL: Counter()}
    for question in questions:
        for name in (ALL, stratum(question)):
            counted.setdefault(name, Counter())[splits[question.question_id]] += 1
    return {name: {side: counted[name][side] for side in SPLITS} for name in sorted(counted)}


def divide(golden: GoldenSet, test_share: float = 0.6) -> Division:
    """Assigns whole groups to tune or test, balanced over kinds and refusal reasons; what is tied together stays together.

    The largest group goes first, always to the side that lacks most of what it holds (iterative stratification after
    Sechidis, Tsoumakas & Vlahavas 2011). Ties are broken by a hash of names, so the same set is divided the same way.
    Of a present division that is nearly as well balanced only what leaks changes side: what was tuned on has been seen, and
    is no test any more. So what is divided once stays as it is.

    Raises:
        ConfigError: for a share outside (0, 1).
        GoldenSetError: when all questions must stay together.
    """
    if not 0 < test_share < 1:
        raise ConfigError(f"the share of test must lie between 0 and 1, both excluded, got {test_share:g}; 0.6 is usual")
    questions = golden.questions
    units = _units(questions, ties(questions, golden.documents, golden.as_of))
    if len(units) < 2:
        raise GoldenSetError(
            f"{len(questions)} questions in {len(units)} group cannot be divided: a group stays whole, near-copies and questions "
            "with the same evidence stay together. Give questions about different documents or stories different groups, or add some."
        )
    shares = {"tune": 1 - test_share, "test": test_share}
    present = {question.question_id: question.split for question in questions}
    proposed, mended = _greedy(units, shares, {}), _greedy(units, shares, _settled(units))
    worse = _imbalance(questions, mended, test_share) - _imbalance(questions, proposed, test_share)
    near = worse <= TOLERATED * len(tally(questions, mended)) and len(set(mended.values())) > 1
    splits = mended if near else proposed
    changed = tuple(name for name, side in present.items() if splits[name] != side)
    return Division(splits, changed, len(units), not changed)


def _units(questions: Sequence[Question], tied: Ties) -> list[list[Question]]:
    """Questions that must stay together, the largest lot first."""
    pairs = [(group_of(lot[0]), group_of(question)) for lot in tied.lots for question in lot]
    stands_for = united({group_of(question) for question in questions}, pairs)
    units: dict[str, list[Question]] = defaultdict(list)
    for question in questions:
        units[stands_for[group_of(question)]].append(question)
    return [units[name] for name in sorted(units, key=lambda name: (-len(units[name]), _hash(name)))]


def _settled(units: Sequence[Sequence[Question]]) -> dict[str, str]:
    """The sides of questions whose unit does not straddle."""
    whole = [unit for unit in units if len({question.split for question in unit}) == 1]
    return {question.question_id: question.split for unit in whole for question in unit}


def _greedy(units: Sequence[Sequence[Question]], shares: Mapping[str, float], settled: Mapping[str, str]) -> dict[str, str]:
    """The side of each question, unit after unit, first those whose side is settled."""
    units = sorted(units, key=lambda unit: unit[0].question_id not in settled)
    lots = [Counter(name for question in unit for name in (ALL, stratum(question))) for unit in units]
    total = Counter(name for lot in lots for name in lot.elements())
    lacking = {side: {name: share * count for name, count in total.items()} for side, share in shares.items()}
    splits: dict[str, str] = {}
    for unit, lot in zip(units, lots, strict=True):
        side = settled.get(unit[0].question_id) or max(
            SPLITS, key=lambda side: (_deficit(lot, lacking[side], total, shares[side]), shares[side], side)
        )
        for name, count in lot.items():
            lacking[side][name] -= count
        splits |= dict.fromkeys((question.question_id for question in unit), side)
    return splits


def _deficit(lot: Mapping[str, int], lacking: Mapping[str, float], total: Mapping[str, int], share: float) -> float:
    """How much of what a unit holds a side still lacks: in shares of what it should get, weighed by the unit's questions."""
    return round(sum(count * lacking[name] / (share * total[name]) for name, count in lot.items()), 9)


def _imbalance(questions: Sequence[Question], splits: Mapping[str, str], share: float) -> float:
    """Questions by which the strata, and the whole, miss their share of test."""
    counted = tally(questions, splits)
    return round(sum(abs(sides["test"] - share * sum(sides.values())) for sides in counted.values()), 9)


def _hash(name: str) -> str:
    return sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
