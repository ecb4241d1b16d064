"""From cut marks to chunks: every chunker ends here, so ids, titles and positions are made in one place."""

from collections.abc import Iterable
from dataclasses import dataclass

from harness.types import Chunk, Document, Span

TABLE_TYPES = frozenset({"text/csv", "text/tab-separated-values"})
"""Documents that are one table: their chunks are of kind table, whichever chunker cut them."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a document that is to become a chunk."""

    start: int
    """First character."""
    end: int
    """One past the last."""
    kind: str = "prose"
    """prose, table, code, list."""
    section: tuple[str, ...] = ()
    """Headings above it, outermost first."""


def assemble(document: Document, pieces: Iterable[Piece], heading: bool) -> tuple[Chunk, ...]:
    """Chunks in order, numbered from 0; blank pieces are left out, repeated spans too.

    Without `heading` a chunk carries neither title nor section path, so the index sees its text alone. A first heading
    that only repeats the title is left out of the path.
    """
    whole = {(piece.start, piece.end): piece for piece in pieces if document.text[piece.start : piece.end].strip()}
    return tuple(
        Chunk(
            Span(document.doc_id, piece.start, piece.end),
            document.text[piece.start : piece.end],
            title=document.title if heading else "",
            section_path=_below(document.title, piece.section) if heading else (),
            position=position,
            kind="table" if document.mime_type in TABLE_TYPES else piece.kind,
            version=document.content_hash,
        )
        for position, piece in enumerate(whole.values())
    )


def _below(title: str, section: tuple[str, ...]) -> tuple[str, ...]:
    return section[1:] if section[:1] == (title,) else section
