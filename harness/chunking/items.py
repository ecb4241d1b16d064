"""Cuts lists between their items: one chunk per item, with the line that introduces the list before it."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Annotated

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

from harness.chunking.around import around, lead
from harness.chunking.assemble import Piece, assemble
from harness.chunking.markdown import Markdown
from harness.chunking.outline import Block, outline
from harness.chunking.packing import Tokens
from harness.chunking.repeating import Rows, as_pieces, led
from harness.chunking.wordless import with_words
from harness.types import Chunk, Document


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Items:
    """One chunk per top-level item of a list, what is nested in it included; what stands around lists goes to `Markdown`.

    The first chunk of a list starts with the headings and the introduction (one sentence, or a line that ends in a
    colon) right above it where they fit; the others have the introduction as preface, unless it takes more than half
    of `size` or an item fits only without it.
    """

    size: Annotated[int, Field(ge=1)] = 256
    """Tokens in a chunk, a repeated introduction included; an item that alone exceeds it is cut between lines."""
    items: Annotated[int, Field(ge=1)] = 1
    """Items in a chunk, fewer where they do not fit."""
    overlap: Annotated[float, Field(ge=0, le=0.5)] = 0.15
    """Of the text around lists, which is repeated as `Markdown` does it; items never are."""
    heading: bool = True
    """Put title and section before the text that is indexed."""

    def chunk(self, document: Document) -> tuple[Chunk, ...]:
        """Chunks of kind list, and those of the text around."""
        tokens = Tokens(document.text)
        rest = Markdown(self.size, self.overlap).chunk(document)
        pieces = around(document.text, rest, list(self._lists(document, tokens)))
        return assemble(document, with_words(document.text, pieces), self.heading)

    def _lists(self, document: Document, tokens: Tokens) -> Iterator[Piece]:
        found, place, reached = outline(document), 0, 0
        for is_list, run in groupby(found.blocks, key=lambda block: block.kind == "list"):
            blocks = list(run)
            if is_list:
                start, introduction = lead(document.text, found.blocks, place)
                spans = tuple((block.start, block.end) for block in blocks)
                items = led(tokens, Rows(*_whole(blocks), introduction, spans), max(reached, start), self.size, self.items)
                yield from as_pieces(tokens, items, self.size, self.items, "list", found.section_at(blocks[0].start))
                reached = blocks[-1].end
            place += len(blocks)


def _whole(blocks: Sequence[Block]) -> tuple[int, int]:
    return blocks[0].start, blocks[-1].end
