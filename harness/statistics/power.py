"""What a comparison could have seen, and how many questions would see more."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, log2, sqrt

import numpy as np

from harness.statistics.clusters import standard_error, sums, telling
from harness.statistics.paired import sign_flips
from harness.statistics.resampling import picks


def minimum_detectable_effect(
    differences: Sequence[float], groups: Sequence[str] | None = None, alpha: float = 0.05, power: float = 0.8
) -> float:
    """Smallest true drop of the mean that a one-sided test at alpha would see with the given power.

    (t_alpha + t_power) x cluster-robust standard error. Differences that never vary say nothing about their spread; then it is what
    the sign-flip test needs at the least: ceil(log2(1/alpha)) clusters that fall by 1. inf for fewer than 2 clusters.
    """
    if not _constant(differences):
        return _seen(differences, groups, alpha, power)
    least = _least(differences, groups, alpha)
    return least if least == float("inf") else min(1.0, least)


def required_questions(
    differences: Sequence[float],
    groups: Sequence[str] | None = None,
    effect: float = 0.05,
    alpha: float = 0.05,
    power: float = 0.8,
) -> int:
    """Questions with which a drop of `effect` would be seen, if they vary and cluster as these do; 0 if nobody can tell.

    A standard error falls with the root of the questions; what differences that never vary could show falls with their number.
    """
    constant = _constant(differences)
    seen = _least(differences, groups, alpha) if constant else _seen(differences, groups, alpha, power)
    return 0 if seen == float("inf") else ceil(len(differences) * (seen / effect) ** (1 if constant else 2) - 1e-9)


def _constant(differences: Sequence[float]) -> bool:
    return not len(differences) or float(np.ptp(differences)) < 1e-12


def _least(differences: Sequence[float], groups: Sequence[str] | None, alpha: float) -> float:
    """Mean drop when as few clusters fall by 1 as the sign-flip test needs; inf for fewer than 2 clusters."""
    clusters = len(sums(differences, groups)[0])
    return ceil(log2(1 / alpha)) / clusters if clusters > 1 else float("inf")


def _seen(differences: Sequence[float], groups: Sequence[str] | None, alpha: float, power: float) -> float:
    from scipy.special import stdtrit

    error, freedom = standard_error(differences, telling(differences, groups))
    return float(stdtrit(freedom, 1 - alpha) + stdtrit(freedom, power)) * error if freedom else float("inf")


@dataclass(frozen=True, slots=True)
class Power:
    """How often a gate would turn red on a true drop."""

    share: float
    """Share of the simulated sets on which it does."""
    error: float
    """Monte Carlo standard error of the share (Agresti & Coull 1998), never 0."""
    sets: int
    """Simulated sets."""


def power_by_simulation(
    differences: Sequence[float],
    groups: Sequence[str] | None = None,
    effect: float = 0.05,
    alpha: float = 0.01,
    practical_floor: float = 0.01,
    seed: int = 0,
    sets: int = 1_000,
) -> Power:
    """How often the gate's rule (p of `sign_flip` < alpha and a mean drop of at least the floor) sees a true drop of `effect`.

    Each simulated set holds as many clusters as the differences have, drawn from them with replacement, each difference
    centred and lowered by the effect. With effect 0 it is the rate of false alarms.
    """
    centred = np.asarray(differences, dtype=float)
    totals, sizes = sums(centred - centred.mean() - effect, groups)
    chosen = np.array(list(picks(len(totals), sets, seed)), dtype=np.intp).T
    drops = totals[chosen].sum(axis=0) / sizes[chosen].sum(axis=0)
    red = (sign_flips(totals[chosen], seed=seed + 1) < alpha) & (drops <= -practical_floor)
    count = int(red.sum())
    middle = (count + 2) / (sets + 4)
    return Power(count / sets, sqrt(middle * (1 - middle) / (sets + 4)), sets)
