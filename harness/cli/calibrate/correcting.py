"""A run's judged mean, corrected by human labels of some of its own answers."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from harness import runs
from harness.errors import ConfigError, Problem
from harness.judging.calibration import MIN_LABELS
from harness.judging.labels import Labelled
from harness.statistics.ppi import Corrected, corrected_mean
from harness.types import RunRecord, Score, Trace


def scores_of(record: RunRecord, metric: str) -> dict[str, Score]:
    """The run's scores of a metric by question_id.

    Raises:
        ConfigError: when the run has none, or no judge.
    """
    if not record.fingerprints.get("judge"):
        raise ConfigError(f"run {record.run_id!r} was not judged: run it again with judge=lexical or another")
    scores = {item.question_id: item for item in record.scores if item.metric == metric}
    if not scores:
        known = ", ".join(sorted(name for name in record.aggregates if "/" not in name))
        raise ConfigError(f"run {record.run_id!r} has no {metric!r}; it has {known}")
    return scores


def placed(labelled: Sequence[Labelled], record: RunRecord, folder: Path) -> list[Labelled]:
    """The labels with the groups of the run's questions.

    Raises:
        ConfigError: for labels of questions that the run did not ask, and of answers that it did not give.
    """
    traces = runs.load_traces(folder)
    problems = [problem for item in labelled if (problem := _misplaced(item, traces))]
    if problems:
        raise ConfigError(f"the labels do not belong to run {record.run_id!r}", problems)
    return [replace(item, group=record.groups.get(item.label_id, "")) for item in labelled]


def _misplaced(item: Labelled, traces: Mapping[str, Trace]) -> Problem | None:
    trace = traces.get(item.label_id)
    if trace is None:
        fix = "use the question_id as id, or leave out --run"
        return Problem("J004", item.label_id, "no question of the run has this id", "Its label would judge another answer.", fix)
    given = trace.answer.text if trace.answer else ""
    if item.answer and item.answer.split() != given.split():
        why = "A label holds for one answer."
        return Problem("J005", item.label_id, "the run gave another answer than the one that was labelled", why, "label it anew")
    return None


def correction(labelled: Sequence[Labelled], scores: Mapping[str, Score], record: RunRecord) -> Corrected:
    """The mean that people would give (PPI++), from the labels and the judge's scores of all questions.

    Raises:
        ConfigError: with too few labels that have a score, and where the labels leave no interval.
    """
    values = {name: item.value for name, item in scores.items() if item.value is not None}
    both = [item for item in labelled if item.label_id in values]
    if len(both) < MIN_LABELS:
        raise ConfigError(
            f"{len(both)} of {len(labelled)} labels have a score in run {record.run_id!r}; correcting its mean needs {MIN_LABELS}"
        )
    rest = sorted(set(values) - {item.label_id for item in both})
    try:
        return corrected_mean(
            [item.label for item in both],
            [values[item.label_id] for item in both],
            [values[name] for name in rest],
            [item.group for item in both],
            [record.groups.get(name, "") for name in rest],
        )
    except ValueError as error:
        raise ConfigError(f"the mean of run {record.run_id!r} cannot be corrected: {error}") from error
