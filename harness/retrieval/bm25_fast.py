"""BM25 by postings: the scores of rank_bm25, bit for bit, without its walk over all chunks for each word.

Each weight is the summand that rank_bm25 adds to a chunk's score for a word, computed operation by operation as there; added
up in the order of the query they give its scores.
"""

from collections import defaultdict
from collections.abc import Sequence
from itertools import chain, pairwise
from math import log
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from harness.protocols import Rows
from harness.retrieval.tokenizers import refuse_string

Variant = Literal["okapi", "plus", "l"]
"""rank_bm25's BM25Okapi, BM25Plus and BM25L."""

Scores = NDArray[np.float64]

LEAST_IDF = 1e-30
"""Added to an ordinary score it vanishes in float64, so all other scores stay those of rank_bm25, bit for bit."""

_EPSILON = 0.25
"""Share of the mean idf that stands in for a negative one; rank_bm25's default."""

_DELTA_PLUS, _DELTA_L = 1, 0.5
"""What each word found adds at least; the defaults of Lv and Zhai, and of rank_bm25."""


class Counts:
    """The tokens of chunks as numbers, in the order in which they first occur."""

    def __init__(self) -> None:
        self._numbers: defaultdict[str, int] = defaultdict()
        self._numbers.default_factory = self._numbers.__len__
        self._found: list[NDArray[np.int32]] = []
        self._lengths: list[int] = []

    def add(self, chunks: Sequence[Sequence[str]]) -> None:
        """Takes in the tokens of more chunks.

        Raises:
            StageError: when a chunk's tokens are a string.
        """
        for tokens in chunks:
            refuse_string(tokens, "tokens")
        self._found.append(np.fromiter(map(self._numbers.__getitem__, chain.from_iterable(chunks)), np.int32))
        self._lengths += map(len, chunks)

    @property
    def numbers(self) -> dict[str, int]:
        """Number by token."""
        return dict(self._numbers)

    @property
    def found(self) -> NDArray[np.int32]:
        """The numbers of all tokens, chunk after chunk."""
        return np.concatenate(self._found)

    @property
    def lengths(self) -> Rows:
        """Tokens in each chunk."""
        return np.array(self._lengths, dtype=np.int64)

    @property
    def lists(self) -> list[list[str]]:
        """The tokens of each chunk, as they were given."""
        names, found = list(self._numbers), self.found.tolist()
        ends = np.cumsum(self.lengths).tolist()
        return [[names[number] for number in found[start:end]] for start, end in pairwise([0, *ends])]


class Postings:
    """What each token adds to each chunk that holds it."""

    mean_idf: float
    """Of all tokens, before any is raised."""

    def __init__(self, counts: Counts, variant: Variant, k1: float, b: float) -> None:
        lengths = counts.lengths
        self._tokens = counts.numbers
        self._size = len(lengths)
        self._starts, self._rows, tf = _occurrences(counts, len(self._tokens))
        frequencies = np.diff(self._starts)
        idf, self.mean_idf = _idf(variant, frequencies, self._size)
        mean = int(lengths.sum()) / self._size
        relative = (1 - b + b * lengths.astype(np.float64) / mean)[self._rows]
        self._weights = _weights(variant, np.repeat(idf, frequencies), tf, relative, k1)
        self._floor = idf * _DELTA_PLUS if variant == "plus" else None

    def scores(self, tokens: Sequence[str]) -> Scores:
        """A score per chunk: rank_bm25's where the chunk holds a token, else 0.

        Raises:
            StageError: when the tokens are a string.
        """
        refuse_string(tokens, "tokens")
        numbers = [self._tokens[token] for token in tokens if token in self._tokens]
        return self._sums(numbers) if self._floor is None else self._floored(numbers, self._floor)

    def _sums(self, numbers: Sequence[int]) -> Scores:
        scores = np.zeros(self._size)
        for number in numbers:
            rows, weights = self._posting(number)
            scores[rows] += weights
        return scores

    def _floored(self, numbers: Sequence[int], floor: Scores) -> Scores:
        """Sums in which a token adds something to chunks without it too, as BM25Plus of rank_bm25 has it."""
        scores, matched = np.zeros(self._size), np.zeros(self._size, dtype=np.bool_)
        for number in numbers:
            rows, weights = self._posting(number)
            raised = scores[rows] + weights
            scores += floor[number]
            scores[rows] = raised
            matched[rows] = True
        return np.where(matched, scores, 0.0)

    def _posting(self, number: int) -> tuple[Rows, Scores]:
        posting = slice(self._starts[number], self._starts[number + 1])
        return self._rows[posting].astype(np.int64), self._weights[posting]


def _occurrences(counts: Counts, tokens: int) -> tuple[Rows, NDArray[np.int32], NDArray[np.int32]]:
    """Where each token starts, and token by token the rows that hold it, ascending, and how often."""
    from scipy.sparse import csr_array

    lengths, found = counts.lengths, counts.found
    starts = np.concatenate([[0], np.cumsum(lengths)])
    held = csr_array((np.ones(len(found), dtype=np.int32), found, starts), shape=(len(lengths), tokens)).tocsc()
    held.sum_duplicates()
    return held.indptr, held.indices.astype(np.int32), held.data


def _weights(variant: Variant, idf: Scores, tf: NDArray[np.int32], relative: Scores, k1: float) -> Scores:
    """One summand a posting; `relative` is the length of its chunk against the mean, tempered by b."""
    match variant:
        case "okapi":
            return idf * (tf * (k1 + 1) / (tf + k1 * relative))
        case "plus":
            return idf * (_DELTA_PLUS + (tf * (k1 + 1)) / (k1 * relative + tf))
        case "l":
            tempered = tf / relative
            return idf * tf * (k1 + 1) * (tempered + _DELTA_L) / (k1 + tempered + _DELTA_L)


def _idf(variant: Variant, frequencies: Rows, size: int) -> tuple[Scores, float]:
    """Of each token, from the number of chunks that hold it, and their mean, added up in the order of the tokens."""
    held = frequencies.tolist()
    match variant:
        case "okapi":
            idf = np.array([log(size - count + 0.5) - log(count + 0.5) for count in held])
        case "plus":
            idf = np.array([log((size + 1) / count) for count in held])
        case "l":
            idf = np.array([log(size + 1) - log(count + 0.5) for count in held])
    mean = float(np.cumsum(idf)[-1] / len(idf))
    if variant == "okapi":
        idf = np.where(idf < 0, _EPSILON * mean, idf)
        idf = np.where(idf > 0, idf, LEAST_IDF)
    return idf, mean
