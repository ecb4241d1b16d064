"""Exact search in memory by faiss."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from harness.protocols import Rows, Vectors
from harness.retrieval.ordering import Admission
from harness.retrieval.stores.faiss_table import selector
from harness.types import Chunk, Filter


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Flat:
    """Every admitted vector is compared, in float32."""

    @property
    def exact(self) -> bool:
        """True."""
        return True

    def table(self, vectors: Vectors, entries: Sequence[Chunk]) -> "FlatTable":
        """The vectors where they are: none is copied."""
        return FlatTable(vectors, entries)


class FlatTable:
    """Vectors in memory."""

    def __init__(self, vectors: Vectors, entries: Sequence[Chunk]) -> None:
        self._vectors = np.ascontiguousarray(vectors, dtype=np.float32)
        self._admission = Admission(entries)

    def nearest(self, vector: NDArray[np.float32], admitted: Filter, depth: int) -> tuple[Rows, NDArray[np.float64]]:
        """Rows and cosines, best first."""
        import faiss

        seen = self._admission.mask(admitted)
        depth = min(depth, int(seen.sum()))
        scores, rows = np.empty(depth, dtype=np.float32), np.empty(depth, dtype=np.int64)
        if depth:
            asked, held, into = (faiss.swig_ptr(item) for item in (np.ascontiguousarray(vector), self._vectors, scores))
            count, dimension = self._vectors.shape
            faiss.knn_inner_product(asked, held, dimension, 1, count, depth, into, faiss.swig_ptr(rows), selector(seen))
        return rows, scores.astype(np.float64)
