"""docs/knobs.md: its tables and sentences as benchmarks/records/knobs.json has them; no figure is typed."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.options_page import said, shown_p
from harness.reporting.markdown import table
from harness.reporting.names import title
from harness.reporting.readme import render_tables
from harness.store import write_atomic

RECORD = Path(__file__).parent / "records" / "knobs.json"
PAGE = Path(__file__).parents[1] / "docs" / "knobs.md"
Row = Mapping[str, Any]

RETRIEVAL = ("fused/recall_at_5", "recall_at_5", "complete_at_5")
ANSWERS = ("citation_correctness", "faithfulness", "over_refusal_rate", "false_answer_rate")
LOWER = ("over_refusal_rate", "false_answer_rate")


def write_page() -> None:
    """Fills the page from the record."""
    write_atomic(PAGE, rendered())


def rendered() -> str:
    """The page as the record has it."""
    record = json.loads(RECORD.read_text("utf-8"))
    groups = dict.fromkeys(row["group"] for row in record["rows"])
    blocks = {"set": _set(record), "default": _default(record), "summary": _summary(record), "invariants": _invariants(record)}
    blocks |= {group: _group(record, group) for group in groups}
    return render_tables(PAGE.read_text("utf-8"), blocks)


def _set(record: Row) -> str:
    return (
        f"Golden set {record['golden_set']} v{record['version']}, split {record['split']}, {record['questions']} questions. Default: "
        f"`+experiment={record['experiment']}`. {record['judged']} differences to it are judged; p is exact or from "
        f"{record['draws']:,} random sign patterns."
    )


def _default(record: Row) -> str:
    rows = [[title(name), _value(item)] for name, item in record["default"]["metrics"].items()]
    return table(("Metric", f"`{record['experiment']}` (95 % interval)"), rows, left=1)


def _value(item: Row) -> str:
    if item["value"] is None:
        return "–"
    reach = f" ({item['low']:.3f} to {item['high']:.3f})" if item["low"] is not None else ""
    return f"{item['value']:.3f}{reach}, n = {item['n']}"


def _group(record: Row, group: str) -> str:
    rows = [row for row in record["rows"] if row["group"] == group]
    recall = any(row["statistics"] for row in rows)
    lines = [
        [f"`{row['words']}`", *(_change(row, name) for name in (*RETRIEVAL, *ANSWERS)), *([_exact(row)] if recall else [])]
        for row in rows
    ]
    heads = [f"Δ {title(name)}" for name in (*RETRIEVAL, *ANSWERS)]
    return table(
        (
            "Instead of the default",
            *heads,
            *(["Recall@10 of the store against exact search, of its own vectors"] if recall else []),
        ),
        lines,
        left=1,
    )


def _exact(row: Row) -> str:
    return ", ".join(f"{value:.3f}" for value in row["statistics"].values()) or "exact"


def _change(row: Row, metric: str) -> str:
    """The paired difference with its interval, bold where it stands after Holm."""
    found = row["versus_default"].get(metric)
    if found is None or not found["n"]:
        return "–"
    if not found["wins"] and not found["losses"]:
        return "="
    text = f"{_signed(found['difference'])} ({_signed(found['low'])} to {_signed(found['high'])})"
    return f"**{text}**" if verdict(metric, found) in ("better", "worse") else text


def _signed(value: float) -> str:
    return f"{round(value, 3) + 0.0:+.3f}"


def verdict(metric: str, found: Row) -> str:
    """The word for a difference; for an error rate less is better."""
    word = said(found)
    turned = {"better": "worse", "worse": "better"}
    return turned.get(word, word) if metric in LOWER else word


def _summary(record: Row) -> str:
    """What stands after Holm, metric by metric, and how many knobs cannot be told from the default."""
    lines = []
    for metric in (*RETRIEVAL, *ANSWERS):
        found = [
            (row["words"], row["versus_default"][metric])
            for row in record["rows"]
            if row["versus_default"].get(metric, {}).get("n")
        ]
        parts = []
        for word in ("better", "worse"):
            named = [
                f"`{words}` ({_signed(item['difference'])}, p {shown_p(item['holm'])})"
                for words, item in found
                if verdict(metric, item) == word
            ]
            parts.append(f"{word}: {', '.join(named) or 'none'}")
        equal = sum(said(item) == "equal on every question" for _, item in found)
        unclear = sum(said(item) == "not distinguishable" for _, item in found)
        lines.append(f"- {title(metric)}: {'; '.join(parts)}; not distinguishable: {unclear}; equal on every question: {equal}")
    return "\n".join(lines)


def _invariants(record: Row) -> str:
    rows = [record["default"], *record["rows"]]
    totals = {name: sum(row["invariants"].get(name) or 0 for row in rows) for name in rows[0]["invariants"]}
    said_of = ", ".join(f"{title(name)} {value:g}" for name, value in totals.items())
    return f"Over all {len(rows)} variants: {said_of}; {sum(row['failures'] for row in rows)} questions failed."
