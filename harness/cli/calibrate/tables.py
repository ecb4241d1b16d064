"""A calibration record as people read it: on the terminal, as a Markdown page, as a row of a README's table."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.judging.calibration import CalibrationRecord, Estimate
from harness.reporting.escape import clean, code, markdown, one_line
from harness.reporting.names import interval, number

if TYPE_CHECKING:
    from rich.console import RenderableType

_LONG = 2_000


@dataclass(frozen=True, slots=True)
class Line:
    """One number of a record."""

    what: str
    """Its name."""
    value: str
    """The number."""
    interval: str = ""
    """Its 95 % interval."""
    beside: str = ""
    """What it is read beside."""


def lines(record: CalibrationRecord) -> list[Line]:
    """Every number of a record, in reading order."""
    ceiling = f"one rater against the others: {number(record.ceiling)}" if record.ceiling is not None else ""
    majority = f"always the more common: {number(record.majority)}"
    left_out = "; ".join(f"{item.count} {item.state} ({item.reason})" for item in record.not_judged)
    return [
        Line("Labels judged", f"{record.judged} of {record.n}", beside=left_out),
        Line("Good labels", number(record.base_rate)),
        _line("Spearman", record.spearman, ceiling),
        _line("AUROC", record.auroc),
        _line("Agreement", record.agreement, majority),
        _line("Cohen's kappa", record.kappa),
        *_classes(record),
        *(
            Line(f"{rival.name} on {rival.n}", number(rival.spearman), beside=f"Spearman; AUROC {number(rival.auroc)}")
            for rival in record.rivals
        ),
    ]


def _line(what: str, estimate: Estimate, beside: str = "") -> Line:
    return Line(what, number(estimate.value), interval(estimate.low, estimate.high), beside)


def _classes(record: CalibrationRecord) -> list[Line]:
    if record.classes is None:
        return []
    found = record.classes
    beside = f"always the most common: {number(found.majority)}"
    return [
        Line("Agreement, three classes", number(found.agreement), beside=beside),
        Line("Weighted kappa, three classes", number(found.kappa)),
    ]


def verdict(record: CalibrationRecord) -> str:
    """Calibrated or not, and why not."""
    if record.calibrated:
        return f"calibrated: {record.metric} by this judge can fail a gate"
    return f"not calibrated: {'; '.join(record.shortcomings)}. {record.metric} by this judge stays advisory"


def terminal(record: CalibrationRecord) -> "RenderableType":
    """The record as a table, with verdict, judge and labels below it."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    title = Text(clean(f"{record.name} against {record.labels}: {record.metric}"), "bold")
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD, pad_edge=False)
    for head in ("", "Value", "95 % interval", "Beside it"):
        table.add_column(
            head,
            justify="right" if head in ("Value", "95 % interval") else "left",
            no_wrap=head in ("", "Value", "95 % interval"),
        )
    for line in lines(record):
        table.add_row(*(Text(clean(cell)) for cell in (line.what, line.value, line.interval, line.beside)))
    style = "green" if record.calibrated else "yellow"
    judge = Text(f"Judge   {one_line(record.judge, _LONG)}", "dim")
    labels = Text(f"Labels  {one_line(record.labels)}, SHA-256 {record.labels_digest[:16]}", "dim")
    return Group(table, Text(clean(verdict(record)), style), judge, labels)


def page(record: CalibrationRecord) -> str:
    """The record as a Markdown page."""
    rows = [
        f"| {markdown(line.what)} | {line.value} | {line.interval} | {markdown(line.beside, _LONG)} |" for line in lines(record)
    ]
    return "\n".join(
        [
            f"# {markdown(record.name)} against {markdown(record.labels)}: {markdown(record.metric)}",
            "",
            f"{markdown(verdict(record), _LONG)}. Written by `harness calibrate judge`; intervals resample "
            f"{record.groups} groups of answers.",
            "",
            "| | Value | 95 % interval | Beside it |",
            "|---|---:|---|---|",
            *rows,
            "",
            f"Judge: {code(record.judge, _LONG)}",
            "",
            f"Labels: SHA-256 {code(record.labels_digest)}",
            "",
        ]
    )


def calibration_table(records: Iterable[CalibrationRecord]) -> str:
    """One row a record, by labels, metric and judge: the Markdown table of all calibrations."""
    ordered = sorted(records, key=lambda record: (record.labels, record.metric, record.judge))
    if not ordered:
        return "No judge has been calibrated yet."
    heads = ("Judge", "Metric", "Labels", "n", "Spearman", "One rater", "AUROC", "Kappa", "Calibrated")
    table = [f"| {' | '.join(heads)} |", "|---|---|---|---:|---|---:|---|---|---|"]
    return "\n".join([*table, *(f"| {' | '.join(_cells(record))} |" for record in ordered)])


def _cells(record: CalibrationRecord) -> Sequence[str]:
    return (
        markdown(record.name),
        markdown(record.metric),
        markdown(record.labels),
        str(record.judged),
        _with_interval(record.spearman),
        number(record.ceiling),
        _with_interval(record.auroc),
        _with_interval(record.kappa),
        "yes" if record.calibrated else markdown(f"no: {'; '.join(record.shortcomings)}", _LONG),
    )


def _with_interval(estimate: Estimate) -> str:
    ends = interval(estimate.low, estimate.high)
    return f"{number(estimate.value)} ({ends})" if ends else number(estimate.value)
