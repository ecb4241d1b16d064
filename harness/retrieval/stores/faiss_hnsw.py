"""Approximate search by faiss over a graph of neighbours (HNSW: Malkov and Yashunin 2016, arXiv 1603.09320)."""

from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

from harness.protocols import Rows, Vectors
from harness.retrieval.stores.faiss_table import FaissTable, asked, one_thread
from harness.types import Chunk


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Hnsw:
    """A walk from neighbour to neighbour sees few of the vectors."""

    m: Annotated[int, Field(ge=2, le=256, strict=True)] = 16
    """Neighbours of each vector in the graph."""
    ef_construction: Annotated[int, Field(ge=1, le=10_000, strict=True)] = 80
    """Candidates kept while a vector's neighbours are looked for."""
    ef_search: Annotated[int, Field(ge=1, le=100_000, strict=True)] = 64
    """Candidates kept during a search that a filter does not narrow; more where it does."""

    @property
    def exact(self) -> bool:
        """False."""
        return False

    def table(self, vectors: Vectors, entries: Sequence[Chunk]) -> "HnswTable":
        """The vectors in a graph, built by one thread: the same graph each time."""
        import faiss

        index = faiss.IndexHNSWFlat(vectors.shape[1], self.m, faiss.METRIC_INNER_PRODUCT)
        index.hnsw.efConstruction = self.ef_construction
        with one_thread():
            index.add(np.ascontiguousarray(vectors))
        return HnswTable(index, entries, self.ef_search)


class HnswTable(FaissTable):
    """A graph in memory. The narrower the filter, the wider the walk, up to where comparing each admitted vector is less work."""

    def __init__(self, index: Any, entries: Sequence[Chunk], ef_search: int) -> None:
        super().__init__(index, entries)
        self._ef_search = ef_search

    def found(self, vector: NDArray[np.float32], chosen: Any, count: int, depth: int) -> tuple[Rows, NDArray[np.float64]]:
        """At most `depth` of the `count` rows that a faiss selector chooses."""
        import faiss

        wide = max(self._ef_search, depth) * self.index.ntotal // count
        if wide < count:
            parameters = faiss.SearchParametersHNSW()  # type: ignore[attr-defined]
            parameters.efSearch, parameters.sel = wide, chosen
            rows, scores = asked(self.index, vector, parameters, depth)
            if len(rows) == depth:
                return rows, scores
        each = faiss.SearchParameters()
        each.sel = chosen
        return asked(faiss.downcast_index(self.index.storage), vector, each, depth)
