"""Refusal over a whole set: F1 of refusing, F1 of answering, their mean, and what the answerability signal can tell apart.

These are no means of per-question scores, so they come as aggregates with a seeded cluster bootstrap interval,
or with none where the resamples do not vary.
"""

from collections.abc import Mapping, Sequence
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from harness.metrics.base import Description
from harness.types import Aggregate, Question, Trace

_DRAWS = 1_000
_SAME = 1e-12
_TRUST = "Song et al. 2024 (Trust-Score), arXiv 2409.11242"

SET_METRICS = tuple(
    Description(metric, title, formula, source, "refusal")
    for metric, title, formula, source in (
        ("refusal_f1", "Refusal F1", "2 right refusals / (unanswerable + refused)", _TRUST),
        ("answerable_f1", "Answerable F1", "2 answered and answerable / (answerable + answered)", _TRUST),
        ("grounded_refusal_f1", "Grounded refusal F1", "mean of refusal_f1 and answerable_f1", _TRUST),
        (
            "answerability_auroc",
            "Answerability AUROC",
            "chance that an answerable question has a higher answerability signal than an unanswerable one",
            "Hanley & McNeil 1982; sklearn.metrics.roc_auc_score",
        ),
    )
)
"""What this module can say, by id."""


def aggregate(questions: Sequence[Question], traces: Mapping[str, Trace], seed: int = 0) -> list[Aggregate]:
    """The four set metrics; value None with n 0 where a class is absent or nothing was generated.

    Args:
        questions: the golden questions asked.
        traces: what the system did, by question_id; questions without a trace are counted as errors.
        seed: of the bootstrap over groups.
    """
    pairs = [(item, traces[item.question_id]) for item in questions if item.question_id in traces]
    errors = len(questions) - len(pairs)
    return [*_f1(pairs, errors, seed), _auroc(pairs, errors, seed)]


def _f1(pairs: list[tuple[Question, Trace]], errors: int, seed: int) -> list[Aggregate]:
    answered = [(question, trace.answer) for question, trace in pairs if trace.answer is not None]
    flags = np.array([(question.answerable, answer.refused) for question, answer in answered], dtype=bool).reshape(-1, 2)
    answerable, refused = flags[:, 0], flags[:, 1]
    cells = np.stack([~answerable & refused, ~answerable, refused, answerable & ~refused, answerable, ~refused], axis=1)
    both = bool(answerable.any() and (~answerable).any())
    weights = _weights([question for question, _ in answered], seed)
    point, draws = _scores(cells.sum(axis=0, dtype=float)[None]), _scores(weights @ cells)
    names = ("refusal_f1", "answerable_f1", "grounded_refusal_f1")
    left_out = len(pairs) - len(answered)
    return [
        _folded(name, float(point[0, place]), draws[:, place], len(answered), left_out, errors)
        if both
        else Aggregate(name, None, 0, not_applicable=len(pairs), errors=errors)
        for place, name in enumerate(names)
    ]


def _scores(cells: NDArray[np.float64]) -> NDArray[np.float64]:
    """[draws, 6] counts -> [draws, 3] F1s; NaN where a draw has none of a class."""
    with np.errstate(invalid="ignore", divide="ignore"):
        refusal = 2 * cells[:, 0] / (cells[:, 1] + cells[:, 2])
        answering = 2 * cells[:, 3] / (cells[:, 4] + cells[:, 5])
    return np.stack([refusal, answering, (refusal + answering) / 2], axis=1)


def _auroc(pairs: list[tuple[Question, Trace]], errors: int, seed: int) -> Aggregate:
    signals = [(question, trace.assessment.confidence) for question, trace in pairs if trace.assessment is not None]
    kept = [(question, value) for question, value in signals if isfinite(value)]
    answerable = np.array([question.answerable for question, _ in kept], dtype=bool)
    if not kept or answerable.all() or not answerable.any():
        return Aggregate("answerability_auroc", None, 0, not_applicable=len(pairs), errors=errors)
    from sklearn.metrics import roc_auc_score

    signal = np.array([value for _, value in kept])
    weights = _weights([question for question, _ in kept], seed)
    yes, no = signal[answerable][:, None], signal[~answerable][None]
    wins = (yes > no) + 0.5 * (yes == no)
    with np.errstate(invalid="ignore", divide="ignore"):
        won = np.einsum("dp,pn,dn->d", weights[:, answerable], wins, weights[:, ~answerable], optimize=True)
        draws = won / (weights[:, answerable].sum(axis=1) * weights[:, ~answerable].sum(axis=1))
    value = float(roc_auc_score(answerable, signal))
    return _folded("answerability_auroc", value, draws, len(kept), len(pairs) - len(kept), errors)


def _weights(questions: Sequence[Question], seed: int) -> NDArray[np.float64]:
    """[draws, questions]: how often each question stands in each resample of whole groups."""
    names = [question.group or f"\0{question.question_id}" for question in questions]
    place = {name: number for number, name in enumerate(dict.fromkeys(names))}
    if not place:
        return np.zeros((_DRAWS, 0))
    random = np.random.default_rng(seed)
    counts = random.multinomial(len(place), np.full(len(place), 1 / len(place)), size=_DRAWS).astype(float)
    return counts[:, [place[name] for name in names]]


def _folded(metric: str, value: float, draws: NDArray[np.float64], n: int, left_out: int, errors: int) -> Aggregate:
    low, high = _ends(value, draws[np.isfinite(draws)])
    return Aggregate(metric, value, n, low, high, not_applicable=left_out, errors=errors)


def _ends(value: float, draws: NDArray[np.float64]) -> tuple[float, float] | tuple[None, None]:
    """The 95 % interval; none where draws do not vary, for they then say nothing of how sure the value is."""
    if not len(draws) or np.ptp(draws) < _SAME:
        return None, None
    low, high = np.quantile(draws, [0.025, 0.975])
    ends = min(float(low), value), max(float(high), value)
    return ends if ends[1] - ends[0] >= _SAME else (None, None)
