"""Charts of a deck as tables of their series, from the values that the deck keeps of a chart."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any
from xml.etree.ElementTree import Element

from harness.corpus.cleaned import refuse_long, single_line
from harness.corpus.office import Cells
from harness.corpus.traced import escaped, pipe_table

_POINTS = ("c:cat", "c:xVal"), ("c:val", "c:yVal"), ("c:bubbleSize",)
_CX = {
    "cx": "http://schemas.microsoft.com/office/drawing/2014/chartex",
    "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
}

Column = dict[int, str]
"""Values by place."""
Series = tuple[Column, str, list[Column]]
"""Categories, name, and columns of values."""


def chart(root: Any, cells: Cells) -> Iterator[str]:
    """The title, and a table of the series that share their categories."""
    title = " ".join("".join(line.xpath(".//a:t/text()")) for line in root.xpath("c:chart/c:title//a:p"))
    return _drawn(title, map(_series, root.xpath(".//c:ser")), cells)


def newer_chart(root: Element, cells: Cells) -> Iterator[str]:
    """The same of the kinds that came later (waterfall, treemap, funnel, ...), which python-pptx does not read."""
    lines = root.iterfind("cx:chart/cx:title//a:p", _CX)
    title = " ".join("".join(run.text or "" for run in line.iterfind(".//a:t", _CX)) for line in lines)
    data = {found.get("id"): found for found in root.iterfind("cx:chartData/cx:data", _CX)}
    return _drawn(title, (_newer_series(series, data) for series in root.iterfind(".//cx:series", _CX)), cells)


def table(rows: Sequence[Sequence[str]], cells: Cells) -> Iterator[str]:
    """A pipe table; cells that are all empty are none."""
    cells.add(sum(map(len, rows)))
    yield from _pipes(rows)


def _pipes(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    if any(cell for row in rows for cell in row):
        yield pipe_table([[escaped((cell, [])) for cell in row] for row in rows])[0]


def _drawn(title: str, found: Iterable[Series], cells: Cells) -> Iterator[str]:
    yield from [f"- {single_line(title)}"] if title.strip() else []
    tables: dict[tuple[tuple[int, str], ...], list[tuple[str, Column]]] = {}
    for categories, name, values in found:
        tables.setdefault(tuple(sorted(categories.items())), []).extend((name, column) for column in values if column)
    for key, series in tables.items():
        columns = [dict(key), *(column for _, column in series)]
        places = sorted({place for column in columns for place in column})
        cells.add(len(places) * len(columns))
        yield from _pipes([["", *(name for name, _ in series)], *([column.get(at, "") for column in columns] for at in places)])


def _series(series: Any) -> Series:
    categories, *values = (_points(series, names) for names in _POINTS)
    return categories, single_line(" ".join(series.xpath("c:tx//c:v/text()"))), values


def _points(series: Any, names: Iterable[str]) -> Column:
    """Values of a series by their place; the levels of categories, the outer ones first, are joined."""
    levels = [level for name in names for level in series.xpath(f"{name}//c:lvl") or series.xpath(name)]
    return _joined(
        {int(point.get("idx")): single_line("".join(point.xpath("c:v/text()"))) for point in level.xpath(".//c:pt")}
        for level in levels
    )


def _newer_series(series: Element, data: Mapping[str | None, Element]) -> Series:
    name = " ".join(text.text or "" for text in series.iterfind("cx:tx//cx:v", _CX))
    named = series.find("cx:dataId", _CX)
    held = data.get(named.get("val")) if named is not None else None
    categories, values = ({} if held is None else _newer_points(held, dimension) for dimension in ("cx:strDim", "cx:numDim"))
    return categories, single_line(name), [values]


def _newer_points(data: Element, dimension: str) -> Column:
    levels = data.iterfind(f"{dimension}/cx:lvl", _CX)
    return _joined(
        {int(point.get("idx") or 0): single_line("".join(point.itertext())) for point in level.iterfind("cx:pt", _CX)}
        for level in levels
    )


def _joined(levels: Iterable[Column]) -> Column:
    """Raises TooLargeError when outer categories, said again before each inner one, make too long a text."""
    found: Column = {}
    for points in levels:
        if not found:
            found = points
            continue
        outer, size = sorted(points), 0
        for place, text in found.items():
            found[place] = _under(points, outer, place, text)
            size += len(found[place])
            refuse_long(size)
    return found


def _under(points: Column, outer: Sequence[int], place: int, text: str) -> str:
    """A category with the one of the level above that it belongs to: the last that stands at or before its place."""
    above = bisect_right(outer, place)
    return f"{points[outer[above - 1]]} {text}" if above else text
