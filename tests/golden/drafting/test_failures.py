"""What failed on a question, and at which station."""

import pytest

from harness.golden.drafting.failures import what_failed
from harness.types import Answer, Trace

ANSWERED = Trace("q", answer=Answer("It is 5 [a]."))
REFUSED = Trace("q", answer=Answer("No.", refused=True, refusal_reason="answerability: best score 0.1"))
FOUND = {
    "bm25/recall_at_5": 1.0,
    "bm25/recall_at_20": 1.0,
    "fused/recall_at_20": 1.0,
    "recall_at_20": 1.0,
    "context/recall_at_5": 1.0,
}


@pytest.mark.parametrize(
    ("lost", "station"),
    [
        ({"bm25/recall_at_20": 0.0, "fused/recall_at_20": 0.0, "recall_at_20": 0.0, "context/recall_at_5": 0.0}, "retrieval"),
        ({"fused/recall_at_20": 0.5, "recall_at_20": 0.5, "context/recall_at_5": 0.5}, "fusion"),
        ({"recall_at_20": 0.5, "context/recall_at_5": 0.0}, "reranking"),
        ({"context/recall_at_5": 0.5}, "context"),
    ],
)
def test_evidence_that_was_not_shown_was_lost_at_the_first_station_without_it(lost: dict[str, float], station: str) -> None:
    failed = what_failed(True, FOUND | lost, ANSWERED)
    assert failed is not None
    assert failed[0] == station
    assert "of its evidence was among the passages shown" in failed[1]


def test_two_retrievers_that_find_all_only_together_are_no_loss() -> None:
    halves = {"bm25/recall_at_20": 0.5, "dense/recall_at_20": 0.5}
    assert what_failed(True, FOUND | halves, ANSWERED) is None


def test_recall_at_a_smaller_depth_than_what_is_shown_does_not_count() -> None:
    assert what_failed(True, FOUND | {"context/recall_at_1": 0.0, "recall_at_1": 0.0}, ANSWERED) is None


def test_an_answerable_question_that_was_refused_failed_where_it_was_refused() -> None:
    assert what_failed(True, FOUND, REFUSED) == (
        "answerability",
        "it was refused although it can be answered (answerability: best score 0.1)",
    )


def test_wrong_citations_are_a_failure() -> None:
    assert what_failed(True, FOUND | {"citation_correctness": 0.5}, ANSWERED) == (
        "citation",
        "its citations are wrong (citation_correctness 0.50)",
    )
    assert what_failed(True, FOUND | {"citation_correctness": 1.0, "invented_citations": 0.0}, ANSWERED) is None


def test_a_question_that_should_be_refused_failed_when_it_was_answered() -> None:
    assert what_failed(False, {}, ANSWERED) == ("false_answer", "it was answered although it should be refused")
    assert what_failed(False, {}, REFUSED) is None
    assert what_failed(False, {}, Trace("q")) is None


def test_a_question_that_could_not_be_asked_failed() -> None:
    assert what_failed(True, {}, None, "StageError: gone") == ("error", "it could not be asked: StageError: gone")
