"""Results against the baseline, and the metrics after every station."""

import pytest

from harness.reporting.tables import Row, depth_table, result_rows, station_table
from harness.types import Aggregate, Outcome
from tests.reporting.records import baseline, record, verdict


def row(**values: float) -> Row:
    """The row of recall_at_5 with a baseline of 0.8."""
    return result_rows(record({"recall_at_5": 0.75}), baseline({"recall_at_5": 0.8}), **values).headline[0]  # type: ignore[arg-type]


def test_a_row_shows_value_interval_denominator_and_baseline() -> None:
    shown = row()
    assert (shown.title, shown.value, shown.interval, shown.n) == ("Recall@5 ↑", "0.750", "0.650–0.850", "4")
    assert (shown.accepted, shown.difference) == ("0.800", "-0.050")


def test_the_difference_is_the_gates_paired_one_where_a_rule_compared() -> None:
    rule = verdict(slice="test", difference=-0.04, low=-0.07, high=-0.01)
    results = result_rows(record({"recall_at_5": 0.75}), baseline({"recall_at_5": 0.8}), [rule])
    assert results.headline[0].difference == "-0.040 (-0.070 to -0.010)"


@pytest.mark.parametrize("outcome", [Outcome.NOT_COMPARABLE, Outcome.MISSING, Outcome.INVALID])
def test_where_the_gate_could_not_compare_there_is_no_difference(outcome: Outcome) -> None:
    shown = result_rows(record({"recall_at_5": 0.8}), baseline({"recall_at_5": 0.8}), [verdict(outcome=outcome)]).headline[0]
    assert (shown.value, shown.accepted, shown.difference) == ("0.800", "0.800", "")


def test_without_a_baseline_nothing_is_compared() -> None:
    shown = result_rows(record({"recall_at_5": 0.75})).headline[0]
    assert (shown.accepted, shown.difference, shown.outcome) == ("", "", None)


def test_the_denominator_says_what_was_left_out() -> None:
    aggregate = Aggregate("faithfulness", 0.5, 10, not_applicable=3, skipped=1, errors=2)
    assert Row("faithfulness", aggregate).n == "10 (3 n/a, 1 skipped, 2 errors)"


def test_the_worst_of_several_rules_on_a_metric_is_shown() -> None:
    rules = [verdict(), verdict(outcome=Outcome.REGRESSED), verdict(outcome=Outcome.MISSING, slice="code")]
    assert result_rows(record(), None, rules).headline[0].outcome is Outcome.REGRESSED


def test_an_accepted_or_gated_metric_that_the_run_lacks_is_not_dropped() -> None:
    rules = [verdict("false_answer_rate", Outcome.MISSING)]
    headline = result_rows(record(), baseline({"faithfulness": 0.9}), rules).headline
    assert [(item.metric, item.value) for item in headline] == [
        ("recall_at_5", "0.750"),
        ("false_answer_rate", "–"),
        ("faithfulness", "–"),
    ]


def test_headline_holds_the_usual_depths_and_whatever_a_rule_asks_for() -> None:
    means = {"recall_at_1": 0.1, "recall_at_5": 0.5, "success_at_5": 0.6, "dense/recall_at_5": 0.4, "exact_match": 0.3}
    results = result_rows(record(means), None, [verdict("success_at_5")])
    assert [item.metric for item in results.headline] == ["recall_at_5", "success_at_5"]
    assert [item.metric for item in results.further] == ["recall_at_1", "exact_match"]
    assert [item.metric for item in results.stations] == ["dense/recall_at_5"]


def test_a_run_without_the_usual_depths_shows_what_it_has() -> None:
    assert [item.metric for item in result_rows(record({"recall_at_7": 0.5})).headline] == ["recall_at_7"]


def test_stations_stand_in_the_order_of_the_pipeline() -> None:
    means = {"context/recall_at_5": 0.6, "recall_at_5": 0.7, "dense/recall_at_5": 0.4, "bm25/recall_at_5": 0.5}
    content = station_table(record(means))
    assert content.columns == ("bm25", "dense", "reranked", "context")
    assert content.lines == (("Recall@5 ↑", ("0.500", "0.400", "0.700", "0.600")),)


def test_a_metric_of_one_station_only_is_no_line_of_the_station_table() -> None:
    means = {"recall_at_5": 0.7, "ndcg_at_10": 0.6, "dense/recall_at_5": 0.4}
    assert [name for name, _ in station_table(record(means)).lines] == ["Recall@5 ↑"]
    assert station_table(record({"recall_at_5": 0.7})).lines == ()


def test_depths_stand_side_by_side() -> None:
    content = depth_table(record({"recall_at_1": 0.1, "recall_at_10": 0.9, "mrr_at_10": 0.6, "recall_at_budget_1000": 0.8}))
    assert content.columns == ("k=1", "k=10")
    assert content.lines == (("Recall", ("0.100", "0.900")), ("MRR", ("", "0.600")))
