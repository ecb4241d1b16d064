"""Which chunker, or which size of the one in use, would have kept a piece of evidence in one chunk; sizes are tried, not guessed."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any

from harness.chunking.code import Code
from harness.chunking.fixed import Fixed
from harness.chunking.markdown import Markdown
from harness.chunking.outline import MARKUP_TYPES, outline
from harness.chunking.recursive import Recursive
from harness.chunking.router import Router
from harness.chunking.rows import TABLES
from harness.chunking.syntax import GRAMMARS
from harness.chunking.table import Table
from harness.protocols import Chunker
from harness.types import Document, Evidence, Span

SIZES = (128, 256, 512, 1024)
"""Tokens of the chunks that are tried, the smallest first."""


def rechunked(group: Evidence, tau: float, chunker: Chunker, document: Document) -> str:
    """What to set, in words; where no size that is tried would do, that is said.

    Evidence of a table or of code is sent to the chunker made for it, unless such a one is in use.
    """
    span = next(item for item in group.alternatives if item.doc_id == document.doc_id)
    kind = _kind(document, span)
    if kind and not isinstance(chunker, Table | Code | Router):
        return f"it is part of a {'table' if kind == 'table' else 'program'}: chunker={kind} or chunker=router"
    for words, other in _others(chunker, document):
        if any(_covered(span, chunk.span) >= tau * len(span) - 1e-9 for chunk in other.chunk(document)):
            return words
    return f"no chunk of up to {SIZES[-1]:,} tokens holds it: label it in several pieces"


def _others(chunker: Any, document: Document) -> Iterator[tuple[str, Chunker]]:
    """The chunker at larger sizes where it is cheap to ask, then the plain ones at every size."""
    values = {item.name: getattr(chunker, item.name) for item in fields(chunker)} if is_dataclass(chunker) else {}
    cheap = not any(map(is_dataclass, values.values())) and not isinstance(chunker, Fixed | type)
    own = values.get("size")
    if cheap and isinstance(own, int):
        yield from ((f"chunker.size={size}", replace(chunker, size=size)) for size in SIZES if size > own)
    for size in SIZES:
        if document.mime_type in MARKUP_TYPES:
            yield f"chunker=markdown chunker.size={size}", Markdown(size)
        yield f"chunker=recursive chunker.size={size}", Recursive(size)


def _kind(document: Document, span: Span) -> str:
    """table or code where a chunker is made for what the evidence touches, else nothing."""
    if document.mime_type in GRAMMARS:
        return "code"
    touched = (block.kind for block in outline(document).blocks if block.start < span.end and span.start < block.end)
    return "table" if document.mime_type in TABLES or "table" in touched else ""


def _covered(span: Span, chunk: Span) -> int:
    return max(0, min(span.end, chunk.end) - max(span.start, chunk.start))
