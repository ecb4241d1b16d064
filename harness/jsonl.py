"""Strict JSON lines: every fault of a file with its line, none silently mended.

The JSON readers of the field keep the last of two equal keys, turn ids that look like dates into dates and accept NaN.
A golden set decides what is merged, so its reader refuses all of these.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from harness.errors import Problem

MAX_FILE = 200_000_000
"""Bytes; a larger file is refused."""
MAX_LINE = 1_000_000
"""Bytes; a longer line is refused."""

_DEEPEST = 50
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Row:
    """One object of a JSON lines file."""

    where: str
    """File and line, such as questions.jsonl:9."""
    fields: dict[str, Any]
    """The object."""


class _LineError(ValueError):
    """A fault inside one line: code, what, why, fix."""


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
    if data.startswith(_BOM):
        data = data[len(_BOM) :]
        problems.append(Problem("G017", f"{name}:1", "starts with a byte-order mark.", fix="save as UTF-8 without BOM."))
    lines = data.split(b"\n")
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            rows.append(Row(f"{name}:{number}", _object(line, number == len(lines), longest)))
        except _LineError as fault:
            code, what, why, fix = fault.args
            problems.append(Problem(code, f"{name}:{number}", what, why, fix))
    if not rows and not problems:
        problems.append(Problem("G001", name, "no questions (0 rows).", "An empty set would pass every gate.", "add rows."))
    return rows, problems


def _object(line: bytes, last: bool, longest: int) -> dict[str, Any]:
    text = _decoded(line, longest)
    try:
        value = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise _broken(text, error, last) from error
    except _LineError:
        raise
    except ValueError as error:
        raise _LineError("G002", f"not readable: {error}.", "", "write numbers that a person could read.") from error
    except RecursionError as error:
        raise _LineError("G002", "not readable: nested too deeply.", "", "one flat object per line.") from error
    if line.count(b"[") + line.count(b"{") > _DEEPEST and _depth(value) > _DEEPEST:
        raise _LineError("G002", f"not readable: nested more than {_DEEPEST} deep.", "", "one flat object per line.")
    if not isinstance(value, dict):
        raise _LineError("G002", f"holds {type(value).__name__} {_short(text)}, expected an object.", "", "one object per line.")
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
        raise _LineError("G020", f"line of {len(line):,} bytes (limit {longest:,}).", "", "shorten it.")
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError as error:
        what = f"not UTF-8 (byte 0x{line[error.start]:02X} at offset {error.start}; looks like Latin-1)."
        raise _LineError("G016", what, "", "iconv -f latin1 -t utf-8.") from error


def _broken(text: str, error: json.JSONDecodeError, last: bool) -> _LineError:
    if last and not text.rstrip().endswith("}"):
        size = len(text.encode())
        return _LineError(
            "G003", f"cut off after {size:,} bytes, no closing brace; was the copy interrupted?", "", "copy it again."
        )
    near = text[max(0, error.pos - 10) : error.pos + 20]
    return _LineError("G002", f"not valid JSON: {error.msg} at column {error.colno} near {near!r}.", "", "one object per line.")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    seen: set[str] = set()
    for name, _ in pairs:
        if name in seen:
            why = "JSON would silently keep the last."
            raise _LineError("G008", f"key {name!r} appears twice in one object.", why, "keep one.")
        seen.add(name)
    return dict(pairs)


def _no_constant(constant: str) -> NoReturn:
    raise _LineError("G019", f"contains {constant}, which JSON doesn't have.", "", "write a number or leave the field out.")


def _short(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:40] + "...")
