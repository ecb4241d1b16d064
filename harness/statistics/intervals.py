"""Intervals of a mean that cover what they claim.

Clustered values: t interval of the cluster-robust standard error (20 documents x 5 questions: naive intervals cover 80 %).
Zeros and ones: Wilson. Other values: t when many; while few, whatever lies in either t or BCa bootstrap, for BCa is too
narrow where few values differ and t where they are skewed. Values that never vary are no certainty: unseen ones may
still differ, and the interval says how many.
"""

from collections.abc import Sequence
from math import sqrt

import numpy as np

from harness.statistics.clusters import Floats, codes, standard_error, sums

Interval = tuple[float, float]
"""Lower and upper end."""

_DRAWS = 2_000
_MANY = 200


def mean_interval(
    values: Sequence[float],
    groups: Sequence[str] | None = None,
    seed: int = 0,
    confidence: float = 0.95,
    bounds: Interval | None = None,
) -> Interval | None:
    """Two-sided interval of the mean; None when the values cannot say (fewer than 2, one cluster, no known range).

    Args:
        values: one per question.
        groups: cluster of each value; None, or all distinct, is no clustering.
        seed: of the bootstrap.
        confidence: chance that the interval covers the mean.
        bounds: what values can be; without it [0, 1] or [-1, 1] if the values lie there, else unbounded.
    """
    array = np.asarray(values, dtype=float)
    if len(array) < 2:
        return None
    reach = bounds or _reach(array)
    if np.ptp(array) == 0:
        return _constant(float(array[0]), len(sums(values, groups)[0]), confidence, reach)
    if codes(len(array), groups) is None and reach == (0.0, 1.0) and set(np.unique(array)) <= {0.0, 1.0}:
        return wilson(int(array.sum()), len(array), confidence)
    interval = _robust_t(values, groups, confidence)
    if interval and codes(len(array), groups) is None and len(array) < _MANY:
        low, high = bca(array, seed, confidence)
        interval = min(low, interval[0]), max(high, interval[1])
    return interval and (max(reach[0], interval[0]), min(reach[1], interval[1]))


def wilson(successes: int, n: int, confidence: float = 0.95) -> Interval:
    """Wilson's score interval of a proportion (Wilson 1927)."""
    from scipy.special import ndtri

    z = float(ndtri(0.5 + confidence / 2))
    share = successes / n
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return max(0.0, centre - half), min(1.0, centre + half)


def bca(values: Floats, seed: int = 0, confidence: float = 0.95, draws: int = _DRAWS) -> Interval:
    """Bias-corrected and accelerated bootstrap interval of the mean (Efron 1987)."""
    from scipy.special import ndtr, ndtri

    n, mean = len(values), float(values.mean())
    picks = np.random.default_rng(seed).integers(0, n, size=(draws, n))
    means = np.sort(values[picks].mean(axis=1))
    below = (np.count_nonzero(means < mean - 1e-12) + np.count_nonzero(means <= mean + 1e-12)) / (2 * draws)
    bias = float(ndtri(min(max(below, 0.5 / draws), 1 - 0.5 / draws)))
    residuals = values - mean
    acceleration = float(np.sum(residuals**3) / (6.0 * np.sum(residuals**2) ** 1.5))
    z = bias + ndtri(np.array([0.5 - confidence / 2, 0.5 + confidence / 2]))
    ends = np.quantile(means, ndtr(bias + z / (1 - acceleration * z)))
    return float(ends[0]), float(ends[1])


def _robust_t(values: Sequence[float], groups: Sequence[str] | None, confidence: float) -> Interval | None:
    from scipy.special import stdtrit

    error, freedom = standard_error(values, groups)
    if not freedom:
        return None
    mean, half = float(np.mean(values)), float(stdtrit(freedom, 0.5 + confidence / 2)) * error
    return mean - half, mean + half


def _constant(value: float, clusters: int, confidence: float, reach: Interval) -> Interval | None:
    """All equal: up to 1 - a^(1/n) of the unseen may lie anywhere in reach (Clopper & Pearson 1934)."""
    if not np.isfinite(reach).all() or clusters < 2:
        return None
    unseen = 1.0 - (0.5 - confidence / 2) ** (1.0 / clusters)
    return value - unseen * (value - reach[0]), value + unseen * (reach[1] - value)


def _reach(values: Floats) -> Interval:
    low, high = float(values.min()), float(values.max())
    if low < -1 or high > 1:
        return -np.inf, np.inf
    return (0.0, 1.0) if low >= 0 else (-1.0, 1.0)
