"""How metrics, numbers and outcomes are called."""

import pytest

from harness.reporting import names
from harness.types import Outcome, Verdict
from tests.reporting.records import aggregate, verdict

MEANS = {"recall_at_5": aggregate("recall_at_5", 0.5)}


@pytest.mark.parametrize(
    ("metric", "title", "arrow"),
    [
        ("recall_at_5", "Recall@5", "↑"),
        ("dense/recall_at_5", "Recall@5 (dense)", "↑"),
        ("over_refusal_rate", "Over-refusal rate", "↓"),
        ("my_plugin_metric", "my_plugin_metric", "↑"),
    ],
)
def test_metrics_have_titles_and_directions(metric: str, title: str, arrow: str) -> None:
    assert (names.title(metric), names.arrow(metric)) == (title, arrow)


@pytest.mark.parametrize(
    ("metric", "station"),
    [("recall_at_5", "reranked"), ("bm25/recall_at_5", "bm25"), ("faithfulness", ""), ("my_plugin_metric", "")],
)
def test_ranking_metrics_without_prefix_belong_to_the_reranked_station(metric: str, station: str) -> None:
    assert names.station_of(metric)[0] == station


def test_retrieval_comes_first_and_depths_are_sorted_as_numbers() -> None:
    shuffled = ["faithfulness", "recall_at_10", "over_refusal_rate", "ndcg_at_10", "recall_at_5", "odd"]
    assert sorted(shuffled, key=names.reading_order) == [
        "recall_at_5",
        "recall_at_10",
        "ndcg_at_10",
        "over_refusal_rate",
        "faithfulness",
        "odd",
    ]


def test_stations_follow_the_pipeline() -> None:
    given = ["context", "bm25", "reranked", "dense", "fused"]
    assert names.station_order(given) == ["bm25", "dense", "fused", "reranked", "context"]


@pytest.mark.parametrize(
    ("value", "text"), [(None, "–"), (0.0, "0.000"), (0.12345, "0.123"), (99.9, "99.900"), (1234.5, "1,234"), (-0.5, "-0.500")]
)
def test_numbers_have_three_decimals(value: float | None, text: str) -> None:
    assert names.number(value) == text


@pytest.mark.parametrize(
    ("difference", "low", "high", "text"),
    [
        (-0.05, -0.09, -0.01, "-0.050 (-0.090 to -0.010)"),
        (0.05, None, None, "+0.050"),
        (-0.0001, None, None, "0.000"),
        (None, None, None, "–"),
        (250.0, None, None, "+250"),
    ],
)
def test_differences_carry_their_sign(difference: float | None, low: float | None, high: float | None, text: str) -> None:
    assert names.change(difference, low, high) == text


@pytest.mark.parametrize(
    ("outcomes", "words"),
    [
        ([], "not gated: nothing was compared"),
        (["pass", "pass"], "✓ pass: 2 of 2 rules"),
        (["pass", "improved"], "▲ improved: 1 of 2 rules"),
        (["pass", "inconclusive"], "? inconclusive: 1 of 2 rules"),
        (["inconclusive", "regressed", "pass"], "✗ regressed: 1 of 3 rules"),
        (["regressed", "missing"], "∅ missing: 1 of 2 rules"),
        (["regressed", "not_comparable"], "≠ not comparable: 1 of 2 rules"),
        (["regressed", "invalid"], "! invalid: 1 of 2 rules"),
    ],
)
def test_the_worst_rule_decides(outcomes: list[str], words: str) -> None:
    assert names.verdict_words([verdict(outcome=Outcome(name)) for name in outcomes]) == words


def test_an_advisory_rule_decides_nothing() -> None:
    advisory = verdict(outcome=Outcome.REGRESSED, advisory=True)
    assert names.overall([advisory, verdict()]) is Outcome.PASS
    assert names.verdict_words([advisory]) == "nothing decided: every rule is advisory"


def test_a_rule_names_its_slice_unless_it_is_all_questions() -> None:
    assert names.rule_title(verdict(slice="all")) == "Recall@5"
    assert names.rule_title(verdict(slice="test")) == "Recall@5 on test"


def test_a_reader_is_told_when_gates_compared_fewer_questions_than_the_means() -> None:
    remark = "Differences are paired: on test questions scored in both runs."
    assert names.compared_on([verdict(slice="test", difference=0.0, n=3)], MEANS) == remark
    both = [verdict(slice="all", difference=0.0, n=4), verdict(slice="test", difference=0.0, n=3)]
    assert names.compared_on(both, MEANS) == remark


def test_a_question_that_only_one_run_scored_is_a_reason_to_say_so_on_any_slice() -> None:
    remark = "Differences are paired: on questions scored in both runs."
    assert names.compared_on([verdict(slice="all", difference=0.0, n=3)], MEANS) == remark


@pytest.mark.parametrize(
    "rule",
    [verdict(slice="test", difference=0.0, n=4), verdict(slice="test", n=3), verdict("mrr_at_10", difference=0.0, n=3)],
    ids=["all compared", "nothing compared", "no mean beside it"],
)
def test_there_is_no_remark_on_pairs_otherwise(rule: Verdict) -> None:
    assert names.compared_on([rule], MEANS) == ""
