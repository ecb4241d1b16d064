"""From cut marks to chunks: every chunker ends here, so ids, titles and positions are made in one place."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from harness.text import words
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
    """prose, table, code, list; of children summary, sentence, proposition."""
    section: tuple[str, ...] = ()
    """Headings above it, outermost first; children have their parent's."""
    preface: str = ""
    """Words of the document repeated before it, such as the header of a table's row."""
    search_text: str = ""
    """Of a child: what the index reads in place of its text."""
    children: tuple["Piece", ...] = ()
    """What leads to it when found; each lies inside it."""
    searched: bool = True
    """False: only its children are found; without children it is searched all the same."""


def assemble(document: Document, pieces: Iterable[Piece], heading: bool) -> tuple[Chunk, ...]:
    """Chunks in order, numbered from 0, each before its children; blank pieces are left out, repeated spans too.

    Children have the number, title and section of their parent. Without `heading` a chunk carries neither title nor
    section path, so the index sees its text alone. A first heading that only repeats the title is left out of the path.
    """
    whole = {(piece.start, piece.end): piece for piece in _written(document, pieces)}
    families = (
        with_children(document, _chunk(document, piece, position, heading), piece.children, piece.searched)
        for position, piece in enumerate(whole.values())
    )
    return tuple(chunk for family in families for chunk in family)


def with_children(document: Document, chunk: Chunk, children: Iterable[Piece], searched: bool) -> Iterator[Chunk]:
    """A chunk, then the chunks that lead to it, those without a word left out; `searched`: it is found by itself too."""
    made = {child.chunk_id: child for child in (_child(document, chunk, piece) for piece in children) if _named(child)}
    yield replace(chunk, searched=searched or not made)
    yield from made.values()


def _chunk(document: Document, piece: Piece, position: int, heading: bool) -> Chunk:
    return Chunk(
        Span(document.doc_id, piece.start, piece.end),
        document.text[piece.start : piece.end],
        title=document.title if heading else "",
        section_path=_below(document.title, piece.section) if heading else (),
        position=position,
        kind="table" if document.mime_type in TABLE_TYPES else piece.kind,
        version=document.content_hash,
        place=document.place(piece.start, piece.end),
        preface=piece.preface,
    )


def _child(document: Document, parent: Chunk, piece: Piece) -> Chunk:
    return replace(
        parent,
        span=Span(document.doc_id, piece.start, piece.end),
        text=document.text[piece.start : piece.end],
        kind=piece.kind,
        parent=parent.chunk_id,
        place=document.place(piece.start, piece.end),
        preface=piece.preface,
        search_text=piece.search_text,
        searched=True,
    )


def _named(child: Chunk) -> bool:
    """Whether there is a word by which a child can be found."""
    return any(words(part) for part in (child.search_text or child.text).split())


def _written(document: Document, pieces: Iterable[Piece]) -> Iterator[Piece]:
    return (piece for piece in pieces if document.text[piece.start : piece.end].strip())


def _below(title: str, section: tuple[str, ...]) -> tuple[str, ...]:
    return section[1:] if section[:1] == (title,) else section
