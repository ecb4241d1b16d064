"""What the approximate stores of faiss share: filters inside the index, and the same bytes each time it is built."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from harness.protocols import Rows
from harness.retrieval.ordering import Admission
from harness.types import Chunk, Filter


class FaissTable:
    """Vectors in a faiss index, each compared. Indexes that compare only some override `found`."""

    def __init__(self, index: Any, entries: Sequence[Chunk]) -> None:
        self.index = index
        """The faiss index; row i of it is entry i."""
        self._admission = Admission(entries)

    def nearest(self, vector: NDArray[np.float32], admitted: Filter, depth: int) -> tuple[Rows, NDArray[np.float64]]:
        """Rows and inner products, best first; rows that the filter leaves out are skipped by faiss itself."""
        seen = self._admission.mask(admitted)
        count = int(seen.sum())
        depth = min(depth, count)
        if not depth:
            return np.empty(0, dtype=np.int64), np.empty(0)
        return self.found(vector, selector(seen), count, depth)

    def found(self, vector: NDArray[np.float32], chosen: Any, count: int, depth: int) -> tuple[Rows, NDArray[np.float64]]:
        """At most `depth` of the `count` rows that a faiss selector chooses."""
        import faiss

        parameters = faiss.SearchParameters()
        parameters.sel = chosen
        return asked(self.index, vector, parameters, depth)


def selector(seen: NDArray[np.bool_]) -> Any:
    """faiss's form of a boolean per row."""
    import faiss

    return faiss.IDSelectorBitmap(np.packbits(seen, bitorder="little"))  # type: ignore[call-arg, arg-type]


def asked(index: Any, vector: NDArray[np.float32], parameters: Any, depth: int) -> tuple[Rows, NDArray[np.float64]]:
    """What a faiss index answers, without the -1 with which it fills up."""
    with one_thread():
        scores, rows = index.search(vector[None, :], depth, params=parameters)
    found = rows[0] >= 0
    return rows[0][found].astype(np.int64), scores[0][found].astype(np.float64)


@contextmanager
def one_thread() -> Iterator[None]:
    """faiss with one thread in this one of Python's.

    With several the links of a graph and the sums of a training depend on which came first; and a single query gives only one
    something to do, while it waits for the others.
    """
    import faiss

    before = faiss.omp_get_max_threads()
    faiss.omp_set_num_threads(1)
    try:
        yield
    finally:
        faiss.omp_set_num_threads(before)
