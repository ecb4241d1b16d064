"""Exact match and token F1: word for word what SQuAD's script says."""

import pytest

from harness.metrics.answer import ExactMatch, TokenF1, normalised
from harness.types import Answer
from tests.builders import question, trace


def scores(said: str, *accepted: str) -> tuple[float | None, float | None]:
    asked, left = question(answers=accepted), trace("q1", answer=Answer(said))
    return ExactMatch().score(asked, left).value, TokenF1().score(asked, left).value


@pytest.mark.parametrize(
    ("said", "accepted", "exact", "f1"),
    [
        ("400 metres", "400 metres", 1, 1),
        ("400 Metres.", "400 metres", 1, 1),
        ("It reaches 400 metres", "400 metres", 0, 2 * 2 / 6),
        ("metres 400", "400 metres", 0, 1),  # the same words in another order
        ("400", "400 metres", 0, 2 / 3),
        ("400 feet", "400 metres", 0, 1 / 2),
        ("a gateway", "the gateway", 1, 1),  # articles do not count
        ("AQ-210", "aq210", 1, 1),  # neither does punctuation
        ("2.4 GHz", "24 ghz", 1, 1),  # that is SQuAD's rule, for better or worse
        ("the the the", "gateway", 0, 0),
        ("no no no", "no", 0, 2 / 4),  # a repeated word is shared once
        ("zwei Jahre", "two years", 0, 0),
        ("10 °C", "10 °c", 1, 1),
    ],
)
def test_an_answer_beside_an_accepted_one(said: str, accepted: str, exact: float, f1: float) -> None:
    assert scores(said, accepted) == (exact, pytest.approx(f1))


def test_the_best_of_several_accepted_answers_counts() -> None:
    assert scores("18 months", "a year and a half", "18 months", "eighteen months") == (1, 1)
    assert scores("18 long months", "a year and a half", "18 months") == (0, pytest.approx(4 / 5))


@pytest.mark.parametrize("marker", [" [3f2a1b2c3d4e]", "[3f2a1b2c3d4e]", " 【3f2a1b2c3d4e】", " [3f2a1b2c3d4e][a1b2c3d4e5f6]"])
def test_citations_are_no_words_of_the_answer(marker: str) -> None:
    assert scores(f"18 months{marker}.", "18 months") == (1, 1)


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("The Answer", "answer"),
        ("an apple a day", "apple day"),
        ("  many\t blanks\n", "many blanks"),
        ("theatre another", "theatre another"),  # articles inside words stay
        ("co-op's", "coops"),
        ("...", ""),
        ("A", ""),
    ],
)
def test_normalisation(text: str, bare: str) -> None:
    assert normalised(text) == bare


def test_f1_is_the_same_both_ways() -> None:
    assert scores("the cells last 18 months", "18 months")[1] == scores("18 months", "the cells last 18 months")[1]
