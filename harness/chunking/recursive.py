"""Splits at the coarsest separator that makes pieces fit: blank line, line, sentence, word."""

from typing import Annotated

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

from harness.chunking.assemble import Piece, assemble
from harness.chunking.outline import outline
from harness.chunking.packing import Tokens, pack, split, start_of, trimmed
from harness.chunking.wordless import with_words
from harness.types import Chunk, Document


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Recursive:
    """Packs paragraphs up to `size` tokens and cuts finer only what does not fit.

    Tokens are those of `harness.text.token_spans`. A chunk has at most size * (1 + overlap) of them; a word is cut
    only when it alone exceeds `size`.
    """

    size: Annotated[int, Field(ge=1)] = 512
    """Tokens in a chunk, its overlap not counted."""
    overlap: Annotated[float, Field(ge=0, le=0.5)] = 0.15
    """Up to this share of `size`, whole sentences of the chunk before are repeated at the start of the next."""
    heading: bool = True
    """Put title and section before the text that is indexed."""

    def chunk(self, document: Document) -> tuple[Chunk, ...]:
        """Chunks of kind prose, of a delimited table of kind table; of Markdown text each names the headings above its start."""
        tokens, found = Tokens(document.text), outline(document)
        groups = pack(tokens, split(tokens, *trimmed(document.text, 0, len(document.text)), self.size), self.size)
        budget = int(self.size * self.overlap)
        pieces = (
            Piece(start_of(tokens, groups, place, budget), group[-1].end, section=found.section_at(group[0].start))
            for place, group in enumerate(groups)
        )
        return assemble(document, with_words(document.text, pieces), self.heading)
