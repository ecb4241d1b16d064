"""What every embedder of the package holds its vectors to."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from harness.errors import StageError
from harness.protocols import Vectors


def unit_vectors(vectors: NDArray[np.floating], texts: Sequence[str], identity: str) -> Vectors:
    """The rows scaled to unit length, as float32[n, d].

    Raises:
        StageError: for a blank text, a zero vector or one with a value that is no number; it names the text.
    """
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    for number, (text, length) in enumerate(zip(texts, lengths[:, 0], strict=True)):
        if not text.strip() or not (np.isfinite(length) and length > 0):
            raise StageError(
                f"{identity!r} has no direction for text {number} of {len(texts)} ({text[:60]!r}, vector length {length}); "
                "a text with at least one word is needed: drop it, or look at how it was made"
            )
    return np.asarray(vectors / lengths, dtype=np.float32)
