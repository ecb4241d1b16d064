"""Clusters: questions about one document rise and fall together, so the document is the unit that is resampled."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
"""float64[n]."""


def codes(n: int, groups: Sequence[str] | None) -> NDArray[np.intp] | None:
    """Cluster number of each value; None when every value is its own cluster. An empty name is a cluster of its own.

    Raises:
        ValueError: when there is not one group per value.
    """
    if groups is None:
        return None
    names = named(n, groups)
    place_of = {name: place for place, name in enumerate(dict.fromkeys(names))}
    return None if len(place_of) == n else np.array([place_of[name] for name in names], dtype=np.intp)


def named(n: int, groups: Sequence[str] | None, prefix: str = "") -> list[str]:
    """A cluster name for each value, with a name of its own for those that have none; `prefix` keeps these apart.

    Raises:
        ValueError: when there is not one group per value.
    """
    known = [""] * n if groups is None else groups
    if len(known) != n:
        raise ValueError(f"{len(known)} groups for {n} values: one group per value is needed")
    return [name or f"\0{prefix}{place}" for place, name in enumerate(known)]


def sums(values: Sequence[float] | Floats, groups: Sequence[str] | None) -> tuple[Floats, Floats]:
    """Sum and size of each cluster, float64[clusters]; of float64[n, columns] the sums are float64[clusters, columns]."""
    array = np.asarray(values, dtype=float)
    number = codes(len(array), groups)
    if number is None:
        return array, np.ones(len(array))
    totals = np.stack([np.bincount(number, weights=column) for column in np.atleast_2d(array.T)], axis=-1, dtype=float)
    return totals.reshape(-1, *array.shape[1:]), np.bincount(number).astype(float)


def telling(values: Sequence[float] | Floats, groups: Sequence[str] | None) -> Sequence[str] | None:
    """The groups, or None where they would make varying values certain.

    When every cluster has the same mean, the cluster-robust standard error is 0 however much the values vary inside. Such
    clusters say nothing of the spread, and each value has to speak for itself.
    """
    totals, sizes = sums(values, groups)
    array = np.asarray(values, dtype=float)
    if len(totals) < 2 or np.ptp(array) == 0:
        return groups
    residuals = totals - sizes * (totals.sum() / sizes.sum())
    return None if np.abs(residuals).max() <= 1e-12 * np.abs(array).sum() else groups


def standard_error(values: Sequence[float] | Floats, groups: Sequence[str] | None) -> tuple[float, int]:
    """Cluster-robust standard error of the mean, and its degrees of freedom (clusters - 1).

    Liang & Zeger 1986 with the G/(G-1) correction: residual sums of clusters are independent, values inside are not.
    """
    totals, sizes = sums(values, groups)
    count, n = len(totals), float(sizes.sum())
    if count < 2:
        return float("inf"), 0
    residuals = totals - sizes * (totals.sum() / n)
    return float(np.sqrt(count / (count - 1) * np.sum(residuals**2)) / n), count - 1
