"""Intervals of a mean that cover what they claim.

Zeros and ones, each a cluster of its own: Wilson. All other values: on each side the widest of three intervals, for each
is too narrow somewhere. t with the cluster-robust standard error, for naive intervals of 20 documents x 5 questions cover
80 %; t without clusters, for few clusters that happen to agree claim too much; and the BCa bootstrap of whole clusters,
for t is too narrow where values are skewed, as rare losses are. Over 2,000 clusters it is the two t intervals, and where
clusters say nothing of the spread (`clusters.telling`) it is the interval without clusters. Values that never vary are no
certainty: unseen ones may still differ, and the interval says how many.
"""

from collections.abc import Sequence
from math import sqrt

import numpy as np

from harness.statistics.clusters import Floats, codes, standard_error, sums, telling
from harness.statistics.resampling import Table, bootstrap_means

Interval = tuple[float, float]
"""Lower and upper end."""

_DRAWS = 2_000
_MANY = 2_000
"""Clusters over which t needs no help from the bootstrap."""


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
    groups = telling(array, groups)
    if codes(len(array), groups) is None and reach == (0.0, 1.0) and set(np.unique(array)) <= {0.0, 1.0}:
        return wilson(int(array.sum()), len(array), confidence)
    interval = _widest(array, groups, seed, confidence)
    return interval and (max(reach[0], interval[0]), min(reach[1], interval[1]))


def wilson(successes: int, n: int, confidence: float = 0.95) -> Interval:
    """Wilson's score interval of a proportion (Wilson 1927)."""
    from scipy.special import ndtri

    z = float(ndtri(0.5 + confidence / 2))
    share = successes / n
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return max(0.0, centre - half), min(1.0, centre + half)


def bca(
    values: Floats, groups: Sequence[str] | None = None, seed: int = 0, confidence: float = 0.95, draws: int = _DRAWS
) -> Interval:
    """Bias-corrected and accelerated bootstrap interval of the mean, whole clusters resampled together (Efron 1987)."""
    lows, highs = bca_columns(values[:, None], groups, seed, confidence, draws)
    return float(lows[0]), float(highs[0])


def bca_columns(
    table: Table, groups: Sequence[str] | None = None, seed: int = 0, confidence: float = 0.95, draws: int = _DRAWS
) -> tuple[Floats, Floats]:
    """BCa intervals of the means of many columns on shared resamples of whole clusters; no width where nothing varies.

    The acceleration is that of the jackknife over clusters.

    Args:
        table: float64[n, columns], such as the paired differences of every metric to every variant.
        groups: cluster of each row; None, or all distinct, is no clustering.
        seed: of the resamples.
        confidence: chance that an interval covers its mean.
        draws: number of resamples.

    Returns:
        Lower and upper ends, float64[columns].

    Raises:
        ValueError: for fewer than 2 clusters.
    """
    from scipy.special import ndtr, ndtri

    totals, sizes = sums(table, groups)
    if len(sizes) < 2:
        raise ValueError("all rows are of one cluster: a bootstrap needs at least 2")
    mean = totals.sum(axis=0) / sizes.sum()
    means = np.sort(bootstrap_means(table, groups, draws, seed), axis=0)
    below = (np.count_nonzero(means < mean - 1e-12, axis=0) + np.count_nonzero(means <= mean + 1e-12, axis=0)) / (2 * draws)
    bias = ndtri(np.clip(below, 0.5 / draws, 1 - 0.5 / draws))
    jackknife = (totals - sizes[:, None] * mean) / (sizes.sum() - sizes)[:, None]
    spread = np.sum(jackknife**2, axis=0) ** 1.5
    acceleration = np.sum(jackknife**3, axis=0) / np.where(spread > 0, 6.0 * spread, 1.0)
    z = bias + ndtri(np.array([[0.5 - confidence / 2], [0.5 + confidence / 2]]))
    low, high = _quantiles(means, ndtr(bias + z / (1 - acceleration * z)))
    return low, high


def _quantiles(ordered: Table, shares: Table) -> Table:
    """Of each sorted column its own quantiles, float64[shares, columns], linear between neighbours."""
    place = shares * (len(ordered) - 1)
    low = np.floor(place).astype(np.intp)
    high = np.minimum(low + 1, len(ordered) - 1)
    columns = np.arange(ordered.shape[1])
    return ordered[low, columns] + (place - low) * (ordered[high, columns] - ordered[low, columns])


def _widest(values: Floats, groups: Sequence[str] | None, seed: int, confidence: float) -> Interval | None:
    """The lowest low and the highest high of t, t without clusters, and BCa; None for a single cluster."""
    error, freedom = standard_error(values, groups)
    if not freedom:
        return None
    mean = float(np.mean(values))
    found = [_t(mean, error, freedom, confidence)]
    if codes(len(values), groups) is not None:
        found.append(_t(mean, *standard_error(values, None), confidence))
    if freedom < _MANY:
        found.append(bca(values, groups, seed, confidence))
    return min(low for low, _ in found), max(high for _, high in found)


def _t(mean: float, error: float, freedom: int, confidence: float) -> Interval:
    from scipy.special import stdtrit

    half = float(stdtrit(freedom, 0.5 + confidence / 2)) * error
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
