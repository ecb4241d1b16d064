"""The flat view of a config that reports and MLflow share."""

from typing import Any

import pytest

from harness.reporting.configs import HIDDEN, changed_settings, flatten, is_secret, safe_overrides, shown
from tests.reporting.records import CONFIG, baseline, record


def test_settings_carry_the_names_of_the_command_line() -> None:
    flat = flatten(CONFIG)
    assert flat["chunker.size"] == "512"
    assert flat["retrievers.bm25.k1"] == "1.2"
    assert flat["fuser.k"] == "60"


def test_a_stage_is_shown_by_its_class_and_an_empty_slot_as_none() -> None:
    flat = flatten(CONFIG)
    assert flat["chunker"] == "Recursive"
    assert flat["retrievers.bm25"] == "BM25"
    assert flat["reranker"] == "none"
    assert not any("_target_" in name for name in flat)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (512, "512"),
        (0.5, "0.5"),
        (True, "true"),
        (False, "false"),
        (None, "null"),
        ([], "[]"),
        ((), "[]"),
        ({}, "{}"),
        ("", '""'),
        (0, "0"),
        ([1, 5, 10], "1, 5, 10"),
        ("bge-small", "bge-small"),
    ],
)
def test_values_are_plain_text(value: object, text: str) -> None:
    assert shown(value) == text


def test_stages_in_a_list_are_numbered() -> None:
    flat = flatten({"chain": [{"_target_": "a.b.Hyde", "n": 2}, {"_target_": "a.b.Rewrite"}]})
    assert flat == {"chain.0": "Hyde", "chain.0.n": "2", "chain.1": "Rewrite"}


@pytest.mark.parametrize(
    ("name", "value", "secret"),
    [
        ("generator.api_key", "sk-1", True),
        ("judge.authToken", "abc", True),
        ("http.password", "abc", True),
        ("headers.Authorization", "Bearer abc", True),
        ("generator.api_key_env", "OPENAI_API_KEY", False),
        ("generator.max_tokens", 256, False),
        ("context.token_budget", 1000, False),
        ("retrievers.bm25.tokenizer", "unicode", False),
        ("generator.api_key", None, False),
    ],
)
def test_secrets_are_told_from_knobs_by_name_and_kind_of_value(name: str, value: object, secret: bool) -> None:
    assert is_secret(name, value) is secret


def test_no_secret_reaches_the_flat_view() -> None:
    assert "CANARY" not in str(flatten(CONFIG))
    assert flatten({"llm": {"base_url": "http://me:hunter2@host/v1"}}) == {"llm.base_url": f"http://{HIDDEN}@host/v1"}


def test_secrets_in_overrides_are_hidden_and_the_rest_stays() -> None:
    overrides = ("generator.api_key=hunter2", "fuser.k=60", "judge.model=sk-CANARY-1234", "index=", "~reranker")
    assert safe_overrides(overrides) == (
        f"generator.api_key={HIDDEN}",
        "fuser.k=60",
        f"judge.model={HIDDEN}",
        "index=",
        "~reranker",
    )


def changes(before: dict[str, Any], after: dict[str, Any]) -> str:
    return changed_settings(record(config=after), baseline({}, config=before))


SETTINGS = "settings differ from the accepted ones: "
RULES = "gate rules differ from those it was accepted under: "


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ({"chunker": {"size": 256}}, {"chunker": {"size": 64}}, "chunker.size 256 -> 64"),
        ({"chunker": {"_target_": "a.Fixed"}}, {"chunker": {"_target_": "a.Recursive"}}, "chunker Fixed -> Recursive"),
        ({"fuser": {"k": 60}, "hyde": None}, {"fuser": {"k": 60}, "hyde": True}, "hyde none -> true"),
        ({"a": 1}, {"a": 1, "b": 2}, "b (not set) -> 2"),
        ({"a": 1, "b": 2}, {"a": 1}, "b 2 -> (not set)"),
        ({"b": 1, "a": 1}, {"b": 2, "a": 2}, "a 1 -> 2, b 1 -> 2"),
        (
            {"a": 1},
            {"a": 1, "b": {"c": "", "d": {}, "e": None}},
            'b.c (not set) -> "", b.d (not set) -> {}, b.e (not set) -> null',
        ),
        ({"b": {"c": None}}, {"b": {"c": "none"}}, "b.c null -> none"),
        ({"split": "kept"}, {"split": ""}, 'split kept -> ""'),
        ({"reranker": {}}, {"reranker": None, "b": []}, "b (not set) -> []"),
    ],
)
def test_a_changed_setting_is_told_with_both_values(before: dict[str, Any], after: dict[str, Any], said: str) -> None:
    assert changes(before, after) == SETTINGS + said


