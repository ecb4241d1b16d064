import numpy as np
import pytest

from harness.cli.calibrate.examples import Examples
from harness.cli.calibrate.rates import changes, objective, rates
from harness.types import Question, Trace

YES, NO = True, False


def given(*answerable: bool) -> Examples:
    return Examples(
        [(Question(f"q{place}", "?", answerable=item), Trace(f"q{place}")) for place, item in enumerate(answerable)], {}
    )


def test_rates_are_those_of_the_confusion_table() -> None:
    """Of 4 answerable questions 1 is refused, of 2 unanswerable 1 is answered."""
    found = {item.metric: item for item in rates(given(YES, YES, YES, YES, NO, NO), np.array([1, 0, 0, 0, 1, 0], dtype=bool))}
    assert {name: item.value for name, item in found.items()} == {
        "over_refusal_rate": 0.25,
        "false_answer_rate": 0.5,
        "refusal_f1": 0.5,
        "answerable_f1": 0.75,
        "grounded_refusal_f1": 0.625,
    }
    assert (found["over_refusal_rate"].n, found["false_answer_rate"].n, found["refusal_f1"].n) == (4, 2, 6)


def test_a_class_that_is_absent_has_no_rate() -> None:
    found = {item.metric: item for item in rates(given(YES, YES), np.array([True, False]))}
    assert (found["false_answer_rate"].value, found["false_answer_rate"].n) == (None, 0)
    assert found["grounded_refusal_f1"].value is None
    assert found["over_refusal_rate"].value == 0.5


def test_a_change_is_paired() -> None:
    questions, right = given(*[YES, NO] * 20), np.array([False, True] * 20)
    same, better = changes(questions, right, right), changes(questions, right, ~right)
    assert {(item.value, item.low) for item in same} == {(0.0, None)}
    assert {item.metric: item.value for item in better} == {
        "over_refusal_rate": pytest.approx(-1.0),
        "false_answer_rate": pytest.approx(-1.0),
        "refusal_f1": pytest.approx(1.0),
        "answerable_f1": pytest.approx(1.0),
        "grounded_refusal_f1": pytest.approx(1.0),
    }
    assert {item.metric: item.n for item in better}["false_answer_rate"] == 20
    assert changes(given(YES, YES), right[:2], right[:2]) == ()


def test_every_change_is_the_difference_of_the_two_rates_with_an_interval_around_it() -> None:
    random = np.random.default_rng(4)
    questions, one, other = given(*[YES, YES, NO] * 20), random.random(60) < 0.4, random.random(60) < 0.7
    new, own = ({item.metric: item.value for item in rates(questions, refused)} for refused in (one, other))
    for item in changes(questions, one, other):
        assert item.value == pytest.approx((new[item.metric] or 0) - (own[item.metric] or 0))
        assert item.low is not None and item.high is not None and item.value is not None
        assert item.low < item.value < item.high
    assert objective(questions, one) == pytest.approx(new["grounded_refusal_f1"])
