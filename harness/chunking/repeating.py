"""Rows and list items in chunks, with what stands above them repeated: the header of a table, the introduction of a list."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import groupby

from harness.chunking.assemble import Piece
from harness.chunking.packing import Tokens, pack, split, trimmed
from harness.text import count_tokens

BORDER = re.compile(r"[ \t]*(?:\+[-=+]+\+|=+(?:[ \t]+=+)*)[ \t]*")
"""A line of a grid or a simple table that parts rows and says nothing."""


@dataclass(frozen=True, slots=True)
class Rows:
    """A table or a list, cut only between its rows."""

    start: int
    """First character; headings and a caption may stand before the header."""
    end: int
    """One past the last."""
    header: tuple[int, int]
    """What names the columns or introduces the list; empty where nothing does."""
    rows: tuple[tuple[int, int], ...]
    """Start and end of each row below the header."""
    separator: str = ""
    """Between the cells of a delimited table; empty of any other."""


def led(tokens: Tokens, table: Rows, start: int, size: int, most: int) -> Rows:
    """The rows from `start` on, where what stands there fits with all of them, or with the first if they are cut anyway."""
    cut = most or tokens.count(table.start, table.end) > size
    last = table.rows[0][1] if cut and table.rows else table.end
    return replace(table, start=start) if tokens.count(start, last) <= size else table


def as_pieces(tokens: Tokens, table: Rows, size: int, most: int, kind: str, section: tuple[str, ...]) -> Iterator[Piece]:
    """Pieces of at most `size` tokens, preface included, and `most` rows; 0 is as many as fit.

    A row is cut only when it alone exceeds `size`, between lines. A header of more than half of `size` is not repeated,
    nor is one before a row that fits without it alone. The borders of a header are not repeated either.
    """
    header = _said(tokens.text[slice(*table.header)])
    if (length := count_tokens(header)) > size / 2:
        header, length = "", 0
    for start, end in _parts(tokens, table, size, size - length, most or len(table.rows)):
        longest = max((tokens.count(*part) for part in _between_borders(tokens.text, start, end)), default=0)
        repeated = start >= table.header[1] and not size - length < longest <= size
        for first, last in _within(tokens, start, end, size - length if repeated else size, kind):
            yield Piece(first, last, kind, section, header if repeated else "")


def _said(header: str) -> str:
    return "\n".join(line for line in header.split("\n") if not BORDER.fullmatch(line))


def _parts(tokens: Tokens, table: Rows, size: int, room: int, most: int) -> Iterator[tuple[int, int]]:
    """Rows that go together: the first part with all that stands above them, the others of at most `room` tokens."""
    start, end, held = table.start, table.header[1], 0
    for first, last in table.rows:
        fits = tokens.count(start, last) <= (room if start >= table.header[1] else size)
        if end > start and not (fits and held < most):
            yield start, end
            start, held = first, 0
        end, held = last, held + 1
    if end > start:
        yield start, end


def _within(tokens: Tokens, start: int, end: int, size: int, kind: str) -> Iterator[tuple[int, int]]:
    """The stretch itself; of one that does not fit its lines, those between two borders together where they fit."""
    if tokens.count(start, end) <= size:
        yield start, end
    else:
        units = (
            unit for part in _between_borders(tokens.text, start, end) for unit in split(tokens, *part, size, kind, by_line=True)
        )
        for group in pack(tokens, units, size):
            yield group[0].start, group[-1].end


def _between_borders(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Borders, and what stands between them."""
    for _, lines in groupby(text[start:end].split("\n"), key=lambda line: bool(BORDER.fullmatch(line))):
        after = start + sum(len(line) + 1 for line in lines)
        first, last = trimmed(text, start, min(after, end))
        if first < last:
            yield first, last
        start = after
