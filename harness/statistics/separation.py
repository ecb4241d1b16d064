"""How well a number tells two classes apart, with an interval, and whether one number does so better than another."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from harness.statistics.agreement import auroc
from harness.statistics.clusters import Floats
from harness.statistics.resampling import resample_weights

_DRAWS = 1_000


@dataclass(frozen=True, slots=True)
class Separation:
    """An AUROC, or a difference of two, with its 95 % bootstrap interval over whole clusters (Efron 1979)."""

    value: float | None
    """None where a class is absent."""
    low: float | None = None
    """Lower end; None where the draws do not vary or most lack a class."""
    high: float | None = None
    """Upper end."""
    n: int = 0
    """Items."""


def separation(positive: ArrayLike, scores: ArrayLike, groups: Sequence[str], seed: int = 0) -> Separation:
    """AUROC of the scores, ties one half (Mann & Whitney 1947).

    Args:
        positive: bool[n].
        scores: float[n].
        groups: cluster of each item.
        seed: of the resamples.
    """
    labels, values = np.asarray(positive, dtype=bool), np.asarray(scores, dtype=float)
    draws = _drawn(labels, values, resample_weights(len(labels), groups, _DRAWS, seed))
    return _ended(float(auroc(labels, values)), draws, len(labels))


def difference(positive: ArrayLike, one: ArrayLike, other: ArrayLike, groups: Sequence[str], seed: int = 0) -> Separation:
    """AUROC of `one` less that of `other` on the same items, both in the same resamples."""
    labels = np.asarray(positive, dtype=bool)
    often = resample_weights(len(labels), groups, _DRAWS, seed)
    first, second = (np.asarray(scores, dtype=float) for scores in (one, other))
    draws = _drawn(labels, first, often) - _drawn(labels, second, often)
    return _ended(float(auroc(labels, first) - auroc(labels, second)), draws, len(labels))


def _drawn(positive: NDArray[np.bool_], scores: Floats, often: Floats) -> Floats:
    """[draws]: the AUROC of each resample; NaN where it lacks a class."""
    if not len(scores):
        return np.full(len(often), np.nan)
    order = np.argsort(scores, kind="stable")
    starts = np.flatnonzero(np.append(True, np.diff(scores[order]) > 0))
    yes, no = (np.add.reduceat(often[:, order] * mine[order], starts, axis=1) for mine in (positive, ~positive))
    below = np.cumsum(no, axis=1) - no
    won = (yes * (below + no / 2)).sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(won / (yes.sum(axis=1) * no.sum(axis=1)), dtype=float)


def _ended(value: float, draws: Floats, n: int) -> Separation:
    if not np.isfinite(value):
        return Separation(None, n=n)
    known = draws[np.isfinite(draws)]
    if len(known) < 0.9 * len(draws) or np.ptp(known) < 1e-12:
        return Separation(value, n=n)
    low, high = np.quantile(known, [0.025, 0.975])
    return Separation(value, float(low), float(high), n)
