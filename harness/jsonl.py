"""Strict JSON lines: every fault of a file with its line, none silently mended.

The JSON readers of the field keep the last of two equal keys, turn ids that look like dates into dates and accept NaN.
A golden set decides what is merged, so its reader refuses all of these.
"""

import json
from codecs import BOM_UTF8
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any, NoReturn

from harness.errors import Problem

MAX_FILE = 200_000_000
"""Bytes; a larger file is refused."""
MAX_LINE = 1_000_000
"""Bytes; a longer line is refused."""

_DEEPEST = 50
_LONGEST = 300
"""Digits of a whole number; more would be no finite float."""
_ONE = "one flat object per line."


@dataclass(frozen=True, slots=True)
class Row:
    """One object of a JSON lines file."""

    where: str
    """File and line, such as questions.jsonl:9."""
    fields: dict[str, Any]
    """The object."""


class JsonError(ValueError):
    """A fault inside one JSON text: code, what, why, fix; as text it says what."""

    def __str__(self) -> str:
        return str(self.args[1])


def read_rows(path: Path, longest: int = MAX_LINE) -> tuple[list[Row], list[Problem]]:
    """The objects of a file and all faults of its lines, which may have `longest` bytes; blank lines are skipped.

    Codes: G001 no rows, G002 not JSON, G003 cut off, G008 repeated key, G016 not UTF-8, G017 byte-order mark,
    G019 NaN or infinity, G020 too long.
    """
    name = path.name
    if not path.is_file():
        return [], [Problem("G001", name, "is missing or no regular file.", "There is nothing to ask.", f"write {str(path)!r}.")]
    if (size := path.stat().st_size) > MAX_FILE:
        return [], [Problem("G020", name, f"{size:,} bytes (limit {MAX_FILE:,}).", fix="split the set.")]
    data = path.read_bytes()
    rows, problems = [], []
    if data.startswith(BOM_UTF8):
        data = data[len(BOM_UTF8) :]
        problems.append(Problem("G017", f"{name}:1", "starts with a byte-order mark.", fix="save as UTF-8 without BOM."))
    lines = data.split(b"\n")
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            rows.append(Row(f"{name}:{number}", _object(line, number == len(lines), longest)))
        except JsonError as fault:
            code, *said = fault.args
            problems.append(Problem(code, f"{name}:{number}", *said))
    if not rows and not problems:
        problems.append(Problem("G001", name, "no questions (0 rows).", "An empty set would pass every gate.", "add rows."))
    return rows, problems


def _object(line: bytes, last: bool, longest: int) -> dict[str, Any]:
    text = _decoded(line, longest)
    try:
        value = parse_json(text)
    except JsonError as error:
        if last and isinstance(error.__cause__, json.JSONDecodeError) and not text.rstrip().endswith("}"):
            what = f"cut off after {len(text.encode()):,} bytes, no closing brace; was the copy interrupted?"
            raise JsonError("G003", what, "", "copy it again.") from error
        raise
    if not isinstance(value, dict):
        raise JsonError("G002", f"holds {type(value).__name__} {_short(text)}, expected an object", "", _ONE)
    return value


def parse_json(data: str | bytes) -> Any:
    """The value of a JSON text, or of its UTF-8; every file that a person may have changed is read by it.

    Raises:
        JsonError: a ValueError, for what is no UTF-8 or no JSON, for a key that stands twice in one object, for NaN, infinity
            and numbers that no float can hold, and for deep nesting.
    """
    text = data if isinstance(data, str) else _text(data)
    try:
        value = json.loads(
            text, object_pairs_hook=_unique, parse_constant=_no_constant, parse_float=_finite, parse_int=_whole_number
        )
    except JsonError:
        raise
    except json.JSONDecodeError as error:
        near = text[max(0, error.pos - 10) : error.pos + 20]
        place = f"column {error.colno}" if error.lineno == 1 else f"line {error.lineno} column {error.colno}"
        raise JsonError("G002", f"not valid JSON: {error.msg} at {place} near {near!r}", "", _ONE) from error
    except RecursionError as error:
        raise JsonError("G002", "not readable: nested too deeply", "", _ONE) from error
    if text.count("[") + text.count("{") > _DEEPEST and _depth(value) > _DEEPEST:
        raise JsonError("G002", f"not readable: nested more than {_DEEPEST} deep", "", _ONE)
    return value


def _depth(value: Any) -> int:
    """How many lists and objects stand inside one another."""
    depth, level = 0, [value]
    while level := [item for item in level if isinstance(item, list | dict)]:
        depth += 1
        level = [inner for item in level for inner in (item.values() if isinstance(item, dict) else item)]
    return depth


def _decoded(line: bytes, longest: int) -> str:
    if len(line) > longest:
        raise JsonError("G020", f"line of {len(line):,} bytes (limit {longest:,}).", "", "shorten it.")
    return _text(line)


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        what = f"not UTF-8 (byte 0x{data[error.start]:02X} at offset {error.start}; looks like Latin-1)."
        raise JsonError("G016", what, "", "iconv -f latin1 -t utf-8.") from error


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    seen: set[str] = set()
    for name, _ in pairs:
        if name in seen:
            why = "JSON would silently keep the last."
            raise JsonError("G008", f"key {name!r} appears twice in one object", why, "keep one.")
        seen.add(name)
    return dict(pairs)


def _no_constant(constant: str) -> NoReturn:
    raise JsonError("G019", f"contains {constant}, which JSON doesn't have", "", "write a number or leave the field out.")


def _finite(text: str) -> float:
    value = float(text)
    if not isfinite(value):
        raise JsonError("G019", f"contains {_short(text)}, which is no finite number", "", "write a smaller number.")
    return value


def _whole_number(text: str) -> int:
    if len(text) > _LONGEST:
        what = f"not readable: a number of {len(text):,} digits (limit {_LONGEST})"
        raise JsonError("G002", what, "", "write numbers that a person could read.")
    return int(text)


def _short(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:40] + "...")
