"""`python -m benchmarks.freshness`: fills the table of docs/index.md from its record; no figure is typed.

`python -m harness index freshness fernhill --to benchmarks/records/freshness.json` measures and writes the record.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from harness.indexing.staleness import NEVER
from harness.reporting.markdown import table
from harness.reporting.readme import render_tables
from harness.store import write_atomic

RECORD = Path(__file__).parent / "records" / "freshness.json"
PAGE = Path(__file__).parents[1] / "docs" / "index.md"
Row = Mapping[str, Any]

_HEADS = (
    *("Synced", "Syncs", "Texts embedded", "Times asked", "Superseded hits", "Deleted hits"),
    *("Stale questions (95 % interval)", "Recall@5 (95 % interval)"),
)


def rendered() -> str:
    """The page as the record has it."""
    record = json.loads(RECORD.read_text("utf-8"))
    return render_tables(PAGE.read_text("utf-8"), {"freshness-set": what_was_replayed(record), "freshness": cadences(record)})


def what_was_replayed(record: Row) -> str:
    """The corpus, its days and how the index was built."""
    slots = ", ".join(f"`{slot}` {_option(config)}" for slot, config in record["config"].items())
    first = record["cadences"][0]
    return (
        f"{record['golden_set']} v{record['golden_version']}, {record['start']} to {record['end']}, "
        f"{record['events']} changes of the corpus, {first['stale']['n']} questions. Index: {slots}; "
        f"{first['built']:,} texts embedded by the first build."
    )


def cadences(record: Row) -> str:
    """A row for every cadence, in the order measured."""
    return table(_HEADS, map(_row, record["cadences"]))


def _row(row: Row) -> list[str]:
    counts = ("syncs", "embedded", "question_days", "superseded_hits", "deleted_hits")
    return [_every(row["every"]), *(f"{row[name]:,}" for name in counts), _mean(row["stale"], ".1%"), _mean(row["recall"], ".3f")]


def _every(days: int) -> str:
    return "never" if days == NEVER else "every day" if days == 1 else f"every {days:,} days"


def _mean(mean: Row, form: str) -> str:
    """Value, interval and denominator; a mean without questions is said to be none."""
    if mean["value"] is None:
        return f"not measured, n = {mean['n']}"
    value, low, high = (format(mean[name], form) for name in ("value", "low", "high"))
    return f"{value} ({low} to {high}), n = {mean['n']}"


def _option(config: Row) -> str:
    return str(config["_target_"]).rpartition(".")[2] if config else "none"


if __name__ == "__main__":
    write_atomic(PAGE, rendered())
