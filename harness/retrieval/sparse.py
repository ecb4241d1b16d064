"""BM25 with the scores of rank_bm25."""

from array import array
from collections import defaultdict
from collections.abc import Iterable, Sequence
from math import log
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

from harness.errors import StageError
from harness.protocols import Embedder, Progress, silent
from harness.retrieval.ordering import Catalogue, Rows
from harness.retrieval.tokenizers import TokenizerName, tokenize
from harness.types import Chunk, Query, Ranking

_EPSILON = 0.25
"""Share of the mean idf that stands in for a negative one."""

_LEAST_IDF = 1e-30
"""Added to an ordinary score it vanishes in float64, so all other scores stay those of rank_bm25, bit for bit."""

_BLOCK = 1000
"""Chunks read between two reports of progress."""


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class BM25:
    """Okapi BM25 as `rank_bm25.BM25Okapi` computes it (Robertson et al. 1994; epsilon rule of rank_bm25, 0.25).

    Okapi's idf, ln((N - n + 0.5) / (n + 0.5)), is zero for a word in half of the chunks and negative above; rank_bm25
    raises a negative one to 0.25 x the mean idf, which in a small corpus is itself negative. A chunk that holds a word
    of the query would then score no more than one that holds none. So a word whose idf is still not positive counts
    1e-30: its chunks are found, behind all that match a telling word, and every other score is exactly rank_bm25's.

    The words of a chunk's questions count like words of its text (Nogueira et al. 2019, arXiv 1904.08375).
    """

    k1: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 1.5
    """How slowly repeated words saturate."""
    b: Annotated[float, Field(ge=0, le=1)] = 0.75
    """How much long chunks are held back: 0 not at all, 1 fully."""
    tokenizer: TokenizerName = "stemmed"
    """stemmed, words or plain; the same for chunks and queries."""

    def index(self, chunks: Sequence[Chunk], embedder: Embedder, progress: Progress = silent) -> "BM25Index":
        """An index of the chunks' `indexed_text` and questions; the embedder is not used.

        Raises:
            StageError: when there is no chunk, or no chunk holds a word.
        """
        catalogue, counts = Catalogue(chunks), _Counts()
        for start in range(0, len(catalogue), _BLOCK):
            progress("index BM25", start, len(catalogue))
            counts.add(tokenize(self.tokenizer, [_read(chunk) for chunk in catalogue.chunks[start : start + _BLOCK]]))
        if not counts.numbers:
            raise StageError(
                f"none of the {len(catalogue)} chunks holds a word for the tokenizer {self.tokenizer!r}; "
                "at least one is needed: check the documents or choose another tokenizer"
            )
        progress("index BM25", len(catalogue), len(catalogue))
        return BM25Index(catalogue, counts, self)


class BM25Index:
    """What each token adds to each chunk that holds it. Searching changes nothing, so several threads may."""

    def __init__(self, catalogue: Catalogue, counts: "_Counts", recipe: BM25) -> None:
        self._catalogue = catalogue
        self._tokenizer = recipe.tokenizer
        self._tokens = dict(counts.numbers)
        self._rows, self._weights, self._starts = _postings(counts, recipe.k1, recipe.b)

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


class _Counts:
    """The tokens of chunks as numbers, in the order in which they first occur."""

    def __init__(self) -> None:
        self.numbers: defaultdict[str, int] = defaultdict()
        """Number of each token; a new one gets the next."""
        self.numbers.default_factory = self.numbers.__len__
        self.found = array("q")
        """The numbers of all tokens, chunk after chunk."""
        self.lengths = array("q")
        """Tokens in each chunk."""

    def add(self, chunks: Iterable[Sequence[str]]) -> None:
        """Takes in the tokens of more chunks."""
        for tokens in chunks:
            self.found.extend(map(self.numbers.__getitem__, tokens))
            self.lengths.append(len(tokens))


def _read(chunk: Chunk) -> str:
    return "\n".join((chunk.indexed_text, *chunk.questions))


def _postings(counts: _Counts, k1: float, b: float) -> tuple[Rows, NDArray[np.float64], Rows]:
    """Rows and weights token by token, and where each token starts.

    The weights are the summands of `BM25Okapi.get_scores`, operation by operation: added up in the order of the
    query they give its scores bit for bit, without its walk over all chunks for each word.
    """
    lengths = np.array(counts.lengths)
    size = len(lengths)
    pairs = np.array(counts.found) * size + np.repeat(np.arange(size), lengths)
    pairs, tf = np.unique(pairs, return_counts=True)
    numbers, rows = np.divmod(pairs, size)
    frequencies = np.bincount(numbers)
    idf = _idf(frequencies, size)[numbers]
    length, mean = lengths[rows], len(counts.found) / size
    weights = idf * (tf * (k1 + 1) / (tf + k1 * (1 - b + b * length / mean)))
    return rows, weights, np.concatenate([[0], np.cumsum(frequencies)])


def _idf(frequencies: Rows, size: int) -> NDArray[np.float64]:
    """Of each token, from the number of chunks that hold it; the mean is added up in the order of the tokens."""
    idf = np.array([log(size - count + 0.5) - log(count + 0.5) for count in frequencies.tolist()])
    mean = np.cumsum(idf)[-1] / len(idf)
    idf = np.where(idf < 0, _EPSILON * mean, idf)
    return np.where(idf > 0, idf, _LEAST_IDF)
