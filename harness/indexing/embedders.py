"""The embedder of an index: what it learned is kept, its vectors are looked up, and no other may take its place."""

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from harness.cache import CachedEmbedder
from harness.errors import ConfigError, Problem, StageError, StoreError
from harness.fingerprint import digest
from harness.indexing.manifest import Manifest
from harness.protocols import Embedder, Progress, Vectors
from harness.types import Chunk

_BLOCK = 256
"""Texts embedded between two reports of progress."""


def text_digest(text: str) -> str:
    """The name of a text's vector: SHA-256 of its UTF-8."""
    return digest(text.encode("utf-8", "surrogatepass"))


def embedded_texts(chunks: Sequence[Chunk]) -> dict[str, str]:
    """Every distinct text that is embedded for the chunks, by digest, sorted by it."""
    texts = {text for chunk in chunks if chunk.searched for text in (chunk.indexed_text, *chunk.questions)}
    return dict(sorted((text_digest(text), text) for text in texts))


def embed(embedder: Embedder, texts: Sequence[str], progress: Progress) -> list[Vectors]:
    """One vector a text."""
    found: list[Vectors] = []
    for start in range(0, len(texts), _BLOCK):
        progress("embed chunks", start, len(texts))
        found += list(embedder.embed(texts[start : start + _BLOCK]))
    progress("embed chunks", len(texts), len(texts))
    return found


def learned(embedder: Embedder) -> bytes:
    """What an embedder learned from its passages; empty for one that learns nothing."""
    state: bytes = getattr(_inner(embedder), "learned", b"")
    return state


def of_index(manifest: Manifest, state: bytes, embedder: Embedder) -> Embedder:
    """The embedder that a config names, with what the index's learned; queries asked with it meet the stored vectors.

    Raises:
        ConfigError: I001, when it is not the one that the index was built with.
        StoreError: I002, when it cannot read what the index's learned.
    """
    check_identity(manifest, embedder)
    ready = _restored(embedder, state) if state else embedder
    if ready.identity != manifest.embedder:
        raise _other(manifest.embedder, ready.identity)
    return ready


def check_identity(manifest: Manifest, embedder: Embedder) -> None:
    """That a config's embedder is the index's.

    Raises:
        ConfigError: I001, with both names.
    """
    if embedder.identity != manifest.recipe:
        raise _other(manifest.recipe, embedder.identity)


def _other(built: str, asked: str) -> ConfigError:
    what = f"the index was built with the embedder {built!r}; the config asks for {asked!r}"
    why = "Vectors of two embedders cannot be compared."
    fix = "leave the embedder as it is, or run `harness index reembed embedder=...` to embed everything anew."
    return ConfigError("The index has another embedder.", [Problem("I001", "embedder", what, why, fix)])


def _inner(embedder: Embedder) -> Any:
    return embedder.inner if isinstance(embedder, CachedEmbedder) else embedder


def _restored(embedder: Embedder, state: bytes) -> Embedder:
    try:
        ready: Embedder = _inner(embedder).restore(state)
    except (StageError, AttributeError, ValueError, MemoryError, zlib.error) as error:
        what = f"is not what {embedder.identity!r} learned ({error or type(error).__name__})"
        fix = "take the index back from a copy, or run `harness index reembed`."
        raise StoreError("The index is damaged.", [Problem("I002", "learned.bin", what, fix=fix)]) from error
    return replace(embedder, inner=ready) if isinstance(embedder, CachedEmbedder) else ready


class StoredEmbedder:
    """Looks passages up among the vectors of an index; only what is asked of it goes to the model.

    While indexes are built, a passage without a vector is an error: the index would silently be paid for again. Once it answers,
    a passage that is none of the corpus (HyDE's made-up answer) is embedded by the model too.
    """

    def __init__(self, vectors: Vectors, rows: Mapping[str, int], model: Embedder) -> None:
        self._vectors, self._rows, self._model = vectors, rows, model
        self._answers = False

    @property
    def identity(self) -> str:
        """The model's."""
        return self._model.identity

    def answer(self) -> None:
        """From now on passages that are not held are embedded."""
        self._answers = True

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors of passages, float32[n, d].

        Raises:
            StoreError: I002, for a passage without a vector while indexes are built.
        """
        rows = [self._rows.get(text_digest(text)) for text in texts]
        if None not in rows:
            return self._vectors[np.array(rows, dtype=np.int64)]
        if self._answers:
            return self._model.embed(texts)
        missing = [text for text, row in zip(texts, rows, strict=True) if row is None]
        what = f"{len(missing)} of {len(texts)} texts have no vector, such as {missing[0][:60]!r}"
        problem = Problem(
            "I002", "vectors.npy", what, "They would be embedded again at every start.", "run `harness index reembed`."
        )
        raise StoreError("The index is not whole.", [problem])

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of queries by the model, float32[n, d]."""
        return self._model.embed_queries(texts)
