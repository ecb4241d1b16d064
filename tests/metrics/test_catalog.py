"""What ids mean, and which metrics a run computes."""

import pytest

from harness.errors import ConfigError
from harness.metrics.catalog import bounds, default_metrics, describe, known_words
from harness.metrics.judged import JUDGED
from tests.builders import chunk, document, question, trace

STATIONS = ["bm25", "dense", "fused", "reranked", "context"]
DEPTHS = {"bm25": 50, "dense": 50, "fused": 50, "reranked": 20, "context": 5}


@pytest.mark.parametrize(
    ("metric", "title", "higher", "kind"),
    [
        ("recall_at_5", "Recall@5", True, "retrieval"),
        ("dense/recall_at_5", "Recall@5 (dense)", True, "retrieval"),
        ("context/mrr_at_10", "MRR@10 (context)", True, "retrieval"),
        ("ndcg_at_20", "nDCG@20", True, "retrieval"),
        ("recall_at_budget_1000", "Recall@1000 tokens", True, "retrieval"),
        ("redundancy_at_5", "Redundancy@5", False, "retrieval"),
        ("citation_validity", "Citation validity", True, "citations"),
        ("invented_citations", "Invented citations", False, "invariant"),
        ("over_refusal_rate", "Over-refusal rate", False, "refusal"),
        ("grounded_refusal_f1", "Grounded refusal F1", True, "refusal"),
        ("token_f1", "Token F1", True, "answer"),
        ("faithfulness", "Faithfulness", True, "judged"),
    ],
)
def test_an_id_has_a_title_and_a_direction(metric: str, title: str, higher: bool, kind: str) -> None:
    found = describe(metric)
    assert (found.metric, found.title, found.higher_is_better, found.kind) == (metric, title, higher, kind)
    assert found.deterministic is (kind != "judged")


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("recall@5", "'recall_at_5'"),
        ("recal_at_5", "'recall_at_5'"),
        ("faithfullness", "'faithfulness'"),
        ("refusal_recal", "'refusal_recall'"),
    ],
)
def test_a_mistyped_id_is_an_error_that_names_the_nearest(wrong: str, right: str) -> None:
    with pytest.raises(ConfigError, match=f"no metric is called '{wrong}'.*{right}"):
        describe(wrong)


@pytest.mark.parametrize("wrong", ["", "recall_at_0", "recall_at_", "recall_at_05", "dense/faithfulness", "recall_at_5x", "zzzz"])
def test_what_is_no_metric_is_refused(wrong: str) -> None:
    with pytest.raises(ConfigError, match="no metric is called"):
        describe(wrong)


def test_ids_are_what_mlflow_takes() -> None:
    metrics = default_metrics(STATIONS, generation=True, depths=DEPTHS)
    assert all(set(metric.name) <= set("abcdefghijklmnopqrstuvwxyz0123456789_/") for metric in metrics)
    assert len({metric.name for metric in metrics}) == len(metrics)


def test_a_depth_that_a_station_does_not_have_is_left_out() -> None:
    names = {metric.name for metric in default_metrics(STATIONS, generation=False, ks=(5, 10, 50), depths=DEPTHS)}
    assert {"bm25/recall_at_50", "recall_at_10", "context/recall_at_5", "context/mrr_at_5", "mrr_at_10"} <= names
    assert not {"recall_at_50", "context/recall_at_10", "context/mrr_at_10"} & names


def test_answers_are_scored_only_where_there_is_a_generator() -> None:
    without = {metric.name for metric in default_metrics(STATIONS, generation=False)}
    added = {metric.name for metric in default_metrics(STATIONS, generation=True)} - without
    assert {"citation_validity", "over_refusal_rate", "exact_match", "invented_citations", "forbidden_citations"} <= added
    assert {"tenant_leaks", "superseded_hits", "deleted_hits", "recall_at_5"} <= without


def test_the_coverage_threshold_reaches_every_ranking_metric() -> None:
    metrics = default_metrics(STATIONS, generation=False, tau=0.5)
    assert {metric.tau for metric in metrics if hasattr(metric, "tau")} == {0.5}


def test_every_description_states_formula_and_source() -> None:
    metrics = [describe(metric.name) for metric in default_metrics(STATIONS, generation=True)]
    assert all(item.formula and item.source and item.low <= item.high for item in [*metrics, *JUDGED])
    assert all(item.metric in known_words() for item in JUDGED)


@pytest.mark.parametrize("metric", ["recall_at_5", "dense/ndcg_at_10", "citation_validity", "refusal_f1", "faithfulness"])
def test_a_share_lies_between_0_and_1(metric: str) -> None:
    assert bounds(metric) == (0.0, 1.0)


@pytest.mark.parametrize(
    "metric", ["invented_citations", "forbidden_citations", "tenant_leaks", "superseded_hits", "made_up", "", "recall_at_0"]
)
def test_a_count_and_an_unknown_id_have_no_bounds(metric: str) -> None:
    assert bounds(metric) is None


@pytest.mark.parametrize(("persona", "leaks"), [("ann", 0), ("bob", 1), ("", 1)])
def test_the_invariants_watch_tenants_and_access_lists_of_the_corpus(persona: str, leaks: int) -> None:
    corpus = [document("board.md", acl=("ann",)), document("public.md")]
    (watching,) = [item for item in default_metrics(STATIONS, False, documents=corpus) if item.name == "tenant_leaks"]
    left = trace("q1", chunk("board.md"), chunk("public.md"))
    assert watching.score(question(persona=persona), left).value == leaks
