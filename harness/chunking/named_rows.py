"""The rows of a table with what its header says of each cell."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from harness.chunking.outline import Block
from harness.chunking.repeating import Rows
from harness.chunking.rows import TABLES, document_rows, outlined_rows
from harness.chunking.sentences import Part
from harness.delimited import cells
from harness.types import Document

_BARS = re.compile(r"(?<!\\)\|")


@dataclass(frozen=True, slots=True)
class Row:
    """A row, or the part of it that lies inside a passage."""

    start: int
    """First character."""
    end: int
    """One past the last."""
    cells: tuple[tuple[str, str], ...]
    """Column and cell, empty cells left out; nothing where the header does not name each cell."""

    def named(self, joint: str) -> str:
        """`column` `joint` `cell` of each, such as `price: 19, unit: EUR`."""
        return ", ".join(f"{column}{joint}{cell}" if column else cell for column, cell in self.cells)


class NamedRows:
    """The rows of the tables of a document; each table is read once."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self._tables: dict[int, tuple[Rows, list[str]]] = {}

    def flat(self, start: int, end: int) -> str:
        """A stretch of the document on one line."""
        return " ".join(self.document.text[start:end].split())

    def of(self, part: Part) -> Iterator[Row]:
        """The rows that lie in a part of a table, in order; a table of a header alone is one row."""
        table, columns = self._table(part.block)
        rows = table.rows or (table.header,)
        for place in range(max(0, bisect_right(rows, (part.start,)) - 1), len(rows)):
            start, end = max(rows[place][0], part.start), min(rows[place][1], part.end)
            if rows[place][0] >= part.end:
                return
            if start < end:
                found = _cells(self.document.text[start:end], table.separator)
                named = zip(columns, found, strict=True) if table.rows and len(columns) == len(found) else ()
                yield Row(start, end, tuple((column, cell) for column, cell in named if cell))

    def _table(self, block: Block) -> tuple[Rows, list[str]]:
        if block.start not in self._tables:
            text, mime_type = self.document.text, self.document.mime_type
            table = document_rows(text, mime_type) if mime_type in TABLES else outlined_rows(text, block.start, block.end)
            self._tables[block.start] = table, _columns(text[slice(*table.header)], table.separator)
        return self._tables[block.start]


def _columns(header: str, separator: str) -> list[str]:
    """The names of the columns, of a table with pipes in its first line; none of a grid or a simple table."""
    first = header if separator else header.partition("\n")[0]
    return _cells(first, separator) if separator or "|" in first else []


def _cells(row: str, separator: str) -> list[str]:
    if separator:
        return cells(row, separator)
    return [cell.strip() for cell in _BARS.split(row.strip().strip("|"))]
