"""`harness accept`: shows what would change, then writes the accepted baseline and its Markdown page."""

import argparse
from pathlib import Path

from harness import runs
from harness.cli.console import note, out
from harness.cli.job import accepted_baseline
from harness.cli.report import folder_of
from harness.errors import GateError
from harness.gates import baseline
from harness.reporting.terminal import run_table
from harness.store import write_atomic
from harness.types import State

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
    accepted = accepted_baseline(reports, record)
    path = baseline.path_of(reports, record.golden_set, record.experiment)
    fresh = baseline.from_record(record)
    out().print(run_table(record, accepted, ()))
    if inert := [item for item in record.overrides if not item.startswith(BESIDE)]:
        note(
            f"warning: this baseline of {record.experiment} was measured with {' '.join(inert)}; run it so, or put it into the experiment"
        )
    baseline.save(path, fresh)
    write_atomic(path.with_suffix(".md"), baseline.render(fresh))
    out().print(
        f"Accepted {record.run_id} as {path}. Commit it with the change that it belongs to.", soft_wrap=True, markup=False
    )
    return 0
