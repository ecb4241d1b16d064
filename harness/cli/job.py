"""One variant from start to finish: load, index, ask, score, gate, write, log."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

from harness import recordings, runs
from harness.attribution.stations import encode
from harness.build.at_revision import Reference
from harness.build.environment import code_digest, environment
from harness.build.experiment import Experiment, as_yaml, resolve
from harness.cli.console import note
from harness.cli.index.asked import Asked, asked_system
from harness.cli.measures import metrics_of
from harness.cli.show import seconds_per_question
from harness.errors import ConfigError, Problem, StoreError
from harness.evaluation import Answers, aggregate, ask, score
from harness.fingerprint import fingerprint
from harness.gates import baseline
from harness.gates.gate import Gate
from harness.golden.copies import found_in_copies
from harness.golden.find import find
from harness.golden.golden_set import GoldenSet, load
from harness.golden.slices import labels
from harness.golden.unreachable import cut, unreachable
from harness.judging import calibration
from harness.metrics.refusal import aggregate as refusal_aggregates
from harness.metrics.resampling import averaged
from harness.metrics.risk import outcomes
from harness.pipeline import IndexedPipeline
from harness.protocols import Metric, Progress
from harness.repeats import again, folded, joined, named
from harness.reporting import html, markdown
from harness.reporting.analysis import Analysis, analyse
from harness.reporting.comment import comment
from harness.reporting.junit import junit_xml
from harness.reporting.waterfall import summarise_losses
from harness.resources import roots
from harness.store import write_atomic, write_json
from harness.types import Aggregate, Chunk, Question, RunRecord, Span, Trace, Verdict


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
    seconds: float | None
    """Mean seconds per question, as if nothing had come from a cache; None where that is not known."""
    mlflow_id: str
    """MLflow run id; empty when it was not logged."""
    losses: str = ""
    """How many questions each station lost, in a sentence."""


def golden_set(experiment: Experiment) -> GoldenSet:
    """The golden set that an experiment asks, checked.

    Raises:
        ConfigError, GoldenSetError, CorpusError: with all faults.
    """
    return _load(find(experiment.settings.golden_set, roots()))


@cache
def _load(folder: Path) -> GoldenSet:
    return load(folder)


def read_recordings(experiment: Experiment) -> None:
    """Takes up the completions recorded with the experiment's accepted baseline: the user's, else the shipped ones."""
    name = golden_set(experiment).name
    for folder in [resolve(experiment.settings.reports_dir), *(root / "reports" for root in roots())]:
        path = baseline.path_of(folder, name, experiment.name).with_suffix(f".{recordings.NAME}")
        if path.exists():
            if damaged := experiment.recordings.read(path):
                note(f"warning: {damaged} damaged lines of {path} are left out; restore the file from version control")
            return


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


def run(experiment: Experiment, progress: Progress, parent_run_id: str = "", against: Reference | None = None) -> Finished:
    """Runs a variant, or finishes one that was interrupted; `against` is the git revision that it is held against."""
    golden = golden_set(experiment)
    questions = asked(golden, experiment.settings.split)
    asked_of = asked_system(experiment, golden, progress)
    system, marks = asked_of.system, {**_fingerprints(experiment, golden), **asked_of.fingerprints}
    questions = found_in_copies(questions, golden.documents, system.documents)
    metrics = metrics_of(experiment, golden, asked_of.judged)
    widened = replace(golden, questions=found_in_copies(golden.questions, golden.documents, system.documents))
    _tell_cut(widened, system.chunks, asked_of.held)
    for notice in system.notices:
        note(f"warning: {notice}")
    key = _key(experiment, marks)
    folder = runs.open_run(resolve(experiment.settings.runs_dir), _slug(experiment, golden), key)
    experiment.recordings.write_to(folder.path / recordings.NAME)
    answers = _answers(experiment, system, questions, folder, progress)
    record = _record(experiment, golden, marks, questions, metrics, asked_of, answers, folder, progress)
    traces = answers[0].traces
    runs.save(folder.path, record, key, traces.values(), system.chunks, as_yaml(experiment.config))
    known = calibrations(resolve(experiment.settings.reports_dir), record)
    analysis = analyse(questions, traces, golden.coverage, system, known)
    return _finish(experiment, record, questions, traces, analysis, folder.path, golden, parent_run_id, against)


def _tell_cut(golden: GoldenSet, chunks: Sequence[Chunk], held: Mapping[str, str] | None) -> None:
    for problem in unreachable(golden, chunks, golden.coverage, held):
        note(f"warning: {problem}")
    found = cut(golden, chunks)
    if found.split:
        few, more = ", ".join(found.split[:3]), " ..." if len(found.split) > 3 else ""
        note(
            f"note: {len(found.split)} of {found.pieces} pieces of evidence stand in no single chunk of this chunker: {few}{more}"
        )


def _key(experiment: Experiment, fingerprints: Mapping[str, str]) -> str:
    """Of everything that decides a run's results, so that no other run is ever gone on with."""
    code = [code_digest(), {name: value for name, value in environment().items() if name != "git_revision"}]
    return fingerprint(experiment.name, experiment.fingerprint, fingerprints, code)


