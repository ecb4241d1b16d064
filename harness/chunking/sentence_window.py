"""Small to big by sentence: each sentence is searched on its own, and shown with the sentences around it."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Annotated

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

from harness.chunking.assemble import Piece, assemble
from harness.chunking.packing import Tokens, Unit, kind_of
from harness.chunking.sections import Section
from harness.chunking.sentences import sections_of, units_of
from harness.chunking.wordless import with_words
from harness.types import Chunk, Document


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class SentenceWindow:
    """Windows of 2 * `window` + 1 sentences of a section, each beginning `window` + 1 sentences after the one before.

    A window around every single sentence would show nearly the same text again for each of its neighbours. Here a
    sentence stands in two windows at most, unless `size` makes them shorter, and leads to the one in which it is nearer
    to the middle. A list item, table or fence that fits into `size` counts as a sentence.
    """

    window: Annotated[int, Field(ge=0)] = 3
    """Sentences on each side of a window's middle; 0 shows the sentence alone."""
    size: Annotated[int, Field(ge=1)] = 512
    """Most tokens in a window."""
    heading: bool = True
    """Put title and section before the text that is indexed."""

    def chunk(self, document: Document) -> tuple[Chunk, ...]:
        """Windows, each followed by its sentences; a window of one sentence is searched itself."""
        tokens = Tokens(document.text)
        parts = sections_of(document, tokens)
        pieces = (piece for part in parts for piece in self._pieces(tokens, part))
        return assemble(document, with_words(document.text, pieces), self.heading)

    def _pieces(self, tokens: Tokens, section: Section) -> Iterator[Piece]:
        units = units_of(tokens, section.blocks, self.size)
        spans = windows(tokens, units, 2 * self.window + 1, self.size)
        middles = [0, *((end + start + 1) // 2 for (_, end), (start, _) in pairwise(spans)), len(units)]
        for (first, last), (begin, stop) in zip(spans, pairwise(middles), strict=bool(units)):
            shown = units[first:last]
            children = tuple(Piece(unit.start, unit.end, "sentence") for unit in units[begin:stop]) if len(shown) > 1 else ()
            yield Piece(shown[0].start, shown[-1].end, kind_of(shown), section.path, children=children, searched=False)


def windows(tokens: Tokens, units: Sequence[Unit], most: int, size: int) -> list[tuple[int, int]]:
    """Half-open ranges of units: each as many as fit into `most` and `size`, the next one from its middle on."""
    found: list[tuple[int, int]] = []
    start = 0
    while units and (not found or found[-1][1] < len(units)):
        end = start + 1
        while end < min(len(units), start + most) and tokens.count(units[start].start, units[end].end) <= size:
            end += 1
        if not found or end > found[-1][1]:
            found.append((start, end))
        start += (end - start + 1) // 2
    return found
