"""Prediction-powered inference: the mean that people would give, from a judge's many scores and a few human labels.

Labels alone are unbiased and few, judge scores are many and biased. The labelled items say how far the judge is off, and
the rest is corrected by that (Angelopoulos et al. 2023, PPI++, arXiv 2311.01453; for RAG: ARES, arXiv 2311.09476).
A judge that says nothing about the labels gets weight 0, and the mean of the labels is left.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from harness.statistics.clusters import Floats, named


@dataclass(frozen=True, slots=True)
class Corrected:
    """A judged mean, corrected by human labels."""

    mean: float
    """Estimate of the mean that people would give; it is not cut to the range of the labels."""
    low: float
    """Lower end of the interval."""
    high: float
    """Upper end."""
    weight: float
    """Lambda in [0, 1]: how much the judge counts."""
    labels: int
    """Human labels it rests on."""
    rest: int
    """Items that only the judge has read."""


def corrected_mean(
    human: Sequence[float],
    judge: Sequence[float],
    rest: Sequence[float],
    groups: Sequence[str] | None = None,
    rest_groups: Sequence[str] | None = None,
    confidence: float = 0.95,
) -> Corrected:
    """mean(human) + lambda x (mean(rest) - mean(judge)), with the lambda of least variance, and its t interval.

    lambda = cov(human, judge) / ((1 + n/N) x var(judge scores)), cut to [0, 1]; the variance is that of cluster sums, with
    G/(G-1) over the G clusters that hold labels, and G - 1 degrees of freedom.

    Args:
        human: labels of the n labelled items.
        judge: the judge's scores of the same items.
        rest: the judge's scores of the N other items; without any the mean of the labels is left.
        groups: cluster of each labelled item; None is no clustering.
        rest_groups: cluster of each other item.
        confidence: chance that the interval covers the mean.

    Raises:
        ValueError: for fewer than 2 labels or labelled clusters, labels that never vary, or sequences that do not fit together.
    """
    from scipy.special import stdtrit

    labels, scores, others = (np.asarray(values, dtype=float) for values in (human, judge, rest))
    _check(labels, scores)
    weight = _weight(labels, scores, others)
    residuals = labels - weight * scores
    parts = [(residuals - residuals.mean()) / len(labels)]
    if len(others):
        parts.append(weight * (others - others.mean()) / len(others))
    labelled = named(len(labels), groups, "labelled ")
    clusters = len(set(labelled))
    if clusters < 2:
        raise ValueError("all labels are of one group: an interval needs labels of at least 2")
    _, place = np.unique([*labelled, *named(len(others), rest_groups, "other ")], return_inverse=True)
    sums = np.bincount(place, weights=np.concatenate(parts))
    if np.abs(sums).max() <= 1e-12 * (np.abs(labels).max() + np.abs(scores).max()):
        raise ValueError("the labels do not vary from group to group: they leave no interval")
    error = float(np.sqrt(clusters / (clusters - 1) * np.sum(sums**2)))
    mean = float(residuals.mean() + (weight * others.mean() if len(others) else 0.0))
    half = float(stdtrit(clusters - 1, 0.5 + confidence / 2)) * error
    return Corrected(mean, mean - half, mean + half, weight, len(labels), len(others))


def _check(labels: Floats, scores: Floats) -> None:
    if len(labels) != len(scores):
        raise ValueError(f"{len(labels)} labels for {len(scores)} judge scores: one of each per item is needed")
    if len(labels) < 2:
        raise ValueError(f"{len(labels)} labels: at least 2 are needed")
    if np.ptp(labels) < 1e-12:
        raise ValueError("the labels never vary: they leave no interval")


def _weight(labels: Floats, scores: Floats, others: Floats) -> float:
    spread = float(np.var(np.concatenate([scores, others]), ddof=1))
    if not len(others) or spread == 0:
        return 0.0
    shared = float(np.cov(labels, scores)[0, 1])
    return min(1.0, max(0.0, shared / ((1 + len(labels) / len(others)) * spread)))
