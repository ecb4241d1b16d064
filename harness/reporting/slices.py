"""How the questions of each kind, reason of refusal, language, tenant and tag fare."""

from dataclasses import dataclass

from harness.reporting.names import arrow, interval, number, title
from harness.slicing import by_slice
from harness.types import Aggregate, RunRecord

LEAST = 5
"""Questions that a slice needs to be shown."""
METRICS = (
    "recall_at_5",
    "complete_at_5",
    "over_refusal_rate",
    "false_answer_rate",
    "citation_coverage",
    "truthfulness",
    "faithfulness",
    "answer_correctness_vital",
)
"""What is shown of each slice, as far as the run has it."""
_FAMILIES = ("kind", "reason", "language", "tenant", "tag")


@dataclass(frozen=True, slots=True)
class Cell:
    """One metric of one slice."""

    value: str
    """The mean; empty where nothing was scored."""
    ends: str
    """Its 95 % interval."""
    n: int
    """Questions scored."""


@dataclass(frozen=True, slots=True)
class Slices:
    """One line a slice, one column a metric."""

    columns: tuple[str, ...] = ()
    """Titles of the metrics."""
    lines: tuple[tuple[str, int, tuple[Cell, ...]], ...] = ()
    """Slice, its questions, one cell a column: all, then kinds, reasons, languages, tenants and tags."""


def slice_table(record: RunRecord) -> Slices:
    """The slices of a run that have enough questions and are not the whole run."""
    metrics = [name for name in METRICS if name in record.aggregates and record.aggregates[name].n]
    sizes: dict[str, int] = {}
    for labels in record.labels.values():
        for label in labels:
            sizes[label] = sizes.get(label, 0) + 1
    chosen = [label for label in sizes if LEAST <= sizes[label] < len(record.labels) and _family(label) in _FAMILIES]
    if not metrics or not chosen:
        return Slices()
    kept = {name: tuple(label for label in labels if label in chosen) for name, labels in record.labels.items()}
    found = by_slice(record.scores, kept, record.groups, metrics)
    order = sorted(chosen, key=lambda label: (_FAMILIES.index(_family(label)), label))
    rows = [("all", len(record.labels), record.aggregates), *((label, sizes[label], found[label]) for label in order)]
    return Slices(
        tuple(f"{title(name)} {arrow(name)}" for name in metrics),
        tuple((label, size, tuple(_cell(values[name]) for name in metrics)) for label, size, values in rows),
    )


def _family(label: str) -> str:
    return label.partition(":")[0]


def _cell(item: Aggregate) -> Cell:
    return Cell(number(item.value, ""), interval(item.low, item.high), item.n)
