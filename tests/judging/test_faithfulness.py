"""Faithfulness: how much of what the answer claims the passages shown support."""

import pytest

from harness.judging.faithfulness import faithfulness
from harness.metrics.catalog import describe
from harness.text import REFUSAL
from harness.types import Answer, State
from tests.judging.tables import A, Table, judged, value

TABLE = Table({"Red.": "A", "Round.": "BC", "Old.": "A B"}, parts={"Soft.": "C"})


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Red.", 1.0),
        ("Red. Round. Old.", 1.0),
        ("Red. Green.", 0.5),
        ("Green.", 0.0),
        ("Soft.", 0.5),
        ("Red. Soft. Green. Blue.", 0.375),
        ("Red [z]. Green [a].", 0.5),
    ],
)
def test_it_is_the_mean_support_over_the_claims(answer: str, expected: float) -> None:
    assert value("faithfulness", answer, TABLE) == expected


def test_a_judge_that_says_yes_or_no_gives_supported_claims_over_claims() -> None:
    score = judged("faithfulness", "Red. Green. Old. Blue.", TABLE)
    assert score.value == 2 / 4
    assert "2 of 4 claims supported" in score.reason


def test_the_reason_names_every_claim_that_is_not_supported_and_why() -> None:
    reason = judged("faithfulness", "Red. Green. Soft. Blue.", TABLE).reason
    assert "'Green.': nothing says so" in reason and "'Soft.': a part of it" in reason and "'Blue.': nothing says so" in reason
    assert "'Red.'" not in reason


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (Answer(REFUSAL, refused=True), "the answer is a refusal"),
        (None, "no answer was generated"),
        (Answer("Sure! Anything else?"), "the answer states no claim"),
        (Answer(""), "the answer states no claim"),
    ],
)
def test_what_claims_nothing_is_not_applicable_and_asks_nobody(answer: Answer | None, why: str) -> None:
    table = Table({})
    score = judged("faithfulness", answer, table)
    assert (score.value, score.state, table.asked) == (None, State.NOT_APPLICABLE, [])
    assert why in score.reason


def test_an_answer_from_no_passage_is_unfaithful_and_asks_nobody() -> None:
    table = Table({"Red.": "A"})
    assert value("faithfulness", "Red.", table, shown=()) == 0.0
    assert table.asked == []


def test_only_passages_shown_count() -> None:
    assert value("faithfulness", "Round.", TABLE, shown=(A,)) == 0.0


def test_its_description_says_what_is_computed() -> None:
    assert "mean support" in describe("faithfulness").formula
    assert "expected share" in (faithfulness.__doc__ or "")
