"""Cuts where the meaning turns: neighbouring sentences stay together while they are about the same."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import ConfigDict, Field, field_validator
from pydantic.dataclasses import dataclass

from harness.chunking.assemble import Piece, assemble
from harness.chunking.nested import stage
from harness.chunking.packing import Tokens, Unit, kind_of
from harness.chunking.sentences import sections_of, units_of
from harness.chunking.wordless import with_words
from harness.protocols import Embedder
from harness.text import words
from harness.types import Chunk, Document

Vector = NDArray[np.float32]


@dataclass(frozen=True, config=ConfigDict(extra="forbid", arbitrary_types_allowed=True))
class Semantic:
    """A chunk takes the next sentence while its cosine with the mean of the chunk's sentences reaches `threshold`.

    No chunk crosses a heading, and no fence, table or list item that fits into `size` is cut. The threshold is a cosine
    and no percentile of the document's own: a change in one paragraph then moves no cut elsewhere, and a text about one
    thing stays whole. Cosines of one embedder are not those of another, so each embedder needs a threshold of its own.
    """

    embedder: Annotated[Embedder, stage("embedder", "embed")]
    """What compares sentences; it need not be that of the index. One that must learn first has no chunks to learn from."""
    threshold: Annotated[float, Field(ge=-1, le=1)] = 0.5
    """Cosine from which a sentence belongs to the chunk before it; 1 keeps every sentence apart."""
    size: Annotated[int, Field(ge=1)] = 256
    """Most tokens in a chunk."""
    heading: bool = True
    """Put title and section before the text that is indexed."""

    @field_validator("embedder")
    @classmethod
    def _ready(cls, embedder: Embedder) -> Embedder:
        """A cache has a `fit` whatever it holds."""
        if hasattr(getattr(embedder, "inner", embedder), "fit"):
            raise ValueError(
                "it must learn from the chunks of an index, and this chunker is to cut them first; choose bge_small or hashing: "
                "embedder@chunker.embedder=bge_small, for a route embedder@chunker.ROUTE.embedder=bge_small"
            )
        return embedder

    def chunk(self, document: Document) -> tuple[Chunk, ...]:
        """Chunks of one topic each; all sentences of the document are embedded in one call."""
        tokens = Tokens(document.text)
        parts = [(section, units_of(tokens, section.blocks, self.size)) for section in sections_of(document, tokens)]
        vectors = self._vectors(document.text, [unit for _, units in parts for unit in units])
        pieces = (
            Piece(group[0].start, group[-1].end, kind_of(group), section.path)
            for section, units in parts
            for group in self._groups(tokens, units, vectors)
        )
        return assemble(document, with_words(document.text, pieces), self.heading)

    def _vectors(self, text: str, units: Sequence[Unit]) -> dict[Unit, Vector]:
        """The vector of each unit that has a word."""
        spoken = [unit for unit in units if words(text[unit.start : unit.end])]
        if not spoken:
            return {}
        return dict(zip(spoken, self.embedder.embed([text[unit.start : unit.end] for unit in spoken]), strict=True))

    def _groups(self, tokens: Tokens, units: Sequence[Unit], vectors: Mapping[Unit, Vector]) -> Iterator[list[Unit]]:
        group: list[Unit] = []
        total: Vector | None = None
        for unit in units:
            vector = vectors.get(unit)
            fits = bool(group) and tokens.count(group[0].start, unit.end) <= self.size
            if group and not (fits and self._close(total, vector)):
                yield group
                group, total = [], None
            group.append(unit)
            total = _sum(total, vector)
        if group:
            yield group

    def _close(self, total: Vector | None, vector: Vector | None) -> bool:
        """Whether a unit vector reaches the threshold with the direction of a sum; what has no words is close to everything."""
        if total is None or vector is None:
            return True
        return float(total @ vector) >= self.threshold * float(np.linalg.norm(total))


def _sum(total: Vector | None, vector: Vector | None) -> Vector | None:
    if total is None or vector is None:
        return vector if total is None else total
    return total + vector
