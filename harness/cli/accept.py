"""`harness accept`: shows what would change, then writes the accepted baseline and its Markdown page."""

import argparse
from pathlib import Path

from harness import runs
from harness.build.experiment import gate_of
from harness.cli.console import note, out
from harness.cli.job import accepted_baseline, calibrated
from harness.cli.report import folder_of
from harness.errors import GateError
from harness.gates import baseline
from harness.recordings import NAME, publish
from harness.reporting.terminal import run_table, verdict_line
from harness.store import write_atomic
from harness.types import Outcome, State

BESIDE = ("golden_set=", "runs_dir=", "reports_dir=", "workers=", "tracking", "gate")
"""Overrides that change no result of a pipeline."""


def command(arguments: argparse.Namespace) -> int:
    """Writes reports/<golden_set>/<experiment>.json and .md."""
    folder, reports = folder_of(arguments), Path(arguments.reports_dir).absolute()
    record = runs.load(folder)
    if record.failures:
        names = ", ".join(failure.question_id for failure in record.failures[:5])
        raise GateError(
            f"run {record.run_id!r} has {len(record.failures)} failed questions ({names}): a baseline must be whole; run it again"
        )
    errors = sorted({item.metric for item in record.scores if item.state is State.ERROR})
    if errors:
        raise GateError(
            f"run {record.run_id!r} has error scores ({', '.join(errors[:5])}): a baseline must be whole; run it again"
        )
    if (split := record.config.get("split", "all")) != "all":
        raise GateError(f"run {record.run_id!r} asked split={split} only: a baseline holds all questions; run it with split=all")
    accepted = accepted_baseline(reports, record)
    path = baseline.path_of(reports, record.golden_set, record.experiment)
    fresh = baseline.from_record(record)
    gate = gate_of(record.config)
    verdicts = gate.check(record, accepted, calibrated(reports, record, accepted)) if gate and accepted else ()
    out().print(run_table(record, accepted, verdicts))
    out().print(verdict_line(verdicts))
    if any(verdict.outcome is Outcome.REGRESSED and not verdict.advisory for verdict in verdicts):
        note("warning: this run is worse than what it replaces; commit it only if that is meant")
    if inert := [item for item in record.overrides if not item.startswith(BESIDE)]:
        note(
            f"warning: this baseline of {record.experiment} was measured with {' '.join(inert)}; run it so, or put it into the experiment"
        )
    recorded = publish(folder / NAME, path.with_suffix(f".{NAME}"))
    baseline.save(path, fresh)
    write_atomic(path.with_suffix(".md"), baseline.render(fresh))
    out().print(
        f"Accepted {record.run_id} as {path}. Commit it with the change that it belongs to.", soft_wrap=True, markup=False
    )
    if recorded:
        note(
            f"{recorded} completions stand beside it in {path.stem}.{NAME}: commit them too, then `harness run --replay` needs no key"
        )
    return 0
