"""Picks the chunker by type of document: most corpora hold several."""

from collections.abc import Sequence
from typing import Annotated

from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from harness.chunking.nested import stage
from harness.chunking.outline import MARKUP_TYPES
from harness.chunking.rows import TABLES
from harness.chunking.syntax import GRAMMARS
from harness.protocols import Chunker
from harness.types import Chunk, Document

PAGED_TYPES = frozenset({"application/pdf", "application/vnd.openxmlformats-officedocument.presentationml.presentation"})
"""Documents of pages or slides."""

Route = Annotated[Chunker, stage("chunker", "chunk")]


@dataclass(frozen=True, config=ConfigDict(extra="forbid", arbitrary_types_allowed=True))
class Router:
    """Gives each document to one of five chunkers, by its MIME type."""

    markdown: Route
    """Of Markdown, HTML, reStructuredText and DOCX."""
    code: Route
    """Of source code."""
    table: Route
    """Of CSV, TSV, JSON and JSONL."""
    pages: Route
    """Of PDF and PPTX."""
    prose: Route
    """Of everything else."""

    def chunk(self, document: Document) -> Sequence[Chunk]:
        """The chunks that the chunker of its type makes."""
        return self.route(document.mime_type).chunk(document)

    def route(self, mime_type: str) -> Chunker:
        """The chunker of a MIME type."""
        if mime_type in PAGED_TYPES:
            return self.pages
        if mime_type in GRAMMARS:
            return self.code
        if mime_type in TABLES:
            return self.table
        return self.markdown if mime_type in MARKUP_TYPES else self.prose
