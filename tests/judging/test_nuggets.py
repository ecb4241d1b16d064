"""Answer correctness by nuggets."""

import pytest

from harness.text import REFUSAL
from harness.types import Answer, Nugget, State
from tests.builders import question
from tests.judging.tables import Table, judged, value

ASKED = question(nuggets=(Nugget("n1"), Nugget("n2"), Nugget("n3", vital=False), Nugget("n4", vital=False)))
TABLE = Table({"n1": "W", "n2": "X", "n3": "Y", "n4": "Z"}, parts={"n1": "w", "n2": "x", "n3": "y", "n4": "z"})
"""An answer states n1 in full with the letter W and in part with w; n2 with X and x; ..."""
METRICS = ("answer_correctness_strict_vital", "answer_correctness_vital", "answer_correctness_all")


@pytest.mark.parametrize(
    ("answer", "strict", "vital", "all_"),
    [
        ("WXYZ", 1.0, 1.0, 1.0),
        ("WX", 1.0, 1.0, 0.5),
        ("W", 0.5, 0.5, 0.25),
        ("Wx", 0.5, 0.75, 0.375),
        ("wx", 0.0, 0.5, 0.25),
        ("YZ", 0.0, 0.0, 0.5),
        ("Wxyz", 0.5, 0.75, 0.625),
        ("nothing!", 0.0, 0.0, 0.0),
    ],
)
def test_nuggets_stated_over_nuggets(answer: str, strict: float, vital: float, all_: float) -> None:
    found = [value(metric, Answer(answer), TABLE, ASKED) for metric in METRICS]
    assert found == [strict, vital, all_]


@pytest.mark.parametrize("metric", METRICS)
def test_refusing_a_question_that_can_be_answered_scores_zero_and_says_so(metric: str) -> None:
    table = Table({})
    score = judged(metric, Answer(REFUSAL, refused=True), table, ASKED)
    assert (score.value, score.state, table.asked) == (0.0, State.SCORED, [])
    assert "refused although the question can be answered" in score.reason


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize(
    ("asked", "why"),
    [
        (question(), "no nuggets"),
        (question(answerable=False, nuggets=ASKED.nuggets), "unanswerable"),
    ],
)
def test_without_anything_to_state_it_is_not_applicable(metric: str, asked: object, why: str) -> None:
    for answer in (Answer("WXYZ"), Answer(REFUSAL, refused=True)):
        score = judged(metric, answer, TABLE, asked)  # type: ignore[arg-type]
        assert score.state is State.NOT_APPLICABLE
        assert why in score.reason


def test_without_vital_nuggets_only_all_applies() -> None:
    asked = question(nuggets=(Nugget("n3", vital=False),))
    states = [judged(metric, Answer("Y"), TABLE, asked).state for metric in METRICS]
    assert states == [State.NOT_APPLICABLE, State.NOT_APPLICABLE, State.SCORED]


def test_without_an_answer_it_is_not_applicable() -> None:
    assert judged(METRICS[0], None, TABLE, ASKED).state is State.NOT_APPLICABLE


def test_the_answer_is_read_without_its_citations() -> None:
    table = Table({"n1": "W"})
    judged(METRICS[0], "W [a].", table, ASKED)
    assert table.asked == [(("n1", "n2", "n3", "n4"), "W.")]


def test_what_is_missing_is_named() -> None:
    reason = judged(METRICS[2], Answer("Wx"), TABLE, ASKED).reason
    assert "1 of 4 nuggets stated in full; partly stated: 'n2'; not stated: 'n3'; not stated: 'n4'" in reason
