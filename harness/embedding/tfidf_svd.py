"""Latent semantic analysis: an embedder that learns from the passages themselves and needs no model."""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass as record
from functools import cached_property
from hashlib import sha256
from io import BytesIO
from typing import Annotated, Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray
from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

from harness.embedding.checks import unit_vectors
from harness.errors import StageError
from harness.protocols import Vectors
from harness.text import words

_ITERATIONS = 5
_SEED = 0
_LEAST_SINGULAR = 1e-6
"""Of the largest singular value: below it a component holds rounding alone and is left out."""
_LEAST_LENGTH = 1e-4
"""Of a text, which has length 1 before it is projected: below it nothing of it lies in the learned space."""


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class TfidfSvd:
    """TF-IDF of words, reduced by a truncated singular value decomposition (Deerwester et al. 1990).

    scikit-learn's TfidfVectorizer (1 + ln tf, smoothed idf) and randomized SVD (Halko et al. 2011). The last dimension is
    apart: a passage that has nothing in the learned space has -1 there, a query +1, so that a query of unknown words
    finds nothing.
    """

    dimension: Annotated[int, Field(ge=2, le=4096)] = 256
    """Length of the vectors; shorter where the passages span fewer."""
    max_features: Annotated[int, Field(ge=2)] = 50_000
    """Words that it knows at most, the most frequent ones."""
    sample: Annotated[int, Field(ge=1)] = 20_000
    """Passages that it learns from at most, evenly spaced."""

    @property
    def identity(self) -> str:
        """Recipe and parameters."""
        return (
            f"tfidf-svd, at most {self.dimension} dimensions, {self.max_features} words, {self.sample} passages, "
            f"{_ITERATIONS} iterations, seed {_SEED}, unit length"
        )

    def fit(self, texts: Sequence[str]) -> "FittedTfidfSvd":
        """The embedder that learned words and components from passages; the same ones give the same bytes.

        It learns on one thread, so that the number of threads changes nothing.

        Raises:
            StageError: when no passage holds a word.
        """
        count = min(len(texts), self.sample)
        return FittedTfidfSvd(self.identity, *self._learned([texts[place * len(texts) // count] for place in range(count)]))

    def restore(self, learned: bytes) -> "FittedTfidfSvd":
        """The embedder that `learned` was taken from.

        Raises:
            StageError: when the bytes are damaged or another recipe's.
        """
        try:
            with np.load(BytesIO(learned), allow_pickle=False) as kept:
                recipe, vocabulary = (_text(kept[name]) for name in ("recipe", "words"))
                fitted = FittedTfidfSvd(recipe, tuple(vocabulary.split("\n")), kept["idf"], kept["components"])
        except (
            ValueError,
            TypeError,
            KeyError,
            EOFError,
            OSError,
            MemoryError,
            NotImplementedError,
            BadZipFile,
            zlib.error,
        ) as error:
            raise StageError(
                f"what {self.identity!r} had learned cannot be read: {error or type(error).__name__}; build the index anew"
            ) from error
        if recipe != self.identity:
            raise StageError(f"what was learned is that of {recipe!r}, not of {self.identity!r}; build the index anew")
        fitted.check()
        return fitted

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Never: it has learned nothing.

        Raises:
            StageError: always.
        """
        raise StageError(
            f"{self.identity!r} must learn from the passages of an index before it embeds ({len(texts)} texts were given): "
            "`fit` gives the embedder that can. It serves as `embedder` of an index, not inside another stage"
        )

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Never, as `embed`."""
        return self.embed(texts)

    def _learned(self, texts: Sequence[str]) -> tuple[tuple[str, ...], NDArray[np.float32], NDArray[np.float32]]:
        """Words, their idf float32[words] and the components float32[dimensions, words]."""
        from sklearn.utils.extmath import randomized_svd
        from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

        vectorizer = _vectorizer(max_features=self.max_features)
        try:
            weights = vectorizer.fit_transform(texts).astype(np.float64)
        except ValueError as error:
            raise StageError(f"none of {len(texts)} passages holds a word, so {self.identity!r} can learn none") from error
        most = min(self.dimension - 1, *weights.shape)
        with threadpool_limits(1):
            _, lengths, components = randomized_svd(weights, most, n_iter=_ITERATIONS, random_state=_SEED)
        kept = components[lengths >= _LEAST_SINGULAR * lengths[0]]
        return tuple(vectorizer.get_feature_names_out().tolist()), vectorizer.idf_, kept.astype(np.float32)


@record(frozen=True, eq=False)
class FittedTfidfSvd:
    """What learned from passages, and embeds any text in their space."""

    recipe: str
    """Identity of the recipe."""
    known: tuple[str, ...]
    """The words that it knows, sorted."""
    idf: NDArray[np.float32]
    """Weight of each word, float32[words]."""
    components: NDArray[np.float32]
    """The space, float32[dimensions, words]."""

    @cached_property
    def identity(self) -> str:
        """Recipe, length of the vectors, and a digest of what was learned."""
        parts = ("\n".join(self.known).encode("utf-8", "surrogatepass"), self.idf.tobytes(), self.components.tobytes())
        digest = sha256(b"\0".join(sha256(part).digest() for part in parts)).hexdigest()
        return f"{self.recipe}, learned {digest[:16]}: {self.dimension} dimensions, {len(self.known)} words"

    @property
    def dimension(self) -> int:
        """Length of the vectors: the components, and one for texts without any."""
        return len(self.components) + 1

    @property
    def learned(self) -> bytes:
        """What was learned, to be kept beside an index (npz); `TfidfSvd.restore` takes it back."""
        kept = BytesIO()
        np.savez(kept, recipe=_bytes(self.recipe), words=_bytes("\n".join(self.known)), idf=self.idf, components=self.components)
        return kept.getvalue()

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors of passages, float32[n, dimension].

        Raises:
            StageError: for a blank text; it names the text.
        """
        return self._vectors(texts, -1.0)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of queries; like passages, but for those that have nothing in the learned space."""
        return self._vectors(texts, 1.0)

    def check(self) -> None:
        """That its parts fit together.

        Raises:
            StageError: when they do not.
        """
        words_known = len(self.known)
        arrays_hold = self.idf.dtype == self.components.dtype == np.float32
        if not (arrays_hold and self.idf.shape == (words_known,) and self.components.shape[1:] == (words_known,)):
            raise StageError(
                f"what was learned has {words_known} words, weights {self.idf.shape} and components {self.components.shape} "
                "that do not fit together; build the index anew"
            )

    def _vectors(self, texts: Sequence[str], outside: float) -> Vectors:
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        if texts:
            vectors[:, :-1] = self._tfidf.transform(texts) @ self._projection
        nothing = np.linalg.norm(vectors, axis=1) < _LEAST_LENGTH
        vectors[nothing] = 0.0
        vectors[nothing, -1] = outside
        return unit_vectors(vectors, texts, self.identity)

    @cached_property
    def _tfidf(self) -> Any:
        vectorizer = _vectorizer(vocabulary={word: place for place, word in enumerate(self.known)})
        vectorizer.idf_ = self.idf
        return vectorizer

    @cached_property
    def _projection(self) -> NDArray[np.float32]:
        """float32[words, dimensions], word by word in memory."""
        return np.ascontiguousarray(self.components.T)


def _vectorizer(**settings: Any) -> Any:
    from sklearn.feature_extraction.text import TfidfVectorizer

    return TfidfVectorizer(tokenizer=words, token_pattern=None, lowercase=False, sublinear_tf=True, dtype=np.float32, **settings)


def _bytes(text: str) -> NDArray[np.uint8]:
    return np.frombuffer(text.encode("utf-8", "surrogatepass"), dtype=np.uint8)


def _text(kept: NDArray[np.uint8]) -> str:
    return kept.tobytes().decode("utf-8", "surrogatepass")
