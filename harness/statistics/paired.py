"""Sign-flip randomisation: could a mean this low come from differences that are as likely up as down?

Fisher 1935; for retrieval experiments Smucker, Allan & Carterette 2007. Differences of one cluster are flipped together.
"""

from collections.abc import Sequence
from functools import cache
from itertools import product

import numpy as np

from harness.statistics.clusters import Floats, sums
from harness.statistics.resampling import Table

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
    return float(sign_flips(np.asarray(differences, dtype=float)[:, None], groups, seed, draws)[0])


def sign_flips(table: Table, groups: Sequence[str] | None = None, seed: int = 0, draws: int = 10_000) -> Floats:
    """`sign_flip` of many columns on the same random patterns, float64[columns].

    A column alone gives the same p as beside others that have the same non-zero clusters.

    Args:
        table: float64[n, columns] of differences.
        groups: cluster of each row.
        seed: of the random patterns.
        draws: number of random patterns.
    """
    totals, _ = sums(table, groups)
    scale = np.abs(totals).sum(axis=0)
    values = np.where(np.abs(totals) > 1e-12 * np.maximum(scale, 1.0), totals, 0.0)
    limits = values.sum(axis=0) + 1e-9 * scale
    filled = np.count_nonzero(values, axis=0)
    p = np.ones(values.shape[1])
    for column in np.flatnonzero((filled > 0) & (filled <= EXACT)):
        kept = values[values[:, column] != 0, column]
        p[column] = np.mean(_patterns(len(kept)) @ kept <= limits[column])
    if (drawn := np.flatnonzero(filled > EXACT)).size:
        kept = values[:, drawn]
        found = _count(kept[kept.any(axis=1)], limits[drawn], seed, draws)
        p[drawn] = (1 + found) / (1 + draws)
    return p


def smallest_p(n: int, groups: Sequence[str] | None = None, draws: int = 10_000) -> float:
    """The least p that `sign_flip` can give for n differences: all of one sign, in every cluster."""
    clusters = len(sums([0.0] * n, groups)[0])
    return 0.5**clusters if clusters <= EXACT else max(0.5**clusters, 1 / (1 + draws))


@cache
def _patterns(n: int) -> Table:
    """All patterns of n signs, float64[2^n, n]."""
    return np.array(list(product((1.0, -1.0), repeat=n)))


def _count(values: Table, limits: Floats, seed: int, draws: int) -> Floats:
    """How many random sign patterns sum to at most the limit, by column."""
    random, total, found = np.random.default_rng(seed), values.sum(axis=0), np.zeros(values.shape[1])
    block = np.empty((min(_BLOCK, draws), len(values)))
    for start in range(0, draws, _BLOCK):
        flipped = block[: min(_BLOCK, draws - start)]
        raw = np.frombuffer(random.bytes(len(flipped) * ((len(values) + 7) // 8)), dtype=np.uint8).reshape(len(flipped), -1)
        np.copyto(flipped, np.unpackbits(raw, axis=1, count=len(values)))
        found += np.count_nonzero(total - 2.0 * (flipped @ values) <= limits, axis=0)
    return found
