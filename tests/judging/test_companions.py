"""RAGChecker's companions: where wrong and right claims come from."""

import pytest

from harness.types import Answer, State
from tests.builders import question
from tests.judging.tables import Table, judged, value

ASKED = question(reference="R")
TABLE = Table({"Red.": "A R", "Round.": "R", "Old.": "A", "R": "A"})
"""Red is right and in the passages, Round right only, Old in the passages only; anything else is neither."""


@pytest.mark.parametrize(
    ("answer", "hallucination", "self_knowledge", "noise"),
    [
        ("Red.", 0.0, 0.0, 0.0),
        ("Round.", 0.0, 1.0, 0.0),
        ("Old.", 0.0, 0.0, 1.0),
        ("Green.", 1.0, 0.0, 0.0),
        ("Red. Round. Old. Green.", 0.25, 0.25, 0.25),
        ("Green. Blue. Red. Red.", 0.5, 0.0, 0.0),
    ],
)
def test_each_claim_is_right_or_wrong_and_shown_or_not(
    answer: str, hallucination: float, self_knowledge: float, noise: float
) -> None:
    assert value("hallucination", answer, TABLE, ASKED) == hallucination
    assert value("self_knowledge", answer, TABLE, ASKED) == self_knowledge
    assert value("noise_sensitivity", answer, TABLE, ASKED) == noise


def test_with_a_yes_or_no_judge_they_share_what_faithfulness_leaves() -> None:
    answer = "Red. Round. Old. Green. Blue."
    faithful = value("faithfulness", answer, TABLE, ASKED)
    left = [value(metric, answer, TABLE, ASKED) for metric in ("hallucination", "self_knowledge")]
    assert faithful is not None
    assert 1 - faithful == pytest.approx(sum(item or 0.0 for item in left))


REFERENCE = question(reference="Red. Round. Old.")
SHOWN = Table({"Red.": "A R", "Round.": "B", "Old.": "R"})
"""Red and Round are in the passages; an answer that holds R states Red and Old."""


@pytest.mark.parametrize(("answer", "expected"), [("R", 0.5), ("Nothing of it.", 0.0), ("AR B", 1.0)])
def test_context_utilisation_is_the_part_of_the_shown_reference_that_reached_the_answer(answer: str, expected: float) -> None:
    assert value("context_utilization", Answer(answer), SHOWN, REFERENCE) == expected


def test_context_utilisation_names_what_was_left_out() -> None:
    assert "left out: 'Round.'" in judged("context_utilization", "R", SHOWN, REFERENCE).reason


def test_a_reference_that_no_passage_supports_leaves_nothing_to_use() -> None:
    score = judged("context_utilization", "R", SHOWN, question(reference="Green."))
    assert score.state is State.NOT_APPLICABLE
    assert "support no claim of the reference" in score.reason


@pytest.mark.parametrize("metric", ["hallucination", "self_knowledge", "noise_sensitivity", "context_utilization"])
def test_without_a_reference_they_are_not_applicable(metric: str) -> None:
    score = judged(metric, "Red.", TABLE)
    assert score.state is State.NOT_APPLICABLE
    assert "no reference" in score.reason


@pytest.mark.parametrize("metric", ["hallucination", "self_knowledge", "noise_sensitivity", "context_utilization"])
def test_a_refusal_is_not_applicable(metric: str) -> None:
    score = judged(metric, Answer("I cannot find this.", refused=True), TABLE, ASKED)
    assert score.state is State.NOT_APPLICABLE


def test_the_wrong_claims_are_named() -> None:
    reason = judged("hallucination", "Red. Green. Blue.", TABLE, ASKED).reason
    assert "2 of 3 claims are wrong and not in the passages; 'Green.'; 'Blue.'" in reason
