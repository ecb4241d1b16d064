"""Approximate search by faiss in the nearest lists of a partition (inverted file: Sivic and Zisserman 2003; Jégou et al. 2011)."""

from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

from harness.protocols import Rows, Vectors
from harness.retrieval.stores.faiss_table import FaissTable, asked, one_thread
from harness.types import Chunk

_SEED = 1234


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Ivf:
    """k-means parts the vectors into lists; a search compares those of the lists whose centres are nearest."""

    lists: Annotated[int, Field(ge=1, le=1_000_000, strict=True)] = 64
    """Lists, at most one for each vector; 4 to 16 times the square root of the number of vectors is usual."""
    nprobe: Annotated[int, Field(ge=1, le=1_000_000, strict=True)] = 16
    """Lists that a search looks into where no filter narrows it; more where one does."""

    @property
    def exact(self) -> bool:
        """False."""
        return False

    def table(self, vectors: Vectors, entries: Sequence[Chunk]) -> "IvfTable":
        """The vectors in lists, learned by one thread from a fixed seed: the same lists each time."""
        import faiss

        dimension, held = vectors.shape[1], np.ascontiguousarray(vectors)
        centres = faiss.IndexFlatIP(dimension)
        index = faiss.IndexIVFFlat(centres, dimension, min(self.lists, len(held)), faiss.METRIC_INNER_PRODUCT)
        index.cp.seed, index.cp.spherical, index.cp.min_points_per_centroid = _SEED, True, 1
        with one_thread():
            index.train(held)
            index.add(held)
        return IvfTable(index, entries, self.nprobe)


class IvfTable(FaissTable):
    """Lists in memory. The narrower the filter, the more lists; all of them where fewer than asked for are found."""

    def __init__(self, index: Any, entries: Sequence[Chunk], nprobe: int) -> None:
        super().__init__(index, entries)
        self._nprobe = nprobe

    def found(self, vector: NDArray[np.float32], chosen: Any, count: int, depth: int) -> tuple[Rows, NDArray[np.float64]]:
        """At most `depth` of the `count` rows that a faiss selector chooses."""
        import faiss

        parameters = faiss.SearchParametersIVF()
        parameters.nprobe, parameters.sel = min(-(-self._nprobe * self.index.ntotal // count), self.index.nlist), chosen
        rows, scores = asked(self.index, vector, parameters, depth)
        if len(rows) < depth:
            parameters.nprobe = self.index.nlist
            rows, scores = asked(self.index, vector, parameters, depth)
        return rows, scores
