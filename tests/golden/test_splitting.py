"""Leaks between tune and test, and divisions without any."""

import random
from pathlib import Path

import pytest

from harness.errors import ConfigError, GoldenSetError
from harness.golden.duplicates import near_copies
from harness.golden.golden_set import GoldenSet, load
from harness.golden.splitting import ALL, divide, leaks, stratum, tally
from harness.types import Question, Span
from tests.builders import question
from tests.golden.folders import FILTER, row, write


def some(number: int, group: str, kind: str = "factoid", split: str = "test", text: str = "", **fields: object) -> Question:
    """A question of its own words."""
    return question(f"q{number}", text or f"word{number} other{number}", kind=kind, group=group, split=split, **fields)


def golden(folder: Path, *rows: dict[str, object]) -> GoldenSet:
    """A set on disk."""
    return load(write(folder, rows))


def test_groups_copies_and_sentences_on_both_sides_are_leaks(tmp_path: Path) -> None:
    half = {"doc": "aq.md", "quote": "filter lasts"}
    asked = golden(
        tmp_path / "set",
        row(id="a", question="How long does it last?", group="g", split="tune"),
        row(id="b", question="How long does it LAST", group="h", evidence=[[half]]),
        row(id="c", question="May I wash it?", group="g", evidence=[[{"doc": "aq.md", "quote": "The probe lasts 9 months."}]]),
    )
    found = leaks(asked, near_copies(asked.questions))
    assert (found.copies, found.groups, found.tight) == ((("a", "b"),), ("g",), False)
    assert [asked.documents[0].text[span.start : span.end] for span in found.sentences] == ["The filter lasts 6 months."]


def test_lines_of_a_table_are_told_apart(tmp_path: Path) -> None:
    folder = write(tmp_path / "set")
    (folder / "corpus" / "t.csv").write_text("part,price\nfilter,5\nprobe,9\n")
    rows = [
        row(id=name, question=name, group=name, split=split, evidence=[[{"doc": "t.csv", "quote": quote}]])
        for name, split, quote in (("a", "tune", "filter,5"), ("b", "test", "probe,9"), ("c", "test", "probe"))
    ]
    assert leaks(load(write(folder, rows)), ()).tight


def test_one_document_as_a_whole_on_both_sides_shares_no_sentence(tmp_path: Path) -> None:
    rows = [row(id="a", question="a", group="a", split="tune", evidence=[[{"doc": "aq.md"}]])]
    rows.append(row(id="b", question="b", group="b", evidence=[[FILTER]]))
    assert leaks(golden(tmp_path / "set", *rows), ()).sentences == ()


def test_evidence_over_two_sentences_holds_both(tmp_path: Path) -> None:
    both = {"doc": "aq.md", "quote": "6 months. Never"}
    rows = [row(id="a", question="a", group="a", split="tune", evidence=[[both]]), row(id="b", question="b", group="b")]
    assert leaks(golden(tmp_path / "set", *rows), ()).sentences == (Span("aq.md", 6, 32),)


def test_a_group_is_never_parted() -> None:
    draw = random.Random(3)
    questions = [some(number, f"g{draw.randint(0, 15)}", draw.choice(("factoid", "table", "list"))) for number in range(120)]
    splits = divide(questions).splits
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
    division = divide(questions, 0.5)
    assert division.units == 8
    assert len({division.splits[item.question_id] for item in questions if item.group in ("g0", "g1", "g2")}) == 1


def test_kinds_and_refusal_reasons_are_balanced() -> None:
    kinds = ("factoid", "table", "list")
    questions = [some(number, f"g{number}", kinds[number % 3]) for number in range(60)]
    questions += [
        some(60 + n, f"g{60 + n}", "unanswerable", answerable=False, reason=("future", "unsafe")[n % 2]) for n in range(20)
    ]
    counted = tally(questions, divide(questions, 0.6).splits)
    assert counted == {
        ALL: {"tune": 32, "test": 48},
        **{kind: {"tune": 8, "test": 12} for kind in kinds},
        "unanswerable: future": {"tune": 4, "test": 6},
        "unanswerable: unsafe": {"tune": 4, "test": 6},
    }


def test_the_order_of_the_questions_does_not_matter() -> None:
    draw = random.Random(5)
    questions = [some(number, f"g{draw.randint(0, 12)}", draw.choice(("factoid", "table"))) for number in range(80)]
    mixed = draw.sample(questions, len(questions))
    assert divide(mixed).splits == divide(questions).splits


def test_what_is_divided_once_is_not_divided_anew() -> None:
    questions = [some(number, f"g{number % 9}", ("factoid", "table")[number % 2]) for number in range(50)]
    first = divide(questions)
    assert (first.kept, set(first.changed)) == (False, {name for name, side in first.splits.items() if side == "tune"})
    settled = [some(n, f"g{n % 9}", ("factoid", "table")[n % 2], first.splits[f"q{n}"]) for n in range(50)]
    again = divide(settled)
    assert (again.kept, again.changed, again.splits) == (True, (), first.splits)


def test_a_sound_division_of_the_users_own_is_kept() -> None:
    questions = [some(n, f"g{n}", split="tune" if n in (1, 5, 6, 8) else "test") for n in range(10)]
    assert (divide(questions, 0.6).kept, divide(questions, 0.6).changed) == (True, ())


def test_a_division_that_parts_a_group_is_made_anew() -> None:
    questions = [some(n, f"g{n // 2}", split="tune" if n < 5 else "test") for n in range(10)]
    division = divide(questions, 0.5)
    assert not division.kept
    assert division.splits["q4"] == division.splits["q5"]


@pytest.mark.parametrize("share", [0.01, 0.5, 0.99])
def test_neither_side_is_left_empty(share: float) -> None:
    division = divide([some(number, f"g{number}") for number in range(6)], share)
    assert set(division.splits.values()) == {"tune", "test"}


@pytest.mark.parametrize("share", [0, 1, -0.2, 1.5, float("nan")])
def test_a_share_that_leaves_nothing_to_divide_is_refused(share: float) -> None:
    with pytest.raises(ConfigError, match="must lie between 0 and 1"):
        divide([some(1, "a"), some(2, "b")], share)


def test_a_set_that_must_stay_together_is_refused() -> None:
    with pytest.raises(GoldenSetError, match="2 questions in 1 group cannot be divided"):
        divide([some(1, "a"), some(2, "a")])
    with pytest.raises(GoldenSetError, match="cannot be divided"):
        divide([some(1, "a", text="The same words"), some(2, "b", text="the same words")])


def test_questions_without_a_group_stand_for_themselves() -> None:
    assert divide([some(number, "") for number in range(5)]).units == 5


def test_the_stratum_of_a_refusal_is_its_reason() -> None:
    assert stratum(some(1, "g", "table")) == "table"
    assert stratum(some(1, "g", "unanswerable", answerable=False, reason="unsafe")) == "unanswerable: unsafe"
