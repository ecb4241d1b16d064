"""How well two readings of the same items agree: a judge and a person, or people among themselves.

Every function takes one value per item and gives NaN where it says nothing: a side that never varies has no
correlation, one class has no AUROC, two readings that could not differ have no kappa.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from harness.statistics.clusters import Floats
from harness.statistics.resampling import members, picks

Statistic = Callable[..., float]
"""Columns of float64[items] in, a number out."""

_UNDEFINED = float("nan")
_KNOWN_SHARE = 0.9
"""With fewer defined draws an interval would describe only the draws that happened to be defined."""


def spearman(x: ArrayLike, y: ArrayLike) -> float:
    """Rank correlation, equal values at their mean rank (Spearman 1904)."""
    return _correlation(_ranks(np.asarray(x, dtype=float)), _ranks(np.asarray(y, dtype=float)))


def auroc(labels: ArrayLike, scores: ArrayLike) -> float:
    """Chance that a positive item scores above a negative one, ties one half (Mann & Whitney 1947); labels are 0 or 1."""
    positive = np.asarray(labels, dtype=bool)
    yes, no = int(positive.sum()), int((~positive).sum())
    if not yes or not no:
        return _UNDEFINED
    above = _ranks(np.asarray(scores, dtype=float))[positive].sum() - yes * (yes + 1) / 2
    return float(above / (yes * no))


def kappa(a: ArrayLike, b: ArrayLike, weights: str = "") -> float:
    """Agreement beyond chance, 1 - disagreement / disagreement of independent raters with the same habits (Cohen 1960).

    Args:
        a: one rater's labels, as numbers.
        b: the other's.
        weights: empty counts a disagreement as 1, quadratic as the squared distance of the two numbers (Cohen 1968).
    """
    one, other = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    if weights not in ("", "quadratic"):
        raise ValueError(f"weights {weights!r}: '' or 'quadratic' is needed")
    if not len(one) or np.ptp(np.concatenate([one, other])) < 1e-12:
        return _UNDEFINED
    if weights:
        seen, expected = np.mean((one - other) ** 2), one.var() + other.var() + (one.mean() - other.mean()) ** 2
    else:
        labels = np.unique(np.concatenate([one, other]))
        seen, expected = np.mean(one != other), 1 - sum(np.mean(one == label) * np.mean(other == label) for label in labels)
    return float(1 - seen / expected) if expected > 0 else _UNDEFINED


def raw_agreement(a: ArrayLike, b: ArrayLike) -> float:
    """Share of items with equal labels; high by itself where one label is common, so read it beside the base rate."""
    return _mean(np.asarray(a, dtype=float) == np.asarray(b, dtype=float))


def base_rate(labels: ArrayLike) -> float:
    """Share of positive labels."""
    return _mean(np.asarray(labels, dtype=bool))


def ceiling(ratings: Sequence[Sequence[float]]) -> float:
    """What a judge can reach: Spearman of each rater with the mean of the others, averaged over raters.

    Args:
        ratings: one row per item, holding its ratings in the order of the raters. Rows may be shorter where raters are
            missing at the end; an item with one rating says nothing of agreement.
    """
    rows = [row for row in ratings if len(row) > 1]
    found = [
        _one_against_others([row for row in rows if len(row) > place], place) for place in range(max(map(len, rows), default=0))
    ]
    known = [value for value in found if np.isfinite(value)]
    return float(np.mean(known)) if known else _UNDEFINED


def interval_of(
    statistic: Statistic, columns: Sequence[ArrayLike], groups: Sequence[str] | None, seed: int, draws: int = 2_000
) -> tuple[float, float] | None:
    """95 % percentile bootstrap interval of a statistic, whole clusters resampled together (Efron 1979).

    None with fewer than 2 clusters, where the statistic is undefined in over a tenth of the draws, and where it never
    varies, for the draws then say nothing of how sure it is.

    Args:
        statistic: columns in, a number out; NaN where it is undefined.
        columns: float64[items] each.
        groups: cluster of each item; None, or all distinct, is no clustering.
        seed: of the draws.
        draws: number of resamples.
    """
    arrays = [np.asarray(column, dtype=float) for column in columns]
    clusters = members(len(arrays[0]), groups)
    if len(clusters) < 2:
        return None
    chosen = (np.concatenate([clusters[pick] for pick in row]) for row in picks(len(clusters), draws, seed))
    values = np.array([statistic(*(array[places] for array in arrays)) for places in chosen])
    values = values[np.isfinite(values)]
    if len(values) < _KNOWN_SHARE * draws or np.ptp(values) < 1e-12:
        return None
    low, high = np.quantile(values, [0.025, 0.975])
    return float(low), float(high)


def _one_against_others(rows: Sequence[Sequence[float]], place: int) -> float:
    """Means are rounded, so that those equal in exact numbers tie."""
    others = [round((sum(row) - row[place]) / (len(row) - 1), 9) for row in rows]
    return spearman([row[place] for row in rows], others)


def _ranks(values: Floats) -> Floats:
    """Ranks from 1, equal values at the mean of theirs."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks: Floats = (np.cumsum(counts) - (counts - 1) / 2)[place]
    return ranks


def _correlation(x: Floats, y: Floats) -> float:
    if len(x) != len(y):
        raise ValueError(f"{len(x)} values beside {len(y)}: one of each per item is needed")
    if len(x) < 2:
        return _UNDEFINED
    a, b = x - x.mean(), y - y.mean()
    scale = float(np.sqrt((a @ a) * (b @ b)))
    return float(np.clip((a @ b) / scale, -1, 1)) if scale > 0 else _UNDEFINED


def _mean(values: NDArray[np.bool_]) -> float:
    return float(values.mean()) if len(values) else _UNDEFINED
