"""Tables of a document, Markdown or comma-separated, with the place of each row."""

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from harness.chunking.outline import Block
from harness.types import Document, Span

_PIPE = re.compile(r"(?<!\\)\|")
_RULE = re.compile(r"[\s|:+-]+")
SEPARATORS = {"text/csv": ",", "text/tab-separated-values": "\t"}
"""What separates cells, by MIME type."""


@dataclass(frozen=True, slots=True)
class Line:
    """One row."""

    cells: tuple[str, ...]
    """Trimmed texts."""
    span: Span
    """Where the row stands."""


@dataclass(frozen=True, slots=True)
class Grid:
    """A table with a header."""

    header: tuple[str, ...]
    """Names of the columns."""
    top: Span
    """Where the header stands."""
    rows: tuple[Line, ...]
    """Rows with as many cells as the header."""
    records: bool
    """A list of things, as in a CSV file; otherwise a table inside a text."""

    def column(self, place: int) -> list[str]:
        """The cells of a column."""
        return [row.cells[place] for row in self.rows]


def grids(document: Document, blocks: Sequence[Block]) -> tuple[Grid, ...]:
    """The tables of a document that have a header and a row."""
    if document.mime_type in SEPARATORS:
        found = [_grid(list(_records(document)), True)]
    else:
        found = [_grid(list(_piped(document, block)), False) for block in blocks if block.kind == "table"]
    return tuple(grid for grid in found if grid is not None)


def _grid(lines: Sequence[Line], records: bool) -> Grid | None:
    if len(lines) < 2 or not all(lines[0].cells) or len(set(lines[0].cells)) < len(lines[0].cells):
        return None
    header = lines[0].cells
    rows = tuple(line for line in lines[1:] if len(line.cells) == len(header))
    return Grid(header, lines[0].span, rows, records) if rows else None


def _records(document: Document) -> Iterator[Line]:
    """Lines of a CSV file; one with an open quotation mark goes on below and is left out."""
    separator = SEPARATORS[document.mime_type]
    first = document.text.split("\n", 1)[0]
    if separator == "," and first.count(";") > first.count(","):
        separator = ";"
    for span, line in _lines(document, 0, len(document.text)):
        if line.count('"') % 2 == 0:
            yield Line(tuple(cell.strip() for cell in next(csv.reader([line], delimiter=separator))), span)


def _piped(document: Document, block: Block) -> Iterator[Line]:
    for span, line in _lines(document, block.start, block.end):
        if not _RULE.fullmatch(line):
            cells = _PIPE.split(line.strip().removeprefix("|").removesuffix("|"))
            yield Line(tuple(_plain(cell) for cell in cells), span)


def _lines(document: Document, start: int, end: int) -> Iterator[tuple[Span, str]]:
    for line in document.text[start:end].split("\n"):
        text = line.strip()
        begin = start + len(line) - len(line.lstrip())
        if text:
            yield Span(document.doc_id, begin, begin + len(text)), text
        start += len(line) + 1


def _plain(cell: str) -> str:
    return cell.strip().replace("\\|", "|").strip("`* ")
