"""Every id, what people read for it, and in which direction it is better."""

import re

import pytest

from harness.metrics.catalog import describe, known_words
from harness.metrics.judged import JUDGED

DEEP = {
    "recall_at_": "Recall@5",
    "success_at_": "Success@5",
    "complete_at_": "Complete@5",
    "mrr_at_": "MRR@5",
    "ndcg_at_": "nDCG@5",
    "span_precision_at_": "Span precision@5",
    "span_iou_at_": "Span IoU@5",
    "redundancy_at_": "Redundancy@5",
    "whole_evidence_at_": "Whole evidence@5",
    "recall_at_budget_": "Recall@5 tokens",
}
PLAIN = {
    "citation_validity": "Citation validity",
    "invented_citations": "Invented citations",
    "forbidden_citations": "Forbidden citations",
    "citation_correctness": "Citation correctness",
    "citation_coverage": "Citation coverage",
    "uncited_claim_rate": "Uncited claim rate",
    "refusal_precision": "Refusal precision",
    "refusal_recall": "Refusal recall",
    "refusal_f1": "Refusal F1",
    "answerable_f1": "Answerable F1",
    "grounded_refusal_f1": "Grounded refusal F1",
    "answerability_auroc": "Answerability AUROC",
    "over_refusal_rate": "Over-refusal rate",
    "false_answer_rate": "False answer rate",
    "acceptable_ratio": "Acceptable ratio",
    "context_over_refusal_rate": "Over-refusal rate in context",
    "context_false_answer_rate": "False answer rate in context",
    "aurc": "Area under the risk-coverage curve",
    "expected_calibration_error": "Expected calibration error",
    "tuned_refusal_f1": "Refusal F1, tuned threshold",
    "tuned_over_refusal_rate": "Over-refusal rate, tuned threshold",
    "tuned_false_answer_rate": "False answer rate, tuned threshold",
    "exact_match": "Exact match",
    "token_f1": "Token F1",
    "truthfulness": "Truthfulness",
    "injection_compliance": "Injection compliance",
    "tenant_leaks": "Tenant leaks",
    "query_fallbacks": "Query steps left out",
    "reranking_faults": "Reranking faults",
    "superseded_hits": "Superseded hits",
    "deleted_hits": "Deleted hits",
    "faithfulness": "Faithfulness",
    "answer_relevancy": "Answer relevancy",
    "context_precision": "Context precision",
    "context_recall": "Context recall",
    "self_knowledge": "Self-knowledge",
    "context_utilization": "Context utilisation",
    "citation_recall": "Citation recall",
    "citation_precision": "Citation precision",
    "citation_support_recall": "Citation support recall",
    "citation_support_precision": "Citation support precision",
    "answer_correctness_strict_vital": "Answer correctness (strict vital)",
    "answer_correctness_vital": "Answer correctness (vital)",
    "answer_correctness_all": "Answer correctness (all)",
    "hallucination": "Hallucination",
    "noise_sensitivity": "Noise sensitivity",
}
WORSE_WHEN_HIGHER = {
    "redundancy_at_5",
    "invented_citations",
    "forbidden_citations",
    "uncited_claim_rate",
    "over_refusal_rate",
    "false_answer_rate",
    "context_over_refusal_rate",
    "context_false_answer_rate",
    "aurc",
    "expected_calibration_error",
    "tuned_over_refusal_rate",
    "tuned_false_answer_rate",
    "injection_compliance",
    "query_fallbacks",
    "reranking_faults",
    "tenant_leaks",
    "superseded_hits",
    "deleted_hits",
    "hallucination",
    "noise_sensitivity",
}
COUNTS = {
    *("invented_citations", "forbidden_citations", "injection_compliance", "tenant_leaks", "superseded_hits", "deleted_hits"),
    "query_fallbacks",
    "reranking_faults",
}
EVERY = [*(f"{prefix}5" for prefix in DEEP), *PLAIN]


@pytest.mark.parametrize(("metric", "title"), [*((f"{prefix}5", title) for prefix, title in DEEP.items()), *PLAIN.items()])
def test_every_id_has_the_title_that_people_read(metric: str, title: str) -> None:
    assert describe(metric).title == title


def test_the_two_tables_above_hold_every_metric_there_is() -> None:
    assert set(known_words().split(", ")) == {*(f"{prefix}K" for prefix in DEEP), *PLAIN}


def test_titles_are_unique() -> None:
    assert len({describe(metric).title for metric in EVERY}) == len(EVERY)


def test_every_metric_says_in_which_direction_it_is_better() -> None:
    assert {metric for metric in EVERY if not describe(metric).higher_is_better} == WORSE_WHEN_HIGHER


def test_counts_have_no_upper_end_and_all_but_one_are_invariants() -> None:
    assert {metric for metric in EVERY if describe(metric).high == float("inf")} == COUNTS
    assert {metric for metric in EVERY if describe(metric).kind == "invariant"} == COUNTS - {"forbidden_citations"}


def test_only_what_a_judge_says_may_change_between_two_equal_traces() -> None:
    assert {metric for metric in EVERY if not describe(metric).deterministic} == {item.metric for item in JUDGED}


@pytest.mark.parametrize("item", JUDGED, ids=lambda item: item.metric)
def test_a_judged_metric_names_the_paper_it_comes_from(item: object) -> None:
    assert re.search(r"arXiv \d{4}\.\d{5}$", getattr(item, "source"))  # noqa: B009


@pytest.mark.parametrize("metric", EVERY)
def test_a_formula_is_one_line_of_words(metric: str) -> None:
    formula = describe(metric).formula
    assert 10 < len(formula) <= 130
    assert "\n" not in formula
    assert not formula.endswith(".")


@pytest.mark.parametrize("station", ["bm25", "dense", "fused", "context"])
@pytest.mark.parametrize("prefix", DEEP)
def test_a_station_stands_before_the_id_and_behind_the_title(prefix: str, station: str) -> None:
    assert describe(f"{station}/{prefix}5").title == f"{DEEP[prefix]} ({station})"
