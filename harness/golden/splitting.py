"""Tune and test: what leaks from one into the other, and a division in which nothing does."""

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from harness.chunking.assemble import TABLE_TYPES
from harness.errors import ConfigError, GoldenSetError
from harness.golden.duplicates import near_copies, united
from harness.golden.evidence import whole
from harness.golden.golden_set import GoldenSet
from harness.golden.schema import SPLITS
from harness.text import sentence_spans
from harness.types import Document, Question, Span

_LINE = re.compile(r"[^\n]+")

ALL = ""
"""The stratum of all questions."""
Tally = Mapping[str, Mapping[str, int]]
"""Stratum -> split -> questions."""


@dataclass(frozen=True, slots=True)
class Leaks:
    """Ways in which what is chosen on tune already knows test."""

    copies: tuple[tuple[str, str], ...]
    """Near-copies on different sides: question ids."""
    sentences: tuple[Span, ...]
    """Sentences, or lines of tables, that are evidence on both sides; evidence that names a whole document is not counted."""
    groups: tuple[str, ...]
    """Groups with questions on both sides."""

    @property
    def tight(self) -> bool:
        """Whether nothing leaks."""
        return not (self.copies or self.sentences or self.groups)


@dataclass(frozen=True, slots=True)
class Division:
    """A proposed division."""

    splits: Mapping[str, str]
    """question_id to tune or test."""
    changed: tuple[str, ...]
    """Ids of the questions that change side, in the order of the set."""
    units: int
    """Groups, those with near-copies of each other joined."""
    kept: bool
    """The present division stays: nothing straddles and it is balanced at least as well."""


def leaks(golden: GoldenSet, copies: Sequence[tuple[Question, Question]]) -> Leaks:
    """What leaks between the splits; `copies` are the near-copies of the set."""
    sides: dict[str, set[str]] = defaultdict(set)
    for question in golden.questions:
        sides[group_of(question)].add(question.split)
    used: dict[Span, set[str]] = defaultdict(set)
    for sentence, split in _sentences(golden):
        used[sentence].add(split)
    return Leaks(
        tuple((one.question_id, other.question_id) for one, other in copies if one.split != other.split),
        tuple(sorted(sentence for sentence, splits in used.items() if len(splits) > 1)),
        tuple(sorted(name for name, splits in sides.items() if len(splits) > 1)),
    )


def group_of(question: Question) -> str:
    """The question's group, or the question itself."""
    return question.group or question.question_id


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


def divide(questions: Sequence[Question], test_share: float = 0.6) -> Division:
    """Assigns whole groups to tune or test, near-copies kept together, balanced over kinds and refusal reasons.

    The largest group goes first, always to the side that lacks most of what it holds (iterative stratification after
    Sechidis, Tsoumakas & Vlahavas 2011). Ties are broken by a hash of names, so the same set is divided the same way.
    A present division through which nothing leaks, and which is balanced as well, stays as it is.

    Raises:
        ConfigError: for a share outside (0, 1).
        GoldenSetError: when all questions must stay together.
    """
    if not 0 < test_share < 1:
        raise ConfigError(f"the share of test must lie between 0 and 1, both excluded, got {test_share:g}; 0.6 is usual")
    units = _units(questions)
    if len(units) < 2:
        raise GoldenSetError(
            f"{len(questions)} questions in {len(units)} group cannot be divided: a group stays whole, and near-copies stay "
            "together. Give questions about different documents or stories different groups, or add some."
        )
    present = {question.question_id: question.split for question in questions}
    proposed = _greedy(units, {"tune": 1 - test_share, "test": test_share})
    as_good = _imbalance(questions, present, test_share) <= _imbalance(questions, proposed, test_share)
    kept = as_good and _whole(units, present)
    splits = present if kept else proposed
    changed = tuple(name for name, side in present.items() if splits[name] != side)
    return Division(splits, changed, len(units), kept)


def _units(questions: Sequence[Question]) -> list[list[Question]]:
    """Questions that must stay together, the largest lot first."""
    pairs = [(group_of(one), group_of(other)) for one, other in near_copies(questions)]
    stands_for = united({group_of(question) for question in questions}, pairs)
    units: dict[str, list[Question]] = defaultdict(list)
    for question in questions:
        units[stands_for[group_of(question)]].append(question)
    return [units[name] for name in sorted(units, key=lambda name: (-len(units[name]), _hash(name)))]


def _greedy(units: Sequence[Sequence[Question]], shares: Mapping[str, float]) -> dict[str, str]:
    """The side of each question, unit after unit."""
    lots = [Counter(name for question in unit for name in (ALL, stratum(question))) for unit in units]
    total = Counter(name for lot in lots for name in lot.elements())
    lacking = {side: {name: share * count for name, count in total.items()} for side, share in shares.items()}
    splits: dict[str, str] = {}
    for unit, lot in zip(units, lots, strict=True):
        side = max(SPLITS, key=lambda side: (_deficit(lot, lacking[side], total, shares[side]), shares[side], side))
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


def _whole(units: Sequence[Sequence[Question]], splits: Mapping[str, str]) -> bool:
    both = len(set(splits.values())) > 1
    return both and all(len({splits[question.question_id] for question in unit}) == 1 for unit in units)


def _hash(name: str) -> str:
    return sha256(name.encode("utf-8", "surrogatepass")).hexdigest()


def _sentences(golden: GoldenSet) -> Iterator[tuple[Span, str]]:
    """The sentences that hold each question's evidence, with its split."""
    documents = {document.doc_id: document for document in golden.documents}
    known: dict[str, list[tuple[int, int]]] = {}
    for question in golden.questions:
        for span in (span for evidence in question.evidence for span in evidence.alternatives):
            document = documents[span.doc_id]
            if span == whole(document):
                continue
            if span.doc_id not in known:
                known[span.doc_id] = _pieces(document)
            yield from ((sentence, question.split) for sentence in _touched(span, known[span.doc_id]))


def _pieces(document: Document) -> list[tuple[int, int]]:
    """Sentences, or the lines of a table."""
    if document.mime_type not in TABLE_TYPES:
        return sentence_spans(document.text)
    return [line.span() for line in _LINE.finditer(document.text)]


def _touched(span: Span, pieces: Sequence[tuple[int, int]]) -> Iterator[Span]:
    first = bisect_right(pieces, span.start, key=lambda piece: piece[1])
    last = bisect_left(pieces, span.end, key=lambda piece: piece[0])
    return (Span(span.doc_id, start, end) for start, end in pieces[first:last])
