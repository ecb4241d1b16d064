"""BM25 by the package rank_bm25 itself: slow, and what the fast engine is held against."""

from collections.abc import Sequence

import numpy as np

from harness.retrieval.bm25_fast import LEAST_IDF, Counts, Scores, Variant
from harness.retrieval.tokenizers import refuse_string


class RankBM25:
    """An index of rank_bm25 that gives no score to chunks without a word of the query.

    BM25Plus has a score above 0 for every chunk, and with b=1 an empty chunk has none that is a number: only chunks that hold a
    token count. Where BM25Okapi leaves an idf that is not positive it is 1e-30, as in the fast engine.
    """

    mean_idf: float
    """Of all tokens, before any is raised."""

    def __init__(self, counts: Counts, variant: Variant, k1: float, b: float) -> None:
        from rank_bm25 import BM25L, BM25Okapi, BM25Plus

        self._model = {"okapi": BM25Okapi, "plus": BM25Plus, "l": BM25L}[variant](counts.lists, k1=k1, b=b)
        if variant != "okapi":
            self.mean_idf = sum(self._model.idf.values()) / len(self._model.idf)
        else:
            self.mean_idf = self._model.average_idf
            self._model.idf = {word: idf if idf > 0 else LEAST_IDF for word, idf in self._model.idf.items()}

    def scores(self, tokens: Sequence[str]) -> Scores:
        """A score per chunk: that of `get_scores` where the chunk holds a token, else 0.

        Raises:
            StageError: when the tokens are a string.
        """
        refuse_string(tokens, "tokens")
        asked = set(tokens)
        matched = [not asked.isdisjoint(held) for held in self._model.doc_freqs]
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(matched, self._model.get_scores(tokens), 0.0)
