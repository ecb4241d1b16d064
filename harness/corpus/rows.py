"""JSON lines: of documents, `{"_id", "title", "text", "metadata"}`, many in one file as BEIR has them, or of data, such as a log.

The first row decides: with `_id` and `text` it is a document. A file of data is one document, kept as raw text.
"""

from codecs import BOM_UTF8
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from harness.corpus.json_text import MAX_CHARACTERS
from harness.corpus.metadata import describe
from harness.errors import Problem
from harness.jsonl import JsonError, Row, parse_json, read_rows
from harness.shapes import Fault, bad_text, mismatches
from harness.text import normalise
from harness.types import Document

MAX_LINE = 50_000_000
"""Bytes of a document's line."""
MAX_ID = 1_000
"""Characters of an _id."""
_SHOWN = 5
"""Lines named at most."""
SHAPE: Mapping[str, Any] = {"_id": str, "text": str, "title?": str, "metadata?": dict}
"""Type of every field of a row; a name with ? may be left out."""


def holds_data(path: Path) -> bool:
    """Whether the first row of a file is no document; a file whose first row cannot be read is taken for documents."""
    with path.open("rb") as file:
        first = next((line for line in iter(lambda: file.readline(MAX_LINE), b"") if line.strip()), b"")
    try:
        return not _is_document(parse_json(first.removeprefix(BOM_UTF8)))
    except JsonError:
        return False


def faults_of_data(name: str, path: Path) -> list[Problem]:
    """What is wrong with a file of data: its size, or rows that are no JSON objects, each named, or documents among them."""
    if (characters := len(path.read_bytes().decode("utf-8", "replace"))) > MAX_CHARACTERS:
        what = f"has {characters:,} characters (limit for rows of data {MAX_CHARACTERS:,})."
        return [Problem("C004", name, what, "No document is that long.", "split the file or leave it out.")]
    rows, problems = read_rows(path, MAX_LINE)
    if other := _called_otherwise(rows):
        what = f"its rows have a text and {other!r}, but no `_id`."
        why = "Rows of documents name them by `_id`; rows of data would be one document."
        return [Problem("C011", name, what, why, f"rename {other!r} to _id, or `text` if they are data.")]
    found = [replace(problem, where=f"{name}{problem.where.removeprefix(path.name)}") for problem in problems]
    return found + _mixed(name, [row for row in rows if _is_document(row.fields)], "data", "document")


def _is_document(value: Any) -> bool:
    return isinstance(value, dict) and "_id" in value and "text" in value


def _called_otherwise(rows: Sequence[Row]) -> str:
    """The field that names the rows of a file, where they look like documents whose `_id` has another name."""
    first = rows[0].fields if rows else {}
    return next((name for name in ("id", "doc_id", "docid") if name in first and "text" in first), "")


def _is_data(fields: Mapping[str, Any]) -> bool:
    return "_id" not in fields and "text" not in fields


def _mixed(name: str, others: Sequence[Row], first: str, other: str) -> list[Problem]:
    """One problem for all rows that are not what the first one is."""
    if not others:
        return []
    lines = ", ".join(map(_line, others[:_SHOWN])) + (", ..." if len(others) > _SHOWN else "")
    what = f"its first row is a {first} row, and {len(others):,} are {other} rows (line {lines})."
    why = "A document has `_id` and `text`; the first row decides what a file holds."
    return [Problem("C011", name, what, why, "put documents and data into files of their own.")]


def read(name: str, path: Path) -> tuple[list[Document], list[Problem]]:
    """The documents of a file and what is wrong with its lines; an `_id` is the doc_id, `metadata` may give MIME type, tenant and dates.

    A row without text takes its title for one. Other fields are no concern of ours.
    """
    rows, problems = read_rows(path, MAX_LINE)
    documents: dict[str, Document] = {}
    data = [row for row in rows if _is_data(row.fields)]
    problems += _mixed(name, data, "document", "data")
    for row in (row for row in rows if not _is_data(row.fields)):
        faults = [fault.at(f"{name}:{_line(row)}") for fault in _faults(row.fields, documents)]
        problems += faults
        if not faults:
            document, wrong = _document(row.fields, f"{name}:{_line(row)}", path)
            problems += wrong
            documents[document.doc_id] = document
    return list(documents.values()), problems


def _line(row: Row) -> str:
    return row.where.rpartition(":")[2]


def _faults(fields: Mapping[str, Any], known: Mapping[str, Document]) -> Iterator[Fault]:
    wrong = [fault for fault in mismatches(fields, SHAPE) if fault.code != "G004"]
    yield from wrong
    if wrong:
        return
    yield from bad_text("_id", fields["_id"], MAX_ID)
    for field in ("text", "title"):
        if _holds_surrogates(fields.get(field, "")):
            yield Fault("G021", field, "holds a lone surrogate.", "It is no character.", "remove it.")
    if not fields["_id"].strip():
        yield Fault("G005", "_id", "is empty or only whitespace.", fix="name the document.")
    if normalise(fields["_id"]) in known:
        yield Fault("G006", "_id", f"{fields['_id']!r} is already used.", "Evidence names documents by id.", "rename one.")
    if not (fields["text"].strip() or fields.get("title", "").strip()):
        yield Fault("C002", "text", "is empty.", "It gives no chunk.", "delete the line or fill it.")


def _holds_surrogates(text: str) -> bool:
    return len(text.encode("utf-8", "ignore").decode()) < len(text)


def _document(fields: Mapping[str, Any], where: str, path: Path) -> tuple[Document, list[Problem]]:
    title = fields.get("title", "")
    text = normalise(fields["text"] if fields["text"].strip() else title)
    metadata = {**fields.get("metadata", {})}
    mime_type = metadata.pop("mime_type", "text/plain")
    described, problems = describe({**metadata, **({"title": title} if title.strip() else {})}, where)
    if not isinstance(mime_type, str):
        problems.append(Problem("C009", f"{where} mime_type", f"must be text, got {mime_type!r}.", fix="write text/plain."))
    digest = sha256(text.encode()).hexdigest()
    name = normalise(fields["_id"])
    places = ((0, int(where.rpartition(":")[2])),)
    document = Document(
        name, text, mime_type=mime_type, source=str(path), content_hash=digest, unit="row", places=places, **described
    )
    return document, problems
