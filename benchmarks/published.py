"""`python -m benchmarks.published`: fills the tables of benchmarks/README.md from the records beside it; no figure is typed."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from harness.reporting.markdown import table
from harness.reporting.readme import render_tables

FOLDER = Path(__file__).parent
README = FOLDER / "README.md"
RECORDS = FOLDER / "records"


def rendered() -> str:
    """The README with its tables as the records have them."""
    speed, gate = (json.loads((RECORDS / f"{name}.json").read_text("utf-8")) for name in ("speed", "gate_study"))
    return render_tables(README.read_text("utf-8"), {"speed": _speed(speed), "gate": _gate(gate), "many-gates": _many(gate)})


def _speed(record: Mapping[str, Any]) -> str:
    rows = [
        (
            row["case"],
            row["rival"],
            f"{row['times']:.2f}",
            "" if row["bar"] is None else f"{row['bar']:g}",
            _held(row),
            row["size"],
        )
        for row in record["rows"]
    ]
    return _table(("Case", "Rival", "Times as fast", "Bar", "", "Size"), rows)


def _held(row: Mapping[str, Any]) -> str:
    if row["bar"] is None:
        return ""
    return "reached" if row["times"] >= row["bar"] else "missed"


def _gate(record: Mapping[str, Any]) -> str:
    rates = ("red", "naive", "non_inferiority", "caught", "inconclusive", "passed", "unpaired")
    rows = [(f"{row['scores']}, {row['rerun']}", *(_share(row[name]) for name in rates)) for row in record["one_rule"]]
    drop = f"drop of {record['drop']:g}"
    heads = ("unchanged: red", "naive rule", "non-inferiority", f"{drop}: red", "inconclusive", "pass", "unpaired test")
    return _table(("Scores, rerun", *heads), rows)


def _many(record: Mapping[str, Any]) -> str:
    rows = [(name, _share(record["24_rules"][key])) for name, key in (("this gate (Holm)", "red"), ("naive rules", "naive"))]
    return _table(("24 rules, unchanged pipeline", "any red"), rows)


def _share(rate: Mapping[str, Any]) -> str:
    return f"{rate['share']:.1%} ({rate['low']:.1%}–{rate['high']:.1%}) of {rate['n']}"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    return table(head, rows, left=2 if head[0] == "Case" else 1)


if __name__ == "__main__":
    README.write_text(rendered(), "utf-8")
