"""What a chunker of one kind of block leaves to the Markdown chunker: everything around its blocks."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from harness.chunking.assemble import Piece
from harness.chunking.outline import Block
from harness.chunking.packing import trimmed
from harness.text import sentence_spans
from harness.types import Chunk


def around(text: str, chunks: Sequence[Chunk], taken: Sequence[Piece]) -> list[Piece]:
    """The pieces taken, and what they leave of the chunks, in order of the text.

    Args:
        text: of the document.
        chunks: of the whole document.
        taken: pieces in order that do not overlap.
    """
    ends, left, reached = [piece.end for piece in taken], [], 0
    for chunk in chunks:
        for start, end in _without(chunk.span.start, chunk.span.end, taken, bisect_left(ends, chunk.span.start + 1)):
            first, last = trimmed(text, start, end)
            if first < last and last > reached:
                whole = (first, last) == (chunk.span.start, chunk.span.end)
                left.append(Piece(first, last, chunk.kind if whole else "prose", chunk.section_path, chunk.preface))
                reached = last
    return sorted([*left, *taken], key=lambda piece: (piece.start, piece.end))


def _without(start: int, end: int, taken: Sequence[Piece], place: int) -> Iterator[tuple[int, int]]:
    while place < len(taken) and taken[place].start < end:
        yield start, max(start, taken[place].start)
        start = taken[place].end
        place += 1
    if start < end:
        yield start, end


def lead(text: str, blocks: Sequence[Block], place: int) -> tuple[int, tuple[int, int]]:
    """Where the lead of a block starts, and its introduction: right above it, one sentence or ending in a colon; else empty.

    The headings right above belong to the lead.
    """
    start, above = blocks[place].start, place - 1
    introduction = (start, start)
    if above >= 0 and blocks[above].kind == "prose" and _introduces(text[blocks[above].start : blocks[above].end]):
        start = blocks[above].start
        introduction = (start, blocks[above].end)
        above -= 1
    while above >= 0 and blocks[above].kind == "heading":
        start = blocks[above].start
        above -= 1
    return start, introduction


def _introduces(paragraph: str) -> bool:
    return paragraph.rstrip("*_").endswith((":", "：")) or len(sentence_spans(paragraph)) == 1
