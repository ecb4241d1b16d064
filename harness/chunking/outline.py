"""The outline of a document with a markup: its headings, and its blocks that should stay whole."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from harness.chunking.blocks import Block
from harness.types import Document

__all__ = ["MARKDOWN_TYPES", "MARKUP_TYPES", "RST_TYPE", "Block", "Outline", "outline"]

MARKDOWN_TYPES = frozenset(
    {
        "text/markdown",
        "text/html",
        "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    }
)
"""Cleaned HTML, slides and DOCX are Markdown too."""
RST_TYPE = "text/x-rst"
"""reStructuredText."""
MARKUP_TYPES = MARKDOWN_TYPES | {RST_TYPE}
"""Documents that have an outline."""


@dataclass(frozen=True, slots=True)
class Outline:
    """Blocks of a text and the heading path at any place in it."""

    blocks: tuple[Block, ...]
    """In order; what lies between them is blank."""
    starts: tuple[int, ...]
    """Where each heading starts."""
    paths: tuple[tuple[str, ...], ...]
    """The heading path from there on, outermost first."""

    def section_at(self, position: int) -> tuple[str, ...]:
        """Nearest headings above a character, or on it."""
        place = bisect_right(self.starts, position)
        return self.paths[place - 1] if place else ()


def outline(document: Document) -> Outline:
    """The outline of a document of one of MARKUP_TYPES; of any other an empty one."""
    if document.mime_type in MARKDOWN_TYPES:
        from harness.chunking.markdown_outline import markdown_blocks

        return _outline(markdown_blocks(document.text, html=document.mime_type == "text/markdown"))
    if document.mime_type == RST_TYPE:
        from harness.chunking.rst_outline import rst_blocks

        return _outline(rst_blocks(document.text))
    return _outline(())


def _outline(blocks: Sequence[Block]) -> Outline:
    stack: list[Block] = []
    starts, paths = [], []
    for block in blocks:
        if block.kind == "heading":
            stack = [above for above in stack if above.level < block.level] + [block]
            starts.append(block.start)
            paths.append(tuple(above.title for above in stack))
    return Outline(tuple(blocks), tuple(starts), tuple(paths))
