"""Exact match and token F1, leaks, refusals."""

from collections.abc import Sequence

import numpy as np
import pytest
from sklearn.metrics import f1_score, roc_auc_score

from harness.metrics.answer import ExactMatch, TokenF1, normalised
from harness.metrics.refusal import aggregate
from harness.metrics.refusal_rates import FalseAnswerRate, OverRefusalRate, RefusalPrecision, RefusalRecall
from harness.types import Answer, Assessment, Question, State, Trace
from tests.builders import question, trace


@pytest.mark.parametrize(
    ("text", "accepted", "exact", "f1"),
    [
        ("two years", ("two years",), 1, 1),
        ("The two Years!", ("two years",), 1, 1),
        ("Two years [a1b2c3d4e5f6].", ("two years",), 1, 1),
        ("two long years", ("two years",), 0, 0.8),
        ("five", ("two years", "five"), 1, 1),
        ("no idea", ("two years",), 0, 0),
        ("years years", ("years",), 0, 2 / 3),
        ("", ("the",), 1, 1),
        ("", ("years",), 0, 0),
    ],
)
def test_an_answer_is_compared_with_the_best_accepted_one(text: str, accepted: tuple[str, ...], exact: float, f1: float) -> None:
    asked, left = question(answers=accepted), trace("q1", answer=Answer(text))
    assert ExactMatch().score(asked, left).value == exact
    assert TokenF1().score(asked, left).value == pytest.approx(f1)


def test_normalisation_is_that_of_squad() -> None:
    assert normalised("  The  AN-12's\tthéâtre, a. ") == "an12s théâtre"


@pytest.mark.parametrize("metric", [ExactMatch(), TokenF1()], ids=lambda metric: metric.name)
def test_a_refusal_scores_0_and_what_has_no_right_answer_does_not_count(metric: ExactMatch | TokenF1) -> None:
    refused = trace("q1", answer=Answer("No.", refused=True))
    assert metric.score(question(answers=("no",)), refused).value == 0
    for asked, left in (
        (question(answerable=False, answers=("x",)), refused),
        (question(), refused),
        (question(answers=("x",)), trace()),
    ):
        assert metric.score(asked, left).state is State.NOT_APPLICABLE


RATES = (RefusalPrecision(), RefusalRecall(), OverRefusalRate(), FalseAnswerRate())


@pytest.mark.parametrize(
    ("answerable", "refused", "values"),
    [
        (True, False, [None, None, 0, None]),
        (True, True, [0, None, 1, None]),
        (False, False, [None, 0, None, 1]),
        (False, True, [1, 1, None, 0]),
    ],
)
def test_the_four_refusal_rates_each_have_their_own_denominator(
    answerable: bool, refused: bool, values: list[float | None]
) -> None:
    asked, left = question(answerable=answerable), trace("q1", answer=Answer("x", refused=refused))
    assert [rate.score(asked, left).value for rate in RATES] == values
    assert all(rate.score(asked, trace()).state is State.NOT_APPLICABLE for rate in RATES)


def asked_and_done(rows: Sequence[tuple[bool, bool, float]]) -> tuple[list[Question], dict[str, Trace]]:
    """Rows of answerable, refused, confidence."""
    questions = [question(f"q{place}", answerable=row[0], group=f"g{place // 3}") for place, row in enumerate(rows)]
    traces = {
        f"q{place}": Trace(f"q{place}", answer=Answer("x", refused=row[1]), assessment=Assessment(True, row[2]))
        for place, row in enumerate(rows)
    }
    return questions, traces


@pytest.mark.parametrize("seed", range(4))
def test_set_metrics_equal_those_of_scikit_learn(seed: int) -> None:
    random = np.random.default_rng(seed)
    rows = [(bool(random.random() < 0.6), bool(random.random() < 0.4), float(random.integers(0, 9))) for _ in range(60)]
    found = {item.metric: item for item in aggregate(*asked_and_done(rows))}
    answerable, refused, signal = (np.array(column) for column in zip(*rows, strict=True))
    refusal, answering = f1_score(~answerable, refused), f1_score(answerable, ~refused)
    expected = {
        "refusal_f1": refusal,
        "answerable_f1": answering,
        "grounded_refusal_f1": (refusal + answering) / 2,
        "answerability_auroc": roc_auc_score(answerable, signal),
    }
    assert {name: item.value for name, item in found.items()} == pytest.approx(expected)
    assert all(item.low is not None and item.low < item.value < item.high for item in found.values())  # type: ignore[operator]
    assert {item.n for item in found.values()} == {60}


def test_set_metrics_are_the_same_every_time() -> None:
    given = asked_and_done([(True, False, 0.9), (False, True, 0.1), (True, True, 0.3), (False, False, 0.6)] * 5)
    assert aggregate(*given) == aggregate(*given)


@pytest.mark.parametrize("answerable", [True, False])
def test_with_one_class_absent_there_is_no_number(answerable: bool) -> None:
    questions, traces = asked_and_done([(answerable, True, 0.5), (answerable, False, 0.7)])
    assert {(item.value, item.n) for item in aggregate(questions, traces)} == {(None, 0)}


def test_always_answering_and_always_refusing_both_look_bad() -> None:
    for refused in (True, False):
        found = {item.metric: item for item in aggregate(*asked_and_done([(True, refused, 0.5), (False, refused, 0.5)] * 4))}
        assert found["grounded_refusal_f1"].value == pytest.approx(1 / 3)
        assert found["answerability_auroc"].value == 0.5


def test_questions_without_a_trace_are_errors_and_without_an_answer_do_not_apply() -> None:
    questions, traces = asked_and_done([(True, False, 0.9), (False, True, 0.1), (True, True, 0.3)])
    traces.pop("q2")
    assert [item.errors for item in aggregate(questions, traces)] == [1, 1, 1, 1]
    silent = {name: Trace(name) for name in traces}
    assert {(item.value, item.not_applicable) for item in aggregate(questions, silent)} == {(None, 2)}
    assert [item.value for item in aggregate([], {})] == [None] * 4
