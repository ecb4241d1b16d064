"""bge-small-en-v1.5 on this machine."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

from harness.embedding.checks import unit_vectors
from harness.errors import ConfigError
from harness.local_models import MAX_PIECES, ModelFiles, Transformer, locate, transformer, windows
from harness.protocols import Vectors

DIMENSION = 384
_WINDOW = MAX_PIECES - 2
_OVERLAP = 64


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class BgeSmall:
    """BAAI/bge-small-en-v1.5 (Xiao et al. 2023, C-Pack), INT8 ONNX: CLS pooling, 384 dimensions, unit length.

    A text of more than 512 word pieces is embedded in overlapping windows, whose unit vectors are averaged: nothing is
    cut. The graph quantises activations per call, so each window is a call of its own: its vector never depends on
    its neighbours.
    """

    directory: str = ""
    """Folder with another model.onnx and tokenizer.json of the same architecture; empty is the built-in model."""
    query_prefix: str = "Represent this sentence for searching relevant passages: "
    """Put before a query, never before a passage."""
    threads: Annotated[int, Field(ge=1, le=64)] = 2
    """Texts embedded at once; changes the speed only."""

    @property
    def identity(self) -> str:
        """Model, revision, pooling, windows and query prefix."""
        return (
            f"bge-small-en-v1.5 {self._files.revision}, {DIMENSION} dimensions, CLS, unit length, "
            f"windows {_WINDOW}/{_OVERLAP}, prefix {self.query_prefix!r}"
        )

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors of passages, float32[n, 384].

        Raises:
            StageError: for a blank text; it names the text.
            ConfigError: when the model is not installed.
        """
        return unit_vectors(self._vectors(texts), texts, self.identity)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of queries, each with the prefix before it, float32[n, 384]."""
        return unit_vectors(self._vectors([self.query_prefix + text for text in texts]), texts, self.identity)

    def _vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        model = transformer(self._files)
        with ThreadPoolExecutor(self.threads) as pool:
            rows = list(pool.map(lambda text: _vector(model, text), texts))
        return np.array(rows, dtype=np.float32).reshape(len(texts), DIMENSION)

    @cached_property
    def _files(self) -> ModelFiles:
        return locate("bge_small", self.directory)


def _vector(model: Transformer, text: str) -> NDArray[np.float32]:
    """Mean of the windows' unit vectors."""
    parts = [_cls(model.run(window)) for window in windows(model.pieces(text), _WINDOW, _OVERLAP)]
    return np.asarray(np.mean([part / np.linalg.norm(part) for part in parts], axis=0), dtype=np.float32)


def _cls(output: NDArray[np.float32]) -> NDArray[np.float32]:
    """The state of the first piece, [CLS], out of float32[1, pieces, 384]."""
    if output.ndim != 3 or output.shape[2] != DIMENSION:
        raise ConfigError(
            f"the model's first output has the shape {output.shape}; (1, pieces, {DIMENSION}) is needed: see `directory`"
        )
    state: NDArray[np.float32] = output[0, 0]
    return state
