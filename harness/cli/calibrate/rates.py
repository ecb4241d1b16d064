"""Refusal rates of decisions, with intervals that resample whole groups of questions."""

import numpy as np
from numpy.typing import NDArray

from harness.cli.calibrate.examples import Examples
from harness.metrics.refusal import cells, f1s
from harness.metrics.resampling import Floats, folded, ratio, weights
from harness.types import Aggregate

Refused = NDArray[np.bool_]
"""bool[n]: whether each question is refused before generation."""

_SHARES = ("over_refusal_rate", "false_answer_rate")
_F1S = ("refusal_f1", "answerable_f1", "grounded_refusal_f1")


def rates(given: Examples, refused: Refused) -> tuple[Aggregate, ...]:
    """Over-refusal, false answers and the three F1; value None with n 0 where a class is absent."""
    often, counted = _often(given), cells(given.answerable, refused)
    sums, draws = counted.sum(axis=0), often @ counted
    yes, no = int(sums[4]), int(sums[1])
    shares = ((_SHARES[0], 4, 3, yes), (_SHARES[1], 1, 0, no))
    found = [
        folded(name, float(1 - sums[right] / sums[of]), 1 - ratio(draws[:, right], draws[:, of]), n, len(refused) - n, 0)
        if n
        else Aggregate(name, None, 0, not_applicable=len(refused))
        for name, of, right, n in shares
    ]
    point, spread = f1s(sums[None])[0], f1s(draws)
    found += [
        folded(name, float(point[place]), spread[:, place], len(refused), 0, 0)
        if yes and no
        else Aggregate(name, None, 0, not_applicable=len(refused))
        for place, name in enumerate(_F1S)
    ]
    return tuple(found)


def changes(given: Examples, refused: Refused, before: Refused) -> tuple[Aggregate, ...]:
    """Every rate of the one less that of the other, on the same resamples; empty where a class is absent."""
    yes = int(given.answerable.sum())
    if yes in (0, len(refused)):
        return ()
    often, n = _often(given), len(refused)
    one, other = (cells(given.answerable, item) for item in (refused, before))
    points = _all(one.sum(axis=0)[None]) - _all(other.sum(axis=0)[None])
    draws = _all(often @ one) - _all(often @ other)
    counts = (yes, n - yes, n, n, n)
    return tuple(
        folded(name, float(points[0, place]), draws[:, place], count, n - count, 0)
        for place, (name, count) in enumerate(zip((*_SHARES, *_F1S), counts, strict=True))
    )


def objective(given: Examples, refused: Refused) -> float:
    """Grounded refusal F1, which rules are chosen by."""
    return float(f1s(cells(given.answerable, refused).sum(axis=0)[None])[0, 2])


def _all(sums: Floats) -> Floats:
    """float64[m, 5] from summed cells: both shares and the three F1."""
    shares = np.stack([1 - ratio(sums[:, right], sums[:, of]) for of, right in ((4, 3), (1, 0))], axis=1)
    return np.concatenate([shares, f1s(sums)], axis=1)


def _often(given: Examples) -> Floats:
    return weights([question for question, _ in given.pairs], 0)
