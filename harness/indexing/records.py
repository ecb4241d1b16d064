"""A document of an index with its chunks, and both as JSON."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import Any, Literal, get_args, get_origin, get_type_hints

from harness.corpus.metadata import is_date
from harness.fingerprint import plain
from harness.types import Chunk, Document, Span

Reason = Literal["", "missing", "deleted"]

ALWAYS = "0001-01-01"
"""The first of all days: a document withdrawn on it takes part on none."""

_PAYLOAD = ("source", "author", "updated_at", "version", "tenant", "acl", "mime_type", "valid_from", "valid_to", "series")
"""Fields of a document that people filter chunks by."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One document of an index."""

    document: Document
    """As it was read."""
    chunks: tuple[Chunk, ...] | None = None
    """Its chunks in order; None where it was not cut, as a copy that is left out."""
    deleted_at: str = ""
    """ISO date on which it was withdrawn from the index; empty is not."""
    reason: Reason = ""
    """missing: its file was gone; deleted: by hand."""
    purge_after: str = ""
    """ISO date from which `purge` removes it."""
    copy_of: str = ""
    """doc_id of the document that it repeats."""
    copies: tuple[str, ...] = ()
    """doc_ids of its copies that are left out."""
    left_out: bool = False
    """A copy that is not searched."""

    @property
    def doc_id(self) -> str:
        """Of the document."""
        return self.document.doc_id

    @property
    def searched(self) -> bool:
        """Whether its chunks are in the indexes."""
        return not self.deleted_at and not self.left_out

    @property
    def shown(self) -> Document:
        """The document with the marks of the index; one that the index has withdrawn is so on every day, its own `deleted_at` holds otherwise."""
        day = ALWAYS if self.deleted_at else self.document.deleted_at
        return replace(self.document, deleted_at=day, copy_of=self.copy_of, copies=self.copies)


def same(a: Document, b: Document) -> bool:
    """Whether two readings of a document say the same, wherever the bytes came from."""
    return bool(encode_document(replace(a, source="")) == encode_document(replace(b, source="")))


def encode_document(document: Document) -> dict[str, Any]:
    """A document as JSON types."""
    return {item.name: plain(getattr(document, item.name)) for item in fields(document)}


def encode_entry(entry: Entry) -> dict[str, Any]:
    """An entry as JSON types, without its chunks."""
    marks = {item.name: plain(getattr(entry, item.name)) for item in fields(entry) if item.name not in ("document", "chunks")}
    return {"document": encode_document(entry.document), "cut": entry.chunks is not None, **marks}


def encode_chunk(chunk: Chunk, entry: Entry) -> dict[str, Any]:
    """A chunk as JSON types, with the fields of its document that people filter by."""
    own = {
        item.name: plain(getattr(chunk, item.name)) for item in fields(chunk) if item.name not in ("span", "origin", "chunk_id")
    }
    payload = {name: plain(getattr(entry.document, name)) for name in _PAYLOAD}
    span = {"doc_id": chunk.span.doc_id, "start": chunk.span.start, "end": chunk.span.end}
    return {"id": chunk.chunk_id, **span, "chunk": own, "payload": payload}


def decode_entry(row: Mapping[str, Any], chunks: Sequence[Mapping[str, Any]]) -> Entry:
    """The entry that was written.

    Raises:
        KeyError, TypeError, ValueError: when it was not written by this version.
    """
    marks = {name: value for name, value in row.items() if name not in ("document", "cut")}
    document = Document(**_typed(Document, _frozen(row["document"], "metadata")))
    cut = tuple(_decode_chunk(chunk, document) for chunk in chunks) if row["cut"] else None
    _check_parents(cut or ())
    entry = Entry(document, cut, **_typed(Entry, _frozen(marks)))
    for day in (entry.deleted_at, entry.purge_after):
        if bool(day) != bool(entry.deleted_at) or (day and not is_date(day)):
            raise ValueError(f"{document.doc_id!r} is withdrawn on {entry.deleted_at!r} until {entry.purge_after!r}")
    return entry


def _decode_chunk(row: Mapping[str, Any], document: Document) -> Chunk:
    span = Span(**_typed(Span, {name: row[name] for name in ("doc_id", "start", "end")}))
    if not 0 <= span.start <= span.end <= len(document.text):
        raise ValueError(f"a chunk of {document.doc_id!r} lies outside its text")
    chunk = Chunk(span, **_typed(Chunk, _frozen(row["chunk"])))
    if chunk.chunk_id != row["id"]:
        raise ValueError(f"the id of chunk {row['id']!r} would be {chunk.chunk_id!r}")
    return chunk


def _check_parents(chunks: Sequence[Chunk]) -> None:
    known = {chunk.chunk_id for chunk in chunks}
    lost = [chunk.chunk_id for chunk in chunks if chunk.parent and chunk.parent not in known]
    if lost:
        raise ValueError(f"the parent of chunk {lost[0]!r} is missing")


def _typed(kind: type, values: dict[str, Any]) -> dict[str, Any]:
    """The values, each of the type of its field."""
    for name, value in values.items():
        if not _fits(value, _types(kind)[name]):
            raise TypeError(f"{name} of a {kind.__name__} is {type(value).__name__} {value!r}"[:200])
    return values


@lru_cache
def _types(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def _fits(value: Any, wanted: Any) -> bool:
    kind, parts = get_origin(wanted) or wanted, get_args(wanted)
    if kind is Literal:
        return value in parts
    if kind is tuple:
        each = parts[:1] * len(value) if parts[1:] == (...,) and isinstance(value, tuple) else parts
        return isinstance(value, tuple) and len(value) == len(each) and all(map(_fits, value, each))
    return isinstance(value, dict) if kind is Mapping else type(value) is kind


def _frozen(values: Mapping[str, Any], *but: str) -> dict[str, Any]:
    return {name: value if name in but else _tuples(value) for name, value in values.items()}


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value
