"""Every slice shows every metric, with its denominator, and none vanishes."""

import pytest

from harness.evaluation import aggregate
from harness.slicing import by_slice
from harness.types import Aggregate, Score, State

LABELS = {"q1": ("kind:table", "language:de"), "q2": ("kind:table",), "q3": ("kind:code",), "q4": ("kind:list",)}
SCORES = [
    Score("recall_at_5", "q1", 1.0),
    Score("recall_at_5", "q2", 0.0),
    Score("recall_at_5", "q3", None, State.NOT_APPLICABLE, "x"),
    Score("recall_at_5", "q5", 1.0),  # in no slice
    Score("token_f1", "q1", 0.5),
    Score("token_f1", "q2", None, State.ERROR, "x"),
    Score("token_f1", "q3", None, State.SKIPPED, "x"),
    Score("dense/recall_at_5", "q1", 1.0),
]


def test_a_slice_has_the_mean_of_its_own_questions() -> None:
    found = by_slice(SCORES, LABELS, {})
    assert {name: row["recall_at_5"].value for name, row in found.items()} == {
        "kind:code": None,
        "kind:list": None,
        "kind:table": 0.5,
        "language:de": 1.0,
    }


def test_a_slice_that_scored_nothing_shows_no_number_and_why() -> None:
    found = by_slice(SCORES, LABELS, {})
    assert found["kind:code"]["recall_at_5"] == Aggregate("recall_at_5", None, 0, not_applicable=1)
    assert found["kind:code"]["token_f1"] == Aggregate("token_f1", None, 0, skipped=1)
    assert found["kind:list"] == {name: Aggregate(name, None, 0) for name in ("recall_at_5", "token_f1")}
    assert (found["kind:table"]["token_f1"].n, found["kind:table"]["token_f1"].errors) == (1, 1)


def test_slices_and_metrics_are_sorted_and_every_slice_has_the_same_metrics() -> None:
    found = by_slice(SCORES, LABELS, {})
    assert list(found) == sorted(found)
    assert {tuple(row) for row in found.values()} == {("recall_at_5", "token_f1")}


@pytest.mark.parametrize(
    ("wanted", "metrics"),
    [
        (None, ["recall_at_5", "token_f1"]),
        (["token_f1"], ["token_f1"]),
        (["dense/recall_at_5"], ["dense/recall_at_5"]),  # one station's, when asked for
        (["made_up", "token_f1"], ["made_up", "token_f1"]),  # a metric that nobody scored is seen to be missing
        ([], []),
    ],
)
def test_the_metrics_wanted_are_shown(wanted: list[str] | None, metrics: list[str]) -> None:
    assert {tuple(row) for row in by_slice(SCORES, LABELS, {}, wanted).values()} == {tuple(metrics)}


def test_a_slice_of_all_questions_is_the_whole_run_with_its_clusters() -> None:
    scores = [Score("recall_at_5", f"q{place}", float(place % 3 == 0)) for place in range(12)]
    groups = {f"q{place}": f"g{place // 2}" for place in range(12)}
    found = by_slice(scores, dict.fromkeys(groups, ("answerable:yes",)), groups)
    assert found["answerable:yes"] == aggregate(scores, groups)
    assert (
        found["answerable:yes"]["recall_at_5"]
        != by_slice(scores, dict.fromkeys(groups, ("answerable:yes",)), {})["answerable:yes"]["recall_at_5"]
    )


def test_without_labels_there_are_no_slices() -> None:
    assert by_slice(SCORES, {}, {}) == {}
