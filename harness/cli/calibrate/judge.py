"""`harness calibrate judge`: a judge's scores beside human labels, kept as a record that gates read.

Exits 0 when enough labels were judged, whether the judge is good enough or not, for both are results; 4 when fewer were: that
measures nothing, and no record is kept.
"""

import argparse
import json
from dataclasses import asdict
from pathlib import Path

from harness import runs
from harness.cli.calibrate.asking import check_metric, chosen_judge, judged
from harness.cli.calibrate.correcting import correction, placed, scores_of
from harness.cli.calibrate.tables import page, terminal
from harness.cli.console import note, out, progress
from harness.cli.paid import within_budget
from harness.cli.report import folder_of
from harness.errors import ConfigError, GateError
from harness.fingerprint import digest
from harness.jsonl import read_rows
from harness.judging import calibration
from harness.judging.calibration import MIN_LABELS, CalibrationRecord
from harness.judging.labels import Labelled, read_labels
from harness.judging.measuring import measure
from harness.reporting.names import count, interval, number, title
from harness.spending import ExhaustedError
from harness.statistics.ppi import Corrected
from harness.store import write_atomic
from harness.types import RunRecord


def command(arguments: argparse.Namespace) -> int:
    """Prints the agreement and keeps it."""
    path = Path(arguments.labels)
    labelled = read_labels(path, bool(arguments.run))
    corrected, run = None, None
    if arguments.run:
        record, corrected, run = _of_run(arguments, path, labelled)
    else:
        record = _of_judge(arguments, path, labelled)
    if arguments.json:
        out().print(_as_json(record, corrected), markup=False, soft_wrap=True)
    else:
        out().print(terminal(record))
        if corrected and run:
            out().print(_corrected_line(record.metric, corrected, run), markup=False, soft_wrap=True)
    if record.judged < MIN_LABELS:
        note(f"no record is kept: {record.judged} of {count(record.n, 'label')} judged, {MIN_LABELS} are needed")
        return 4
    if not arguments.no_save:
        _save(Path(arguments.reports_dir).absolute(), record)
    return 0


def _of_judge(arguments: argparse.Namespace, path: Path, labelled: list[Labelled]) -> CalibrationRecord:
    metric = arguments.metric or labelled[0].metric
    judge, budget = chosen_judge(arguments.judge)
    check_metric(judge, metric, f"--metric {metric}" if arguments.metric else read_rows(path)[0][0].where)
    with progress() as bar, within_budget(budget) as sent:
        scores = judged(judge, labelled, metric, bar)
    if sent.refused:
        raise ExhaustedError(
            f"R004 {sent.refused:,} requests were not sent for the budget, no record is kept. Raise it and run the same command again: "
            "what is answered is kept"
        )
    return measure(labelled, scores, judge.identity, metric, labels_name(path), digest(path.read_bytes()))


def _of_run(
    arguments: argparse.Namespace, path: Path, labelled: list[Labelled]
) -> tuple[CalibrationRecord, Corrected, RunRecord]:
    if arguments.judge:
        raise ConfigError("--judge and --run exclude each other: a run has been judged already")
    folder = folder_of(arguments)
    run, metric = runs.load(folder), arguments.metric or labelled[0].metric
    scores = scores_of(run, metric)
    mine = placed(labelled, run, folder)
    corrected = correction(mine, scores, run)
    judge = run.fingerprints["judge"]
    return measure(mine, scores, judge, metric, labels_name(path), digest(path.read_bytes())), corrected, run


def labels_name(path: Path) -> str:
    """What a file of labels is called: its name, or that of its folder when it is just called labels.jsonl."""
    resolved = path.absolute()
    return resolved.parent.name if resolved.stem == "labels" else resolved.stem


def _as_json(record: CalibrationRecord, corrected: Corrected | None) -> str:
    content = {**asdict(record), "calibrated": record.calibrated, "shortcomings": list(record.shortcomings)}
    if corrected:
        content["corrected"] = asdict(corrected)
    return json.dumps(content, indent=2, allow_nan=False)


def _corrected_line(metric: str, corrected: Corrected, run: RunRecord) -> str:
    raw = run.aggregates[metric]
    return (
        f"{title(metric)} of {run.run_id}: judged {number(raw.value)} ({interval(raw.low, raw.high)}), corrected by "
        f"{corrected.labels} labels {number(corrected.mean)} ({interval(corrected.low, corrected.high)}; judge's weight "
        f"{corrected.weight:.2f}, {corrected.rest} answers without a label)"
    )


def _save(reports: Path, record: CalibrationRecord) -> None:
    path = calibration.path_of(reports, record)
    if (replaced := _other_judge(path, record)) is not None:
        note(f"warning: this replaces the record of {replaced!r}")
    calibration.save(path, record)
    write_atomic(path.with_suffix(".md"), page(record))
    note(f"Kept as {path}")


def _other_judge(path: Path, record: CalibrationRecord) -> str | None:
    """The judge whose record lies at the path, when it is another one; a damaged record is replaced without a word."""
    try:
        kept = calibration.load(path).judge if path.exists() else record.judge
    except GateError:
        return None
    return kept if kept != record.judge else None
