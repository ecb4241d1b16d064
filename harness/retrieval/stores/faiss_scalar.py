"""Search in memory by faiss over vectors of less precision (scalar quantisation): half or a quarter of the memory."""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from harness.protocols import Vectors
from harness.retrieval.stores.faiss_table import FaissTable
from harness.types import Chunk


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Quantized:
    """Every admitted vector is compared, each number of it rounded; a query's vector is not."""

    precision: Literal["float16", "int8"] = "float16"
    """float16, or int8: 255 steps between the largest absolute value of a dimension and its negative, so that 0 stays 0."""

    @property
    def exact(self) -> bool:
        """False."""
        return False

    def table(self, vectors: Vectors, entries: Sequence[Chunk]) -> FaissTable:
        """The rounded vectors."""
        import faiss

        kind = {"float16": faiss.ScalarQuantizer.QT_fp16, "int8": faiss.ScalarQuantizer.QT_8bit}[self.precision]
        index = faiss.IndexScalarQuantizer(vectors.shape[1], kind, faiss.METRIC_INNER_PRODUCT)
        largest = np.abs(vectors).max(axis=0)
        index.train(np.stack([largest, -largest]))
        index.add(np.ascontiguousarray(vectors))
        return FaissTable(index, entries)
