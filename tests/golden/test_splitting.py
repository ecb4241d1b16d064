"""Divisions into tune and test through which nothing leaks."""

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from harness.errors import ConfigError, GoldenSetError
from harness.golden.golden_set import GoldenSet
from harness.golden.splitting import ALL, Division, divide, stratum, tally
from harness.golden.ties import Ties, ties
from harness.types import Document, Question
from tests.builders import document, question


def some(number: int, group: str, kind: str = "factoid", split: str = "test", text: str = "", **fields: Any) -> Question:
    """A question of its own words."""
    return question(f"q{number}", text or f"word{number} other{number}", kind=kind, group=group, split=split, **fields)


def divided(questions: Sequence[Question], share: float = 0.6, documents: Sequence[Document] = (), as_of: str = "") -> Division:
    """The division of a set of these questions."""
    return divide(GoldenSet("set", 1, tuple(questions), tuple(documents), "", "", as_of), share)


def test_a_group_is_never_parted() -> None:
    draw = random.Random(3)
    questions = [some(number, f"g{draw.randint(0, 15)}", draw.choice(("factoid", "table", "list"))) for number in range(120)]
    splits = divided(questions).splits
    sides = {
        name: {splits[item.question_id] for item in questions if item.group == name} for name in {q.group for q in questions}
    }
    assert all(len(found) == 1 for found in sides.values())


def test_groups_with_near_copies_of_each_other_stay_together_over_any_number_of_steps() -> None:
    questions = [some(number, f"g{number}") for number in range(10)]
    questions += [
        some(10, "g0", text="How long does the filter last?"),
        some(11, "g1", text="how long does the filter LAST"),
        some(12, "g1", text="May I wash the soil probe?"),
        some(13, "g2", text="May I wash the soil probe"),
    ]
    division = divided(questions, 0.5)
    assert division.units == 8
    assert len({division.splits[item.question_id] for item in questions if item.group in ("g0", "g1", "g2")}) == 1


def test_questions_that_quote_the_same_text_stay_together() -> None:
    text = document("a.md", "One two three four. Five six.")
    places = {0: (0, 19), 1: (4, 7), 2: (20, 29), 3: (20, 24), 4: (8, 13)}
    questions = [some(n, f"g{n}", evidence=[[("a.md", *places[n])]] if n in places else []) for n in range(12)]
    division = divided(questions, 0.5, [text])
    assert division.units == 9
    assert division.splits["q0"] == division.splits["q1"] == division.splits["q4"]
    assert division.splits["q2"] == division.splits["q3"]


def test_near_copies_stay_together_whether_or_not_they_write_out_the_cards_day() -> None:
    asked = [some(0, "a", text="What does it cost?"), some(1, "b", text="What does it cost?", as_of="2026-01-01")]
    questions = [*asked, *(some(n, f"g{n}") for n in range(2, 8))]
    assert divided(questions, as_of="2026-01-01").units == 7
    assert divided(questions, as_of="2025-12-31").units == 8


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("present", ["test only", "at random", "by group"])
def test_nothing_leaks_through_any_division(seed: int, present: str) -> None:
    draw = random.Random(seed)
    documents = [document(f"d{n}.md", "x" * 400) for n in range(4)]
    questions = []
    for number in range(60):
        group, start = f"g{draw.randint(0, 25)}", draw.randrange(390)
        side = {"test only": "test", "at random": draw.choice(("tune", "test")), "by group": ("tune", "test")[len(group) % 2]}
        words = f"How is it with {draw.choice('abcdef')} {draw.choice('uvwxyz')} and with word{draw.randint(0, 40)}?"
        place = (f"d{draw.randint(0, 3)}.md", start, start + draw.randint(1, 6))
        questions.append(some(number, group, split=side[present], text=words, evidence=[[place]]))
    splits = divided(questions, 0.6, documents).splits
    moved = [replace(item, split=splits[item.question_id]) for item in questions]
    assert ties(moved, documents).straddling == Ties()
    assert set(splits.values()) == {"tune", "test"}


def test_kinds_and_refusal_reasons_are_balanced() -> None:
    kinds = ("factoid", "table", "list")
    questions = [some(number, f"g{number}", kinds[number % 3]) for number in range(60)]
    questions += [
        some(60 + n, f"g{60 + n}", "unanswerable", answerable=False, reason=("future", "unsafe")[n % 2]) for n in range(20)
    ]
    counted = tally(questions, divided(questions, 0.6).splits)
    assert counted == {
        ALL: {"tune": 32, "test": 48},
        **{kind: {"tune": 8, "test": 12} for kind in kinds},
        "unanswerable: future": {"tune": 4, "test": 6},
        "unanswerable: unsafe": {"tune": 4, "test": 6},
    }


