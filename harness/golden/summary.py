"""What a golden set holds and what it can show, without asking anything of a retriever."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import asin, sin, sqrt
from statistics import NormalDist, median

from harness.golden.evidence import whole
from harness.golden.golden_set import GoldenSet
from harness.golden.overlap import Overlap, shares, summarised
from harness.golden.ties import Lot, Ties, group_of, ties
from harness.text import count_tokens
from harness.types import Document, Question, Span

_LANGUAGE = re.compile(r"(?:lang|language)[:=_-](?P<name>[A-Za-z]{2,3}(?:-[A-Za-z0-9]+)*)")


@dataclass(frozen=True, slots=True)
class Count:
    """Questions by split."""

    n: int
    """All."""
    tune: int
    """For choosing."""
    test: int
    """For the claim."""


@dataclass(frozen=True, slots=True)
class Groups:
    """Clusters of the statistics."""

    n: int
    """How many."""
    largest: str
    """The largest one."""
    size: int
    """Its questions."""
    effective: float
    """Clusters of equal size that would tell as much: (sum of sizes)^2 / sum of squares (Kish 1965)."""


@dataclass(frozen=True, slots=True)
class Reach:
    """Least, median and most."""

    least: int
    """Smallest."""
    median: float
    """Median."""
    most: int
    """Largest."""


@dataclass(frozen=True, slots=True)
class EvidenceFacts:
    """The evidence of all questions."""

    pieces: int
    """Things that must be found."""
    places: int
    """Spans that state them, alternatives included."""
    several: int
    """Questions that need more than one piece."""
    documents: int
    """Questions that need more than one document, whichever alternatives are taken."""
    whole: int
    """Spans that are a whole document."""
    characters: Reach | None
    """Length of a span; None without evidence."""
    tokens: Reach | None
    """Length in tokens of harness.text.count_tokens."""


@dataclass(frozen=True, slots=True)
class Leaks:
    """What what is chosen on tune already knows of test."""

    copies: tuple[tuple[str, ...], ...]
    """Lots of near-copies with questions on both sides: question ids."""
    groups: tuple[str, ...]
    """Groups with questions on both sides."""
    evidence: tuple[Span, ...]
    """Stretches of documents that are quoted as evidence on both sides."""

    @property
    def tight(self) -> bool:
        """Whether nothing leaks."""
        return not (self.copies or self.groups or self.evidence)


@dataclass(frozen=True, slots=True)
class Summary:
    """A golden set in numbers."""

    name: str
    """Of the set."""
    version: int
    """Of the card."""
    documents: int
    """Documents of the corpus."""
    questions: Count
    """All questions."""
    kinds: Mapping[str, Count]
    """By kind."""
    answerable: Count
    """Questions with an answer."""
    unanswerable: Count
    """Questions to be refused."""
    reasons: Mapping[str, Count]
    """Those by refusal reason."""
    languages: Mapping[str, int]
    """Questions by tag: a language of the card, or such as lang:de; else the card's languages with 0."""
    groups: Mapping[str, Groups]
    """For all questions and for each split that has some."""
    evidence: EvidenceFacts
    """Length and kind of evidence."""
    overlap: Overlap
    """Words that questions share with their evidence."""
    overlap_by_kind: Mapping[str, Overlap]
    """The same by kind."""
    near_copies: tuple[tuple[str, ...], ...]
    """Lots of questions of almost the same words."""
    leaks: Leaks
    """What test shares with tune."""
    unasked: tuple[str, ...]
    """Documents that no question names: not as evidence, not as forbidden, not as its group."""


def summarise(golden: GoldenSet) -> Summary:
    """Counts everything that can be seen from the files alone."""
    questions, tied = golden.questions, ties(golden.questions, golden.documents, golden.as_of)
    overlaps = shares(questions, golden.documents)
    asked = [question for question in questions if question.answerable]
    refused = [question for question in questions if not question.answerable]
    splits = {"all": questions, **{name: golden.asked(name) for name in ("tune", "test")}}
    return Summary(
        name=golden.name,
        version=golden.version,
        documents=len(golden.documents),
        questions=_count(questions),
        kinds={name: _count(members) for name, members in _by_kind(questions).items()},
        answerable=_count(asked),
        unanswerable=_count(refused),
        reasons={name: _count(item for item in refused if item.reason == name) for name in sorted({q.reason for q in refused})},
        languages=_languages(golden),
        groups={name: _groups(members) for name, members in splits.items() if members},
        evidence=_evidence(golden),
        overlap=summarised(overlaps),
        overlap_by_kind={
            kind: summarised({item.question_id: overlaps[item.question_id] for item in members if item.question_id in overlaps})
            for kind, members in _by_kind(asked).items()
        },
        near_copies=_ids(tied.copies),
        leaks=_leaks(tied.straddling),
        unasked=_unasked(golden),
    )


