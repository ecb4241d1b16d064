"""Tables and messages for the terminal, through rich. Text from outside is cleaned and never read as markup."""

from collections.abc import Iterator, Mapping, Sequence
from io import StringIO

from rich.box import SIMPLE_HEAD
from rich.console import Console, ConsoleOptions, Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from harness.errors import HarnessError
from harness.gates.baseline import Baseline
from harness.reporting.configs import changed_settings
from harness.reporting.escape import clean
from harness.reporting.leaderboard import Leaderboard
from harness.reporting.names import compared_on, count, overall, rule_title, verdict_words, word
from harness.reporting.tables import Row, result_rows, station_table
from harness.types import Outcome, RunRecord, Verdict

STYLES = {
    Outcome.PASS: "green",
    Outcome.IMPROVED: "bold green",
    Outcome.REGRESSED: "bold red",
    Outcome.INCONCLUSIVE: "yellow",
    Outcome.MISSING: "bold red",
    Outcome.INVALID: "bold red",
    Outcome.NOT_COMPARABLE: "yellow",
}
"""Colour of each outcome; its sign and word stand beside it."""

_LESS_AND_LESS = (
    (),
    ("ends",),
    ("ends", "Accepted"),
    ("ends", "Accepted", "left out"),
    ("ends", "95 % interval", "left out"),
)
_LEFT = ("", "Metric", "Variant", "Verdict")
_ENDLESS = 10_000


class Fitting:
    """The first of several tables that fits the width of the terminal, or else the last."""

    def __init__(self, *tables: Table) -> None:
        self.tables = tables

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        """Shows the chosen table."""
        free = options.update(max_width=_ENDLESS)
        fitting = (table for table in self.tables if console.measure(table, options=free).maximum <= options.max_width)
        yield next(fitting, self.tables[-1])


def run_table(record: RunRecord, accepted: Baseline | None = None, verdicts: Sequence[Verdict] = ()) -> RenderableType:
    """Headline metrics with interval, denominator, baseline and verdict; below it recall after every station.

    A narrow terminal is shown less, but never a cut number nor a mean without its denominator.
    """
    rows = result_rows(record, accepted, verdicts).headline
    name = f"{record.experiment} on {record.golden_set} v{record.golden_version}"
    tables = [_results(name, rows, accepted is not None, leave_out) for leave_out in _LESS_AND_LESS]
    remarks = (compared_on(verdicts, record.aggregates), clean(changed_settings(record, accepted)))
    parts = (Fitting(*tables), _stations(record), *(Text(remark, "dim") for remark in remarks if remark))
    return Group(*(part for part in parts if part is not None))


def _results(name: str, rows: Sequence[Row], compared: bool, leave_out: Sequence[str]) -> Table:
    columns = {
        "Metric": [_text(row.title) for row in rows],
        "Value": [_text(row.value) for row in rows],
        "95 % interval": [_text(row.interval) for row in rows],
        "n": [_text(str(row.aggregate.n) if "left out" in leave_out else row.n) for row in rows],
    }
    if compared:
        columns["Accepted"] = [_text(row.accepted) for row in rows]
        columns["Difference"] = [
            _text(row.difference.partition(" ")[0] if "ends" in leave_out else row.difference) for row in rows
        ]
    if any(row.outcome for row in rows):
        columns["Verdict"] = [_verdict_cell(row) for row in rows]
    return _filled(name, {head: cells for head, cells in columns.items() if head not in leave_out})


def _stations(record: RunRecord) -> Table | None:
    content = station_table(record, ("recall_at_",))
    if not content.lines:
        return None
    columns = {"Metric": [_text(name) for name, _ in content.lines]}
    for place, station in enumerate(content.columns):
        columns[station] = [_text(cells[place]) for _, cells in content.lines]
    return _filled("After every station", columns)


def leaderboard_table(board: Leaderboard) -> RenderableType:
    """Variants from best to worst; `=` marks those that cannot be told apart from the best.

    A narrow terminal is shown the first columns only.
    """
    tables = [_board(board, shown) for shown in range(len(board.columns), 0, -1)]
    return Group(Fitting(*tables), *(Text(note, style="dim") for note in board.notes))


def _board(board: Leaderboard, shown: int) -> Table:
    columns = {"": [_text(row.mark) for row in board.rows], "Variant": [_text(row.name) for row in board.rows]}
    for place, head in enumerate(board.columns[:shown]):
        columns[_stacked(head)] = [_text(row.cells[place]) for row in board.rows]
    return _filled(f"Leaderboard by {board.title}", columns)


def _stacked(head: str) -> str:
    """A heading of several words, one below the other: `Over-refusal rate ↓` needs eight columns, not nineteen."""
    one_below_the_other = head.replace("-", "- ").replace(" ", "\n")
    return one_below_the_other.replace("95\n%", "95 %").replace("rate\n", "rate ")


def problem_block(error: HarnessError) -> RenderableType:
    """One clear block: what is wrong, and every problem found with its place, reason and remedy."""
    lines: list[Text] = [_text(str(error.args[0]), "bold")]
    for problem in error.problems:
        head = Text.assemble(
            (f"{clean(problem.code)} ", "bold red"), (clean(problem.where), "bold"), "\n  ", clean(problem.sentence)
        )
        head.append_text(Text(f"\n  Fix: {clean(problem.fix)}", "green") if problem.fix else Text())
        lines += [Text(), head]
    kind = type(error).__name__.removesuffix("Error")
    size = f": {count(error.problems, 'problem')}" if len(error.problems) > 1 else ""
    return Panel(Group(*lines), title=Text(f"{_NAMES.get(kind, kind)}{size}", "bold red"), title_align="left", border_style="red")


_NAMES = {
    "Config": "Configuration error",
    "GoldenSet": "Golden set error",
    "Corpus": "Corpus error",
    "Stage": "Stage error",
    "Store": "Storage error",
    "Gate": "Gate error",
    "Harness": "Error",
}


def verdict_line(verdicts: Sequence[Verdict]) -> Text:
    """`✗ regressed: 1 of 3 rules (recall_at_5)`, or that nothing was gated."""
    outcome = overall(verdicts)
    if outcome is None:
        return Text(verdict_words(verdicts), "dim")
    named = [rule_title(item) for item in verdicts if item.outcome is outcome and not item.advisory]
    names = f" ({', '.join(named)})" if outcome not in (Outcome.PASS, Outcome.IMPROVED) else ""
    return Text(f"{verdict_words(verdicts)}{clean(names)}", STYLES[outcome])


def plain_text(renderable: RenderableType, width: int = 120) -> str:
    """What a terminal without colours shows."""
    console = Console(file=StringIO(), width=width, color_system=None, legacy_windows=False)
    console.print(renderable)
    written = console.file.getvalue()  # type: ignore[attr-defined]
    return "\n".join(line.rstrip() for line in written.splitlines())


def _verdict_cell(row: Row) -> Text:
    if row.verdict is None:
        return Text()
    advisory = " (advisory)" if row.verdict.advisory else ""
    return Text(f"{word(row.verdict.outcome)}{advisory}", STYLES[row.verdict.outcome])


def _filled(name: str, columns: Mapping[str, Sequence[Text]]) -> Table:
    """A table from its columns; numbers are set right."""
    table = Table(title=_text(name, "bold"), title_justify="left", box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for head in columns:
        left = head in _LEFT
        table.add_column(_text(head), justify="left" if left else "right", no_wrap=not left, vertical="bottom")
    for cells in zip(*columns.values(), strict=True):
        table.add_row(*cells)
    return table


def _text(value: str, style: str = "") -> Text:
    return Text(clean(value), style)
