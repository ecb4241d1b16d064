"""One variant from start to finish: load, index, ask, score, gate, write, log."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from harness import runs
from harness.build.environment import code_digest, environment
from harness.build.experiment import Experiment, as_yaml, resolve
from harness.cli.console import note
from harness.cli.show import seconds_per_question
from harness.errors import ConfigError, Problem, StoreError
from harness.evaluation import Answers, aggregate, ask, score
from harness.fingerprint import fingerprint
from harness.gates import baseline
from harness.golden.find import find
from harness.golden.golden_set import GoldenSet, load
from harness.golden.unreachable import cut, unreachable
from harness.metrics.catalog import default_metrics
from harness.metrics.refusal import aggregate as refusal_aggregates
from harness.pipeline import IndexedPipeline
from harness.protocols import Metric, Progress
from harness.reporting import html, markdown
from harness.reporting.junit import junit_xml
from harness.resources import roots
from harness.store import write_atomic, write_json
from harness.types import Chunk, Question, RunRecord, Trace, Verdict


@dataclass(frozen=True)
class Finished:
    """A run that is written."""

    record: RunRecord
    """Scores and aggregates."""
    folder: Path
    """Where it lies."""
    verdicts: tuple[Verdict, ...]
    """What the gate found; empty without a gate."""
    accepted: baseline.Baseline | None
    """What it was held against."""
    seconds: float
    """Mean wall seconds per question."""
    mlflow_id: str
    """MLflow run id; empty when it was not logged."""


def golden_set(experiment: Experiment) -> GoldenSet:
    """The golden set that an experiment asks, checked.

    Raises:
        ConfigError, GoldenSetError, CorpusError: with all faults.
    """
    return _load(find(experiment.settings.golden_set, roots()))


@cache
def _load(folder: Path) -> GoldenSet:
    return load(folder)


def asked(golden: GoldenSet, split: str) -> tuple[Question, ...]:
    """The questions of a split.

    Raises:
        ConfigError: when there are none.
    """
    questions = golden.asked(split)
    if not questions:
        problem = Problem(
            "G001", f"split={split}", f"golden set {golden.name!r} has no such question", "An empty set would pass every gate."
        )
        raise ConfigError("There is nothing to ask.", [problem])
    return questions


def run(experiment: Experiment, progress: Progress, parent_run_id: str = "") -> Finished:
    """Runs a variant, or finishes one that was interrupted."""
    golden = golden_set(experiment)
    questions = asked(golden, experiment.settings.split)
    metrics = _metrics(experiment, golden)
    system = experiment.pipeline.index(golden.documents, golden.as_of, progress)
    _tell_cut(golden, system.chunks)
    key = _key(experiment, golden)
    folder = runs.open_run(resolve(experiment.settings.runs_dir), _slug(experiment, golden), key)
    answers = _answers(experiment, system, questions, folder, progress)
    record = _record(experiment, golden, questions, metrics, system, answers, folder, progress)
    runs.save(folder.path, record, key, answers.traces.values(), system.chunks, as_yaml(experiment.config))
    return _finish(experiment, record, questions, answers.traces, folder.path, golden, parent_run_id)


def _tell_cut(golden: GoldenSet, chunks: Sequence[Chunk]) -> None:
    for problem in unreachable(golden, chunks, golden.coverage):
        note(f"warning: {problem}")
    found = cut(golden, chunks)
    if found.split:
        few, more = ", ".join(found.split[:3]), " ..." if len(found.split) > 3 else ""
        note(
            f"note: {len(found.split)} of {found.pieces} pieces of evidence stand in no single chunk of this chunker: {few}{more}"
        )


def _key(experiment: Experiment, golden: GoldenSet) -> str:
    """Of everything that decides a run's results, so that no other run is ever gone on with."""
    code = [code_digest(), {name: value for name, value in environment().items() if name != "git_revision"}]
    return fingerprint(experiment.name, experiment.fingerprint, _fingerprints(experiment, golden), code)


def _slug(experiment: Experiment, golden: GoldenSet) -> str:
    return "".join(letter if letter.isalnum() or letter in "-_" else "-" for letter in f"{golden.name}-{experiment.name}")[:80]


def _metrics(experiment: Experiment, golden: GoldenSet) -> Sequence[Metric]:
    depth = experiment.pipeline.depth
    names = sorted(experiment.pipeline.retrievers)
    depths = {
        **dict.fromkeys(names, depth.candidates),
        "fused": depth.candidates,
        "reranked": depth.reranked,
        "context": depth.shown,
    }
    return default_metrics(
        stations=list(depths),
        generation=experiment.pipeline.generator is not None,
        ks=experiment.settings.ks,
        tau=golden.coverage,
        depths=depths,
        documents=golden.documents,
        as_of=golden.as_of,
    )


def _answers(
    experiment: Experiment, system: IndexedPipeline, questions: Sequence[Question], folder: runs.RunFolder, progress: Progress
) -> Answers:
    finished = folder.finished(system.by_id)
    if finished:
        note(f"going on with {folder.path.name}: {len(finished)} of {len(questions)} questions are finished")
    return ask(system, questions, finished, folder.keep, experiment.settings.workers, progress)


