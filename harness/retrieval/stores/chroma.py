"""Chroma: an HNSW graph inside this process, its metadata in SQLite.

Chroma is given vectors: its own embedding function, which downloads a model, is switched off, and so is its telemetry.
"""

from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import ConfigDict, Field
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

COLLECTION = "entries"
MOST_NAMES = 30_000
"""doc_ids in one query; SQLite takes 32,766 variables."""

EMBEDDED = {"chroma_api_impl": "chromadb.api.rust.RustBindingsAPI", "chroma_otel_collection_endpoint": ""}
"""Settings that Chroma otherwise takes from the environment, where another program's could make it a client of a server."""


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Chroma:
    """A Chroma collection, searched by cosine; its filter is a `where` that Chroma applies before it ranks.

    A graph may have entries that no walk reaches: where it gives fewer rows than asked for, the admitted ones are compared all.
    Chroma puts the entries of a batch into the graph in no fixed order: two builds of one content can differ in what they miss.
    """

    path: str = ""
    """Folder that keeps the collections, each attached again when its content is the same; empty is a temporary one."""
    m: Annotated[int, Field(ge=2, le=1024, strict=True)] = 16
    """Neighbours of an entry in the graph."""
    construction_ef: Annotated[int, Field(ge=1, le=65536, strict=True)] = 200
    """Candidates kept while an entry is put into the graph."""
    search_ef: Annotated[int, Field(ge=1, le=65536, strict=True)] = 100
    """Candidates kept while a query walks the graph; at least as many as are asked for."""

    @property
    def exact(self) -> bool:
        """False: a graph."""
        return False

    def check(self) -> None:
        """Finds a missing package.

        Raises:
            ConfigError: with the line that installs it.
        """
        needs("chromadb", "chroma")

    def table(self, vectors: Vectors, entries: Sequence[Chunk]) -> "ChromaTable":
        """The vectors in a Chroma collection, built or attached.

        Raises:
            ConfigError: when the package is not there, or the folder cannot be written to.
            StageError: when Chroma cannot write the collection or open it.
        """
        self.check()
        name = collection_name(vectors, entries, ["chroma", self.m, self.construction_ef, self.search_ef])
        folder = folder_of(self.path, name, lambda place: self._build(place, vectors, entries))
        with failures(f"Chroma could not open the collection in {str(folder)!r}; delete that folder and run again", *_faults()):
            client = _client(folder)
            table = ChromaTable(client.get_collection(COLLECTION, embedding_function=None), entries)
        goes_with(table, partial(_closed, client, None if self.path else folder))
        return table

    def _build(self, folder: Path, vectors: Vectors, entries: Sequence[Chunk]) -> None:
        graph = {"space": "cosine", "max_neighbors": self.m, "ef_construction": self.construction_ef}
        settings = {"hnsw": {**graph, "ef_search": self.search_ef}}
        with (
            failures(f"Chroma could not write the collection in {str(folder)!r}", *_faults()),
            closing(_client(folder)) as client,
        ):
            collection = client.create_collection(COLLECTION, embedding_function=None, configuration=settings)
            most = client.get_max_batch_size()
            for start in range(0, len(entries), most):
                rows = range(start, min(start + most, len(entries)))
                collection.add(
                    ids=[str(row) for row in rows],
                    embeddings=vectors[start : start + most],
                    metadatas=[metadata(entries[row]) for row in rows],
                )


class ChromaTable:
    """An open collection."""

    def __init__(self, collection: Any, entries: Sequence[Chunk]) -> None:
        self._collection = collection
        self._documents = frozenset(entry.span.doc_id for entry in entries)
        self._size = len(entries)

    def nearest(self, vector: NDArray[np.float32], admitted: Filter, depth: int) -> Found:
        """Rows and cosines, best first.

        Raises:
            StageError: when Chroma fails.
        """
        if admits_nothing(admitted):
            return nothing()
        with failures("Chroma could not search its collection", *_faults()):
            parts = [self._walked(vector, where, depth) for where in conditions(admitted, self._documents)]
        rows = np.concatenate([part[0] for part in parts] or [nothing()[0]])
        return best_first(rows, np.concatenate([part[1] for part in parts] or [nothing()[1]]), depth)

    def _walked(self, vector: NDArray[np.float32], where: dict[str, Any] | None, depth: int) -> Found:
        found = self._collection.query([vector], n_results=depth, where=where, include=["distances"])
        rows = found["ids"][0]
        if len(rows) < min(depth, self._size):
            return self._compared(vector, where, depth)
        return best_first([int(row) for row in rows], 1 - np.array(found["distances"][0], dtype=np.float64), depth)

    def _compared(self, vector: NDArray[np.float32], where: dict[str, Any] | None, depth: int) -> Found:
        found = self._collection.get(where=where, include=["embeddings"])
        if not found["ids"]:
            return nothing()
        products = (np.asarray(found["embeddings"], dtype=np.float64) * vector.astype(np.float64)).sum(axis=1)
        return best_first([int(row) for row in found["ids"]], products, depth)


def metadata(entry: Chunk) -> dict[str, Any]:
    """The payload as Chroma takes it: a list is not empty there, so `open` says that there is none."""
    kept = payload(entry)
    return {**{name: value for name, value in kept.items() if value or name != "acl"}, "open": not kept["acl"]}


def conditions(admitted: Filter, documents: frozenset[str]) -> Iterator[dict[str, Any] | None]:
    """A filter as Chroma's `where`, in several of which each admits a part where there are more doc_ids than one can hold."""
    always: list[dict[str, Any]] = []
    if (persona := admitted.persona) is not None:
        always.append({"tenant": {"$in": ["", persona]}})
        always.append({"$or": [{"open": True}, {"acl": {"$contains": persona}}]} if persona else {"open": True})
    if admitted.kinds is not None:
        always.append({"kind": {"$in": sorted(admitted.kinds)}})
    names, inside = shorter_list(admitted.allowed, documents)
    if not names and not inside:
        yield _all(always)
    elif not inside and len(names) <= MOST_NAMES:
        yield _all([*always, {"doc_id": {"$nin": names}}])
    else:
        names = sorted(documents if admitted.allowed is None else documents & admitted.allowed)
        for start in range(0, len(names), MOST_NAMES):
            yield _all([*always, {"doc_id": {"$in": names[start : start + MOST_NAMES]}}])


def _all(parts: list[dict[str, Any]]) -> dict[str, Any] | None:
    return {"$and": parts} if len(parts) > 1 else (parts[0] if parts else None)


def _client(folder: Path) -> Any:
    from chromadb import PersistentClient
    from chromadb.config import Settings

    settings = Settings(_env_file=None, anonymized_telemetry=False, **EMBEDDED)
    return PersistentClient(path=str(folder), settings=settings)


def _faults() -> tuple[type[Exception], ...]:
    """What Chroma raises."""
    from chromadb.errors import ChromaError

    return ChromaError, OSError, RuntimeError, TypeError, ValueError


def _closed(client: Any, folder: Path | None) -> None:
    client.close()
    if folder is not None:
        remove(folder)
