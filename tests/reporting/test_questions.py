"""Which questions went wrong and where their evidence was lost."""

import pytest

from harness.reporting.questions import Confusion, cases, confusion, expectation, losses, lost_at, recall_by_station
from harness.types import Answer, Failure, Score
from tests.builders import question
from tests.reporting.records import answered, asked, pipeline_scores, record

YES, NO = Answer("Two years."), Answer("I cannot find this in the knowledge base.", refused=True)


@pytest.mark.parametrize(
    ("bm25", "dense", "fused", "reranked", "context", "station"),
    [
        (1, 1, 1, 1, 1, ""),
        (0, 0, 0, 0, 0, "retrieval"),
        (0.5, 0, 0.5, 0.5, 0.5, "retrieval"),
        (1, 0, 0, 0, 0, "fused"),
        (1, 0, 1, 0, 0, "reranked"),
        (1, 1, 1, 1, 0.5, "context"),
        (0.5, 0.5, 1, 1, 1, ""),
        (0.5, 0.5, 1, 0, 0, "reranked"),
        (0, 0, 0, 0, 1, ""),
    ],
)
def test_evidence_is_lost_at_the_station_after_the_last_complete_one(
    bm25: float, dense: float, fused: float, reranked: float, context: float, station: str
) -> None:
    recall = {"bm25": bm25, "dense": dense, "fused": fused, "reranked": reranked, "context": context}
    assert lost_at(recall) == station


def test_without_recall_nothing_is_said_about_loss() -> None:
    assert lost_at({}) == ""


def test_recall_is_read_at_what_a_station_passes_on() -> None:
    values = {
        "fused/recall_at_5": 0,
        "fused/recall_at_20": 1,
        "recall_at_5": 0,
        "recall_at_20": 1,
        "recall_at_budget_1000": 1,
        "context/recall_at_5": 0,
        "ndcg_at_10": 1,
    }
    scores = [Score(metric, "q1", value) for metric, value in values.items()]
    assert recall_by_station(scores) == {"q1": {"fused": 1, "reranked": 0, "context": 0}}


def test_the_refusal_table_counts_both_sides() -> None:
    assert confusion(asked(), answered(YES, NO, YES, NO)) == Confusion(answered=1, over_refused=1, falsely_answered=1, refused=1)


def test_a_run_without_answers_has_no_refusal_table() -> None:
    assert confusion(asked(), []) is None


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"answers": ("8443", "port 8443")}, "8443 / port 8443"),
        ({"reference": "It uses port 8443."}, "It uses port 8443."),
        ({}, "an answer"),
        ({"answerable": False}, "a refusal"),
        ({"answerable": False, "reason": "future"}, "a refusal (future)"),
    ],
)
def test_the_expectation_is_put_in_words(fields: dict[str, object], text: str) -> None:
    assert expectation(question(**fields)) == text  # type: ignore[arg-type]


def test_wrong_refusals_false_answers_and_lost_evidence_are_listed() -> None:
    found = cases(record(scores=pipeline_scores()), asked(), answered(YES, NO, YES, NO))
    assert [(item.question.question_id, item.faults) for item in found] == [
        ("q2", ("refused, though it can be answered", "evidence lost at reranked")),
        ("q3", ("answered, though it cannot be",)),
    ]
    assert losses(found) == {"reranked": 1}


def test_a_question_that_failed_is_listed_with_its_error() -> None:
    broken = record(failures=[Failure("q1", "generator", "TimeoutError: 60 s")])
    assert [item.faults for item in cases(broken, asked(), answered())] == [("generator failed: TimeoutError: 60 s",)]


def test_a_run_in_which_all_went_well_lists_nothing() -> None:
    assert cases(record(), asked(), answered(YES, YES, NO, NO)) == []
