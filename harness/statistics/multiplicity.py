"""Many rules, one error rate."""

from collections.abc import Sequence


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm-adjusted p-values in the order given (Holm 1979): comparing each with alpha keeps the chance of any false red at alpha."""
    count, running = len(p_values), 0.0
    adjusted = [0.0] * count
    for rank, place in enumerate(sorted(range(count), key=lambda item: p_values[item])):
        running = max(running, min(1.0, (count - rank) * p_values[place]))
        adjusted[place] = running
    return adjusted


def bh(p_values: Sequence[float]) -> list[float]:
    """Benjamini-Hochberg-adjusted p-values in the order given (Benjamini & Hochberg 1995).

    Comparing each with alpha keeps the expected share of false ones among those called different at alpha: for screening
    many variants, not for a gate.
    """
    count, running = len(p_values), 1.0
    adjusted = [0.0] * count
    for rank, place in enumerate(sorted(range(count), key=lambda item: -p_values[item])):
        running = min(running, p_values[place] * count / (count - rank))
        adjusted[place] = running
    return adjusted
