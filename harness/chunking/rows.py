"""The rows of a table, verbatim: where each one starts and ends, and which lines are its header."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from harness.chunking.packing import trimmed
from harness.chunking.repeating import Rows
from harness.delimited import row_spans, separator_of

DELIMITED = {"text/csv": "", "text/tab-separated-values": "\t"}
"""Separator of delimited tables by MIME type; empty is found out."""
JSON_TYPES = frozenset({"application/json", "application/jsonl"})
"""Documents of which each element, member or line is a row."""
TABLES = frozenset(DELIMITED) | JSON_TYPES
"""Documents that are one table."""

_BLANKS = re.compile(r"[ \t\r\n]*")
_PIPE_RULE = re.compile(r"[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*")
_GRID_RULE = re.compile(r"[ \t]*\+(?:[-=]+\+)+[ \t]*")
_SIMPLE_RULE = re.compile(r"[ \t]*=+(?:[ \t]+=+)*[ \t]*")
_decoder = json.JSONDecoder()


def document_rows(text: str, mime_type: str) -> Rows:
    """A whole document as one table: the first row of a delimited one is its header, rows of JSON name their own fields."""
    if mime_type in JSON_TYPES:
        rows = json_rows(text) if mime_type == "application/json" else _lines(text, 0, len(text))
        return _parted(rows, heads=0)
    separator = separator_of(text, DELIMITED[mime_type])
    return replace(_parted(row_spans(text, separator), heads=1), separator=separator)


def outlined_rows(text: str, start: int, end: int) -> Rows:
    """A table inside a document: with pipes, or the grid and the simple table of reStructuredText."""
    lines = _lines(text, start, end)
    written = [text[slice(*line)] for line in lines]
    if _GRID_RULE.fullmatch(written[0]):
        return _grid(lines, written)
    rules = [place for place, line in enumerate(written) if _SIMPLE_RULE.fullmatch(line)]
    if rules[:1] == [0] and len(rules) > 1:
        return _simple(text, lines, written, heads=rules[1] + 1 if len(rules) > 2 else 1)
    return _parted(lines, heads=2 if len(written) > 1 and _PIPE_RULE.fullmatch(written[1]) else 0)


def _grid(lines: list[tuple[int, int]], written: list[str]) -> Rows:
    """Each row with the rule below it; the header is what stands above a rule of `=`."""
    rules = [place for place, line in enumerate(written) if _GRID_RULE.fullmatch(line)]
    begins = [0, *(place + 1 for place in rules[1:])]
    rows = [(lines[begin][0], lines[after - 1][1]) for begin, after in pairwise([*begins, len(lines)]) if after > begin]
    return _parted(rows, heads=int(len(rules) > 1 and "=" in written[rules[1]]))


def _simple(text: str, lines: list[tuple[int, int]], written: list[str], heads: int) -> Rows:
    """Lines without a first cell belong to the row above; the rule at the end belongs to the last row."""
    rows = [(lines[0][0], lines[heads - 1][1])]
    for (start, end), line in zip(lines[heads:], written[heads:], strict=True):
        indent = start - text.rfind("\n", 0, start) - 1
        follows = indent > lines[0][0] - text.rfind("\n", 0, lines[0][0]) - 1 or _SIMPLE_RULE.fullmatch(line)
        if follows and len(rows) > 1:
            rows[-1] = (rows[-1][0], end)
        else:
            rows.append((start, end))
    return _parted(rows, heads=1)


def _parted(rows: list[tuple[int, int]], heads: int) -> Rows:
    """A table whose first `heads` rows are its header."""
    start, end = (rows[0][0], rows[-1][1]) if rows else (0, 0)
    header = (start, rows[min(heads, len(rows)) - 1][1]) if heads and rows else (start, start)
    return Rows(start, end, header, tuple(rows[heads:]))


def json_rows(text: str) -> list[tuple[int, int]]:
    """Elements of the outermost array, or members of the object, each with the punctuation after it.

    A member that holds an array of objects, such as `{"items": [...]}`, gives one row per object. What is no JSON, or
    nested too deeply, gives its lines.
    """
    start, end = trimmed(text, 0, len(text))
    try:
        begins = list(_starts(text, start))
    except (ValueError, IndexError, RecursionError):
        begins = []
    if not begins:
        return _lines(text, start, end)
    return [trimmed(text, begin, after) for begin, after in pairwise([start, *begins[1:], end])]


def _starts(text: str, at: int) -> Iterator[int]:
    """Where the rows of the array or object at a place start.

    Raises:
        ValueError, IndexError, RecursionError: where it is no JSON that Python reads.
    """
    closing = {"[": "]", "{": "}"}.get(text[at], "")
    at = _after_blanks(text, at + 1) if closing else len(text)
    while text[at : at + 1] != closing:
        begin = at
        if closing == "}":
            at = _after_blanks(text, _after_blanks(text, _decoder.raw_decode(text, at)[1]) + 1)
        value, after = _decoder.raw_decode(text, at)
        holds_rows = closing == "}" and isinstance(value, list) and bool(value) and all(isinstance(row, dict) for row in value)
        inner = list(_starts(text, at)) if holds_rows else [begin]
        yield from (begin, *inner[1:])
        at = _after_blanks(text, after)
        at = _after_blanks(text, at + 1) if text[at] == "," else at


def _after_blanks(text: str, at: int) -> int:
    found = _BLANKS.match(text, at)
    return found.end() if found else at


def _lines(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The lines that are not blank, trimmed."""
    spans, begin = [], start
    for line in text[start:end].split("\n"):
        spans.append(trimmed(text, begin, begin + len(line)))
        begin += len(line) + 1
    return [(first, last) for first, last in spans if last > first]
