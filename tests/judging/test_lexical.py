"""Faithfulness by words and numbers."""

import pytest
from pydantic import ValidationError

from harness.judging.lexical import LexicalJudge, Shown, numbers
from harness.protocols import Judge
from harness.types import Answer, State
from tests.builders import chunk, question, trace
from tests.contracts.judge import JudgeContract

PASSAGE = chunk("aq210.md", text="The sensor needs 60 seconds after power-on. It costs 1,190.00 EUR.", title="AQ-210 manual")


class TestContract(JudgeContract):
    @pytest.fixture
    def judge(self) -> Judge:
        return LexicalJudge()


@pytest.mark.parametrize(
    ("claim", "fault"),
    [
        ("The sensor needs 60 seconds after power-on.", ""),
        ("After power-on, sensors needed 60 seconds.", ""),
        ("The AQ-210 needs 60 seconds.", ""),
        ("It costs 1190 EUR.", ""),
        ("The sensor needs 61 seconds after power-on.", "no passage has 61"),
        ("The sensor needs 60.5 seconds.", "no passage has 60.5"),
        ("Bananas are yellow fruit.", "0.00 of its words are in the passages"),
        ("The sensor likes bananas.", "0.33 of its words are in the passages"),
    ],
)
def test_a_claim_needs_known_words_and_no_new_number(claim: str, fault: str) -> None:
    assert Shown.of(PASSAGE.indexed_text).against(claim, minimum=0.6) == fault


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1,000.50 and 1000.5", {"1000.5"}),
        ("31.00 EUR", {"31"}),
        ("007", {"7"}),
        ("firmware 3.1.2", {"3.1.2"}),
        ("0.0", {"0"}),
        ("FH-5102-B", {"5102"}),
        ("FH-5102-B,pack of 5,31.00,3", {"5102", "5", "31", "3"}),
        ("none", set()),
    ],
)
def test_numbers_are_compared_by_value(text: str, found: set[str]) -> None:
    assert numbers(text) == found


def test_the_score_is_supported_claims_over_claims() -> None:
    answer = Answer("The sensor needs 60 seconds. It costs 99 EUR. Bananas are yellow. It costs 1190 EUR.")
    (score,) = LexicalJudge().judge(question(), trace("q1", PASSAGE, answer=answer))
    assert score.value == 0.5
    assert "2 of 4 claims supported" in score.reason and "'It costs 99 EUR.': no passage has 99" in score.reason


def test_only_passages_shown_count() -> None:
    far = chunk("b.md", text="The battery lasts 7 years.")
    answered = trace("q1", PASSAGE, far, answer=Answer("The battery lasts 7 years."), shown=1)
    assert LexicalJudge().judge(question(), answered)[0].value == 0.0


def test_an_answer_without_claims_is_not_applicable() -> None:
    (score,) = LexicalJudge().judge(question(), trace("q1", PASSAGE, answer=Answer("Sure! Anything else?")))
    assert (score.value, score.state) == (None, State.NOT_APPLICABLE)


def test_a_negated_claim_loses_a_word() -> None:
    shown = Shown.of("Wash the filter.")
    assert shown.against("Never wash the filter, not ever.", minimum=0.6) == "0.40 of its words are in the passages"


def test_the_minimum_is_part_of_the_identity() -> None:
    assert LexicalJudge().identity == "lexical v1 minimum=0.6" != LexicalJudge(0.8).identity


def test_a_minimum_beyond_one_names_its_field() -> None:
    with pytest.raises(ValidationError, match="minimum"):
        LexicalJudge(minimum=1.2)
