"""A record as params, metrics and tags."""

import pytest

from harness.tracking import entries
from harness.types import Aggregate, Outcome
from tests.reporting.records import full_verdicts, record, verdict


def test_params_are_flat_and_named_as_on_the_command_line() -> None:
    params = entries.params(record())
    assert params["chunker"] == "Recursive"
    assert params["chunker.size"] == "512"
    assert params["retrievers.dense.prefetch"] == "true"
    assert params["reranker"] == "none"


def test_no_secret_is_a_param() -> None:
    params = entries.params(record())
    assert "generator.api_key" not in params
    assert params["generator.api_key_env"] == "OPENAI_API_KEY"
    assert "CANARY" not in str(params)


def test_a_param_is_never_longer_than_mlflow_keeps() -> None:
    assert len(entries.params(record(config={"prompt": "x" * 9000}))["prompt"]) == 6000


def test_metrics_keep_their_ids_and_gates_are_one_or_zero() -> None:
    rules = [verdict(), verdict("faithfulness", Outcome.INCONCLUSIVE), verdict("exact_match", Outcome.IMPROVED, slice="code")]
    assert entries.metrics(record({"recall_at_5": 0.75, "dense/recall_at_5": 0.5}), rules) == {
        "recall_at_5": 0.75,
        "dense/recall_at_5": 0.5,
        "gate.recall_at_5": 1.0,
        "gate.exact_match.code": 1.0,
    }


@pytest.mark.parametrize(
    ("outcome", "number"),
    [
        (Outcome.PASS, 1.0),
        (Outcome.IMPROVED, 1.0),
        (Outcome.REGRESSED, 0.0),
        (Outcome.INCONCLUSIVE, None),
        (Outcome.MISSING, None),
        (Outcome.INVALID, None),
        (Outcome.NOT_COMPARABLE, None),
    ],
)
def test_only_a_decided_rule_has_a_number_and_every_rule_a_tag(outcome: Outcome, number: float | None) -> None:
    rules = [verdict(outcome=outcome)]
    assert entries.metrics(record({}), rules) == ({} if number is None else {"gate.recall_at_5": number})
    assert entries.tags(record(), rules)["gate.recall_at_5"] == outcome.value


@pytest.mark.parametrize(
    ("second", "number", "tag"),
    [(Outcome.REGRESSED, 0.0, "regressed"), (Outcome.INCONCLUSIVE, None, "inconclusive"), (Outcome.IMPROVED, 1.0, "improved")],
)
def test_of_several_rules_on_one_metric_the_one_that_weighs_most_counts(second: Outcome, number: float | None, tag: str) -> None:
    rules = [verdict(), verdict(outcome=second, slice="test"), verdict()]
    assert entries.metrics(record(), rules).get("gate.recall_at_5") == number
    assert entries.tags(record(), rules)["gate.recall_at_5"] == tag


def test_a_metric_without_value_is_named_in_a_tag_and_never_logged_as_a_number() -> None:
    run = record({"recall_at_5": 0.75, "faithfulness": None, "exact_match": None})
    assert set(entries.metrics(run, ())) == {"recall_at_5"}
    assert entries.tags(run, ())["harness.unscored"] == "exact_match, faithfulness"


def test_infinity_is_left_out_because_mlflow_would_store_another_number() -> None:
    run = record({"recall_at_5": 0.75, "tenant_leaks": 0.0})
    odd = record()
    object.__setattr__(odd, "aggregates", {**run.aggregates, "odd": Aggregate("odd", float("inf"), 1)})
    assert set(entries.metrics(odd, ())) == {"recall_at_5", "tenant_leaks"}


def test_numbers_are_rounded_where_binary_fractions_would_show() -> None:
    assert entries.metrics(record({"recall_at_5": 0.1 + 0.2}), ())["recall_at_5"] == 0.3


def test_tags_say_what_ran_on_what() -> None:
    tags = entries.tags(record(), full_verdicts())
    assert {name: tags[f"harness.{name}"] for name in ("kind", "experiment", "golden_set", "golden_version", "verdict")} == {
        "kind": "variant",
        "experiment": "hybrid",
        "golden_set": "smoke",
        "golden_version": "3",
        "verdict": "regressed",
    }
    assert tags["harness.golden_digest"] == "9f3a" * 16
    assert tags["harness.git_revision"] == tags["mlflow.source.git.commit"] == "abc123def4567890"
    assert tags["harness.run_id"] == "20261130-101500-hybrid-a1b2c3"
    assert tags["harness.fingerprint"].startswith("c0ffee")


@pytest.mark.parametrize(
    ("rules", "word"),
    [([], "not gated"), ([verdict()], "pass"), ([verdict(outcome=Outcome.REGRESSED, advisory=True)], "advisory only")],
)
def test_the_verdict_tag_never_claims_more_than_was_decided(rules: list, word: str) -> None:  # type: ignore[type-arg]
    assert entries.tags(record(), rules)["harness.verdict"] == word


def test_the_description_lists_the_rules_with_their_numbers() -> None:
    rules = [verdict(actual=0.75), verdict("faithfulness", Outcome.MISSING, advisory=True)]
    assert entries.note(record(), rules).splitlines() == [
        "**hybrid** on smoke v3",
        "",
        "- Recall@5 0.750 (0.650–0.850): **pass**",
        "- Faithfulness –: **missing**, advisory",
        "",
        "Full report: artifacts, report.html",
    ]


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("dense/recall_at_5", "dense/recall_at_5"),
        ("recall@5", "recall_5"),
        ("a b.c-d:e", "a b.c-d:e"),
        ("{x}|", "_x__"),
        ("n" * 300, "n" * 250),
    ],
)
def test_keys_are_what_mlflow_accepts(name: str, key: str) -> None:
    assert entries.safe_name(name) == key


def test_a_judged_metric_carries_its_judge_in_its_name_and_the_whole_judge_in_a_tag() -> None:
    run = record({"recall_at_5": 0.75, "faithfulness": 0.9}, fingerprints={"judge": "support_proxy v1 minimum=0.7; rules v2"})
    assert sorted(entries.metrics(run, ())) == ["faithfulness.support_proxy", "recall_at_5"]
    assert entries.tags(run, ())["harness.judge"] == "support_proxy v1 minimum=0.7; rules v2"
