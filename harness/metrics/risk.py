"""Risk and coverage: if only the questions with the highest answerability signal are answered, how many go wrong?

The loss of a question is 0 if it is context-answerable (all its evidence stands in the passages shown), else 1. It needs no
answer, so it is one definition for all questions, those that the system refused too, and it judges the signal rather than
the generator. Questions are taken in the order of the signal; equal signals are one step, for no threshold parts them.
Source: El-Yaniv & Wiener 2010; Geifman & El-Yaniv 2017, arXiv 1705.08500.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from harness.metrics.base import Description
from harness.metrics.calibration import CALIBRATION, calibration_error
from harness.metrics.resampling import Floats, folded, weights
from harness.metrics.signals import Assessed, assessed
from harness.metrics.tuned import TUNED, tuned
from harness.types import Aggregate, Question, Trace

AURC = Description(
    "aurc",
    "Area under the risk-coverage curve",
    "mean risk of the questions at or above each question's signal; risk = share not context-answerable",
    "El-Yaniv & Wiener 2010; Geifman & El-Yaniv 2017, arXiv 1705.08500",
    "refusal",
    higher_is_better=False,
)
RISK_METRICS = (AURC, CALIBRATION, *TUNED)
"""What `outcomes` says, by id."""


@dataclass(frozen=True, slots=True)
class RiskCoverage:
    """The risk-coverage curve of the answerability signal."""

    points: tuple[tuple[float, float, float], ...]
    """(threshold, coverage, risk), highest threshold first: the share of questions whose signal reaches the threshold, and the
    share of those that is not context-answerable."""
    area: float | None
    """AURC; None without points."""
    n: int
    """Questions on the curve."""


def curve(questions: Sequence[Question], traces: Mapping[str, Trace], tau: float) -> RiskCoverage:
    """The curve over all questions that have a finite signal and, if answerable, evidence."""
    given = assessed(questions, traces, tau)
    n = len(given.questions)
    if not n:
        return RiskCoverage((), None, 0)
    ends = _ends(given.signal)
    covered, risk = _steps(given, np.ones((1, n)), ends)
    points = zip(given.signal[ends].tolist(), covered[0].tolist(), risk[0].tolist(), strict=True)
    return RiskCoverage(tuple(points), float(_areas(covered, risk)[0]), n)


def outcomes(questions: Sequence[Question], traces: Mapping[str, Trace], tau: float, seed: int = 0) -> list[Aggregate]:
    """AURC, calibration error and the rates at the tuned threshold; value None with n 0 where one cannot be told.

    Args:
        questions: the golden questions asked.
        traces: what the system did, by question_id; questions without a trace are counted as errors.
        tau: share of an evidence span that must be covered.
        seed: of the bootstrap over groups.
    """
    given = assessed(questions, traces, tau)
    return [_aurc(given, seed), calibration_error(given), *tuned(questions, traces, seed)]


def _aurc(given: Assessed, seed: int) -> Aggregate:
    n = len(given.questions)
    if not n:
        return Aggregate(AURC.metric, None, 0, not_applicable=given.left_out, errors=given.errors)
    ends = _ends(given.signal)
    value = float(_areas(*_steps(given, np.ones((1, n)), ends))[0])
    draws = _areas(*_steps(given, weights(given.questions, seed), ends))
    return folded(AURC.metric, value, draws, n, given.left_out, given.errors)


def _ends(signal: Floats) -> NDArray[np.intp]:
    """Place of the last question of each run of equal signals."""
    return np.append(np.flatnonzero(np.diff(signal)), len(signal) - 1)


def _steps(given: Assessed, often: Floats, ends: NDArray[np.intp]) -> tuple[Floats, Floats]:
    """[draws, n] weights -> coverage and risk, [draws, steps] each; risk 0 while nothing is covered."""
    taken = np.cumsum(often, axis=1)[:, ends]
    lost = np.cumsum(often * ~given.answerable, axis=1)[:, ends]
    return taken / taken[:, -1:], np.divide(lost, taken, out=np.zeros_like(taken), where=taken > 0)


def _areas(covered: Floats, risk: Floats) -> Floats:
    """[draws]: each step's risk times the coverage it adds."""
    return np.asarray((np.diff(covered, axis=1, prepend=0.0) * risk).sum(axis=1), dtype=float)
