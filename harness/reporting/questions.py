"""Which questions went wrong, how, and at which station their evidence was lost."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from harness.reporting.names import LAST_STATIONS, station_of
from harness.types import Question, RunRecord, Score, Trace

_RECALL = re.compile(r"recall_at_(\d+)$")


@dataclass(frozen=True, slots=True)
class Case:
    """A question that did not go as it should."""

    question: Question
    """The question."""
    faults: tuple[str, ...]
    """What went wrong, in words."""
    lost_at: str
    """First station whose recall is incomplete after the last complete one; empty when all evidence was shown."""
    expected: str
    """Accepted answers, the reference, or a refusal with its reason."""
    answer: str
    """What the system said; empty when generation was off."""


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


def recall_by_station(scores: Iterable[Score]) -> dict[str, dict[str, float]]:
    """question_id to station to recall over all that the station passes on.

    That is its deepest cut-off, except after reranking: there the depth of the context decides, for a passage that
    is ranked below it is lost.
    """
    found = [(score.question_id, *station_of(score.metric), score.value) for score in scores if score.value is not None]
    placed = [(name, station, int(at[1]), value) for name, station, base, value in found if (at := _RECALL.match(base))]
    shown = max((depth for _, station, depth, _ in placed if station == "context"), default=0)
    deepest: dict[tuple[str, str], tuple[int, float]] = {}
    for name, station, depth, value in placed:
        if not (station == "reranked" and shown and depth > shown):
            deepest[name, station] = max(deepest.get((name, station), (0, 0.0)), (depth, value))
    table: dict[str, dict[str, float]] = {}
    for (name, station), (_, value) in deepest.items():
        table.setdefault(name, {})[station] = value
    return table


def lost_at(recall: Mapping[str, float]) -> str:
    """The station that lost evidence: the one after the last complete station; `retrieval` when none was complete."""
    if not recall:
        return ""
    retrievers = [value for station, value in recall.items() if station not in LAST_STATIONS]
    path = [("retrieval", max(retrievers))] if retrievers else []
    path += [(station, recall[station]) for station in LAST_STATIONS if station in recall]
    complete = [place for place, (_, value) in enumerate(path) if value >= 1]
    after = complete[-1] + 1 if complete else 0
    return path[after][0] if after < len(path) else ""


def expectation(question: Question) -> str:
    """What the golden set asks for."""
    if not question.answerable:
        return f"a refusal ({question.reason})" if question.reason else "a refusal"
    return " / ".join(question.answers) or question.reference or "an answer"


def cases(record: RunRecord, questions: Sequence[Question], traces: Sequence[Trace]) -> list[Case]:
    """The questions that failed, were refused or answered wrongly, or never got all of their evidence shown."""
    recall, answers = recall_by_station(record.scores), {trace.question_id: trace.answer for trace in traces}
    broken = {failure.question_id: f"{failure.stage} failed: {failure.error}" for failure in record.failures}
    found: list[Case] = []
    for question in questions:
        answer, station = answers.get(question.question_id), lost_at(recall.get(question.question_id, {}))
        station = station if question.evidence else ""
        faults = [broken[question.question_id]] if question.question_id in broken else []
        if answer and answer.refused and question.answerable:
            faults.append("refused, though it can be answered")
        if answer and not answer.refused and not question.answerable:
            faults.append("answered, though it cannot be")
        if station:
            faults.append(f"evidence lost at {station}")
        if faults:
            found.append(Case(question, tuple(faults), station, expectation(question), answer.text if answer else ""))
    return found


def losses(items: Iterable[Case]) -> dict[str, int]:
    """How many questions lost evidence at each station, in the order of the pipeline."""
    stations = [case.lost_at for case in items]
    return {name: stations.count(name) for name in ("retrieval", *LAST_STATIONS) if name in stations}
