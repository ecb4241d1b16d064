"""docs/options.md: its tables and sentences as benchmarks/records/options.json has them; no figure is typed.

What an option is for is read from its conf file.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any

from harness.reporting.leaderboard_notes import ALPHA
from harness.reporting.markdown import table
from harness.reporting.names import title
from harness.reporting.readme import render_tables
from harness.resources import shipped_root
from harness.store import write_atomic

RECORD = Path(__file__).parent / "records" / "options.json"
PAGE = Path(__file__).parents[1] / "docs" / "options.md"
Row = Mapping[str, Any]

_RECALL, _WHOLE, _BUDGET = "recall_at_5", "whole_evidence_at_5", "recall_at_budget_1000"


def write_page() -> None:
    """Fills the page from the record."""
    write_atomic(PAGE, rendered())


def rendered() -> str:
    """The page as the record has it."""
    record = json.loads(RECORD.read_text("utf-8"))
    blocks = {
        "set": _set(record),
        "summary": _summary(record["rows"]),
        "budget": _budget(record),
        "kind-table": _tables(record["rows"]),
    }
    for group in record["defaults"]:
        blocks |= {f"{group}-scores": _scores(record, group), f"{group}-costs": _costs(record, group)}
    return render_tables(PAGE.read_text("utf-8"), blocks)


def _set(record: Row) -> str:
    usual = ", ".join(f"`{group}={option}`" for group, option in record["defaults"].items())
    return (
        f"Golden set {record['golden_set']} v{record['version']}, split {record['split']}, {record['questions']} questions. "
        f"Default: {usual}. {record['judged']} differences to the default are judged; p is exact or from {record['draws']:,} random "
        "sign patterns."
    )


def _of(rows: Sequence[Row], group: str) -> list[Row]:
    return [row for row in rows if row["group"] == group]


def _scores(record: Row, group: str) -> str:
    rows = [
        [
            _name(row),
            *(_value(row["metrics"][name]) for name in (_RECALL, _WHOLE, _BUDGET)),
            *(_difference(row, name) for name in (_RECALL, _WHOLE)),
        ]
        for row in _of(record["rows"], group)
    ]
    rows += [
        [f"`{item['option']}`", "not measured: needs a model", "", "", "", ""]
        for item in record["not_measured"]
        if item["group"] == group
    ]
    heads = [title(name) for name in (_RECALL, _WHOLE, _BUDGET)]
    return table(("Option", *heads, f"Δ {heads[0]}", f"Δ {heads[1]}"), rows, left=1)


def _costs(record: Row, group: str) -> str:
    rows = [[_name(row), when(row), *_cost(row)] for row in _of(record["rows"], group)]
    rows += [[f"`{item['option']}`", when(item), "", "", "", "", ""] for item in record["not_measured"] if item["group"] == group]
    return table(("Option", "When to use it", "Tokens shown", "Chunks", "Entries", "Build s", "× fixed"), rows, left=2)


def when(row: Row) -> str:
    """What an option's conf file says of it."""
    return opening(shipped_root() / "conf" / row["group"] / f"{row['option'].partition(',')[0]}.yaml")


def opening(path: Path) -> str:
    """What a conf file says of itself: the lines of its first comment up to one that ends a sentence."""
    said = []
    for line in takewhile(lambda line: line.startswith("#"), path.read_text("utf-8").splitlines()):
        said.append(line.lstrip("# ").strip())
        if said[-1].endswith("."):
            break
    return " ".join(said)


def _cost(row: Row) -> list[str]:
    seconds = "–" if row["build_seconds"] is None else f"{row['build_seconds']:.1f}"
    times = "–" if row["times_fixed"] is None else f"{row['times_fixed']:.2f}"
    return [f"{row['tokens_shown']:,.0f}", f"{row['chunks']:,}", f"{row['entries']:,}", seconds, times]


def _name(row: Row) -> str:
    size = _size(row)
    name = f"`{row['option'].partition(',')[0]}`{f', same budget (size {size})' if size else ''}"
    return f"{name} (default)" if row["default"] else name


