"""The files of ragas: samples as JSON lines, as an array of JSON, or as CSV with lists as Python writes them.

Columns of ragas before 0.2 are read by their new names. Their `contexts` are the truth in a testset; beside an `answer` they
are what some system retrieved.
"""

import ast
from codecs import BOM_UTF8
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from harness.errors import Problem
from harness.golden.formats.csv_files import read_cells
from harness.golden.formats.shared import counted, json_rows, read_json
from harness.jsonl import Row, parse_json

_LISTS = ("reference_contexts", "reference_context_ids", "contexts")
_OLD = {"question": "user_input", "ground_truth": "reference", "answer": "response"}
_HEAD = 4096


def read_samples(path: Path) -> tuple[list[Row], list[Problem], list[str]]:
    """Samples with the columns of ragas today, what is wrong with them, and notes.

    Raises:
        GoldenSetError: when a CSV file or an array cannot be read at all.
    """
    rows, problems, notes = _read(path)
    old = [_is_old(row.fields) for row in rows]
    if any(old):
        what = "question, contexts, ground_truth, answer; contexts are the evidence only where no answer stands beside them"
        notes += [f"{counted(sum(old), 'sample has', 'samples have')} the columns of an older ragas: {what}"]
    return [Row(row.where, _renamed(row.fields)) for row in rows], problems, notes


def _read(path: Path) -> tuple[list[Row], list[Problem], list[str]]:
    if path.is_file() and path.suffix.lower() == ".csv":
        return _of_csv(path)
    return (*(_of_array(path) if _is_array(path) else json_rows(path)), [])


def _is_array(path: Path) -> bool:
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(_HEAD).removeprefix(BOM_UTF8).lstrip().startswith(b"[")


def _of_array(path: Path) -> tuple[list[Row], list[Problem]]:
    items = [(f"{path.name} sample {number}", item) for number, item in enumerate(read_json(path), 1)]
    problems = [
        Problem("G002", where, f"is {type(item).__name__}, expected an object.", fix="write one object per sample.")
        for where, item in items
        if not isinstance(item, dict)
    ]
    return [Row(where, item) for where, item in items if isinstance(item, dict)], problems


def _of_csv(path: Path) -> tuple[list[Row], list[Problem], list[str]]:
    table = read_cells(path)
    problems: list[Problem] = []
    rows = [Row(where, dict(_fields(where, table.names, cells, problems))) for where, cells in table.rows]
    return rows, problems, [*table.notes]


def _fields(where: str, names: Sequence[str], cells: Sequence[str], problems: list[Problem]) -> Iterator[tuple[str, Any]]:
    for name, cell in zip(names, cells, strict=True):
        if name == "user_input" and cell.startswith(("[{", "[HumanMessage")):
            what = "is a conversation, which CSV does not hold well."
            problems.append(Problem("G009", f"{where} {name}", what, fix="save the samples as JSON lines: to_jsonl."))
        if name not in _LISTS or not cell.strip():
            yield from [(name, cell)] if cell.strip() else []
            continue
        texts = list_of(cell)
        if texts is None:
            what = f"is no list of texts, got {cell[:60]!r}."
            problems.append(Problem("G009", f"{where} {name}", what, fix="write ['one', 'two'], as ragas does."))
        yield name, texts or []


def list_of(cell: str) -> list[str] | None:
    """A list of texts as Python or JSON writes it; None for anything else, such as ['a' 'b'], which would be read as one text."""
    try:
        value = ast.literal_eval(cell.strip())
        value = value if repr(value) == cell.strip() else parse_json(cell)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return None
    return value if isinstance(value, list) and all(isinstance(item, str) for item in value) else None


def _is_old(fields: Mapping[str, Any]) -> bool:
    return "question" in fields and "user_input" not in fields


def _renamed(fields: dict[str, Any]) -> dict[str, Any]:
    if not _is_old(fields):
        return fields
    names = {**_OLD, "contexts": "retrieved_contexts" if fields.get("answer") else "reference_contexts"}
    return {names.get(name, name): value for name, value in fields.items()}
