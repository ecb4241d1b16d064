"""Hugging Face datasets on disk (`save_to_disk`): a table of questions and one of documents.

What we write has typed columns for every field and comes back whole. Other tables are read by their column names; those
of splits become one, train and validation for tuning.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from harness.errors import GoldenSetError
from harness.golden.formats.columns import read_table
from harness.golden.formats.foreign import Foreign, Options
from harness.golden.formats.shared import CARD_LEFT, card_note, dated, document_row, without_blanks, writing
from harness.golden.golden_set import GoldenSet
from harness.golden.schema import SHAPES
from harness.jsonl import parse_json

QUESTIONS, DOCUMENTS = "questions", "documents"

_TUNING = ("train", "dev", "validation")
_SPLITS = (*_TUNING, "test")

Table = tuple[Sequence[str], Sequence[Mapping[str, Any]]]
"""Column names and rows."""


def read(folder: Path, options: Options = Options()) -> Foreign:
    """Questions, and documents if there are any, of a dataset on disk.

    Raises:
        GoldenSetError: for a folder that holds none, and for documents without `_id` and `text`.
        ConfigError: for columns that are not there.
    """
    tables = _tables(folder)
    documents = _documents(folder, tables.pop(DOCUMENTS, ((), ())))
    names, rows = tables[QUESTIONS] if QUESTIONS in tables else _joined(folder, tables)
    foreign = read_table(folder, [_cleaned(row) for row in rows], names, options)
    return Foreign(foreign.questions, documents, foreign.drafts, foreign.notes, "imported from a Hugging Face dataset")


def _tables(folder: Path) -> dict[str, Table]:
    """The tables by the name of the split."""
    from datasets import DatasetDict, load_from_disk
    from pyarrow import ArrowException

    try:
        found = load_from_disk(str(folder))
        tables = found if isinstance(found, DatasetDict) else {QUESTIONS: found}
        return {str(name): (table.column_names, table.to_list()) for name, table in tables.items()}
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError, ArrowException) as error:
        what = " ".join(str(error).split()) or type(error).__name__
        raise GoldenSetError(f"{str(folder)!r} holds no dataset written by save_to_disk: {what}") from error


def _joined(folder: Path, tables: Mapping[str, Table]) -> Table:
    """Tables of splits as one; rows that name no split have that of their table."""
    if not tables or (len(tables) > 1 and not set(tables) <= set(_SPLITS)):
        listed = ", ".join(map(repr, tables)) or "none"
        raise GoldenSetError(f"{str(folder)!r} has no table {QUESTIONS!r}, and its tables are no splits: {listed}")
    names = list(dict.fromkeys(name for columns, _ in tables.values() for name in columns))
    if not set(tables) <= set(_SPLITS) or "split" in names:
        return names, [row for _, rows in tables.values() for row in rows]
    marks = {name: "tune" if name in _TUNING else "test" for name in tables}
    return [*names, "split"], [{**row, "split": marks[name]} for name, (_, rows) in tables.items() for row in rows]


def _cleaned(value: Any) -> Any:
    """Without the None that a typed table puts where nothing was said."""
    if isinstance(value, dict):
        return {name: _cleaned(item) for name, item in value.items() if item is not None}
    return [_cleaned(item) for item in value] if isinstance(value, list) else value


def _documents(folder: Path, table: Table) -> list[dict[str, Any]]:
    names, rows = table
    if rows and (missing := {"_id", "text"} - set(names)):
        raise GoldenSetError(
            f"the documents of {str(folder)!r} have no column {', '.join(sorted(missing))}; they have {', '.join(names)}"
        )
    return [_document(folder, _cleaned(row)) for row in rows]


def _document(folder: Path, row: dict[str, Any]) -> dict[str, Any]:
    """A row of documents; metadata may be JSON text, as we write it."""
    if not isinstance(said := row.get("metadata"), str):
        return row
    try:
        return {**row, "metadata": parse_json(said)}
    except ValueError as error:
        raise GoldenSetError(f"metadata of document {row.get('_id')!r} in {str(folder)!r} is no JSON: {error}") from error


def write(rows: Sequence[Mapping[str, Any]], golden: GoldenSet, folder: Path) -> list[str]:
    """Writes both tables; only the card is lost.

    Raises:
        StoreError: when the disk is full or the folder cannot be written.
    """
    from datasets import Dataset, DatasetDict, Features, disable_progress_bars

    disable_progress_bars()
    features = Features({name.removesuffix("?"): _feature(shape) for name, shape in SHAPES.items()})
    documents = [
        {**row, "metadata": json.dumps(row["metadata"], ensure_ascii=False)} for row in map(document_row, golden.documents)
    ]
    questions = [{name: row.get(name) for name in features} for row in map(without_blanks, dated(rows, golden))]
    tables = {QUESTIONS: Dataset.from_list(questions, features=features), DOCUMENTS: Dataset.from_list(documents)}
    with writing(folder):
        DatasetDict(tables).save_to_disk(str(folder))
    return card_note(golden, CARD_LEFT)


def _feature(shape: Any) -> Any:
    """The column type of a field's shape."""
    from datasets import List, Value

    if isinstance(shape, list):
        return List(_feature(shape[0]))
    if isinstance(shape, dict):
        return {name.removesuffix("?"): _feature(inner) for name, inner in shape.items()}
    return Value({str: "string", bool: "bool", int: "int64"}[shape])
