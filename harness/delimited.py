"""Delimited text, such as CSV: its separator, where its rows stand, and the cells of a row."""

import csv
from collections.abc import Iterator
from itertools import pairwise

_SEPARATORS = ",;\t|"


def separator_of(text: str, known: str = "") -> str:
    """The separator that gives the first row most cells, of equals a comma; `known` stands as it is."""
    return known or max(_SEPARATORS, key=lambda mark: _width(text, mark))


def row_spans(text: str, separator: str) -> list[tuple[int, int]]:
    """Rows as Python's csv module reads them: a line end inside quotes ends no row. Lines, where it cannot read on."""
    lines = text.split("\n")
    reader = csv.reader((f"{line}\n" for line in lines), delimiter=separator)
    ends = [0]
    try:
        ends.extend(reader.line_num for _ in reader)
    except csv.Error:
        ends += range(ends[-1] + 1, len(lines) + 1)
    begins = [0]
    for line in lines:
        begins.append(begins[-1] + len(line) + 1)
    spans = ((begins[first], begins[last] - 1) for first, last in pairwise(ends))
    return [(start, end) for start, end in spans if text[start:end].strip()]


def cells(row: str, separator: str) -> list[str]:
    """The cells of one row without blanks around them; the row alone where it is none, such as a part of one."""
    try:
        read = list(_read(row, separator))
    except csv.Error:
        read = []
    return [cell.strip() for cell in read[0]] if len(read) == 1 and read[0] else [row]


def _width(text: str, separator: str) -> int:
    try:
        return len(next(_read(text.lstrip(), separator), ()))
    except csv.Error:
        return 0


def _read(text: str, separator: str) -> Iterator[list[str]]:
    return csv.reader((f"{line}\n" for line in text.split("\n")), delimiter=separator)
