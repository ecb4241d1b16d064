"""Text and where it stands: documents, spans, chunks."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
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
    """prose, table, code, list."""
    parent: str = ""
    """chunk_id of the larger chunk it was cut from, if any."""
    version: str = ""
    """Content hash of the document it was cut from."""
    chunk_id: str = field(init=False, compare=False, default="")
    """Twelve hex digits of SHA-256 over document, version and span: same input, same id."""

    def __post_init__(self) -> None:
        key = f"{self.span.doc_id}\0{self.version}\0{self.span.start}\0{self.span.end}"
        object.__setattr__(self, "chunk_id", sha256(key.encode()).hexdigest()[:12])

    @property
    def heading(self) -> str:
        """Title > section > subsection, or nothing."""
        return " > ".join(part for part in (self.title, *self.section_path) if part)

    @property
    def indexed_text(self) -> str:
        """What retrievers and rerankers read: heading, then text. The heading is never counted as evidence."""
        return f"{self.heading}\n{self.text}" if self.heading else self.text
