"""Hashed words: the embedder that needs no model."""

from collections.abc import Sequence
from functools import cached_property
from typing import Annotated, Any

import numpy as np
from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

from harness.embedding.checks import unit_vectors
from harness.protocols import Vectors
from harness.text import words


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Hashing:
    """Counts of words and word pairs hashed into a fixed number of dimensions (scikit-learn HashingVectorizer).

    It knows no synonyms: a floor to measure models against, and the embedder of quick tests.
    """

    dimension: Annotated[int, Field(ge=2, le=2**20)] = 512
    """Length of the vectors; fewer make more words collide."""

    @property
    def identity(self) -> str:
        """Recipe and dimension."""
        return f"hashing words 1-2, {self.dimension} dimensions, unit length"

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors of texts, float32[n, dimension].

        Raises:
            StageError: for a text without a word; it names the text.
        """
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        return unit_vectors(self._vectorizer.transform(texts).toarray(), texts, self.identity)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """The same as `embed`."""
        return self.embed(texts)

    @cached_property
    def _vectorizer(self) -> Any:
        from sklearn.feature_extraction.text import HashingVectorizer

        return HashingVectorizer(
            n_features=self.dimension,
            ngram_range=(1, 2),
            tokenizer=words,
            token_pattern=None,
            lowercase=False,
            norm=None,
            dtype=np.float32,
        )
