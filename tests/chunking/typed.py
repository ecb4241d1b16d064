"""A chunker that is given every document as one of another type, so that the contract reaches its own rules."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from harness.protocols import Chunker
from harness.types import Chunk, Document


@dataclass(frozen=True)
class Typed:
    """Any text as source code, JSON, pages, ..."""

    inner: Chunker
    """The chunker under test."""
    mime_type: str
    """The type."""
    page: int = 0
    """Characters on a page; 0 is a document without pages."""

    def chunk(self, document: Document) -> Sequence[Chunk]:
        typed = replace(document, mime_type=self.mime_type)
        if self.page:
            starts = range(0, len(document.text), self.page)
            typed = replace(typed, unit="page", places=tuple((start, number) for number, start in enumerate(starts, 1)))
        return self.inner.chunk(typed)
