"""From rows and scores to rankings: who may be seen, and what happens to ties. Shared by every index."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from harness.errors import StageError
from harness.protocols import Rows
from harness.retrieval.filters import finds
from harness.types import Chunk, Filter, Hit, Ranking

_FILTERS = 64
"""Filters whose rows are remembered; each asker has one a day."""


class Admission:
    """Which rows filters admit. Chunks that no filter tells apart are looked at once, and a repeated filter is looked up."""

    def __init__(self, entries: Sequence[Chunk]) -> None:
        alike: dict[tuple[str, str, tuple[str, ...], str], int] = {}
        keys = ((entry.span.doc_id, entry.origin.tenant, entry.origin.acl, entry.kind) for entry in entries)
        self._group = np.array([alike.setdefault(key, len(alike)) for key in keys], dtype=np.int64)
        _, first = np.unique(self._group, return_index=True)
        self._examples = [entries[row] for row in first]
        self.mask = lru_cache(_FILTERS)(self._mask)
        """Per row whether a filter admits it, remembered and so not writable."""

    def _mask(self, admitted: Filter) -> NDArray[np.bool_]:
        seen = np.array([finds(admitted, example) for example in self._examples], dtype=np.bool_)
        mask = np.take(seen, self._group)
        mask.setflags(write=False)
        return mask


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
        self._admission = Admission(self.chunks)

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

    def admitted(self, wanted: Filter) -> NDArray[np.bool_]:
        """Per row whether a filter admits it; not writable."""
        return self._admission.mask(wanted)

    def ranking(self, rows: Rows, scores: NDArray[np.float64], k: int) -> Ranking:
        """The best k rows with a score above 0, equal scores in the order of their chunk ids."""
        matched = scores > 0
        rows, scores = rows[matched], scores[matched]
        if k < len(scores):
            reaching = scores >= np.partition(scores, -k)[-k]
            rows, scores = rows[reaching], scores[reaching]
        best = np.lexsort((self._ids[rows], -scores))[:k]
        return Ranking.of(Hit(self.chunks[rows[place]], float(scores[place])) for place in best)
