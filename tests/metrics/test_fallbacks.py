"""Counting the steps that were left out of a question."""

from dataclasses import dataclass, replace

import pytest

from harness.metrics.catalog import bounds, default_metrics, describe
from harness.metrics.fallbacks import QueryFallbacks, can_fall_back
from harness.types import Query, State, Trace
from tests.builders import question

PLAIN, LEFT, TWO = Query("a"), Query("b", fallback="hyde: 500"), Query("c", fallback="rewrite: slow; hyde: 500")


@dataclass(frozen=True)
class Step:
    on_failure: str


@pytest.mark.parametrize(
    ("queries", "count", "reason"),
    [
        ((PLAIN,), 0, ""),
        ((LEFT,), 1, "hyde: 500"),
        ((LEFT, LEFT, LEFT, LEFT), 1, "hyde: 500"),
        ((LEFT, PLAIN, replace(LEFT, fallback="hyde: 503")), 1, "hyde: 500; hyde: 503"),
        ((TWO,), 2, "rewrite: slow; hyde: 500"),
        ((LEFT, TWO), 2, "hyde: 500; rewrite: slow; hyde: 500"),
        ((Query("d", fallback="hyde: hyde: cut off; try: again"),), 1, "hyde: hyde: cut off; try: again"),
        (
            (Query("e", fallback="history: a; rewrite: b; subqueries: c; hyde: d"),),
            4,
            "history: a; rewrite: b; subqueries: c; hyde: d",
        ),
        ((Query("f", fallback="R006 down"),), 1, "R006 down"),
    ],
)
def test_each_step_that_was_left_out_counts_once_however_many_queries_lack_it(
    queries: tuple[Query, ...], count: int, reason: str
) -> None:
    score = QueryFallbacks().score(question(), Trace("q1", queries=queries))
    assert (score.value, score.reason, score.state) == (count, reason, State.SCORED)


def test_a_trace_without_queries_is_not_applicable() -> None:
    score = QueryFallbacks().score(question(), Trace("q1"))
    assert (score.state, score.reason) == (State.NOT_APPLICABLE, "the trace has no queries")


def test_it_is_a_count_of_which_less_is_better() -> None:
    found = describe("query_fallbacks")
    assert (found.kind, found.higher_is_better, found.low, found.high) == ("invariant", False, 0, float("inf"))
    assert bounds("query_fallbacks") is None


@pytest.mark.parametrize("fallible", [("query_fallbacks",), ()])
def test_a_run_counts_them_only_where_a_step_can_be_left_out(fallible: tuple[str, ...]) -> None:
    names = [metric.name for metric in default_metrics(["reranked"], generation=False, fallible=fallible)]
    assert ("query_fallbacks" in names) is bool(fallible)


@pytest.mark.parametrize(
    ("steps", "can"), [((), False), ((None, 1), False), ((Step("error"),), False), ((None, Step("error"), Step("skip")), True)]
)
def test_a_step_can_be_left_out_where_it_skips_on_failure(steps: tuple[object, ...], can: bool) -> None:
    assert can_fall_back(steps) is can