@pytest.mark.parametrize(
    ("sizes", "share", "test"),
    [([20] * 3 + [1] * 60, 0.5, 60), ([30, 10] + [1] * 10, 0.6, 30), ([9] * 5 + [1] * 5, 0.6, 30), ([1] * 50, 0.6, 30)],
    ids=["three large ones", "one larger than all others", "few small ones", "all alike"],
)
def test_what_is_balanced_are_questions_and_not_groups(sizes: list[int], share: float, test: int) -> None:
    groups = [group for group, size in enumerate(sizes) for _ in range(size)]
    questions = [some(number, f"g{group}") for number, group in enumerate(groups)]
    counted = {"tune": len(questions) - test, "test": test}
    assert tally(questions, divided(questions, share).splits) == {ALL: counted, "factoid": counted}


@pytest.mark.parametrize(("test", "stays"), [(13, True), (12, True), (14, False), (11, False)])
def test_a_present_division_stays_if_it_misses_its_shares_by_half_a_question_more_at_most(test: int, stays: bool) -> None:
    questions = [some(n, f"g{n}", split="test" if n < test else "tune") for n in range(21)]
    division = divided(questions, 0.6)
    assert division.kept is stays
    assert tally(questions, division.splits)[ALL]["test"] == (test if stays else 13)


def test_the_order_of_the_questions_does_not_matter() -> None:
    draw = random.Random(5)
    questions = [some(number, f"g{draw.randint(0, 12)}", draw.choice(("factoid", "table"))) for number in range(80)]
    mixed = draw.sample(questions, len(questions))
    assert divided(mixed).splits == divided(questions).splits


def test_what_is_divided_once_is_not_divided_anew() -> None:
    questions = [some(number, f"g{number % 9}", ("factoid", "table")[number % 2]) for number in range(50)]
    first = divided(questions)
    assert (first.kept, set(first.changed)) == (False, {name for name, side in first.splits.items() if side == "tune"})
    settled = [some(n, f"g{n % 9}", ("factoid", "table")[n % 2], first.splits[f"q{n}"]) for n in range(50)]
    again = divided(settled)
    assert (again.kept, again.changed, again.splits) == (True, (), first.splits)


def test_a_sound_division_of_the_users_own_is_kept() -> None:
    questions = [some(n, f"g{n}", split="tune" if n in (1, 5, 6, 8) else "test") for n in range(10)]
    assert (divided(questions, 0.6).kept, divided(questions, 0.6).changed) == (True, ())


def test_of_a_balanced_division_only_what_leaks_changes_side() -> None:
    questions = [some(n, f"g{n // 2}", split="tune" if n // 2 in (0, 3, 4, 8) else "test") for n in range(20)]
    questions[1] = replace(questions[1], split="test")
    division = divided(questions, 0.6)
    assert set(division.changed) <= {"q0", "q1"}
    assert division.splits["q0"] == division.splits["q1"]
    settled = [replace(item, split=division.splits[item.question_id]) for item in questions]
    assert divided(settled, 0.6).kept


def test_a_lopsided_division_is_made_anew() -> None:
    questions = [some(n, f"g{n}", split="tune" if n < 18 else "test") for n in range(20)]
    assert tally(questions, divided(questions, 0.6).splits)[ALL] == {"tune": 8, "test": 12}


def test_a_division_that_parts_a_group_is_made_anew() -> None:
    questions = [some(n, f"g{n // 2}", split="tune" if n < 5 else "test") for n in range(10)]
    division = divided(questions, 0.5)
    assert not division.kept
    assert division.splits["q4"] == division.splits["q5"]


@pytest.mark.parametrize("share", [0.01, 0.5, 0.99])
def test_neither_side_is_left_empty(share: float) -> None:
    division = divided([some(number, f"g{number}") for number in range(6)], share)
    assert set(division.splits.values()) == {"tune", "test"}


@pytest.mark.parametrize("share", [0, 1, -0.2, 1.5, float("nan")])
def test_a_share_that_leaves_nothing_to_divide_is_refused(share: float) -> None:
    with pytest.raises(ConfigError, match="must lie between 0 and 1"):
        divided([some(1, "a"), some(2, "b")], share)


def test_a_set_that_must_stay_together_is_refused() -> None:
    with pytest.raises(GoldenSetError, match="2 questions in 1 group cannot be divided"):
        divided([some(1, "a"), some(2, "a")])
    with pytest.raises(GoldenSetError, match="cannot be divided"):
        divided([some(1, "a", text="The same words"), some(2, "b", text="the same words")])


def test_questions_without_a_group_stand_for_themselves() -> None:
    assert divided([some(number, "") for number in range(5)]).units == 5


def test_the_stratum_of_a_refusal_is_its_reason() -> None:
    assert stratum(some(1, "g", "table")) == "table"
    assert stratum(some(1, "g", "unanswerable", answerable=False, reason="unsafe")) == "unanswerable: unsafe"
