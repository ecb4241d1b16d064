"""Keeps the rows of tables whole: a table is one chunk, or each part of it starts with its header."""

from collections.abc import Iterator
from typing import Annotated

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

from harness.chunking.around import around, lead
from harness.chunking.assemble import Piece, assemble
from harness.chunking.markdown import Markdown
from harness.chunking.outline import outline
from harness.chunking.packing import Tokens
from harness.chunking.repeating import as_pieces, led
from harness.chunking.rows import TABLES, document_rows, outlined_rows
from harness.chunking.wordless import with_words
from harness.types import Chunk, Document


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Table:
    """CSV, TSV, JSON, JSONL and the tables of other documents by row; what stands around them goes to `Markdown`.

    A row is cut only when it alone exceeds `size` tokens. A part that does not hold the header has it as preface, without
    the borders of a grid, unless it takes more than half of `size` or a row fits only without it. The headings and the
    caption (one sentence, or a line that ends in a colon) right above a table stay with it where they fit.
    """

    size: Annotated[int, Field(ge=1)] = 512
    """Tokens in a chunk, a repeated header included."""
    rows: Annotated[int, Field(ge=0)] = 0
    """Rows in a chunk; 0 is as many as fit, at best the whole table."""
    overlap: Annotated[float, Field(ge=0, le=0.5)] = 0.15
    """Of the text around tables, which is repeated as `Markdown` does it; rows never are."""
    heading: bool = True
    """Put title and section before the text that is indexed."""

    def chunk(self, document: Document) -> tuple[Chunk, ...]:
        """Chunks of kind table, and those of the text around."""
        tokens = Tokens(document.text)
        if document.mime_type in TABLES:
            whole = document_rows(document.text, document.mime_type)
            pieces = list(as_pieces(tokens, whole, self.size, self.rows, "table", ()))
        else:
            rest = Markdown(self.size, self.overlap).chunk(document)
            pieces = around(document.text, rest, list(self._tables(document, tokens)))
        return assemble(document, with_words(document.text, pieces), self.heading)

    def _tables(self, document: Document, tokens: Tokens) -> Iterator[Piece]:
        found, reached = outline(document), 0
        for place, block in enumerate(found.blocks):
            if block.kind == "table":
                table = outlined_rows(document.text, block.start, block.end)
                start = max(reached, lead(document.text, found.blocks, place)[0])
                table = led(tokens, table, start, self.size, self.rows)
                yield from as_pieces(tokens, table, self.size, self.rows, "table", found.section_at(block.start))
                reached = block.end
