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
    if len(groups) != n:
        raise ValueError(f"{len(groups)} groups for {n} values: one group per value is needed")
    names = [name or f"\0{place}" for place, name in enumerate(groups)]
    place_of = {name: place for place, name in enumerate(dict.fromkeys(names))}
    return None if len(place_of) == n else np.array([place_of[name] for name in names], dtype=np.intp)


def sums(values: Sequence[float], groups: Sequence[str] | None) -> tuple[Floats, Floats]:
    """Sum and size of each cluster, float64[clusters]."""
    array = np.asarray(values, dtype=float)
    number = codes(len(array), groups)
    if number is None:
        return array, np.ones(len(array))
    return np.bincount(number, weights=array).astype(float), np.bincount(number).astype(float)


def standard_error(values: Sequence[float], groups: Sequence[str] | None) -> tuple[float, int]:
    """Cluster-robust standard error of the mean, and its degrees of freedom (clusters - 1).

    Liang & Zeger 1986 with the G/(G-1) correction: residual sums of clusters are independent, values inside are not.
    """
    totals, sizes = sums(values, groups)
    count, n = len(totals), float(sizes.sum())
    if count < 2:
        return float("inf"), 0
    residuals = totals - sizes * (totals.sum() / n)
    return float(np.sqrt(count / (count - 1) * np.sum(residuals**2)) / n), count - 1
