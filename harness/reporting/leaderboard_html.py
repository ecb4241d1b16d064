"""The leaderboard of a sweep as one HTML page, with quality against latency and cost."""

from collections.abc import Iterable, Sequence

from harness.reporting.leaderboard import Leaderboard
from harness.reporting.outcomes import Plot
from harness.reporting.pages import page
from harness.reporting.pareto import Dot, scatter


def leaderboard_page(board: Leaderboard) -> str:
    """The leaderboard, its notes and its pictures."""
    order = sorted(range(len(board.columns)), key=lambda place: _rank(board, place))
    columns = [board.columns[place] for place in order]
    rows = [(row, _stacked(columns, [row.cells[place] for place in order])) for row in board.rows]
    heads = [name for name in columns if not _folded(name)]
    return page(
        "leaderboard.html.j2", board=board, heads=heads, rows=rows, plots=tuple(plots(board)), record=board.rows[0].record
    )


def _rank(board: Leaderboard, place: int) -> tuple[int, int]:
    """The metric first, then what a question takes, then the other metrics."""
    name = board.columns[place]
    return (0 if name.startswith(board.title) or _folded(name) else 1 if name.endswith("per question") else 2), place


def _folded(column: str) -> bool:
    """Whether a column stands below the number before it: its interval and its denominator."""
    return column.endswith("95 % interval") or column.rpartition(" ")[2] == "n"


def _stacked(columns: Sequence[str], cells: Sequence[str]) -> list[tuple[str, list[str]]]:
    """Each number with what stands below it."""
    found: list[tuple[str, list[str]]] = []
    for column, cell in zip(columns, cells, strict=True):
        if not _folded(column):
            found.append((cell, []))
        elif cell:
            found[-1][1].append(cell if column.endswith("interval") else f"n {cell}")
    return found


def plots(board: Leaderboard) -> Iterable[Plot]:
    """Quality against seconds and against cost, as far as they are known of at least two variants."""
    pictures = (
        ("Quality and latency", "seconds", [row.seconds for row in board.rows]),
        ("Quality and cost", board.unit, [row.cost for row in board.rows]),
    )
    for name, unit, values in pictures:
        dots = tuple(_dots(board, values)) if unit else ()
        if len(dots) > 1:
            yield scatter(name, board.title, unit, dots)


def _dots(board: Leaderboard, values: Iterable[float | None]) -> Iterable[Dot]:
    for place, (row, across) in enumerate(zip(board.rows, values, strict=True), 1):
        found = row.claimed.aggregates.get(board.metric)
        if across is not None and found is not None and found.value is not None:
            yield Dot(str(place), row.name, across, found.value, found.low, found.high, row.front)
