"""Is a confidence of .8 right in 80 % of the questions? The reliability diagram and its error.

The expected calibration error of few questions lies above the true one, for a bin's share varies by chance even where
the signal is perfectly calibrated; resampling adds to that, and its interval then misses the truth. So it carries none.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from harness.metrics.base import Description
from harness.metrics.signals import Assessed, assessed
from harness.types import Aggregate, Question, Trace

BINS = 10
"""Equal-width bins over [0, 1]; the last one holds 1."""

CALIBRATION = Description(
    "expected_calibration_error",
    "Expected calibration error",
    "sum over 10 equal bins of n/N |mean confidence - share context-answerable|; none if a confidence lies outside [0, 1]",
    "Naeini et al. 2015 (AAAI)",
    "refusal",
    higher_is_better=False,
)
"""What this module can say."""


@dataclass(frozen=True, slots=True)
class Bin:
    """Questions whose confidence lies in [low, high)."""

    low: float
    """Lower edge."""
    high: float
    """Upper edge; the last bin holds it too."""
    n: int
    """Questions, at least 1."""
    confidence: float
    """Their mean confidence."""
    answerable: float
    """The share of them that is context-answerable."""


@dataclass(frozen=True, slots=True)
class Reliability:
    """The reliability diagram of the answerability signal."""

    bins: tuple[Bin, ...]
    """Lowest first; empty bins are left out."""
    error: float | None
    """Expected calibration error; None where there are no bins."""
    reason: str = ""
    """Why there are no bins."""


def reliability(questions: Sequence[Question], traces: Mapping[str, Trace], tau: float) -> Reliability:
    """Confidence against context-answerability; without bins where a signal is no probability."""
    return diagram(assessed(questions, traces, tau))


def diagram(given: Assessed) -> Reliability:
    """The same from questions whose signals are read already."""
    if reason := _unfit(given):
        return Reliability((), None, reason)
    places = np.minimum(np.floor(given.signal * BINS), BINS - 1)
    members = [(place, places == place) for place in range(BINS)]
    bins = tuple(
        Bin(
            place / BINS,
            (place + 1) / BINS,
            int(mine.sum()),
            float(given.signal[mine].mean()),
            float(given.answerable[mine].mean()),
        )
        for place, mine in members
        if mine.any()
    )
    return Reliability(bins, sum(item.n * abs(item.confidence - item.answerable) for item in bins) / len(places))


def calibration_error(given: Assessed) -> Aggregate:
    """The expected calibration error; None with n 0 where a signal is no probability or there is none."""
    n, error = len(given.questions), diagram(given).error
    scored = 0 if error is None else n
    return Aggregate(CALIBRATION.metric, error, scored, not_applicable=given.left_out + n - scored, errors=given.errors)


def _unfit(given: Assessed) -> str:
    """Why signals are not to be read as probabilities; empty when they are."""
    if not len(given.signal):
        return "no question has a signal and a known context-answerability"
    low, high = float(given.signal.min()), float(given.signal.max())
    return "" if low >= 0 and high <= 1 else f"signals from {low:.4g} to {high:.4g} are not in [0, 1]: no probabilities"
