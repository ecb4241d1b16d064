"""The answerability threshold chosen on the tune questions and claimed on the test questions.

A threshold that is chosen and measured on the same questions looks better than it is. Questions with a signal below the
threshold count as refused, the others as answered, whatever the system did: the generator's own refusals are not read.
Gold is the label, as in `grounded_refusal_f1`, which the choice maximises; the interval takes the threshold as given.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from harness.metrics.base import Description
from harness.metrics.refusal import f1s
from harness.metrics.resampling import folded, ratio, weights
from harness.metrics.signals import pairs_of, signals
from harness.types import Aggregate, Question, Trace

_AFTER = "the signal's threshold tuned on tune, claimed on test"

TUNED = tuple(
    Description(metric, title, formula, "Geifman & El-Yaniv 2017, arXiv 1705.08500; split of this project", "refusal", higher)
    for metric, title, formula, higher in (
        ("tuned_refusal_f1", "Refusal F1, tuned threshold", f"refusal_f1 with {_AFTER}", True),
        ("tuned_over_refusal_rate", "Over-refusal rate, tuned threshold", f"over_refusal_rate with {_AFTER}", False),
        ("tuned_false_answer_rate", "False answer rate, tuned threshold", f"false_answer_rate with {_AFTER}", False),
    )
)
"""What this module can say, by id."""


def threshold(questions: Sequence[Question], traces: Mapping[str, Trace]) -> float | None:
    """The signal seen on tune that, as threshold, gives the highest grounded refusal F1 there; of equals the lowest.

    None where the tune questions with a signal do not hold both answerable and unanswerable ones.
    """
    signal, answerable = _split(signals(pairs_of(questions, traces)), "tune")[1:]
    if not len(signal) or answerable.all() or not answerable.any():
        return None
    order = np.argsort(signal, kind="stable")
    values, refused = np.unique(signal[order], return_index=True)
    right = np.concatenate([[0], np.cumsum(~answerable[order])])[refused]
    n, yes = len(signal), int(answerable.sum())
    full = np.ones(len(values))
    counts = np.stack([right, (n - yes) * full, refused, yes - (refused - right), yes * full, n - refused], axis=1)
    return float(values[np.argmax(np.round(f1s(counts.astype(float))[:, 2], 12))])


def tuned(questions: Sequence[Question], traces: Mapping[str, Trace], seed: int) -> list[Aggregate]:
    """The three rates on test; value None with n 0 where no threshold could be chosen or test lacks the class."""
    pairs = pairs_of(questions, traces)
    errors, limit = len(questions) - len(pairs), threshold(questions, traces)
    asked, signal, answerable = _split(signals(pairs), "test")
    refused = signal < (np.inf if limit is None else limit)
    unanswerable, both = ~answerable, len(set(answerable.tolist())) == 2
    shares = (
        (2.0 * (unanswerable & refused), 1.0 * unanswerable + refused, len(asked) * both),
        (1.0 * (answerable & refused), 1.0 * answerable, int(answerable.sum())),
        (1.0 * (unanswerable & ~refused), 1.0 * unanswerable, int(unanswerable.sum())),
    )
    often, found = weights(asked, seed), []
    for item, (top, bottom, n) in zip(TUNED, shares, strict=True):
        if limit is None or not n:
            found.append(Aggregate(item.metric, None, 0, not_applicable=len(pairs), errors=errors))
            continue
        draws = ratio(often @ top, often @ bottom)
        found.append(folded(item.metric, float(top.sum() / bottom.sum()), draws, n, len(pairs) - n, errors))
    return found


def _split(given: Sequence[tuple[Question, float]], split: str) -> tuple[list[Question], NDArray[np.float64], NDArray[np.bool_]]:
    """Questions of a split, their signals and whether they are answerable."""
    mine = [(question, value) for question, value in given if question.split == split]
    asked = [question for question, _ in mine]
    return asked, np.array([value for _, value in mine]), np.array([question.answerable for question in asked], dtype=bool)
