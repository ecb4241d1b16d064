"""Which questions went wrong, how, where their evidence was lost, and what they were shown."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from harness.attribution.stations import ORDER, RETRIEVAL, Attribution, GroupLoss, Station
from harness.generation.citations import cited_ids
from harness.metrics.coverage import touches
from harness.reporting.names import LAST_STATIONS
from harness.reporting.steps import Told, told
from harness.reporting.waterfall import words
from harness.types import Chunk, Question, RunRecord, Trace

_NOWHERE = ("no retriever ranks it at any depth", "left out by the fuser")
"""Ends of what stands in the place of a remedy where there is none."""
_REFUSED, _FALSE = "refused, though it can be answered", "answered, though it cannot be"


@dataclass(frozen=True, slots=True)
class Lost:
    """One evidence group that did not come through."""

    place: str
    """Such as `evidence[1]`."""
    spans: str
    """Its alternatives: documents and characters."""
    quote: str
    """The start of its text, where known."""
    fate: str
    """What happened to it."""
    ranks: tuple[tuple[str, str], ...]
    """Ranking and the rank in it, in the order of the pipeline."""
    remedy: str
    """What would have found it."""


@dataclass(frozen=True, slots=True)
class Passage:
    """One passage that was shown."""

    chunk_id: str
    """Its id."""
    heading: str
    """Document and section."""
    text: str
    """Its text."""
    marks: tuple[str, ...]
    """evidence, cited, or neither."""


@dataclass(frozen=True, slots=True)
class Case:
    """A question that did not go as it should."""

    question: Question
    """The question."""
    faults: tuple[str, ...]
    """What went wrong, in words; the one that decides comes first."""
    station: Station
    """Where its evidence was lost."""
    remedy: str
    """What would have helped; empty when unknown."""
    why: tuple[tuple[str, str], ...]
    """Why it went wrong where no remedy says it: a label and the reason."""
    expected: str
    """Accepted answers, the reference, or a refusal with its reason."""
    answer: str
    """What the system said; empty when generation was off."""
    lost: tuple[Lost, ...] = ()
    """Evidence groups that did not come through."""
    passages: tuple[Passage, ...] = ()
    """What was shown to the generator, best first."""
    steps: Told = ()
    """What the query steps, the reranking model and verification did."""


@dataclass(frozen=True, slots=True)
class Confusion:
    """Gold answerable or not, against answered or refused."""

    answered: int
    """Answerable and answered."""
    over_refused: int
    """Answerable and refused."""
    falsely_answered: int
    """Unanswerable and answered."""
    refused: int
    """Unanswerable and refused."""


def confusion(questions: Iterable[Question], traces: Iterable[Trace]) -> Confusion | None:
    """Counts of the refusal table; None when nothing was generated."""
    answers = {trace.question_id: trace.answer.refused for trace in traces if trace.answer}
    cells = [(item.answerable, answers[item.question_id]) for item in questions if item.question_id in answers]
    if not cells:
        return None
    return Confusion(*(cells.count(cell) for cell in ((True, False), (True, True), (False, False), (False, True))))


def expectation(question: Question) -> str:
    """What the golden set asks for."""
    if not question.answerable:
        return f"a refusal ({question.reason})" if question.reason else "a refusal"
    return " / ".join(question.answers) or question.reference or "an answer"


def cases(
    record: RunRecord,
    questions: Sequence[Question],
    traces: Sequence[Trace],
    attributions: Mapping[str, Attribution] | None = None,
    copies: Mapping[str, tuple[str, ...]] | None = None,
) -> list[Case]:
    """The questions that failed, were refused or answered wrongly, or whose evidence did not come through.

    They stand in the order of the stations at which they were lost, then of the set. Without attributions nothing is known
    of their evidence. A passage names the `copies` of its document that are not searched.
    """
    known, by_id = attributions or {}, {trace.question_id: trace for trace in traces}
    broken = {failure.question_id: f"{failure.stage} failed: {failure.error}" for failure in record.failures}
    found: list[Case] = []
    for question in questions:
        name = question.question_id
        trace, attribution = by_id.get(name), known.get(name) or _unknown(name, name in broken)
        faults = tuple(filter(None, (broken.get(name), _lost_evidence(attribution.station), _wrong_side(question, trace))))
        if faults:
            found.append(_case(question, trace, attribution, faults, copies or {}))
    return sorted(found, key=lambda case: ORDER.index(case.station))


def by_station(found: Iterable[Case]) -> dict[str, list[Case]]:
    """The cases by what decides, in their order: the station, or the first fault of those whose evidence was not lost."""
    grouped: dict[str, list[Case]] = {}
    for case in found:
        lost = ORDER.index(case.station) <= ORDER.index(Station.ANSWERED_ALTHOUGH_UNANSWERABLE)
        grouped.setdefault(words(case.station) if lost else case.faults[0], []).append(case)
    return grouped


def _unknown(question_id: str, failed: bool) -> Attribution:
    return Attribution(question_id, Station.ERROR if failed else Station.NOTHING_TO_FIND)


def _lost_evidence(station: Station) -> str:
    if station in (*RETRIEVAL[1:], Station.SHOWN_BUT_UNUSED, Station.USED_BUT_NOT_CITED):
        return f"evidence {words(station)}"
    return ""


def _wrong_side(question: Question, trace: Trace | None) -> str:
    if trace is None or trace.answer is None or trace.answer.refused != question.answerable:
        return ""
    return _REFUSED if question.answerable else _FALSE


def _case(
    question: Question,
    trace: Trace | None,
    attribution: Attribution,
    faults: tuple[str, ...],
    copies: Mapping[str, tuple[str, ...]],
) -> Case:
    lost = (group for group in attribution.groups if group.station is not Station.ANSWERED and group.station is not Station.SHOWN)
    why = _reasons(question, trace, attribution)
    return Case(
        question=question,
        faults=faults,
        station=attribution.station,
        remedy="" if attribution.remedy in [reason for _, reason in why] else attribution.remedy,
        why=why,
        expected=expectation(question),
        answer=trace.answer.text if trace and trace.answer else "",
        lost=tuple(_lost(group, question) for group in lost),
        passages=_passages(question, trace, copies) if trace else (),
        steps=told(trace, question.text) if trace else (),
    )


def _reasons(question: Question, trace: Trace | None, attribution: Attribution) -> tuple[tuple[str, str], ...]:
    """Why the system refused what can be answered, and what an attribution says that is no remedy."""
    said, reasons = attribution.remedy, []
    if question.answerable and trace and trace.answer and trace.answer.refused and trace.answer.refusal_reason:
        reasons.append(("Refused because", trace.answer.refusal_reason))
    if said and attribution.station is Station.HIDDEN:
        reasons.append(("Hidden because", said))
    elif said.endswith(_NOWHERE):
        reasons.append(("Lost because", said))
    return tuple(reasons)


def _lost(group: GroupLoss, question: Question) -> Lost:
    spans = (f"{span.doc_id} {span.start}–{span.end}" for span in question.evidence[group.number].alternatives)
    return Lost(
        place=f"evidence[{group.number}]",
        spans=" or ".join(spans),
        quote=group.quote,
        fate=words(group.station),
        ranks=tuple((name, _rank(name, rank, group.searched)) for name, rank in group.ranks.items()),
        remedy=group.remedy,
    )


def _rank(name: str, rank: int | None, searched: int) -> str:
    """`7`, `not in 939` of a retriever, `–` of a later ranking."""
    if rank:
        return f"{rank:,}"
    return "–" if name in LAST_STATIONS else f"not in {searched:,}"


def _passages(question: Question, trace: Trace, copies: Mapping[str, tuple[str, ...]]) -> tuple[Passage, ...]:
    cited = cited_ids(trace.answer.text) if trace.answer else ()
    chunks = [hit.chunk for hit in trace.context.hits]
    return tuple(_passage(chunk, question, chunk.chunk_id in cited, copies.get(chunk.span.doc_id, ())) for chunk in chunks)


def _passage(chunk: Chunk, question: Question, cited: bool, copies: tuple[str, ...]) -> Passage:
    holds = any(touches(chunk.span, group) for group in question.evidence)
    marks = (*(["evidence"] if holds else []), *(["cited"] if cited else []))
    also = f" (also in {', '.join(copies)})" if copies else ""
    heading = " > ".join((f"{chunk.span.doc_id}{also}", *chunk.section_path))
    return Passage(chunk.chunk_id, heading, chunk.text, marks)
