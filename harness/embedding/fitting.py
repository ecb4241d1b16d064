"""Embedders that learn from the passages they are to embed."""

from collections.abc import Sequence

from harness.protocols import Embedder
from harness.types import Chunk


def fitted(embedder: Embedder, chunks: Sequence[Chunk]) -> Embedder:
    """The embedder that learned from the chunks, each with its questions, where it has a `fit`; otherwise the embedder itself.

    What was learned is part of the fitted embedder's identity: an index built with it takes no other's vectors.
    """
    fit = getattr(embedder, "fit", None)
    learned: Embedder = fit(["\n".join((chunk.indexed_text, *chunk.questions)) for chunk in chunks]) if fit else embedder
    return learned