def _size(row: Row) -> str:
    return next((word.partition("=")[2] for word in row["words"] if word.startswith("chunker.size=")), "")


def _value(item: Row) -> str:
    errors = f", {item['errors']} failed" if item["errors"] else ""
    return f"{item['value']:.3f} ({item['low']:.3f} to {item['high']:.3f}), n = {item['n']}{errors}"


def _difference(row: Row, metric: str) -> str:
    """Paired difference to the default, in words too."""
    if row["default"]:
        return ""
    found = row["versus_default"][metric]
    return f"{_change(found)}, p {shown_p(found['holm'])}: {said(found)}"


def _change(found: Row) -> str:
    return f"{_signed(found['difference'])} ({_signed(found['low'])} to {_signed(found['high'])})"


def _signed(value: float) -> str:
    """Three decimals with a sign, never -0.000."""
    return f"{round(value, 3) + 0.0:+.3f}"


def shown_p(value: float) -> str:
    """With its sign of equality, never 0."""
    return "< 0.0001" if value < 0.0001 else f"= {value:.4f}" if value < 0.1 else f"= {value:.2f}"


def said(found: Row) -> str:
    """The word for a paired difference to the default."""
    if found["holm"] >= ALPHA:
        return "not distinguishable" if found["wins"] or found["losses"] else "equal on every question"
    return "better" if found["difference"] > 0 else "worse"


def _summary(rows: Sequence[Row]) -> str:
    """Which options differ from the default, and which cannot be told from it."""
    others = [row for row in rows if not row["default"]]
    return "\n\n".join(_sentence(others, metric) for metric in (_RECALL, _WHOLE, _BUDGET))


def _sentence(rows: Sequence[Row], metric: str) -> str:
    found: dict[str, list[str]] = {}
    for row in rows:
        item = row["versus_default"][metric]
        found.setdefault(said(item), []).append(f"`{row['group']}={row['option']}` ({_signed(item['difference'])})")
    sizes = sorted({row["versus_default"][metric]["n"] for row in rows})
    n = f"{sizes[0]}" if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"
    words = ("better", "worse", "not distinguishable", "equal on every question")
    lines = [f"- {word}: {', '.join(found.get(word, ['none']))}" for word in words if word in words[:3] or word in found]
    return "\n".join([f"{title(metric)}, n = {n}, against the default:", "", *lines])


def _budget(record: Row) -> str:
    """The default against fixed chunks that show as many tokens."""
    rows = record["rows"]
    base, equal = rows[0], next(row for row in rows if row["option"].startswith("fixed,"))
    found = equal["versus_default"][_WHOLE]
    ratio = equal["tokens_shown"] / base["tokens_shown"] - 1
    return (
        f"`{base['option']}` shows {base['tokens_shown']:,.0f} tokens per question, `fixed` with {_size(equal)} characters {equal['tokens_shown']:,.0f} "
        f"({ratio:+.1%}). {title(_WHOLE)}: {base['metrics'][_WHOLE]['value']:.3f} against {equal['metrics'][_WHOLE]['value']:.3f}; "
        f"fixed minus default {_change(found)}, n = {found['n']}, p {shown_p(found['p'])} "
        f"and after Holm over {record['judged']} differences p {shown_p(found['holm'])}: {said(found)}."
    )


def _tables(rows: Iterable[Row]) -> str:
    """Table questions by chunker: evidence that the chunker leaves whole, and what retrieval then finds."""
    lines = []
    for row in _of(list(rows), "chunker"):
        found, against = row["tables"], row["tables_versus_fixed"]
        share = f"{found['whole']} of {found['pieces']} ({found['whole'] / found['pieces']:.1%})"
        change = f"{_change(against[_WHOLE])}, p {shown_p(against[_WHOLE]['p'])}" if row["option"] != "fixed" else ""
        lines.append([_name(row), share, _value(row["table_metrics"][_WHOLE]), change])
    return table(("Chunker", "Evidence whole in one chunk", title(_WHOLE), "Δ to `fixed`"), lines, left=1)