def _record(
    experiment: Experiment,
    golden: GoldenSet,
    questions: Sequence[Question],
    metrics: Sequence[Metric],
    system: IndexedPipeline,
    answers: Answers,
    folder: runs.RunFolder,
    progress: Progress,
) -> RunRecord:
    scores = score(questions, answers, metrics, experiment.judge, progress)
    groups = {question.question_id: question.group or question.question_id for question in questions}
    aggregates = aggregate(scores, groups)
    if experiment.pipeline.generator is not None:
        aggregates |= {item.metric: item for item in refusal_aggregates(questions, answers.traces)}
    return RunRecord(
        run_id=folder.path.name,
        created=folder.created,
        experiment=experiment.name,
        config=experiment.config,
        overrides=experiment.overrides,
        fingerprints=_fingerprints(experiment, golden),
        environment=environment(),
        latency=runs.latency(answers.traces.values()),
        statistics=system.statistics,
        scores=scores,
        failures=answers.failures,
        aggregates=dict(sorted(aggregates.items())),
        groups=groups,
        splits={question.question_id: question.split for question in questions},
        contents={"questions": golden.question_digests, "documents": golden.document_digests},
        golden_set=golden.name,
        golden_version=golden.version,
    )


def _fingerprints(experiment: Experiment, golden: GoldenSet) -> dict[str, str]:
    return {
        "config": experiment.fingerprint,
        "golden_set": golden.digest,
        "corpus": golden.corpus_digest,
        "golden_terms": golden.terms,
        "judge": experiment.judge.identity if experiment.judge else "",
    }


def _finish(
    experiment: Experiment,
    record: RunRecord,
    questions: Sequence[Question],
    traces: Mapping[str, Trace],
    folder: Path,
    golden: GoldenSet,
    parent_run_id: str,
) -> Finished:
    accepted = accepted_baseline(resolve(experiment.settings.reports_dir), record) if experiment.gate else None
    verdicts = tuple(experiment.gate.check(record, accepted)) if experiment.gate else ()
    write_reports(folder, record, accepted, verdicts, questions, traces)
    runs.seal(folder, record)
    mlflow_id = _log(experiment, record, verdicts, questions, folder, golden, parent_run_id)
    return Finished(record, folder, verdicts, accepted, seconds_per_question(traces), mlflow_id)


def accepted_baseline(reports: Path, record: RunRecord) -> baseline.Baseline | None:
    """The accepted baseline of the record's golden set and experiment: the user's, else the shipped one."""
    shipped = [root / "reports" for root in roots()]
    for folder in [reports, *shipped]:
        path = baseline.path_of(folder, record.golden_set, record.experiment)
        if path.exists():
            return baseline.load(path)
    return None


def write_reports(
    folder: Path,
    record: RunRecord,
    accepted: baseline.Baseline | None,
    verdicts: Sequence[Verdict],
    questions: Sequence[Question],
    traces: Mapping[str, Trace],
) -> None:
    """gate.json, junit.xml, report.md and report.html beside the results, and the step summary of a GitHub job."""
    write_json(folder / "gate.json", [asdict(verdict) for verdict in verdicts])
    write_atomic(folder / "junit.xml", junit_xml(f"{record.golden_set}.{record.experiment}", verdicts))
    write_atomic(folder / "report.md", markdown.run_report(record, accepted, verdicts, questions, list(traces.values())))
    if summary := os.environ.get("GITHUB_STEP_SUMMARY"):
        with Path(summary).open("a", encoding="utf-8") as file:
            file.write(markdown.step_summary(record, accepted, verdicts))
    write_atomic(folder / "report.html", html.run_report(record, accepted, verdicts, questions, list(traces.values())))


def _log(
    experiment: Experiment,
    record: RunRecord,
    verdicts: Sequence[Verdict],
    questions: Sequence[Question],
    folder: Path,
    golden: GoldenSet,
    parent_run_id: str,
) -> str:
    if experiment.tracking is None:
        return ""
    from harness.golden.table import to_dataset

    try:
        table = question_table(record, questions)
        return experiment.tracking.log_run(record, verdicts, folder, table, to_dataset(golden), parent_run_id)
    except StoreError as error:
        if experiment.tracking.required:
            raise
        note(f"warning: not logged to MLflow; the run itself is whole. {error}")
        return ""


def question_table(record: RunRecord, questions: Sequence[Question]) -> dict[str, list[Any]]:
    """One row per question: id, kind, split and every headline score."""
    table: dict[str, list[Any]] = {
        "question_id": [question.question_id for question in questions],
        "kind": [question.kind for question in questions],
        "split": [question.split for question in questions],
        "question": [question.text for question in questions],
    }
    values = {(item.metric, item.question_id): item.value for item in record.scores}
    for metric in sorted({item.metric for item in record.scores if "/" not in item.metric}):
        table[metric] = [values.get((metric, question.question_id)) for question in questions]
    return table


def renamed(experiment: Experiment, name: str) -> Experiment:
    """The same variant under another name, without its gate: a cell of a sweep."""
    return replace(experiment, name=name, gate=None)