@pytest.mark.parametrize(("size", "ending"), [(6, "s5 0 -> 1"), (7, "s5 0 -> 1 and 1 more"), (9, "s5 0 -> 1 and 3 more")])
def test_at_most_six_are_listed(size: int, ending: str) -> None:
    names = [f"s{place}" for place in range(size)]
    said = changes(dict.fromkeys(names, 0), dict.fromkeys(names, 1))
    assert said.endswith(ending)
    assert said.count("->") == 6


@pytest.mark.parametrize("name", ["tracking", "workers", "runs_dir", "reports_dir", "golden_set"])
def test_what_changes_no_score_is_left_out(name: str) -> None:
    assert changes({"a": 1, name: {"uri": "x"}}, {"a": 1, name: {"uri": "y"}}) == ""
    assert changes({"a": 1, name: "x"}, {"a": 1}) == ""


def test_gate_rules_are_told_apart_from_settings() -> None:
    before = {"fuser": {"k": 60}, "gate": {"alpha": 0.01}}
    assert changes(before, {"fuser": {"k": 60}, "gate": {"alpha": 0.2}}) == f"{RULES}gate.alpha 0.01 -> 0.2"
    both = changes(before, {"fuser": {"k": 30}, "gate": {"alpha": 0.2}})
    assert both.splitlines() == [f"{SETTINGS}fuser.k 60 -> 30", f"{RULES}gate.alpha 0.01 -> 0.2"]


RECALL, MRR, LEAKS = {"metric": "recall_at_5"}, {"metric": "mrr_at_10"}, {"metric": "tenant_leaks", "kind": "invariant"}


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ([LEAKS, MRR], "gate.rules.recall_at_5 asked -> (not set)"),
        ([RECALL, MRR], "gate.rules.tenant_leaks (invariant) asked -> (not set)"),
        ([LEAKS, {**RECALL, "margin": 0.5}, MRR], "gate.rules.recall_at_5 asked -> margin 0.5"),
        ([LEAKS, RECALL, MRR, {"metric": "faithfulness"}], "gate.rules.faithfulness (not set) -> asked"),
    ],
)
def test_a_rule_that_comes_or_goes_does_not_renumber_the_others(rules: list[Any], said: str) -> None:
    assert changes({"gate": {"rules": [LEAKS, RECALL, MRR]}}, {"gate": {"rules": rules}}) == RULES + said


def test_the_order_of_rules_is_no_difference() -> None:
    assert changes({"gate": {"rules": [RECALL, MRR]}}, {"gate": {"rules": [MRR, RECALL]}}) == ""


def test_a_gate_that_was_taken_away_is_told() -> None:
    assert changes({"gate": {"alpha": 0.01}}, {"gate": {}}) == f"{RULES}gate (not set) -> none"


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ({"a": {"_target_": "x.One", "k": 1, "deep": {"n": 2}}}, {"a": {"_target_": "x.Two", "size": 5}}, "a One -> Two"),
        ({"a": {"_target_": "x.One", "k": 1}}, {"a": {}}, "a One -> none"),
        (
            {"r": {"bm25": {"_target_": "x.BM25", "k1": 1.2}}},
            {"r": {"dense": 1}},
            "r.bm25 BM25 -> (not set), r.dense (not set) -> 1",
        ),
        (
            {"j": {"_target_": "x.Judge", "n": 1, "llm": {"_target_": "x.A", "model": "m"}}},
            {"j": {"_target_": "x.Judge", "n": 2, "llm": {"_target_": "x.B", "path": "p"}}},
            "j.llm A -> B, j.n 1 -> 2",
        ),
        ({"a": {"_target_": "x.One", "k": 1}}, {"a": {"_target_": "x.One", "k": 2}}, "a.k 1 -> 2"),
    ],
    ids=["another class", "an emptied slot", "another retriever", "a part of a stage", "the same class"],
)
def test_another_class_is_told_without_the_settings_that_came_and_went_with_it(
    before: dict[str, Any], after: dict[str, Any], said: str
) -> None:
    assert changes(before, after) == SETTINGS + said


def test_long_settings_that_differ_at_their_end_only_are_told_cut() -> None:
    said = changes({"prompt": "word " * 100 + "a"}, {"prompt": "word " * 100 + "b"})
    assert said.startswith(f"{SETTINGS}prompt word word")
    assert len(said) < 200


def test_no_secret_is_told_when_settings_differ() -> None:
    other = {
        **CONFIG,
        "fuser": {**CONFIG["fuser"], "k": 30},
        "generator": {"api_key": "sk-CANARY-999999", "base_url": "http://me:CANARY@host"},
    }
    said = changes(dict(CONFIG), other)
    assert "fuser.k" in said
    assert "CANARY" not in said


@pytest.mark.parametrize("accepted", [None, baseline({}, config={})], ids=["no baseline", "its config was not kept"])
def test_without_an_accepted_config_nothing_is_told(accepted: Any) -> None:
    assert changed_settings(record(overrides=("fuser.k=30",)), accepted) == ""
