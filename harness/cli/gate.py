"""`harness gate`: a finished run held against its accepted baseline, with the rules it ran under."""

import argparse
from pathlib import Path

from harness import runs
from harness.build.experiment import gate_of
from harness.cli.job import accepted_baseline
from harness.cli.report import folder_of
from harness.cli.show import show
from harness.errors import GateError


def command(arguments: argparse.Namespace) -> int:
    """Prints the verdicts; the exit code is theirs."""
    folder = folder_of(arguments)
    record = runs.load(folder)
    gate = gate_of(record.config)
    if gate is None:
        raise GateError(
            f"run {record.run_id!r} ran with gate=none: there is no rule to hold it against; run it again with gate=default"
        )
    accepted = accepted_baseline(Path(arguments.reports_dir).absolute(), record)
    verdicts = gate.check(record, accepted)
    show(record, accepted, verdicts, folder)
    return gate.exit_code(verdicts)
