"""LanceDB: a table of columns on disk, read inside this process; exact unless an index is asked for."""

from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import ConfigDict, Field, model_validator
from pydantic.dataclasses import dataclass

from harness.protocols import Vectors
from harness.retrieval.stores.leaving import goes_with, remove
from harness.retrieval.stores.shared import (
    Found,
    admits_nothing,
    best_first,
    collection_name,
    failures,
    folder_of,
    needs,
    nothing,
    payload,
    shorter_list,
)
from harness.types import Chunk, Filter

TABLE = "entries"
FAULTS = (OSError, RuntimeError, ValueError)
"""What LanceDB raises."""
SMALLEST = 256
"""Rows below which a table has no index: product quantisation cannot be learnt from fewer, and a scan takes a millisecond."""


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class LanceDB:
    """A LanceDB table, searched by cosine; its filter is SQL that LanceDB applies before it ranks."""

    path: str = ""
    """Folder that keeps the tables, each attached again when its content is the same; empty is a temporary one."""
    index: Literal["flat", "ivf_flat", "ivf_hnsw_sq", "ivf_pq"] = "flat"
    """flat compares all; the others look at partitions: in full, through a graph over bytes, by product quantisation."""
    partitions: Annotated[int, Field(ge=0, le=65536, strict=True)] = 0
    """Parts into which an index divides the vectors; 0 leaves it to LanceDB."""
    probes: Annotated[int, Field(ge=1, le=65536, strict=True)] = 20
    """Parts looked at; more are where these give too few rows."""
    ef: Annotated[int, Field(ge=1, le=65536, strict=True)] = 200
    """Candidates that ivf_hnsw_sq keeps while it walks its graph."""
    refine: Annotated[int, Field(ge=1, le=1000, strict=True)] = 5
    """Candidates of an index for each row asked for, compared in full precision."""

    @model_validator(mode="after")
    def _meant(self) -> Self:
        if self.index == "flat" and (self.partitions, self.probes, self.refine) != (0, 20, 5):
            raise ValueError("partitions, probes and refine change nothing with index=flat; take another index")
        if self.index != "ivf_hnsw_sq" and self.ef != 200:
            raise ValueError(f"ef changes nothing with index={self.index}; take index=ivf_hnsw_sq")
        return self

    @property
    def exact(self) -> bool:
        """True without an index."""
        return self.index == "flat"

    def check(self) -> None:
        """Finds a missing package.

        Raises:
            ConfigError: with the line that installs it.
        """
        needs("lancedb", "lancedb")

    def table(self, vectors: Vectors, entries: Sequence[Chunk]) -> "LanceTable":
        """The vectors in a LanceDB table, built or attached.

        Raises:
            ConfigError: when the package is not there, or the folder cannot be written to.
            StageError: when LanceDB cannot write the table or open it.
        """
        self.check()
        name = collection_name(vectors, entries, ["lancedb", self.index, self.partitions])
        folder = folder_of(self.path, name, lambda place: self._build(place, vectors, entries))
        table = LanceTable(self, folder, entries)
        if not self.path:
            goes_with(table, partial(remove, folder))
        return table

    def _build(self, folder: Path, vectors: Vectors, entries: Sequence[Chunk]) -> None:
        import lancedb

        with failures(f"LanceDB could not write the table in {str(folder)!r}", *FAULTS):
            table = lancedb.connect(folder).create_table(TABLE, _arrow(vectors, entries))
            if not self.exact and len(entries) >= SMALLEST:
                parts = {"num_partitions": self.partitions} if self.partitions else {}
                kinds = {"ivf_flat": lancedb.index.IvfFlat, "ivf_hnsw_sq": lancedb.index.IvfHnswSq, "ivf_pq": lancedb.index.IvfPq}
                table.create_index("vector", config=kinds[self.index](distance_type="cosine", **parts))


class LanceTable:
    """An open table."""

    def __init__(self, recipe: LanceDB, folder: Path, entries: Sequence[Chunk]) -> None:
        import lancedb

        self._recipe = recipe
        self._documents = frozenset(entry.span.doc_id for entry in entries)
        self._folder = folder
        with failures(f"LanceDB could not open the table in {str(folder)!r}; delete that folder and run again", *FAULTS):
            self._table = lancedb.connect(folder).open_table(TABLE)

    def nearest(self, vector: NDArray[np.float32], admitted: Filter, depth: int) -> Found:
        """Rows and cosines, best first. Where an index gives fewer rows than asked for, all admitted ones are compared.

        Raises:
            StageError: when LanceDB fails.
        """
        if admits_nothing(admitted):
            return nothing()
        where = condition(admitted, self._documents)
        with failures(f"LanceDB could not search the table in {str(self._folder)!r}", *FAULTS):
            found = self._asked(vector, where, depth).to_arrow()
            if not self._recipe.exact and found.num_rows < depth:
                found = self._asked(vector, where, depth).bypass_vector_index().to_arrow()
        return best_first(found["row"].to_numpy(), 1 - found["_distance"].to_numpy().astype(np.float64), depth)

    def _asked(self, vector: NDArray[np.float32], where: str, depth: int) -> Any:
        query = self._table.search(vector, vector_column_name="vector").distance_type("cosine").limit(depth)
        query = query.select(["row", "_distance"])
        if where:
            query = query.where(where, prefilter=True)
        if self._recipe.exact:
            return query
        query = query.minimum_nprobes(self._recipe.probes).maximum_nprobes(0).refine_factor(self._recipe.refine)
        return query.ef(max(self._recipe.ef, depth * self._recipe.refine)) if self._recipe.index == "ivf_hnsw_sq" else query


def condition(admitted: Filter, documents: frozenset[str]) -> str:
    """A filter as SQL over the columns; empty admits all."""
    parts = []
    if (persona := admitted.persona) is not None:
        parts.append(f"tenant IN ({_literals(['', persona])})")
        listed = f" OR array_has(acl, {_literals([persona])})" if persona else ""
        parts.append(f"(array_length(acl) = 0{listed})")
    names, inside = shorter_list(admitted.allowed, documents)
    if inside and not names:
        return "false"
    if names:
        parts.append(f"doc_id {'' if inside else 'NOT '}IN ({_literals(names)})")
    if admitted.kinds is not None:
        parts.append(f"kind IN ({_literals(sorted(admitted.kinds))})")
    return " AND ".join(parts)


def _literals(values: Iterable[str]) -> str:
    """SQL strings: a quote is doubled, and nothing else has a meaning inside of them."""
    return ", ".join("'" + value.replace("'", "''") + "'" for value in values)


def _arrow(vectors: Vectors, entries: Sequence[Chunk]) -> Any:
    import pyarrow as pa

    flat = pa.array(np.ascontiguousarray(vectors).ravel(), pa.float32())
    columns: dict[str, Any] = {
        "row": pa.array(range(len(entries)), pa.int64()),
        "vector": pa.FixedSizeListArray.from_arrays(flat, vectors.shape[1]),
    }
    kept = [payload(entry) for entry in entries]
    for name in kept[0]:
        columns[name] = pa.array([row[name] for row in kept], pa.list_(pa.string()) if name == "acl" else pa.string())
    return pa.table(columns)
