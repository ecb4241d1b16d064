"""Cuts Markdown where its author did: at headings, between blocks, never inside a fence, a table or a list item."""

from collections.abc import Iterator, Sequence
from typing import Annotated

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

from harness.chunking.assemble import Piece, assemble
from harness.chunking.outline import MARKDOWN_TYPES, Block, outline
from harness.chunking.packing import Tokens, Unit, pack, split, start_of
from harness.chunking.recursive import Recursive
from harness.chunking.sections import Section, sections
from harness.types import Chunk, Document


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Markdown:
    """One chunk per section, more where a section exceeds `size` tokens; other types of document go to `Recursive`.

    A fenced block, table or list item that alone exceeds `size` is cut between lines, so rows stay whole.
    """

    size: Annotated[int, Field(ge=1)] = 512
    """Tokens in a chunk, its overlap not counted."""
    overlap: Annotated[float, Field(ge=0, le=0.5)] = 0.15
    """Up to this share of `size`, whole sentences or list items are repeated in the next chunk of a section."""
    heading: bool = True
    """Put title and section before the text that is indexed."""

    def chunk(self, document: Document) -> tuple[Chunk, ...]:
        """Chunks with their section path and kind: prose, table, code or list."""
        if document.mime_type not in MARKDOWN_TYPES:
            return Recursive(self.size, self.overlap, self.heading).chunk(document)
        tokens, found = Tokens(document.text), outline(document)
        parts = sections(found, tokens, self.size)
        return assemble(document, (piece for part in parts for piece in self._cut(tokens, part)), self.heading)

    def _cut(self, tokens: Tokens, section: Section) -> Iterator[Piece]:
        units: list[Unit] = []
        opening: int | None = None
        for block in section.blocks:
            above = tokens.count(opening, block.start) if opening is not None else 0
            units += self._units(tokens, block, above)
            opening = (block.start if opening is None else opening) if block.kind == "heading" else None
        groups, budget = pack(tokens, units, self.size), int(self.size * self.overlap)
        for place, group in enumerate(groups):
            yield Piece(start_of(tokens, groups, place, budget), group[-1].end, _kind(group), section.path)

    def _units(self, tokens: Tokens, block: Block, above: int) -> Iterator[Unit]:
        """A paragraph is also cut where it does not fit together with the headings right above, `above` tokens long."""
        room = self.size - above if block.kind == "prose" and above <= self.size / 2 else self.size
        if tokens.count(block.start, block.end) <= room:
            yield Unit(block.start, block.end, block.kind)
        else:
            yield from split(tokens, block.start, block.end, room, block.kind, by_line=block.kind != "prose")


def _kind(group: Sequence[Unit]) -> str:
    kinds = {unit.kind for unit in group} - {"heading"}
    return kinds.pop() if len(kinds) == 1 else "prose"
