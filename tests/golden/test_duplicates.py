"""Near-copies of questions."""

import random
from itertools import combinations
from time import process_time
from typing import Any

import pytest

from harness.golden.duplicates import asker, copy_lots, near_copies, same_asker, similarity, united
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


DAY = "2026-01-01"


@pytest.mark.parametrize(
    ("one", "other", "as_of", "same"),
    [
        ("", DAY, DAY, True),
        (DAY, "", DAY, True),
        ("", "", DAY, True),
        (DAY, DAY, "2025-01-01", True),
        ("", DAY, "2025-01-01", False),
        ("", DAY, "", False),
    ],
)
def test_a_question_without_a_day_is_asked_on_the_cards(one: str, other: str, as_of: str, same: bool) -> None:
    asked = [question("a", ONE, as_of=one), question("b", ONE, as_of=other)]
    assert bool(near_copies(asked, as_of=as_of)) is bool(copy_lots(asked, as_of=as_of)) is same
    assert same_asker(asked[0], asked[1], as_of) is same
    assert same_asker({"as_of": one}, {"as_of": other}, as_of) is same


@pytest.mark.parametrize(
    ("line", "fields"),
    [
        ({}, {}),
        ({"persona": "north", "as_of": DAY}, {"persona": "north", "as_of": DAY}),
        ({"tenant": "north", "persona": "ann"}, {"persona": "north"}),
        ({"history": [{"role": "user", "content": "The SM-60?"}]}, {"history": (Turn("user", "The SM-60?"),)}),
    ],
)
def test_a_line_and_its_question_have_the_same_asker(line: dict[str, Any], fields: dict[str, Any]) -> None:
    assert asker(line, "2025-05-05") == asker(question("a", ONE, **fields), "2025-05-05")
    assert same_asker(line, question("a", ONE, **fields))
    assert not same_asker(line, question("a", ONE, **{**fields, "persona": "south"}))


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


@pytest.mark.parametrize("threshold", [0.3, 0.55, 0.7, 0.8, 1.0])
def test_lots_are_what_pairs_connect_directly_or_over_others(threshold: float) -> None:
    draw = random.Random(9)
    texts = [" ".join(draw.choices("abcdefghijklmnopqrs", k=draw.randint(1, 9))) for _ in range(200)]
    questions = [question(f"q{number:03}", text, persona=draw.choice(("", "north"))) for number, text in enumerate(texts)]
    stands_for = united([item.question_id for item in questions], pairs(*questions, threshold=threshold))
    expected = [[name for name in stands_for if stands_for[name] == first] for first in sorted(set(stands_for.values()))]
    lots = [[item.question_id for item in lot] for lot in copy_lots(questions, threshold)]
    assert lots == [lot for lot in expected if len(lot) > 1] != []


TEMPLATES = {
    "What is the highest temperature in which the model AQ-{n} sensor may work by its manual?": 1,
    "What is the {attribute} limit of the model AQ-{n} sensor in its own manual?": 4,
    "What is the mass of the AQ-{n}?": 0,
    "How heavy is it?": 1,
}


@pytest.mark.parametrize(("template", "lots"), TEMPLATES.items(), ids=["one slot", "two slots", "too short", "identical"])
def test_six_thousand_questions_of_one_template_take_no_time(template: str, lots: int) -> None:
    attributes = ("voltage", "current", "pressure", "humidity")
    texts = [template.format(n=number, attribute=attributes[number % 4]) for number in range(6_000)]
    began = process_time()
    found = copy_lots([question(f"q{number}", text) for number, text in enumerate(texts)])
    assert process_time() - began < 5
    assert (len(found), sum(map(len, found))) == (lots, 6_000 if lots else 0)


@pytest.mark.parametrize("threshold", [0.0, -0.1, 1.01, float("nan")])
def test_a_threshold_that_means_nothing_is_refused(threshold: float) -> None:
    with pytest.raises(ValueError, match="threshold must lie in"):
        near_copies([question()], threshold)
    with pytest.raises(ValueError, match="threshold must lie in"):
        copy_lots([], threshold)


def test_names_connected_over_others_stand_together_under_the_first_of_them() -> None:
    assert united("dabcef", [("d", "c"), ("c", "b"), ("e", "f")]) == {
        "d": "b",
        "a": "a",
        "b": "b",
        "c": "b",
        "e": "e",
        "f": "e",
    }