def _slug(experiment: Experiment, golden: GoldenSet) -> str:
    return "".join(letter if letter.isalnum() or letter in "-_" else "-" for letter in f"{golden.name}-{experiment.name}")[:80]


def _answers(
    experiment: Experiment, system: IndexedPipeline, questions: Sequence[Question], folder: runs.RunFolder, progress: Progress
) -> list[Answers]:
    """The answers of each repeat; those that an interrupted start kept are not asked again."""
    repeats, workers = experiment.settings.repeats, experiment.settings.workers
    finished = [folder.finished(system.by_id, number) for number in range(repeats)]
    if kept := sum(map(len, finished)):
        note(f"going on with {folder.path.name}: {kept} of {len(questions) * repeats} questions are finished")
    found = []
    for number, known in enumerate(finished):
        asked_again = replace(system, recipe=again(system.recipe, number)) if number else system
        keep = partial(folder.keep, repeat=number)
        found.append(ask(asked_again, questions, known, keep, workers, named(progress, number, repeats)))
    return found


def _record(
    experiment: Experiment,
    golden: GoldenSet,
    fingerprints: Mapping[str, str],
    questions: Sequence[Question],
    metrics: Sequence[Metric],
    asked_of: Asked,
    answers: Sequence[Answers],
    folder: runs.RunFolder,
    progress: Progress,
) -> RunRecord:
    repeats = len(answers)
    scores, flips = folded(
        [
            score(questions, item, metrics, again(experiment.judge, number), named(progress, number, repeats))
            for number, item in enumerate(answers)
        ]
    )
    traces = answers[0].traces
    groups = {question.question_id: question.group or question.question_id for question in questions}
    aggregates = aggregate(scores, groups)
    if experiment.pipeline.generator is not None:
        aggregates |= {item.metric: item for item in set_metrics(questions, answers, golden.coverage)}
    return RunRecord(
        run_id=folder.path.name,
        created=folder.created,
        experiment=experiment.name,
        config=experiment.config,
        overrides=experiment.overrides,
        fingerprints=fingerprints,
        environment=environment(),
        latency=runs.latency(traces.values()),
        statistics=asked_of.system.statistics,
        scores=scores,
        failures=joined(answers).failures,
        aggregates=dict(sorted(aggregates.items())),
        groups=groups,
        splits={question.question_id: question.split for question in questions},
        labels={question.question_id: labels(question, golden.languages) for question in questions},
        repeats=repeats,
        flips=flips,
        contents={
            "questions": golden.question_digests,
            "documents": golden.document_digests if asked_of.held is None else asked_of.held,
            "evidence": evidence_digests(golden),
        },
        golden_set=golden.name,
        golden_version=golden.version,
    )


def set_metrics(questions: Sequence[Question], answers: Sequence[Answers], coverage: float) -> list[Aggregate]:
    """Numbers of the whole set, the mean over the repeats; a question that failed in any repeat is an error in all."""
    failed = {failure.question_id for failure in joined(answers).failures}
    whole = [{name: trace for name, trace in item.traces.items() if name not in failed} for item in answers]
    return averaged([[*refusal_aggregates(questions, traces), *outcomes(questions, traces, coverage)] for traces in whole])


