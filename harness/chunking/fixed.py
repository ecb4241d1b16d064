"""Equal lengths of characters, cut anywhere: the anti-pattern that the other chunkers are measured against."""

from typing import Annotated

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

from harness.chunking.assemble import Piece, assemble
from harness.chunking.outline import outline
from harness.chunking.wordless import with_words
from harness.types import Chunk, Document


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Fixed:
    """Cuts every `size` characters, through words, sentences and tables alike."""

    size: Annotated[int, Field(ge=1)] = 1000
    """Characters in a chunk."""
    overlap: Annotated[float, Field(ge=0, le=0.5)] = 0.0
    """Share of `size` that is repeated at the start of the next chunk."""
    heading: bool = False
    """Put title and section before the text that is indexed."""

    def chunk(self, document: Document) -> tuple[Chunk, ...]:
        """Chunks of `size` characters; the last may be shorter."""
        length = len(document.text)
        step = max(1, self.size - int(self.size * self.overlap))
        starts = range(0, max(1, length - self.size + step), step)
        found = outline(document)
        pieces = (Piece(start, min(start + self.size, length), section=found.section_at(start)) for start in starts)
        return assemble(document, with_words(document.text, pieces), self.heading)
