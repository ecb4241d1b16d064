"""Refusal over a whole set: F1 of refusing, F1 of answering, their mean, and what the answerability signal can tell apart.

These are no means of per-question scores, so they come as aggregates with a seeded cluster bootstrap interval,
or with none where the resamples do not vary.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from harness.metrics.base import Description
from harness.metrics.resampling import Floats, folded, ratio, weights
from harness.metrics.signals import Pairs, pairs_of, signals
from harness.types import Aggregate, Question, Trace

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
    pairs = pairs_of(questions, traces)
    errors = len(questions) - len(pairs)
    return [*_f1(pairs, errors, seed), _auroc(pairs, errors, seed)]


def _f1(pairs: Pairs, errors: int, seed: int) -> list[Aggregate]:
    answered = [(question, trace.answer) for question, trace in pairs if trace.answer is not None]
    flags = np.array([(question.answerable, answer.refused) for question, answer in answered], dtype=bool).reshape(-1, 2)
    counted = cells(flags[:, 0], flags[:, 1])
    both = bool(flags[:, 0].any() and (~flags[:, 0]).any())
    point = f1s(counted.sum(axis=0)[None])
    draws = f1s(weights([question for question, _ in answered], seed) @ counted)
    names = ("refusal_f1", "answerable_f1", "grounded_refusal_f1")
    left_out = len(pairs) - len(answered)
    return [
        folded(name, float(point[0, place]), draws[:, place], len(answered), left_out, errors)
        if both
        else Aggregate(name, None, 0, not_applicable=len(pairs), errors=errors)
        for place, name in enumerate(names)
    ]


def cells(answerable: NDArray[np.bool_], refused: NDArray[np.bool_]) -> Floats:
    """[questions, 6]: right refusal, unanswerable, refused, right answer, answerable, answered; 1 where it is so."""
    columns = [~answerable & refused, ~answerable, refused, answerable & ~refused, answerable, ~refused]
    return np.stack(columns, axis=1).astype(float)


def f1s(counts: Floats) -> Floats:
    """[rows, 6] sums of `cells` -> [rows, 3]: refusal, answerable and grounded F1; NaN where a row has none of a class."""
    refusal = ratio(2 * counts[:, 0], counts[:, 1] + counts[:, 2])
    answering = ratio(2 * counts[:, 3], counts[:, 4] + counts[:, 5])
    return np.stack([refusal, answering, (refusal + answering) / 2], axis=1)


def _auroc(pairs: Pairs, errors: int, seed: int) -> Aggregate:
    kept = signals(pairs)
    answerable = np.array([question.answerable for question, _ in kept], dtype=bool)
    if not kept or answerable.all() or not answerable.any():
        return Aggregate("answerability_auroc", None, 0, not_applicable=len(pairs), errors=errors)
    from sklearn.metrics import roc_auc_score

    signal = np.array([value for _, value in kept])
    often = weights([question for question, _ in kept], seed)
    yes, no = signal[answerable][:, None], signal[~answerable][None]
    wins = (yes > no) + 0.5 * (yes == no)
    won = np.einsum("dp,pn,dn->d", often[:, answerable], wins, often[:, ~answerable], optimize=True)
    draws = ratio(won, often[:, answerable].sum(axis=1) * often[:, ~answerable].sum(axis=1))
    value = float(roc_auc_score(answerable, signal))
    return folded("answerability_auroc", value, draws, len(kept), len(pairs) - len(kept), errors)
