"""Cuts a document where its pages or slides end."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Annotated

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

from harness.chunking.assemble import Piece, assemble
from harness.chunking.outline import Outline, outline
from harness.chunking.packing import Tokens, Unit, kind_of, pack, split, start_of, trimmed
from harness.chunking.recursive import Recursive
from harness.chunking.sentences import parts_between
from harness.chunking.wordless import has_word, with_words
from harness.types import Chunk, Document

UNITS = frozenset({"page", "slide"})
"""What a chunk never reaches over; documents counted in anything else have no pages."""


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Pages:
    """One chunk per page or slide, more where one exceeds `size` tokens; documents without pages go to `Recursive`.

    A larger page is cut between paragraphs, else lines, else sentences. A page without a single word is a chunk too, for
    all that is written stands in one, but there is nothing to find it by: it has its place, `page 3`, as preface.
    """

    size: Annotated[int, Field(ge=1)] = 512
    """Tokens in a chunk, its overlap not counted."""
    overlap: Annotated[float, Field(ge=0, le=0.5)] = 0.15
    """Up to this share of `size`, whole sentences are repeated in the next chunk of a page."""
    heading: bool = True
    """Put title and section before the text that is indexed."""

    def chunk(self, document: Document) -> tuple[Chunk, ...]:
        """Chunks that each stand on one page."""
        if document.unit not in UNITS or not document.places:
            return Recursive(self.size, self.overlap, self.heading).chunk(document)
        tokens, found = Tokens(document.text), outline(document)
        pages = (with_words(document.text, self._pieces(tokens, found, *page)) for page in _pages(document))
        return assemble(document, (_findable(document, piece) for page in pages for piece in page), self.heading)

    def _pieces(self, tokens: Tokens, found: Outline, start: int, end: int) -> Iterator[Piece]:
        groups, budget = pack(tokens, self._units(tokens, found, start, end), self.size), int(self.size * self.overlap)
        for place, group in enumerate(groups):
            begin = start_of(tokens, groups, place, budget)
            yield Piece(begin, group[-1].end, kind_of(group), found.section_at(group[0].start))

    def _units(self, tokens: Tokens, found: Outline, start: int, end: int) -> Iterator[Unit]:
        """The blocks of a page, or its paragraphs where it has no outline, each of at most `size` tokens."""
        inside = list(parts_between(found.blocks, start, end))
        for begin, last, kind in [(part.start, part.end, part.block.kind) for part in inside] or [(start, end, "prose")]:
            if tokens.count(begin, last) <= self.size and inside:
                yield Unit(begin, last, kind)
            else:
                yield from split(tokens, begin, last, self.size, kind, by_line=kind != "prose")


def _findable(document: Document, piece: Piece) -> Piece:
    return piece if has_word(document.text, piece) else replace(piece, preface=document.place(piece.start, piece.end))


def _pages(document: Document) -> Iterator[tuple[int, int]]:
    """Start and end of each page that holds text, without blanks around it; what stands before the first belongs to it."""
    begins = [0, *(offset for offset, _ in document.places[1:])]
    for begin, end in pairwise([*begins, len(document.text)]):
        first, last = trimmed(document.text, begin, end)
        if first < last:
            yield first, last
