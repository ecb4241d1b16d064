"""`harness readme`: fills the tables of a Markdown file from the accepted baselines.

`<!-- table:fernhill -->` becomes the leaderboard of reports/fernhill/, `<!-- table:fernhill-against-naive -->` the paired
differences to its naive variant, and `<!-- table:judges -->` the agreement of judges with human labels. Numbers in a README
are rendered from records, never typed.
"""

import argparse
from pathlib import Path

from harness.cli.calibrate.tables import calibration_table
from harness.errors import ConfigError
from harness.gates.baseline import accepted_in, as_record
from harness.judging.calibration import FOLDER, records_in
from harness.reporting.against import against_markdown
from harness.reporting.leaderboard import leaderboard
from harness.reporting.markdown import leaderboard_markdown
from harness.reporting.readme import render_tables
from harness.store import write_atomic

METRICS = ("recall_at_5", "mrr_at_10")


def command(arguments: argparse.Namespace) -> int:
    """Rewrites the file in place; only the text between markers changes."""
    path = Path(arguments.file)
    if not path.is_file():
        raise ConfigError(f"no file {str(path)!r}: name the Markdown file whose tables are to be filled")
    text = path.read_text("utf-8")
    known = tables(Path(arguments.reports_dir))
    write_atomic(path, render_tables(text, {name: table for name, table in known.items() if f"<!-- table:{name} -->" in text}))
    return 0


def tables(reports: Path) -> dict[str, str]:
    """Every table that the accepted baselines and calibration records can give."""
    calibrations = records_in(reports)
    found = {FOLDER: calibration_table(calibrations)} if calibrations else {}
    for folder in sorted(path for path in reports.glob("*") if path.name != FOLDER and list(path.glob("*.json"))):
        records = [as_record(item) for item in accepted_in(folder) if item.experiment != "default"]
        found[folder.name] = leaderboard_markdown(leaderboard(records))
        for reference in records:
            others = [record for record in records if record is not reference]
            if others:
                found[f"{folder.name}-against-{reference.experiment}"] = against_markdown(reference, others, METRICS)
    return found
