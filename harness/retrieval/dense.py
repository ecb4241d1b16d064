"""Exact dense retrieval over unit vectors with faiss."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray
from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from harness.errors import StageError
from harness.protocols import Embedder, Progress, Vectors, silent
from harness.retrieval.ordering import Catalogue, Rows
from harness.types import Chunk, Query, Ranking

_FLOAT32_ERROR = 1e-4
"""More than two float32 sums of the same product of unit vectors can differ by, whatever the order of summation."""

_BLOCK = 256
"""Texts embedded between two reports of progress."""


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Dense:
    """Cosine similarity of the query's vector with each chunk's, exact (faiss IndexFlatIP).

    Each question that a chunk answers has a vector of its own; a chunk scores as the best of its vectors does.
    """

    def index(self, chunks: Sequence[Chunk], embedder: Embedder, progress: Progress = silent) -> "DenseIndex":
        """An index of the chunks' `indexed_text` and questions, embedded as passages; the embedder also embeds the queries.

        Raises:
            StageError: when there is no chunk, or the embedder's vectors are not one unit vector per text.
        """
        catalogue = Catalogue(chunks)
        parts = list(_embedded("embed chunks", catalogue.texts, embedder, progress))
        parts += _embedded("embed questions", catalogue.questions, embedder, progress)
        return DenseIndex(catalogue, np.concatenate(parts), embedder)


class DenseIndex:
    """Vectors of one embedder, those of the chunks and then those of their questions.

    It remembers the embedder's `identity` and serves no other.
    """

    def __init__(self, catalogue: Catalogue, vectors: Vectors, embedder: Embedder) -> None:
        import faiss

        self._catalogue = catalogue
        self._embedder = embedder
        self.identity = embedder.identity
        self._flat = faiss.IndexFlatIP(vectors.shape[1])
        self._flat.add(vectors)
        self._vectors: Vectors = faiss.rev_swig_ptr(self._flat.get_xb(), vectors.size).reshape(vectors.shape)
        self._owners = np.concatenate([np.arange(len(catalogue)), catalogue.asked])

    def search(self, queries: Sequence[Query], k: int) -> list[Ranking]:
        """One ranking of at most k hits per query, of cosine above 0.

        A query with a `hypothetical` passage is searched with that, embedded as a passage.

        Raises:
            StageError: when the embedder is no longer the one that built the index.
        """
        vectors = self._query_vectors(queries)
        return [self._one(vector, query.allowed, k) for vector, query in zip(vectors, queries, strict=True)]

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

    def _one(self, vector: NDArray[np.float32], allowed: frozenset[str] | None, k: int) -> Ranking:
        seen = None if allowed is None else self._catalogue.visible(allowed)[self._owners]
        rows = self._candidates(vector, None if seen is None or seen.all() else seen, k)
        products = (self._vectors[rows].astype(np.float64) * vector.astype(np.float64)).sum(axis=1)
        return self._catalogue.ranking(*self._best(rows, products), k)

    def _candidates(self, vector: NDArray[np.float32], seen: NDArray[np.bool_] | None, k: int) -> Rows:
        """At least every row whose cosine reaches that of the k-th best chunk.

        faiss breaks ties by row, and by how deep it searches; so it is asked for more rows until one lies clearly below
        the k-th. Scores are then summed anew in float64, one order for all: they depend on no batch and no thread.
        """
        total = len(self._owners) if seen is None else int(seen.sum())
        depth = min(k, total)
        while depth < total:
            depth = min(2 * depth + 8, total)
            scores, rows = self._nearest(vector, seen, depth)
            if scores[-1] < self._reached(scores, rows, k) - _FLOAT32_ERROR:
                return rows
        return np.arange(total) if seen is None else np.flatnonzero(seen)

    def _nearest(
        self, vector: NDArray[np.float32], seen: NDArray[np.bool_] | None, depth: int
    ) -> tuple[NDArray[np.float32], Rows]:
        import faiss

        chosen = None
        if seen is not None:
            selector = faiss.IDSelectorBatch(np.flatnonzero(seen))
            chosen = faiss.SearchParameters()
            chosen.sel = selector
        scores, rows = self._flat.search(vector[None, :], depth, params=chosen)
        return scores[0], rows[0]

    def _reached(self, scores: NDArray[np.float32], rows: Rows, k: int) -> float:
        """The score of the k-th distinct chunk; minus infinity where there are fewer."""
        if len(self._owners) == len(self._catalogue):
            return float(scores[k - 1])
        _, first = np.unique(self._owners[rows], return_index=True)
        return float(scores[np.sort(first)[k - 1]]) if k <= len(first) else -np.inf

    def _best(self, rows: Rows, scores: NDArray[np.float64]) -> tuple[Rows, NDArray[np.float64]]:
        """Each chunk once, with the best score of its vectors."""
        if len(self._owners) == len(self._catalogue):
            return rows, scores
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
