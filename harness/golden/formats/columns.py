"""CSV files and JSON lines with any column names: a map says which column holds which of our fields.

A cell of a field that is a list or an object holds JSON, or one plain text. Beside the fields of a question there are
`doc` and `quote`, for files with one quote a row. Documents are a folder of their own.

A spreadsheet runs cells that begin with = + - @ as formulas. In what we write a ' stands before these; it is taken away
again when the header is one that we write, and in no other file.
"""

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from harness.errors import ConfigError, Problem
from harness.golden.formats.csv_files import read_cells
from harness.golden.formats.foreign import Foreign, Options
from harness.golden.formats.shared import (
    CARD_LEFT,
    DOCUMENTS_LOST,
    card_note,
    dated,
    json_rows,
    parted,
    provenance,
    raise_all,
    renamed_note,
    repeated_ids,
    safe_ids,
)
from harness.golden.golden_set import GoldenSet
from harness.golden.schema import SHAPES
from harness.golden.writing import question_line
from harness.jsonl import parse_json
from harness.shapes import suggestion
from harness.store import write_atomic

FIELDS = (*(name.removesuffix("?") for name in SHAPES), "doc", "quote")
"""What a column may hold."""

_NESTED = {name.removesuffix("?") for name, shape in SHAPES.items() if isinstance(shape, list)}
_TRUTH = {name.removesuffix("?") for name, shape in SHAPES.items() if shape is bool}
_TEXTS = ("id", "question", "doc", "quote")
_OURS = ("id", "question", "answerable")
"""Columns that stand in every file that we write."""
_FORMULA = re.compile(r"'*[=+\-@\t\r\n]")
_TRUE = ("true", "yes", "1", "wahr", "ja", "vrai", "oui")
_FALSE = ("false", "no", "0", "falsch", "nein", "faux", "non")
_WORDS = {**dict.fromkeys(_TRUE, True), **dict.fromkeys(_FALSE, False)}


def parse_columns(text: str) -> dict[str, str]:
    """`question=Frage,doc=Datei` as a map of our fields to columns.

    Raises:
        ConfigError: for a part that is no pair, for a field that we do not have and for one that is named twice.
    """
    pairs = [part.partition("=") for part in text.split(",") if part.strip()]
    problems = [_bad_pair(name, sign) for name, sign, _ in pairs if not sign or name.strip() not in FIELDS]
    counts = Counter(name.strip() for name, _, _ in pairs)
    problems += [_twice(name, [column for one, _, column in pairs if one.strip() == name]) for name in counts if counts[name] > 1]
    if problems:
        raise ConfigError(f"--columns {text!r} has {len(problems)} problem(s):", problems)
    return {name.strip(): column.strip() for name, _, column in pairs}


def _bad_pair(name: str, sign: str) -> Problem:
    what = f"{name!r} is no field of a question{suggestion(name.strip(), FIELDS)}" if sign else f"{name!r} names no column."
    return Problem("G004", "--columns", what, fix=f"write FIELD=COLUMN with fields {', '.join(FIELDS)}.")


def _twice(name: str, columns: Sequence[str]) -> Problem:
    what = f"{name!r} is given {len(columns)} columns: {', '.join(repr(column.strip()) for column in columns)}."
    return Problem("G008", "--columns", what, "Only one of them could be read.", "keep one.")


def read_csv(path: Path, options: Options = Options()) -> Foreign:
    """Questions of a CSV file with a header row.

    Raises:
        GoldenSetError, ConfigError: with every faulty cell and every column that is not there.
    """
    names, cells, notes = read_cells(path)
    read = _without_marks if _is_ours(names) else list
    rows = [(where, dict(zip(names, read(row), strict=True))) for where, row in cells]
    foreign = _foreign(path, rows, names, options)
    return replace(foreign, notes=[*notes, *foreign.notes])


def _is_ours(names: Sequence[str]) -> bool:
    return set(_OURS) <= set(names) and list(names) == [name for name in FIELDS if name in names]


def _without_marks(row: Sequence[str]) -> list[str]:
    return [cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell for cell in row]


def read_jsonl(path: Path, options: Options = Options()) -> Foreign:
    """Questions of a file of JSON lines.

    Raises:
        GoldenSetError, ConfigError: with every faulty line and every column that is not there.
    """
    rows, problems = json_rows(path)
    raise_all("file", path, problems)
    names = list(dict.fromkeys(name for row in rows for name in row.fields))
    return _foreign(path, [(row.where, row.fields) for row in rows], names, options)


