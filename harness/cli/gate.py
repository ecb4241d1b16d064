"""`harness gate`: a finished run held against its accepted baseline, with the rules it ran under."""

import argparse
from pathlib import Path

from harness import runs
from harness.build.at_revision import for_record
from harness.build.experiment import gate_of
from harness.cli.console import note
from harness.cli.job import calibrated, held
from harness.cli.report import folder_of
from harness.cli.selftest import measure
from harness.cli.show import show
from harness.corpus.files import corpus_digest
from harness.errors import ConfigError, GateError
from harness.fingerprint import digest
from harness.golden.find import find
from harness.golden.golden_set import CORPUS, QUESTIONS
from harness.resources import roots
from harness.types import RunRecord


def command(arguments: argparse.Namespace) -> int:
    """Prints the verdicts; the exit code is theirs."""
    folder = folder_of(arguments)
    record = runs.load(folder)
    reports = Path(arguments.reports_dir).absolute()
    gate, against = gate_of(record.config), None
    if arguments.baseline_ref:
        against = for_record(arguments.baseline_ref, record, _golden_folder(record), reports)
        gate = against.gate
    if gate is None:
        raise GateError(
            f"run {record.run_id!r} ran with gate=none: there is no rule to hold it against; run it again with gate=default"
        )
    accepted, verdicts = against.held(record) if against else held(gate, record, reports)
    if arguments.selftest:
        return measure(gate, record, accepted, against.calibrated if against else calibrated(reports, record, accepted), folder)
    show(record, accepted, verdicts, folder)
    for notice in against.notices if against else ():
        note(f"notice: {notice}")
    return 4 if _outdated(record) else gate.exit_code(verdicts)


def _outdated(record: RunRecord) -> bool:
    """Whether the golden set on disk is no longer the one that the run asked: then its verdicts say nothing of today's."""
    folder = _golden_folder(record)
    if folder is None:
        return False
    changed = digest((folder / QUESTIONS).read_bytes()) != record.fingerprints.get("golden_set")
    if changed or corpus_digest(folder / CORPUS) != record.fingerprints.get("corpus"):
        note(f"invalid: golden set {record.golden_set!r} has changed since run {record.run_id!r}; run it again")
        return True
    return False


def _golden_folder(record: RunRecord) -> Path | None:
    """Where the golden set that the run asked lies; None when it is not there any more."""
    try:
        return find(str(record.config.get("golden_set", record.golden_set)), roots())
    except ConfigError:
        return None
