"""Near-copies of questions."""

import random
from itertools import combinations

import pytest

from harness.golden.duplicates import near_copies, similarity, united
from harness.text import words
from harness.types import Question, Turn
from tests.builders import question

ONE = "How long does the filter of the AQ-210 last?"


def pairs(*questions: Question, threshold: float = 0.8) -> list[tuple[str, str]]:
    """Ids of the near-copies."""
    return [(one.question_id, other.question_id) for one, other in near_copies(questions, threshold)]


@pytest.mark.parametrize(
    ("other", "copy"),
    [
        (ONE, True),
        ("how long does THE filter of the aq-210 last", True),
        ("the AQ-210 filter: does the last of how long?", True),
        ("How long does the old filter of the AQ-210 last?", True),
        ("How long does the filter of the AQ-220 last?", False),
        ("How far does the gateway reach?", False),
    ],
)
def test_almost_the_same_words_in_any_order_make_a_near_copy(other: str, copy: bool) -> None:
    assert pairs(question("a", ONE), question("b", other)) == ([("a", "b")] if copy else [])


def test_a_share_of_exactly_the_threshold_is_a_near_copy() -> None:
    one, other = question("a", "a b c d e"), question("b", "a b c d")
    assert similarity(one.text, other.text) == 0.8
    assert pairs(one, other) == [("a", "b")]
    assert pairs(one, other, threshold=0.81) == []


@pytest.mark.parametrize("fields", [{"persona": "north"}, {"as_of": "2025-01-01"}, {"history": (Turn("user", "The SM-60?"),)}])
def test_the_same_words_of_another_asker_day_or_conversation_are_no_copy(fields: dict[str, object]) -> None:
    assert pairs(question("a", ONE), question("b", ONE, **fields)) == []
    assert pairs(question("a", ONE, **fields), question("b", ONE, **fields)) == [("a", "b")]


def test_questions_without_words_are_no_copies() -> None:
    assert pairs(question("a", "???"), question("b", "!!!")) == []
    assert similarity("???", "") == 0.0


def test_pairs_come_once_in_the_order_of_the_questions() -> None:
    assert pairs(question("z", ONE), question("y", "Other words"), question("a", ONE), question("m", ONE)) == [
        ("z", "a"),
        ("z", "m"),
        ("a", "m"),
    ]


@pytest.mark.parametrize("threshold", [0.3, 0.55, 0.7, 0.8, 1.0])
def test_no_pair_is_missed_that_a_look_at_all_pairs_finds(threshold: float) -> None:
    draw = random.Random(7)
    texts = [" ".join(draw.choices("abcdefghijkl", k=draw.randint(1, 9))) for _ in range(150)]
    questions = [question(f"q{number}", text) for number, text in enumerate(texts)]
    sets = [set(words(text)) for text in texts]
    expected = [
        (f"q{one}", f"q{other}")
        for one, other in combinations(range(150), 2)
        if len(sets[one] & sets[other]) / len(sets[one] | sets[other]) >= threshold - 1e-9
    ]
    assert expected
    assert pairs(*questions, threshold=threshold) == expected


@pytest.mark.parametrize("threshold", [0.0, -0.1, 1.01, float("nan")])
def test_a_threshold_that_means_nothing_is_refused(threshold: float) -> None:
    with pytest.raises(ValueError, match="threshold must lie in"):
        near_copies([question()], threshold)


def test_names_connected_over_others_stand_together_under_the_first_of_them() -> None:
    assert united("dabcef", [("d", "c"), ("c", "b"), ("e", "f")]) == {
        "d": "b",
        "a": "a",
        "b": "b",
        "c": "b",
        "e": "e",
        "f": "e",
    }
