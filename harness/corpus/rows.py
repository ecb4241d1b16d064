"""JSON lines of documents, `{"_id", "title", "text", "metadata"}`: many documents in one file, as BEIR has them."""

from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from harness.corpus.metadata import describe
from harness.errors import Problem
from harness.jsonl import Row, read_rows
from harness.shapes import Fault, bad_text, mismatches
from harness.text import normalise
from harness.types import Document

MAX_LINE = 50_000_000
"""Bytes of a document's line."""
MAX_ID = 1_000
"""Characters of an _id."""
SHAPE: Mapping[str, Any] = {"_id": str, "text": str, "title?": str, "metadata?": dict}
"""Type of every field of a row; a name with ? may be left out."""


def read(name: str, path: Path) -> tuple[list[Document], list[Problem]]:
    """The documents of a file and what is wrong with its lines; an `_id` is the doc_id, `metadata` may give MIME type, tenant and dates.

    A row without text takes its title for one. Other fields are no concern of ours.
    """
    rows, problems = read_rows(path, MAX_LINE)
    documents: dict[str, Document] = {}
    for row in rows:
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
    return Document(name, text, mime_type=mime_type, source=str(path), content_hash=digest, **described), problems
