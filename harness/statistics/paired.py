"""Sign-flip randomisation: could a mean this low come from differences that are as likely up as down?

Fisher 1935; for retrieval experiments Smucker, Allan & Carterette 2007. Differences of one cluster are flipped together.
"""

from collections.abc import Sequence
from itertools import product

import numpy as np

from harness.statistics.clusters import Floats, sums

EXACT = 12
"""Up to this many non-zero clusters all 2^n sign patterns are counted."""
_BLOCK = 512


def sign_flip(differences: Sequence[float], groups: Sequence[str] | None = None, seed: int = 0, draws: int = 10_000) -> float:
    """One-sided p that the mean is this far below 0 by chance: the share of sign patterns with a mean no higher.

    Exact for up to 12 non-zero clusters, else (1 + patterns) / (1 + draws), which is never 0. Without any non-zero
    difference it is 1.

    Args:
        differences: this run minus baseline, per question, so that lower is worse.
        groups: cluster of each difference; None or all distinct flips each by itself.
        seed: of the random patterns.
        draws: number of random patterns.
    """
    totals, _ = sums(differences, groups)
    scale = float(np.abs(totals).sum())
    values = totals[np.abs(totals) > 1e-12 * max(scale, 1.0)]
    if not len(values):
        return 1.0
    limit = float(values.sum()) + 1e-9 * scale
    if len(values) <= EXACT:
        signs = np.array(list(product((1.0, -1.0), repeat=len(values))))
        return float(np.mean(signs @ values <= limit))
    return (1 + _count(values, limit, seed, draws)) / (1 + draws)


def smallest_p(n: int, groups: Sequence[str] | None = None, draws: int = 10_000) -> float:
    """The least p that `sign_flip` can give for n differences: all of one sign, in every cluster."""
    clusters = len(sums([0.0] * n, groups)[0])
    return 0.5**clusters if clusters <= EXACT else max(0.5**clusters, 1 / (1 + draws))


def _count(values: Floats, limit: float, seed: int, draws: int) -> int:
    """How many random sign patterns sum to at most the limit."""
    random, total, found = np.random.default_rng(seed), float(values.sum()), 0
    for start in range(0, draws, _BLOCK):
        rows = min(_BLOCK, draws - start)
        raw = np.frombuffer(random.bytes(rows * ((len(values) + 7) // 8)), dtype=np.uint8).reshape(rows, -1)
        flipped = np.unpackbits(raw, axis=1, count=len(values)).astype(float)
        found += int(np.count_nonzero(total - 2.0 * (flipped @ values) <= limit))
    return found
