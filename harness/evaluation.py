"""evaluate(system, questions, metrics) -> traces, scores and failures.

The only broad `except` of the project stands here: whatever a system or a metric raises on one question becomes
a Failure or an error Score of that question. It never becomes a zero and never leaves the denominators silently.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from queue import SimpleQueue
from statistics import fmean
from typing import TypeVar

from harness.errors import StoreError
from harness.metrics.base import Together, together
from harness.metrics.catalog import bounds
from harness.protocols import Judge, Metric, Progress, System, silent
from harness.statistics.intervals import mean_interval
from harness.types import Aggregate, Failure, Question, Score, State, Trace

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Answers:
    """What a system did with the questions."""

    traces: Mapping[str, Trace]
    """By question_id, in the order of the questions."""
    failures: tuple[Failure, ...]
    """Questions on which a stage failed."""


def ask(
    system: System,
    questions: Sequence[Question],
    finished: Mapping[str, Trace],
    keep: Callable[[Trace], None],
    workers: int = 1,
    progress: Progress = silent,
) -> Answers:
    """Asks every question that is not in `finished`, on a bounded pool; `keep` is called once per new trace."""
    traces, failures = dict(finished), {}
    pending = [question for question in questions if question.question_id not in traces]
    pool = ThreadPoolExecutor(workers)
    try:
        running = {pool.submit(system.answer, question): question.question_id for question in pending}
        done: SimpleQueue[Future[Trace]] = SimpleQueue()
        for future in running:
            future.add_done_callback(done.put)
        for place in range(len(pending)):
            progress("answering", len(questions) - len(pending) + place, len(questions))
            future = done.get()
            question_id, outcome = running[future], _attempt(future.result)
            if isinstance(outcome, StoreError):
                raise outcome
            if isinstance(outcome, Exception):
                failures[question_id] = Failure(question_id, "pipeline", _words(outcome))
            else:
                keep(outcome)
                traces[question_id] = outcome
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
    order = [question.question_id for question in questions]
    return Answers(
        {name: traces[name] for name in order if name in traces}, tuple(failures[name] for name in order if name in failures)
    )


def _attempt(call: Callable[[], _T]) -> _T | Exception:
    try:
        return call()
    except Exception as error:  # noqa: BLE001
        return error


def _words(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def score(
    questions: Sequence[Question],
    answers: Answers,
    metrics: Sequence[Metric],
    judge: Judge | None = None,
    progress: Progress = silent,
) -> tuple[Score, ...]:
    """Every metric on every question; a question that failed has error scores everywhere."""
    failed = {failure.question_id: failure for failure in answers.failures}
    names = [*(metric.name for metric in metrics), *(judge.metrics if judge else ())]
    parts = together(metrics)
    scores: list[Score] = []
    for place, question in enumerate(questions):
        progress("scoring", place, len(questions))
        trace = answers.traces.get(question.question_id)
        if trace is None:
            scores += [_error(name, question, failed[question.question_id].error) for name in names]
            continue
        for part in parts:
            scores += _scored(part, question, trace)
        if judge is not None:
            scores += _judged(judge, question, trace)
    return tuple(scores)


def _scored(part: Together | Metric, question: Question, trace: Trace) -> Sequence[Score]:
    if not isinstance(part, Together):
        return [_guarded(part, question, trace)]
    outcome = _attempt(lambda: part.score_all(question, trace))
    if isinstance(outcome, Exception):
        return [_guarded(metric, question, trace) for metric in part.metrics]
    return outcome


def _guarded(metric: Metric, question: Question, trace: Trace) -> Score:
    outcome = _attempt(lambda: metric.score(question, trace))
    return _error(metric.name, question, _words(outcome)) if isinstance(outcome, Exception) else outcome


def _judged(judge: Judge, question: Question, trace: Trace) -> Sequence[Score]:
    outcome = _attempt(lambda: judge.judge(question, trace))
    return [_error(name, question, _words(outcome)) for name in judge.metrics] if isinstance(outcome, Exception) else outcome


def _error(metric: str, question: Question, reason: str) -> Score:
    return Score(metric, question.question_id, None, State.ERROR, reason)


def aggregate(scores: Iterable[Score], groups: Mapping[str, str]) -> dict[str, Aggregate]:
    """Mean, 95 % interval (questions clustered by group) and the count of every state, by metric."""
    by_metric: dict[str, list[Score]] = {}
    for item in scores:
        by_metric.setdefault(item.metric, []).append(item)
    return {name: _fold(name, items, groups) for name, items in sorted(by_metric.items())}


def _fold(name: str, items: Sequence[Score], groups: Mapping[str, str]) -> Aggregate:
    scored = [(item.value, groups.get(item.question_id, item.question_id)) for item in items if item.value is not None]
    counts = Counter([item.state for item in items])
    values = [value for value, _ in scored]
    reach = bounds(name)
    interval = mean_interval(values, [group for _, group in scored], bounds=reach) if values and reach else None
    low, high = interval or (None, None)
    return Aggregate(
        metric=name,
        value=fmean(values) if values else None,
        n=len(values),
        low=low,
        high=high,
        not_applicable=counts[State.NOT_APPLICABLE],
        skipped=counts[State.SKIPPED],
        errors=counts[State.ERROR],
    )
