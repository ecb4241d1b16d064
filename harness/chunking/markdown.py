"""Cuts a text with a markup where its author did: at headings, between blocks, never inside what belongs together."""

from collections.abc import Iterator
from typing import Annotated

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

from harness.chunking.assemble import Piece, assemble
from harness.chunking.outline import MARKUP_TYPES, Block, outline
from harness.chunking.packing import Tokens, Unit, kind_of, pack, split, start_of
from harness.chunking.recursive import Recursive
from harness.chunking.sections import Section, sections
from harness.chunking.wordless import with_words
from harness.types import Chunk, Document


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Markdown:
    """The structural chunker of Markdown, HTML, reStructuredText, slides and DOCX; others go to `Recursive`.

    One chunk per section, more where a section exceeds `size` tokens. A fenced block, table, list item or directive is
    cut only where it alone exceeds `size`: between the blocks inside it or the rows, else between lines, and a line is
    cut only where it alone exceeds `size`. The header of a table stays with its first row where both fit.
    """

    size: Annotated[int, Field(ge=1)] = 512
    """Tokens in a chunk, its overlap not counted."""
    overlap: Annotated[float, Field(ge=0, le=0.5)] = 0.15
    """Up to this share of `size`, whole sentences or list items are repeated in the next chunk of a section."""
    heading: bool = True
    """Put title and section before the text that is indexed."""

    def chunk(self, document: Document) -> tuple[Chunk, ...]:
        """Chunks with their section path and kind: prose, table, code or list."""
        if document.mime_type not in MARKUP_TYPES:
            return Recursive(self.size, self.overlap, self.heading).chunk(document)
        tokens, found = Tokens(document.text), outline(document)
        parts = sections(found, tokens, self.size)
        pieces = (piece for part in parts for piece in self._cut(tokens, part))
        return assemble(document, with_words(document.text, pieces), self.heading)

    def _cut(self, tokens: Tokens, section: Section) -> Iterator[Piece]:
        units: list[Unit] = []
        opening: int | None = None
        for block in section.blocks:
            above = tokens.count(opening, block.start) if opening is not None else 0
            units += self._units(tokens, block, above)
            opening = (block.start if opening is None else opening) if block.kind == "heading" else None
        groups, budget = pack(tokens, units, self.size), int(self.size * self.overlap)
        for place, group in enumerate(groups):
            yield Piece(start_of(tokens, groups, place, budget), group[-1].end, kind_of(group), section.path)

    def _units(self, tokens: Tokens, block: Block, above: int) -> Iterator[Unit]:
        """A paragraph is also cut where it does not fit together with the headings right above, `above` tokens long."""
        room = self.size - above if block.kind == "prose" and above <= self.size / 2 else self.size
        if tokens.count(block.start, block.end) <= room:
            yield Unit(block.start, block.end, block.kind)
        elif block.parts:
            for part in block.parts:
                yield from self._units(tokens, part, 0)
        else:
            yield from split(tokens, block.start, block.end, room, block.kind, by_line=block.kind != "prose")
