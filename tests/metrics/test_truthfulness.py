"""Truthfulness: correct 1, acceptable .5, refused 0, wrong -1."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.metrics.answer import ExactMatch, TokenF1
from harness.metrics.catalog import bounds
from harness.metrics.truthfulness import Truthfulness, stands_in
from harness.types import Answer, State
from tests.builders import question, trace

METRIC = Truthfulness()


@pytest.mark.parametrize(
    ("said", "accepted", "value", "why"),
    [
        ("two years", ("two years",), 1, "correct"),
        ("The warranty is two years [a1b2c3d4e5f6].", ("two years",), 1, "correct"),
        ("It is TWO [a1b2c3d4e5f6] years.", ("two years",), 1, "correct"),
        ("It lasts 24 months.", ("two years", "24 months"), 1, "correct"),
        ("It is 0.8 litres a minute.", ("0.8 litres a minute",), 1, "correct"),
        ("twenty-two years", ("two years",), 0.5, "acceptable"),  # 2 * 1 / (2 + 2); twenty-two is one word
        ("two long years", ("two years",), 0.5, "acceptable"),  # 2 * 2 / (3 + 2)
        ("years", ("two years",), 0.5, "acceptable"),  # 2 * 1 / (1 + 2)
        ("It lasts for three long years.", ("two years",), -1, "wrong"),  # 2 * 1 / (6 + 2)
        ("10.8 litres", ("0.8 litres per hour",), -1, "wrong"),
        ("No idea.", ("two years",), -1, "wrong"),
        ("", ("two years",), -1, "wrong"),
        ("It is 390元。", ("390元",), 1, "correct"),
        ("مدة الضمان ٣٠ شهرًا", ("30 شهرا",), 1, "correct"),
        ("Sie gilt für größere Geräte.", ("GRÖSSERE",), 1, "correct"),
    ],
)
def test_an_answer_is_correct_acceptable_or_wrong(said: str, accepted: tuple[str, ...], value: float, why: str) -> None:
    score = METRIC.score(question(answers=accepted), trace("q1", answer=Answer(said)))
    assert (score.value, score.reason) == (value, why)


@pytest.mark.parametrize(
    ("answerable", "refused", "value"),
    [(True, True, 0), (False, True, 1), (False, False, -1)],
)
def test_a_refusal_costs_nothing_and_is_right_where_there_is_no_answer(answerable: bool, refused: bool, value: float) -> None:
    asked = question(answerable=answerable, answers=("two years",))
    assert METRIC.score(asked, trace("q1", answer=Answer("two years", refused=refused))).value == value


def test_without_short_answers_or_without_an_answer_it_does_not_apply() -> None:
    said = trace("q1", answer=Answer("two years"))
    for asked, left in ((question(), said), (question(answers=("x",)), trace()), (question(answerable=False), trace())):
        assert METRIC.score(asked, left).state is State.NOT_APPLICABLE


def test_an_unanswerable_question_needs_no_short_answers() -> None:
    assert METRIC.score(question(answerable=False), trace("q1", answer=Answer("x"))).value == -1


@pytest.mark.parametrize(
    ("accepted", "text", "stands"),
    [
        ("40 ppm", "| CO2 | 400 to 10000 ppm | +/- 40 ppm |", True),
        ("40 ppm", "140 ppm", False),
        ("40 ppm", "40 to 50 ppm", False),  # in sequence
        ("the", "anything", False),  # no word is left to look for
        ("", "", False),
        ("元", "390元", True),
        ("39元", "390元", False),
    ],
)
def test_an_accepted_answer_stands_as_whole_words_in_sequence(accepted: str, text: str, stands: bool) -> None:
    assert stands_in(accepted, text) is stands


@pytest.mark.parametrize(
    ("accepted", "text", "stands"),
    [
        ("35", "3.5 volts", False),
        ("3.5", "It is 35.", False),
        ("3.5", "It is 3.5.", True),
        ("5", "It takes 5.5 days.", False),
        ("5", "-5 degrees", False),
        ("5", "\u22125 degrees", False),
        ("-5", "5 degrees", False),
        ("-5", "It is (-5) degrees", True),
        ("-5", "\u22125 degrees", True),
        ("-5", "minus 5 degrees", True),
        ("$5", "-$5", False),
        ("5", "an A- 5 times", True),
        ("510", "5-10 days", False),
        ("5-10", "5\u201310 days", True),
        ("10", "from 5 -10", True),  # a range with a blank, no sign
        ("v1.2", "v12", False),
        ("1/2", "12", False),
        ("1/2", "½ cup", True),
        ("and/or", "and / or", False),
        ("C#", "We use C.", False),
        ("C", "We use C++ only.", False),
        ("C++", "We use C++.", True),
        ("C", "We use C.", True),
        ("1000", "It is 1,000.", True),
        ("1,000", "It is 1000 kg.", True),
        ("1,5", "15", False),
        ("1230", "at 12:30", False),
        ("3.1", "version 3.10", False),
        ("３．５", "3.5", True),
        ("٣٫٥", "3.5", True),
    ],
)
def test_marks_that_tell_numbers_and_names_apart_are_kept(accepted: str, text: str, stands: bool) -> None:
    assert stands_in(accepted, text) is stands


@pytest.mark.parametrize(("said", "accepted"), [("3.5", "35"), ("35", "3.5"), ("1/2", "12"), ("C", "C#"), ("-5", "5")])
def test_another_number_is_not_acceptable_either_although_squad_deletes_the_mark(said: str, accepted: str) -> None:
    assert METRIC.score(question(answers=(accepted,)), trace("q1", answer=Answer(said))).value == -1


@pytest.mark.parametrize(("said", "accepted"), [("3.5", "35"), ("1/2", "12")])
def test_exact_match_stays_that_of_squad(said: str, accepted: str) -> None:
    assert ExactMatch().score(question(answers=(accepted,)), trace("q1", answer=Answer(said))).value == 1


@pytest.mark.parametrize(("said", "value"), [("", 0.5), ("years", -1)])
def test_an_accepted_answer_without_words_is_never_found_in_one_that_has_some(said: str, value: float) -> None:
    assert METRIC.score(question(answers=("the",)), trace("q1", answer=Answer(said))).value == value


def test_a_denial_that_holds_the_answer_counts_as_correct_which_the_docstring_says() -> None:
    assert METRIC.score(question(answers=("two years",)), trace("q1", answer=Answer("It is not two years."))).value == 1
    assert "a denial" in " ".join((Truthfulness.__doc__ or "").split())


texts = st.text(alphabet="ab c元٣,.", max_size=12)


@given(texts, texts)
@settings(max_examples=200, deadline=None, derandomize=True)
def test_it_agrees_with_exact_match_and_token_f1(said: str, accepted: str) -> None:
    asked, left = question(answers=(accepted,)), trace("q1", answer=Answer(said))
    value, f1 = METRIC.score(asked, left).value, TokenF1().score(asked, left).value
    assert f1 is not None
    assert value in (1, 0.5, -1)
    assert value != -1 or f1 < 0.5
    assert value == 1 or not stands_in(accepted, said)
    if ExactMatch().score(asked, left).value == 1:
        assert value in (1, 0.5)


def test_its_range_reaches_below_0() -> None:
    assert bounds("truthfulness") == (-1, 1)
