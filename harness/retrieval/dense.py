"""Dense retrieval over unit vectors that a store keeps."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from pydantic import ConfigDict, SkipValidation
from pydantic.dataclasses import dataclass

from harness.errors import StageError
from harness.protocols import Embedder, Progress, Rows, Vectors, VectorStore, silent
from harness.retrieval.ordering import Catalogue
from harness.retrieval.stores.faiss_flat import Flat
from harness.types import Chunk, Filter, Query, Ranking

_FLOAT32_ERROR = 1e-4
"""More than two float32 sums of the same product of unit vectors can differ by, whatever the order of summation."""

_DIGITS = 6
"""Decimals of a score that a store of approximate search gives; equal vectors then have equal scores."""

_BLOCK = 256
"""Texts embedded between two reports of progress."""

_PROBES = 200
"""Vectors asked to learn the recall of a store at most."""


@dataclass(frozen=True, config=ConfigDict(extra="forbid", arbitrary_types_allowed=True))
class Dense:
    """Cosine similarity of the query's vector with each chunk's, found by a vector store.

    Each question that a chunk answers has a vector of its own; a chunk scores as the best of its vectors does.
    """

    store: SkipValidation[VectorStore] = Flat()
    """Keeps the vectors and finds the nearest."""

    def index(self, chunks: Sequence[Chunk], embedder: Embedder, progress: Progress = silent) -> "DenseIndex":
        """An index of the chunks' `indexed_text` and questions, embedded as passages; the embedder also embeds the queries.

        Raises:
            StageError: when there is no chunk, or the embedder's vectors are not one unit vector per text.
        """
        catalogue = Catalogue(chunks)
        parts = list(_embedded("embed chunks", catalogue.texts, embedder, progress))
        parts += _embedded("embed questions", catalogue.questions, embedder, progress)
        return DenseIndex(catalogue, np.concatenate(parts), embedder, self.store)


class DenseIndex:
    """Vectors of one embedder in a store, those of the chunks and then those of their questions.

    It remembers the embedder's `identity` and serves no other.
    """

    def __init__(self, catalogue: Catalogue, vectors: Vectors, embedder: Embedder, store: VectorStore) -> None:
        self._catalogue = catalogue
        self._embedder = embedder
        self.identity = embedder.identity
        self._store = store
        self._vectors = vectors
        self._owners = np.concatenate([np.arange(len(catalogue)), catalogue.asked])
        self._table = store.table(vectors, [catalogue.chunks[row] for row in self._owners])

    @cached_property
    def statistics(self) -> Mapping[str, float]:
        """`recall_at_10_of_own_vectors` of a store that is not exact: mean share of the ten nearest of a vector that it finds.

        Up to 200 evenly spaced vectors of the index are asked, each with its own row left out. A row counts as found when it
        is as near as the tenth.
        """
        if self._store.exact or len(self._vectors) < 2:
            return {}
        count = len(self._vectors)
        probes = np.unique(np.linspace(0, count - 1, min(count, _PROBES)).astype(np.int64))
        return {"recall_at_10_of_own_vectors": round(float(np.mean([self._recall(row) for row in probes])), 4)}

    def _recall(self, row: int) -> float:
        """The share of the ten nearest of a row that the store finds."""
        size = min(10, len(self._vectors) - 1)
        products = self._vectors @ self._vectors[row]
        products[row] = -np.inf
        tenth = np.partition(products, -size)[-size]
        found, _ = self._asked(self._vectors[row], Filter(), size + 1)
        return float((products[found[found != row][:size]] >= tenth - 1e-6).sum() / size)

    def search(self, queries: Sequence[Query], k: int) -> list[Ranking]:
        """One ranking of at most k hits per query, of cosine above 0.

        A query with a `hypothetical` passage is searched with that, embedded as a passage.

        Raises:
            StageError: when the embedder is no longer the one that built the index, or the store answers with what is no answer.
        """
        vectors = self._query_vectors(queries)
        return [self._one(vector, query.filter, k) for vector, query in zip(vectors, queries, strict=True)]

    def _query_vectors(self, queries: Sequence[Query]) -> Vectors:
        if self._embedder.identity != self.identity:
            raise StageError(
                f"the index was built with the embedder {self.identity!r}, the queries come with "
                f"{self._embedder.identity!r}; build the index anew"
            )
        vectors = np.empty((len(queries), self._vectors.shape[1]), dtype=np.float32)
        asked = [place for place, query in enumerate(queries) if not query.hypothetical]
        made_up = [place for place, query in enumerate(queries) if query.hypothetical]
        if asked:
            vectors[asked] = self._same_space(self._embedder.embed_queries([queries[place].text for place in asked]), len(asked))
        if made_up:
            passages = [queries[place].hypothetical for place in made_up]
            vectors[made_up] = self._same_space(self._embedder.embed(passages), len(made_up))
        return vectors

    def _same_space(self, vectors: Vectors, count: int) -> Vectors:
        vectors = _checked(vectors, count, self._embedder)
        if vectors.shape[1] != self._vectors.shape[1]:
            raise StageError(
                f"{self._embedder.identity!r} made query vectors of {vectors.shape[1]} dimensions, the index has "
                f"{self._vectors.shape[1]}; embed queries and chunks with one model and build the index anew"
            )
        return vectors

    def _one(self, vector: NDArray[np.float32], wanted: Filter, k: int) -> Ranking:
        rows, scores = self._candidates(vector, wanted, k)
        if self._store.exact:
            scores = (self._vectors[rows].astype(np.float64) * vector.astype(np.float64)).sum(axis=1)
        return self._catalogue.ranking(*self._best(rows, scores), k)

    def _candidates(self, vector: NDArray[np.float32], wanted: Filter, k: int) -> tuple[Rows, NDArray[np.float64]]:
        """Every row that the store finds whose cosine reaches that of the k-th best chunk, and some more.

        Stores break ties by row, and by how deep they search; so one is asked for more rows until the last lies clearly below
        the k-th chunk. Scores of an exact store are then summed anew in float64, one order for all: they depend on no batch and
        no thread.
        """
        total = int(self._seen(wanted).sum())
        depth = min(k, total)
        while True:
            depth = min(2 * depth + 8, total)
            rows, scores = self._asked(vector, wanted, depth) if depth else (np.empty(0, dtype=np.int64), np.empty(0))
            if depth == total or len(rows) < depth or scores[-1] < self._reached(scores, rows, k) - _FLOAT32_ERROR:
                return rows, scores

    def _seen(self, wanted: Filter) -> NDArray[np.bool_]:
        return np.take(self._catalogue.admitted(wanted), self._owners)

    def _asked(self, vector: NDArray[np.float32], wanted: Filter, depth: int) -> tuple[Rows, NDArray[np.float64]]:
        """What the store finds, best first; -1, with which some fill up their answers, is left out."""
        rows, scores = self._table.nearest(vector, wanted, depth)
        rows, scores = np.asarray(rows), np.asarray(scores, dtype=np.float64)
        if rows.ndim != 1 or rows.shape != scores.shape:
            raise StageError(
                f"{self._store!r} answered with {rows.shape} rows and {scores.shape} scores; one score a row is needed"
            )
        rows, scores = rows[rows != -1].astype(np.int64), scores[rows != -1]
        self._check(rows, scores, wanted)
        scores = scores if self._store.exact else scores.round(_DIGITS)
        best = np.argsort(-scores, kind="stable")
        return rows[best], scores[best]

    def _check(self, rows: Rows, scores: NDArray[np.float64], wanted: Filter) -> None:
        size = len(self._owners)
        inside = bool(((rows >= 0) & (rows < size)).all())
        faults = {
            f"rows outside of the {size} that it holds": not inside,
            "a row twice": len(np.unique(rows)) < len(rows),
            "a score that is no number": not np.isfinite(scores).all(),
            "a row that the filter does not admit": inside and not self._seen(wanted)[rows].all(),
        }
        if found := [fault for fault, is_so in faults.items() if is_so]:
            raise StageError(
                f"{self._store!r} answered with {', '.join(found)}; the index is damaged, or the store ignores the filter"
            )

    def _reached(self, scores: NDArray[np.float64], rows: Rows, k: int) -> float:
        """The score of the k-th distinct chunk; minus infinity where there are fewer."""
        _, first = np.unique(self._owners[rows], return_index=True)
        return float(scores[np.sort(first)[k - 1]]) if k <= len(first) else -np.inf

    def _best(self, rows: Rows, scores: NDArray[np.float64]) -> tuple[Rows, NDArray[np.float64]]:
        """Each chunk once, with the best score of its vectors."""
        chunks, place = np.unique(self._owners[rows], return_inverse=True)
        best = np.full(len(chunks), -np.inf)
        np.maximum.at(best, place, scores)
        return chunks, best


def _embedded(what: str, texts: Sequence[str], embedder: Embedder, progress: Progress) -> Iterator[Vectors]:
    """The vectors of texts, block by block."""
    for start in range(0, len(texts), _BLOCK):
        progress(what, start, len(texts))
        block = texts[start : start + _BLOCK]
        yield _checked(embedder.embed(block), len(block), embedder)
    if texts:
        progress(what, len(texts), len(texts))


def _checked(vectors: Vectors, count: int, embedder: Embedder) -> Vectors:
    """The vectors as contiguous float32[count, d], each finite and of unit length."""
    checked = np.ascontiguousarray(vectors, dtype=np.float32)
    if checked.ndim != 2 or len(checked) != count:
        raise StageError(
            f"{embedder.identity!r} gave an array of shape {checked.shape} for {count} texts; one row each is needed"
        )
    wrong = np.flatnonzero(~(np.abs(np.linalg.norm(checked, axis=1) - 1) < 1e-3))
    if wrong.size:
        raise StageError(
            f"{embedder.identity!r}: vector {wrong[0]} of {count} has length {np.linalg.norm(checked[wrong[0]])}; "
            "unit length is needed: normalise in the embedder"
        )
    return checked
