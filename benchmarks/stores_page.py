"""docs/stores.md: its tables as benchmarks/records/stores.json has them; what a store is for is read from its conf file."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from harness.build.sources import first_comment, groups
from harness.reporting.markdown import table
from harness.reporting.readme import render_tables
from harness.resources import shipped_root
from harness.store import write_atomic

RECORD = Path(__file__).parent / "records" / "stores.json"
PAGE = Path(__file__).parents[1] / "docs" / "stores.md"
Row = Mapping[str, Any]


def write_page() -> None:
    """Fills the page from the record."""
    write_atomic(PAGE, rendered())


def rendered() -> str:
    """The page as the record and the conf files have it."""
    record = json.loads(RECORD.read_text("utf-8"))
    return render_tables(PAGE.read_text("utf-8"), {"options": _options(), "set": _set(record), "measured": _measured(record)})


def _options() -> str:
    """What each store is for, the default first."""
    names = sorted(groups()["store"], key=lambda name: (name != "faiss", name))
    return table(["`store=`", "For"], [[f"`{name}`", first_comment(_file(name))] for name in names], left=2)


def _file(option: str) -> Path:
    return shipped_root() / "conf" / "store" / f"{option}.yaml"


def _set(record: Row) -> str:
    first = record["rows"][0]
    return (
        f"Golden set {record['golden_set']} v{record['golden_version']}, all {record['questions']} questions, "
        f"{first['recall_questions']} of them with evidence to find, {first['rows']:,} rows. "
        f"Search: median of {record['timed']} at depth {record['depth']}."
    )


def _measured(record: Row) -> str:
    head = ["`store=`", "Package", "Recall@5", "Same first five", "Ten nearest found", "Tenant leaks", "Superseded hits"]
    return table(
        [*head, "Errors", "Build, s", "Search, ms"], [_cells(row, record["questions"]) for row in record["rows"]], left=2
    )


def _cells(row: Row, questions: int) -> list[str]:
    nearest = "all (exact)" if row["exact"] else f"{row['nearest_found']:.4f}"
    return [
        " ".join(f"`{word}`" for word in (row["option"], *row["words"])),
        f"{row['package']} {row['version']}",
        f"{row['recall_at_5']:.3f}",
        f"{row['same']} of {questions}",
        nearest,
        f"{row['tenant_leaks']:.0f}",
        f"{row['superseded_hits']:.0f}",
        str(row["errors"]),
        f"{row['build_seconds']:.2f}",
        f"{row['search_ms']:.2f}",
    ]
