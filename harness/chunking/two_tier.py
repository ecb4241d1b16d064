"""Two tiers: a short summary of each section for broad questions, the section itself for detail."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Annotated

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

from harness.chunking.assemble import Piece, with_children
from harness.chunking.markdown import Markdown
from harness.chunking.named_rows import NamedRows
from harness.chunking.outline import Block
from harness.chunking.sentences import blocks_of, parts_between
from harness.chunking.summary import Weights, central, rarity
from harness.text import sentence_spans, words
from harness.types import Chunk, Document

_Stretch = tuple[int, int, str]
"""Start, end, and the text as a summary says it."""


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class TwoTier:
    """The chunks of `Markdown`, and for each a summary that leads to it: its most central sentences.

    Both are searched. A section of more than `size` tokens is cut like any other, and each part has a summary of its
    own: what a summary leads to always fits. A part of no more than `sentences` sentences and rows is its own summary;
    rows of tables are in a summary, as `column: cell`, only where there is no sentence.
    """

    sentences: Annotated[int, Field(ge=1)] = 2
    """Sentences of a summary."""
    size: Annotated[int, Field(ge=1)] = 512
    """Tokens in a section shown, its overlap not counted."""
    overlap: Annotated[float, Field(ge=0, le=0.5)] = 0.15
    """Up to this share of `size`, whole sentences or list items are repeated in the next part of a section."""
    heading: bool = True
    """Put title and section before the text that is indexed, that of a summary too."""

    def chunk(self, document: Document) -> tuple[Chunk, ...]:
        """Sections, each followed by its summary."""
        rows, blocks = NamedRows(document), blocks_of(document)
        idf = rarity(text for _, _, text in chain(*_stretches(rows, blocks, 0, len(document.text))))
        chunks = Markdown(self.size, self.overlap, self.heading).chunk(document)
        return tuple(
            item
            for chunk in chunks
            for item in with_children(document, chunk, self._summary(rows, blocks, chunk, idf), searched=True)
        )

    def _summary(self, rows: NamedRows, blocks: Sequence[Block], chunk: Chunk, idf: Weights) -> Iterator[Piece]:
        said, listed = _stretches(rows, blocks, chunk.span.start, chunk.span.end)
        found = said or listed
        if len(said) + len(listed) <= self.sentences:
            return
        picked = central([text for _, _, text in found], idf, self.sentences)
        text = (" " if said else "; ").join(found[place][2] for place in picked)
        yield Piece(found[picked[0]][0], found[picked[-1]][1], "summary", search_text=text)


def _stretches(rows: NamedRows, blocks: Sequence[Block], start: int, end: int) -> tuple[list[_Stretch], list[_Stretch]]:
    """Sentences and list items with words in a stretch of the text, and rows as `column: cell`; headings and listings are none."""
    said, listed = [], []
    for part in parts_between(blocks, start, end):
        if part.block.kind == "table":
            listed += [(row.start, row.end, row.named(": ") or rows.flat(row.start, row.end)) for row in rows.of(part)]
        elif part.block.kind not in ("heading", "code"):
            spans = sentence_spans(rows.document.text[part.start : part.end])
            places = ((part.start + first, part.start + last) for first, last in spans)
            said += [(first, last, rows.flat(first, last)) for first, last in places]
    return _with_words(said), _with_words(listed)


def _with_words(found: Sequence[_Stretch]) -> list[_Stretch]:
    return [stretch for stretch in found if words(stretch[2])]
