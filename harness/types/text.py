"""Text and where it stands: documents, spans, chunks."""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from sys import maxsize
from typing import Any


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of a cleaned document, half-open: text[start:end]."""

    doc_id: str
    """The document."""
    start: int
    """First character."""
    end: int
    """One past the last character."""

    def __len__(self) -> int:
        return self.end - self.start


@dataclass(frozen=True, slots=True)
class Document:
    """One cleaned document of the corpus."""

    doc_id: str
    """Relative path inside the corpus folder, or the id of an imported set."""
    text: str
    """Cleaned text; all spans count its characters."""
    title: str = ""
    """Shown to people and put before a passage."""
    mime_type: str = "text/plain"
    """Chooses loader and chunker."""
    source: str = ""
    """Where the bytes came from."""
    version: str = ""
    """The document's own version."""
    valid_from: str = ""
    """ISO date from which it holds; empty is always."""
    valid_to: str = ""
    """ISO date up to which (exclusive) it holds; empty is for ever."""
    tenant: str = ""
    """Only this tenant may see it; empty is everybody."""
    acl: tuple[str, ...] = ()
    """Personas that may see it; empty is everybody, otherwise whoever is not named may not."""
    author: str = ""
    """Who wrote it."""
    updated_at: str = ""
    """ISO date of the last change."""
    content_hash: str = ""
    """SHA-256 of the cleaned text."""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    """Anything else the file said of itself."""
    series: str = ""
    """Documents of one series are versions of each other, of which the newest that holds is meant; empty stands alone."""
    deleted_at: str = ""
    """ISO date from which it is withdrawn; empty is not."""
    unit: str = "line"
    """What `places` counts: line, page, slide, row, paragraph."""
    places: tuple[tuple[int, int], ...] = ()
    """(offset, number): from that character on the text comes from that line, page, ... of the original.

    Ascending. Where the unit is line, each line end counts on from there; empty is line 1 at 0."""
    copy_of: str = ""
    """doc_id of the document that it repeats, exactly or nearly; empty where it repeats none."""
    copies: tuple[str, ...] = ()
    """doc_ids of its copies that are not searched themselves."""

    def place(self, start: int, end: int) -> str:
        """Where a stretch stands in the original, for people: `lines 12-30`, `page 3`."""
        first, last = self._number(start), self._number(max(start, end - 1))
        return f"{self.unit} {first}" if first == last else f"{self.unit}s {first}-{last}"

    def _number(self, offset: int) -> int:
        at = max(0, bisect_right(self.places, (offset, maxsize)) - 1)
        begin, number = self.places[at] if self.places else (0, 1)
        if self.unit != "line":
            return number
        ends = _line_ends(self.text)
        return number + bisect_left(ends, offset) - bisect_left(ends, begin)


@lru_cache(maxsize=2)
def _line_ends(text: str) -> tuple[int, ...]:
    """Where the lines of a text end; kept for the document whose chunks are being made."""
    return tuple(place for place, letter in enumerate(text) if letter == "\n")


@dataclass(frozen=True, slots=True)
class Origin:
    """What a chunk inherits of its document: who may see it, when it holds, where it comes from. Filled in when an index is built."""

    tenant: str = ""
    """Only this tenant may see it; empty is everybody."""
    acl: tuple[str, ...] = ()
    """Personas that may see it; empty is everybody."""
    valid_from: str = ""
    """ISO date from which it holds; empty is always."""
    valid_to: str = ""
    """ISO date up to which (exclusive) it holds; empty is for ever."""
    source: str = ""
    """Where the bytes came from."""
    author: str = ""
    """Who wrote it."""
    updated_at: str = ""
    """ISO date of the last change."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """The unit of the index."""

    span: Span
    """Which characters of which document it holds."""
    text: str
    """Those characters."""
    title: str = ""
    """The document's title."""
    section_path: tuple[str, ...] = ()
    """Headings above it, outermost first."""
    position: int = 0
    """Its number inside the document, from 0."""
    kind: str = "prose"
    """prose, table, code, list; summary, sentence, proposition of chunks that lead to their parent."""
    parent: str = ""
    """chunk_id of the chunk that takes its place when it is found; empty is itself."""
    version: str = ""
    """Content hash of the document it was cut from."""
    place: str = ""
    """Where it stands in the original: `lines 12-30`, `page 3`."""
    preface: str = ""
    """Words repeated before the text: a table's header, the line that introduces a list, the place of a page without a word.

    Never counted as evidence."""
    search_text: str = ""
    """What the index reads in place of `text`, such as a summary; only of chunks with a parent."""
    questions: tuple[str, ...] = ()
    """Questions that it answers (doc2query), an index field of their own; never counted as evidence."""
    searched: bool = True
    """False: the index does not hold it, its children lead to it."""
    origin: Origin = field(default=Origin(), compare=False)
    """What it inherits of its document."""
    chunk_id: str = field(init=False, compare=False, default="")
    """Twelve hex digits of SHA-256 over document, version, span and search_text: same input, same id."""

    def __post_init__(self) -> None:
        key = f"{self.span.doc_id}\0{self.version}\0{self.span.start}\0{self.span.end}"
        if self.parent:
            key += f"\0{self.parent}\0{self.search_text}"
        object.__setattr__(self, "chunk_id", sha256(key.encode()).hexdigest()[:12])

    @property
    def heading(self) -> str:
        """Title > section > subsection, or nothing."""
        return " > ".join(part for part in (self.title, *self.section_path) if part)

    @property
    def indexed_text(self) -> str:
        """What retrievers, rerankers and readers get: heading, preface, text. Only the text is ever counted as evidence."""
        return "\n".join(part for part in (self.heading, self.preface, self.search_text or self.text) if part)
