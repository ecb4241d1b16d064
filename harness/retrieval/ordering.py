"""From rows and scores to rankings: who may be seen, and what happens to ties. Shared by every index."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from harness.errors import StageError
from harness.types import Chunk, Hit, Ranking

Rows = NDArray[np.int64]
"""Row numbers of chunks."""


class Catalogue:
    """The chunks of an index by row, a repeated one once, with the documents that they belong to.

    Raises:
        StageError: when there is no chunk.
    """

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        if not chunks:
            raise StageError("there is no chunk to index; at least one is needed: check the corpus folder and the chunker")
        unique = {chunk.chunk_id: chunk for chunk in chunks}
        self.chunks = tuple(unique.values())
        self._ids = np.array(list(unique))
        numbers: dict[str, int] = {}
        self._document = np.array([numbers.setdefault(chunk.span.doc_id, len(numbers)) for chunk in self.chunks])
        self._documents = tuple(numbers)

    @property
    def texts(self) -> list[str]:
        """What is indexed, row by row."""
        return [chunk.indexed_text for chunk in self.chunks]

    @property
    def questions(self) -> list[str]:
        """The questions that the chunks answer, row by row."""
        return [question for chunk in self.chunks for question in chunk.questions]

    @property
    def asked(self) -> Rows:
        """The row of each of `questions`."""
        return np.repeat(np.arange(len(self)), [len(chunk.questions) for chunk in self.chunks])

    def __len__(self) -> int:
        return len(self.chunks)

    def visible(self, allowed: frozenset[str]) -> NDArray[np.bool_]:
        """Per row whether its document may be seen."""
        seen: NDArray[np.bool_] = np.array([document in allowed for document in self._documents])
        return np.take(seen, self._document)

    def ranking(self, rows: Rows, scores: NDArray[np.float64], k: int) -> Ranking:
        """The best k rows with a score above 0, equal scores in the order of their chunk ids."""
        matched = scores > 0
        rows, scores = rows[matched], scores[matched]
        if k < len(scores):
            reaching = scores >= np.partition(scores, -k)[-k]
            rows, scores = rows[reaching], scores[reaching]
        best = np.lexsort((self._ids[rows], -scores))[:k]
        return Ranking.of(Hit(self.chunks[rows[place]], float(scores[place])) for place in best)
