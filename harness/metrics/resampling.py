"""Intervals of numbers that are no means: a seeded bootstrap that resamples whole groups of questions."""

from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from harness.statistics.resampling import resample_weights
from harness.types import Aggregate, Question

Floats = NDArray[np.float64]
"""float64 array."""

_DRAWS = 1_000
_SAME = 1e-12


def weights(questions: Sequence[Question], seed: int) -> Floats:
    """[draws, questions]: how often each question stands in each resample of whole groups."""
    return resample_weights(len(questions), [question.group for question in questions], _DRAWS, seed)


def ratio(top: Floats, bottom: Floats) -> Floats:
    """Element by element; NaN where there is nothing to divide by."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(top / bottom, dtype=float)


def folded(metric: str, value: float, draws: Floats, n: int, left_out: int, errors: int) -> Aggregate:
    """An aggregate with the 95 % interval of its resamples, those without a number left out."""
    low, high = _ends(value, draws[np.isfinite(draws)])
    return Aggregate(metric, value, n, low, high, not_applicable=left_out, errors=errors)


def _ends(value: float, draws: Floats) -> tuple[float, float] | tuple[None, None]:
    """The 95 % interval; none where draws do not vary, for they then say nothing of how sure the value is."""
    if not len(draws) or np.ptp(draws) < _SAME:
        return None, None
    low, high = np.quantile(draws, [0.025, 0.975])
    ends = min(float(low), value), max(float(high), value)
    return ends if ends[1] - ends[0] >= _SAME else (None, None)


def averaged(repeats: Sequence[Sequence[Aggregate]]) -> list[Aggregate]:
    """The same set metrics over several repeats of the questions: the mean of their values, and of the ends of their intervals.

    The resamples are the same in every repeat, so the mean of the ends is about as wide as a repeat's own interval: asking
    more often does not make it narrower. A metric that one repeat cannot tell has no value; counts are of the repeat with the
    fewest questions.
    """
    return [_averaged(items) for items in zip(*repeats, strict=True)]


def _averaged(items: Sequence[Aggregate]) -> Aggregate:
    fewest = min(items, key=lambda item: item.n)
    value, low, high = (_mean([getattr(item, name) for item in items]) for name in ("value", "low", "high"))
    return replace(fewest, value=value, low=low, high=high)


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if len(known) == len(values) else None
