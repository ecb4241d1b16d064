"""BM25 with the scores of rank_bm25."""

from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

from harness.errors import StageError
from harness.protocols import Embedder, Progress, silent
from harness.retrieval.ordering import Catalogue, Rows
from harness.retrieval.tokenizers import TokenizerName, tokenize
from harness.types import Chunk, Query, Ranking

_LEAST_IDF = 1e-30
"""Added to an ordinary score it vanishes in float64, so all other scores stay those of rank_bm25, bit for bit."""


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class BM25:
    """Okapi BM25 as `rank_bm25.BM25Okapi` computes it (Robertson et al. 1994; epsilon rule of rank_bm25, 0.25).

    Okapi's idf, ln((N - n + 0.5) / (n + 0.5)), is zero for a word in half of the chunks and negative above; rank_bm25
    raises a negative one to 0.25 x the mean idf, which in a small corpus is itself negative. A chunk that holds a word
    of the query would then score no more than one that holds none. So a word whose idf is still not positive counts
    1e-30: its chunks are found, behind all that match a telling word, and every other score is exactly rank_bm25's.
    """

    k1: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 1.5
    """How slowly repeated words saturate."""
    b: Annotated[float, Field(ge=0, le=1)] = 0.75
    """How much long chunks are held back: 0 not at all, 1 fully."""
    tokenizer: TokenizerName = "stemmed"
    """stemmed, words or plain; the same for chunks and queries."""

    def index(self, chunks: Sequence[Chunk], embedder: Embedder, progress: Progress = silent) -> "BM25Index":
        """An index of the chunks' `indexed_text`; the embedder is not used.

        Raises:
            StageError: when there is no chunk, or no chunk holds a word.
        """
        catalogue = Catalogue(chunks)
        progress("index BM25", 0, len(catalogue))
        tokens = tokenize(self.tokenizer, catalogue.texts)
        if not any(tokens):
            raise StageError(
                f"none of the {len(catalogue)} chunks holds a word for the tokenizer {self.tokenizer!r}; "
                "at least one is needed: check the documents or choose another tokenizer"
            )
        progress("index BM25", len(catalogue), len(catalogue))
        return BM25Index(catalogue, tokens, self)


class BM25Index:
    """What each token adds to each chunk that holds it. Searching changes nothing, so several threads may."""

    def __init__(self, catalogue: Catalogue, tokens: Sequence[Sequence[str]], recipe: BM25) -> None:
        from rank_bm25 import BM25Okapi

        okapi = BM25Okapi(tokens, k1=recipe.k1, b=recipe.b)
        self._catalogue = catalogue
        self._tokenizer = recipe.tokenizer
        self._tokens = {token: number for number, token in enumerate(okapi.idf)}
        self._rows, self._weights, self._starts = self._postings(okapi)

    def search(self, queries: Sequence[Query], k: int) -> list[Ranking]:
        """One ranking of at most k hits per query: chunks that hold a token of it. Only `query.text` is read."""
        tokens = tokenize(self._tokenizer, [query.text for query in queries])
        return [self._one(found, query.allowed, k) for found, query in zip(tokens, queries, strict=True)]

    def _one(self, tokens: Sequence[str], allowed: frozenset[str] | None, k: int) -> Ranking:
        scores = np.zeros(len(self._catalogue))
        for number in (self._tokens[token] for token in tokens if token in self._tokens):
            posting = slice(self._starts[number], self._starts[number + 1])
            scores[self._rows[posting]] += self._weights[posting]
        if allowed is not None:
            scores[~self._catalogue.visible(allowed)] = 0.0
        return self._catalogue.ranking(np.arange(len(scores)), scores, k)

    def _postings(self, okapi: Any) -> tuple[Rows, NDArray[np.float64], Rows]:
        """Rows and weights token by token, and where each token starts.

        The weights are the summands of `BM25Okapi.get_scores`, operation by operation: added up in the order of the
        query they give its scores bit for bit, without its walk over all chunks for each word.
        """
        numbers = np.array([self._tokens[token] for counts in okapi.doc_freqs for token in counts])
        tf = np.array([count for counts in okapi.doc_freqs for count in counts.values()])
        rows = np.repeat(np.arange(okapi.corpus_size), [len(counts) for counts in okapi.doc_freqs])
        length = np.array(okapi.doc_len)[rows]
        idf = np.array(list(okapi.idf.values()))[numbers]
        idf = np.where(idf > 0, idf, _LEAST_IDF)
        k1, b = okapi.k1, okapi.b
        weights = idf * (tf * (k1 + 1) / (tf + k1 * (1 - b + b * length / okapi.avgdl)))
        order = np.argsort(numbers, kind="stable")
        starts = np.concatenate([[0], np.cumsum(np.bincount(numbers))])
        return rows[order], weights[order], starts
