"""What a comparison could have seen, and how many questions would see more."""

from collections.abc import Sequence
from math import ceil, log2

from harness.statistics.clusters import standard_error, sums


def minimum_detectable_effect(
    differences: Sequence[float], groups: Sequence[str] | None = None, alpha: float = 0.05, power: float = 0.8
) -> float:
    """Smallest true drop of the mean that a one-sided test at alpha would see with the given power.

    (t_alpha + t_power) x cluster-robust standard error. Differences that never vary say nothing about their spread; then it is what
    the sign-flip test needs at the least: ceil(log2(1/alpha)) clusters that fall by 1. inf for fewer than 2 clusters.
    """
    from scipy.special import stdtrit

    error, freedom = standard_error(differences, groups)
    if not freedom:
        return float("inf")
    if error < 1e-12:
        return min(1.0, ceil(log2(1 / alpha)) / len(sums(differences, groups)[0]))
    return float(stdtrit(freedom, 1 - alpha) + stdtrit(freedom, power)) * error


def required_questions(
    differences: Sequence[float],
    groups: Sequence[str] | None = None,
    effect: float = 0.05,
    alpha: float = 0.05,
    power: float = 0.8,
) -> int:
    """Questions with which a drop of `effect` would be seen, if they vary and cluster as these do; 0 if nobody can tell."""
    seen = minimum_detectable_effect(differences, groups, alpha, power)
    return 0 if seen == float("inf") else ceil(len(differences) * (seen / effect) ** 2 - 1e-9)