def evidence_digests(golden: GoldenSet) -> dict[str, str]:
    """question_id to a digest of what its answer is scored against: the documents of its evidence, its date, the coverage."""
    documents = golden.document_digests
    return {
        question.question_id: fingerprint(
            {span.doc_id: documents.get(span.doc_id, "") for span in _spans(question)},
            question.as_of or golden.as_of,
            golden.coverage,
        )[:12]
        for question in golden.questions
    }


def _spans(question: Question) -> list[Span]:
    return [*(span for evidence in question.evidence for span in evidence.alternatives), *question.forbid]


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
    analysis: Analysis,
    folder: Path,
    golden: GoldenSet,
    parent_run_id: str,
    against: Reference | None,
) -> Finished:
    reports = resolve(experiment.settings.reports_dir)
    accepted, verdicts = against.held(record) if against else held(experiment.gate, record, reports)
    strict = experiment.gate is not None and experiment.gate.strict
    notices = against.notices if against else ()
    write_reports(folder, record, accepted, verdicts, questions, traces, analysis, notices, strict)
    runs.seal(folder, record)
    losses = summarise_losses(analysis.attributions, questions).sentence
    mlflow_id = _log(experiment, record, verdicts, questions, folder, golden, parent_run_id)
    return Finished(record, folder, verdicts, accepted, seconds_per_question(traces), mlflow_id, losses)


def held(gate: Gate | None, record: RunRecord, reports: Path) -> tuple[baseline.Baseline | None, tuple[Verdict, ...]]:
    """A run's accepted baseline, and what its gate says; neither without a gate."""
    if gate is None:
        return None, ()
    accepted = accepted_baseline(reports, record)
    return accepted, tuple(gate.check(record, accepted, calibrated(reports, record, accepted)))


def calibrated(reports: Path, record: RunRecord, accepted: baseline.Baseline | None) -> frozenset[str]:
    """Metrics whose judge, as this run or the accepted one used it, agrees well enough with people.

    A run by another judge than the accepted one's cannot take a rule out of the gate: it is not comparable.
    """
    return frozenset({**calibrations(reports, record), **(calibrations(reports, accepted) if accepted else {})})


def calibrations(reports: Path, judged: RunRecord | baseline.Baseline) -> dict[str, calibration.CalibrationRecord]:
    """By metric the record that shows so: the user's, else the shipped one."""
    return calibration.find([reports, *(root / "reports" for root in roots())], judged.fingerprints.get("judge", ""))


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
    analysis: Analysis,
    notices: Sequence[str] = (),
    strict: bool = False,
) -> None:
    """gate.json, junit.xml, attribution.json, comment.md, report.md and report.html beside the results; the comment is a GitHub job's summary too."""
    write_json(folder / "gate.json", [asdict(verdict) for verdict in verdicts])
    write_atomic(folder / "junit.xml", junit_xml(f"{record.golden_set}.{record.experiment}", verdicts, strict))
    write_json(folder / "attribution.json", encode(analysis.attributions))
    write_atomic(
        folder / "report.md", markdown.run_report(record, accepted, verdicts, questions, list(traces.values()), analysis)
    )
    told = comment(record, accepted, verdicts, notices, questions, list(traces.values()), analysis.attributions)
    write_atomic(folder / "comment.md", told)
    if summary := os.environ.get("GITHUB_STEP_SUMMARY"):
        with Path(summary).open("a", encoding="utf-8") as file:
            file.write(told)
    write_atomic(folder / "report.html", html.run_report(record, accepted, verdicts, questions, list(traces.values()), analysis))


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
    """One row per question: id, kind, split and every headline score, judged ones under their judge's name."""
    from harness.tracking.entries import metric_name

    table: dict[str, list[Any]] = {
        "question_id": [question.question_id for question in questions],
        "kind": [question.kind for question in questions],
        "split": [question.split for question in questions],
        "question": [question.text for question in questions],
    }
    values = {(item.metric, item.question_id): item.value for item in record.scores}
    for metric in sorted({item.metric for item in record.scores if "/" not in item.metric}):
        table[metric_name(metric, record.fingerprints.get("judge", ""))] = [
            values.get((metric, question.question_id)) for question in questions
        ]
    return table


def renamed(experiment: Experiment, name: str) -> Experiment:
    """The same variant under another name, without its gate: a cell of a sweep."""
    return replace(experiment, name=name, gate=None)
