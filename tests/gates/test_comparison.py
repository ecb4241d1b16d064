"""Pairing a run with its baseline, and the coverage of a metric."""

import pytest

from harness.gates.comparison import Comparison, compare, measured, questions_of
from harness.metrics.catalog import describe
from harness.types import Failure
from tests.gates.records import Row, accepted, record

SPLITS = {"q000": "test", "q001": "tune", "q002": "test", "q003": "test"}


def compared(before: Row, after: Row, metric: str = "recall_at_5") -> Comparison:
    now = record({metric: after})
    return compare(now, accepted({metric: before}), measured(now, metric, "all"), describe(metric))


def test_the_questions_of_a_split_include_those_that_failed() -> None:
    now = record({"recall_at_5": [1.0, 1.0]}, splits=SPLITS, failures=(Failure("q009", "retrieve", "boom"),))
    assert questions_of(now, "tune") == ("q001",)
    assert questions_of(now, "test") == ("q000", "q002", "q003", "q009")
    assert questions_of(now) == ("q000", "q001", "q002", "q003", "q009")


def test_four_states_are_kept_apart() -> None:
    found = measured(record({"recall_at_5": [0.25, None, "error", "skipped"]}), "recall_at_5", "all")
    assert found.values == {"q000": 0.25}
    assert (found.lost, found.skipped) == (("q002",), ("q003",))


def test_a_question_without_any_score_is_lost() -> None:
    assert measured(record({"recall_at_5": [1.0]}, splits=SPLITS), "recall_at_5", "test").lost == ("q002", "q003")


def test_the_mean_lies_between_all_lost_being_worst_and_best() -> None:
    found = measured(record({"recall_at_5": [1.0, 1.0, 0.0, "error"]}), "recall_at_5", "all")
    assert found.mean == pytest.approx(2 / 3)
    assert found.bounds(describe("recall_at_5")) == (0.5, 0.75)
    assert found.bounds(describe("invented_citations")) == (0.5, float("inf"))


def test_only_questions_that_both_scored_are_paired() -> None:
    found = compared([1.0, 0.5, None, 0.0, "error"], [0.5, None, 1.0, 1.0, 1.0])
    assert (found.questions, found.differences) == (("q000", "q003"), (-0.5, 1.0))
    assert (found.before, found.after) == (0.5, 0.75)


def test_differences_are_turned_so_that_negative_is_worse() -> None:
    assert compared([0.0, 1.0], [1.0, 1.0]).differences == (1.0, 0.0)
    assert compared([0.0, 1.0], [1.0, 1.0], "over_refusal_rate").differences == (-1.0, 0.0)


@pytest.mark.parametrize(("metric", "reach"), [("recall_at_5", (-1.0, 1.0)), ("invented_citations", None)])
def test_a_difference_can_be_as_large_as_the_metric_allows(metric: str, reach: tuple[float, float] | None) -> None:
    assert compared([0.0, 1.0], [1.0, 1.0], metric).reach == reach


def test_the_random_draws_depend_on_what_is_compared_and_on_nothing_else() -> None:
    first, again = compared([0.0], [1.0]), compared([1.0], [1.0])
    assert first.seed == again.seed
    assert first.seed != compared([0.0], [1.0], "mrr_at_10").seed


def test_nothing_changed_is_an_interval_of_no_width() -> None:
    found = compared([0.5, 0.25], [0.5, 0.25])
    assert (found.unchanged, found.interval(), found.p_worse(), found.p_better()) == (True, (0.0, 0.0), 1.0, 1.0)


def test_all_falling_alike_still_leaves_room_for_questions_not_seen() -> None:
    low, high = compared([1.0] * 12, [0.9] * 12).interval() or (0, 0)
    assert -1 <= low < -0.1 < high <= 1


def test_changed_questions_stand_worst_first_then_by_name() -> None:
    found = compared([1.0, 1.0, 0.0, 1.0, 1.0], [0.5, 0.0, 1.0, 1.0, 0.5])
    assert found.flipped == ("q001", "q000", "q004", "q002")