def shown_if_all_right(n: int, confidence: float = 0.95) -> float:
    """The rate that n right of n show: the one-sided exact lower bound (Clopper & Pearson 1934); 30 of 30 show .905."""
    return float((1 - confidence) ** (1 / n)) if n else 0.0


def smallest_fall(n: int, rate: float, alpha: float, power: float = 0.8) -> float | None:
    """Smallest fall of a rate that two runs on n questions each can show, one-sided; None when not even a fall to 0 can.

    Cohen's h = 2 asin sqrt p1 - 2 asin sqrt p2 (Cohen 1988, Statistical power analysis, chapter 6).
    """
    if not n:
        return None
    h = (NormalDist().inv_cdf(1 - alpha) + NormalDist().inv_cdf(power)) * sqrt(2 / n)
    angle = asin(sqrt(rate)) - h / 2
    return rate - sin(angle) ** 2 if angle > 0 else None


def _count(questions: Iterable[Question]) -> Count:
    sides = Counter(question.split for question in questions)
    return Count(sides.total(), sides["tune"], sides["test"])


def _by_kind(questions: Sequence[Question]) -> dict[str, list[Question]]:
    found: dict[str, list[Question]] = defaultdict(list)
    for question in questions:
        found[question.kind].append(question)
    return dict(sorted(found.items()))


def _ids(lots: Iterable[Lot]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(question.question_id for question in lot) for lot in lots)


def _leaks(straddling: Ties) -> Leaks:
    return Leaks(_ids(straddling.copies), tuple(straddling.groups), tuple(straddling.evidence))


def _languages(golden: GoldenSet) -> dict[str, int]:
    named = [{_language(tag, golden.languages) for tag in question.tags} for question in golden.questions]
    tagged = Counter(name for names in named for name in names if name)
    return dict(sorted(tagged.items())) or dict.fromkeys(sorted(golden.languages), 0)


def _language(tag: str, known: Sequence[str]) -> str:
    """The language that a tag names; empty when it names none."""
    found = _LANGUAGE.fullmatch(tag)
    return found["name"] if found else tag if tag in known else ""


def _groups(questions: Sequence[Question]) -> Groups:
    sizes = Counter(group_of(question) for question in questions)
    largest = min(sizes, key=lambda name: (-sizes[name], name))
    return Groups(len(sizes), largest, sizes[largest], len(questions) ** 2 / sum(size**2 for size in sizes.values()))


def _evidence(golden: GoldenSet) -> EvidenceFacts:
    documents = {document.doc_id: document for document in golden.documents}
    spans = [span for question in golden.questions for evidence in question.evidence for span in evidence.alternatives]
    tokens = [count_tokens(documents[span.doc_id].text[span.start : span.end]) for span in spans]
    return EvidenceFacts(
        pieces=sum(len(question.evidence) for question in golden.questions),
        places=len(spans),
        several=sum(len(question.evidence) > 1 for question in golden.questions),
        documents=sum(_needs_several_documents(question) for question in golden.questions),
        whole=sum(_is_whole(span, documents) for span in spans),
        characters=_reach([len(span) for span in spans]),
        tokens=_reach(tokens),
    )


def _is_whole(span: Span, documents: Mapping[str, Document]) -> bool:
    return span == whole(documents[span.doc_id])


def _needs_several_documents(question: Question) -> bool:
    places = [{span.doc_id for span in evidence.alternatives} for evidence in question.evidence]
    return bool(places) and not set.intersection(*places)


def _reach(lengths: Sequence[int]) -> Reach | None:
    return Reach(min(lengths), float(median(lengths)), max(lengths)) if lengths else None


def _unasked(golden: GoldenSet) -> tuple[str, ...]:
    named = {span.doc_id for question in golden.questions for span in question.forbid}
    named |= {span.doc_id for question in golden.questions for evidence in question.evidence for span in evidence.alternatives}
    named |= {question.group for question in golden.questions}
    return tuple(document.doc_id for document in golden.documents if document.doc_id not in named)
