"""CSV files as others write them: commas, semicolons or tabs between the cells, and a header row."""

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from harness.errors import GoldenSetError, Problem
from harness.golden.formats.shared import counted, raise_all, read_text

if TYPE_CHECKING:
    from _csv import Reader

_LONGEST_CELL = 10_000_000
_SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs"}


class Table(NamedTuple):
    """A CSV file."""

    names: Sequence[str]
    """The header."""
    rows: Sequence[tuple[str, Sequence[str]]]
    """File and line, and the cells, as many as the header has."""
    notes: Sequence[str]
    """What sets the cells apart, if it is no comma."""


def read_cells(path: Path) -> Table:
    """The cells of a file; rows without any text are skipped.

    Raises:
        GoldenSetError: for a file that is no UTF-8 or no CSV, and with every fault of the header and every row of another
            length.
    """
    text = read_text(path)
    csv.field_size_limit(_LONGEST_CELL)
    sign = _separator(text)
    reader = _reader(text, sign)
    try:
        header, *rows = [(f"{path.name}:{reader.line_num}", row) for row in reader if any(map(str.strip, row))] or [("", [])]
    except csv.Error as error:
        raise GoldenSetError(f"{str(path)!r} line {reader.line_num} is no CSV: {error}") from error
    names = header[1]
    ragged = [_ragged(where, row, names, sign) for where, row in rows if len(row) != len(names)]
    raise_all("CSV file", path, [*_bad_header(path, names), *ragged])
    return Table(names, rows, [] if sign == "," else [f"the columns are set apart by {_SEPARATORS[sign]}"])


def _separator(text: str) -> str:
    """The only one that divides the header; a comma when there is none or more than one."""
    found = [sign for sign in _SEPARATORS if len(_header(text, sign)) > 1]
    return found[0] if len(found) == 1 else ","


def _header(text: str, sign: str) -> list[str]:
    try:
        return next((row for row in _reader(text, sign) if any(map(str.strip, row))), [])
    except csv.Error:
        return []


def _reader(text: str, sign: str) -> "Reader":
    return csv.reader(io.StringIO(text, newline=""), strict=True, delimiter=sign)


def _bad_header(path: Path, names: Sequence[str]) -> Iterator[Problem]:
    where = f"{path.name}:1"
    if not names:
        yield Problem("G001", where, "is empty.", "An empty set would pass every gate.", "write a header row, then questions.")
    if len(names) == 1 and "|" in names[0]:
        what = f"the header is one column, {names[0][:80]!r}: its parts are set apart by bars."
        yield Problem("G002", where, what, fix="save the file with commas between columns.")
    for name in dict.fromkeys(name for name in names if name and names.count(name) > 1):
        yield Problem("G008", where, f"column {name!r} appears twice.", "Only one of them could be read.", "rename one.")


def _ragged(where: str, row: Sequence[str], names: Sequence[str], sign: str) -> Problem:
    what = f"has {counted(len(row), 'cell')}, the header has {len(names)}."
    return Problem("G002", where, what, "Its cells are out of place.", f"put quotes around text that holds {_SEPARATORS[sign]}.")