def read_table(path: Path, rows: Sequence[Mapping[str, Any]], names: Sequence[str], options: Options) -> Foreign:
    """Questions of rows that are read already, as those of a Hugging Face table."""
    return _foreign(path, [(f"row {number}", row) for number, row in enumerate(rows, 1)], names, options)


def _foreign(path: Path, rows: Sequence[tuple[str, Mapping[str, Any]]], names: Sequence[str], options: Options) -> Foreign:
    columns = {name: name for name in FIELDS if name in names} | dict(options.columns)
    if missing := [f"{field}={column}" for field, column in columns.items() if column not in names]:
        raise ConfigError(f"{path.name!r} has no column for {', '.join(missing)}; it has {', '.join(map(repr, names))}")
    if "question" not in columns:
        listed = ", ".join(map(repr, names))
        raise ConfigError(f"{path.name!r} has no column 'question': name it with --columns question=...; it has {listed}")
    problems: list[Problem] = []
    read = [dict(_fields(where, row, columns, problems)) for where, row in rows]
    given = [str(fields.get("id", f"q-{number:04}")) for number, fields in enumerate(read, 1)]
    raise_all("table", path, [*problems, *repeated_ids(path.name, given)])
    ids = safe_ids(given)
    questions, drafts = parted(_completed(fields, old, ids[old], path.name) for fields, old in zip(read, given, strict=True))
    unused = [name for name in names if name and name not in columns.values()]
    notes = [*renamed_note(ids), *([f"columns not used: {', '.join(unused)}"] if unused else [])]
    return Foreign(questions, (), drafts, notes, f"imported from {path.name}")


def _fields(where: str, row: Mapping[str, Any], columns: Mapping[str, str], problems: list[Problem]) -> Iterator[tuple[str, Any]]:
    said = {field: row.get(column) for field, column in columns.items()}
    for field, value in said.items():
        if value is None or (isinstance(value, str) and not value.strip()):
            continue
        try:
            yield field, _value(field, value)
        except ValueError as error:
            problems.append(Problem("G009", f"{where} {columns[field]}", f"{error}.", fix="mend the cell."))
    if said.get("evidence") and (said.get("doc") or said.get("quote")):
        what = "gives evidence and also a document or quote of its own."
        problems.append(Problem("G012", where, what, "Only one of them could be read.", "put all into evidence."))


def _value(field: str, value: Any) -> Any:
    if not isinstance(value, str):
        return str(value) if field in _TEXTS and isinstance(value, int) and not isinstance(value, bool) else value
    if field in _TRUTH:
        if value.strip().lower() not in _WORDS:
            allowed = f"{', '.join(_TRUE)} or {', '.join(_FALSE)}"
            raise ValueError(f"{field} must be true or false, got {value!r}; write one of {allowed}")
        return _WORDS[value.strip().lower()]
    if field in _NESTED:
        return parse_json(value) if value.lstrip().startswith(("[", "{")) else [value]
    return value.strip() if field in ("id", "doc") else value


def _completed(fields: dict[str, Any], old: str, new: str, source: str) -> dict[str, Any]:
    """A row with its id, its one quote as evidence, and whether it can be answered."""
    place = {name: fields.pop(name) for name in ("doc", "quote") if name in fields}
    if place:
        fields["evidence"] = [[place]]
    fields["id"] = new
    if old != new:
        said = fields.get("provenance")
        fields["provenance"] = f"{said}; there {old!r}" if said else provenance(source, old, new)
    refused = "refusal_reason" in fields or fields.get("kind") == "unanswerable"
    fields.setdefault("answerable", bool(fields.get("evidence")) or not refused)
    fields.setdefault("kind", "factoid" if fields["answerable"] else "unanswerable")
    return fields


def write_csv(rows: Sequence[Mapping[str, Any]], golden: GoldenSet, path: Path) -> list[str]:
    """Writes one question a row, lists and objects as JSON; documents are not part of the file."""
    rows = dated(rows, golden)
    names = [name for name in FIELDS if any(name in row for row in rows)]
    out = io.StringIO(newline="")
    table = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL)
    table.writerow(names)
    table.writerows([_cell(row.get(name)) for name in names] for row in rows)
    write_atomic(path, out.getvalue())
    return [DOCUMENTS_LOST, *card_note(golden, CARD_LEFT)]


def _cell(value: Any) -> str:
    text = value or "" if value is None or isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return f"'{text}" if _FORMULA.match(text) else text


def write_jsonl(rows: Sequence[Mapping[str, Any]], golden: GoldenSet, path: Path) -> list[str]:
    """Writes one question a line; documents are not part of the file."""
    write_atomic(path, "".join(f"{question_line(row)}\n" for row in dated(rows, golden)))
    return [DOCUMENTS_LOST, *card_note(golden, CARD_LEFT)]
