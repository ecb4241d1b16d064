"""Rules by themselves, and the gates that ship with the project."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from harness.errors import GateError
from harness.gates.gate import Gate
from harness.gates.rules import Rule, parse_rules

CONF = Path(__file__).resolve().parents[2] / "conf" / "gate"


def test_a_rule_says_with_one_word_what_the_rest_defaults_to() -> None:
    rule = Rule("recall_at_5")
    assert (rule.kind, rule.floor, rule.margin, rule.practical_floor, rule.scope) == ("difference", None, 0.05, 0.01, "test")


@pytest.mark.parametrize(
    ("kind", "split", "looked_at"),
    [("difference", "tune", "tune"), ("floor", None, "test"), ("invariant", None, "all"), ("invariant", "test", "test")],
)
def test_an_invariant_looks_at_every_question_unless_a_split_is_named(kind: str, split: str | None, looked_at: str) -> None:
    assert Rule("tenant_leaks", kind=kind, split=split).scope == looked_at  # type: ignore[arg-type]


def test_a_floor_or_margin_that_could_never_or_always_hold_is_refused() -> None:
    with pytest.raises(GateError) as refused:
        parse_rules([{"metric": "recall_at_5", "margin": 5}, {"metric": "mrr_at_10", "kind": "floor", "floor": 9}])
    assert [problem.where for problem in refused.value.problems] == ["rules.0.margin", "rules.1.floor"]


@pytest.mark.parametrize(
    ("fields", "where"),
    [
        ({}, "test"),
        ({"split": "all"}, "all"),
        ({"slice": "kind:table"}, "kind:table, test"),
        ({"slice": "kind:table", "split": "all"}, "kind:table"),
        ({"slice": "kind:table", "kind": "invariant"}, "kind:table"),
    ],
)
def test_a_rule_says_in_words_where_it_looks(fields: dict[str, Any], where: str) -> None:
    assert Rule("tenant_leaks", **fields).where == where


def test_one_metric_may_be_asked_on_several_slices_but_on_none_twice() -> None:
    tables, code = {"metric": "recall_at_5", "slice": "kind:table"}, {"metric": "recall_at_5", "slice": "kind:code"}
    assert [rule.slice for rule in parse_rules([tables, code])] == ["kind:table", "kind:code"]
    with pytest.raises(GateError, match="a second time as difference on 'kind:table, test'"):
        parse_rules([tables, code, tables])


@pytest.mark.parametrize("split", ["all", "tune", "test"])
def test_a_split_is_no_slice(split: str) -> None:
    with pytest.raises(GateError, match=f"rules.0.slice — '{split}' is a split. Fix: split: {split}"):
        parse_rules([{"metric": "recall_at_5", "slice": split}])


@pytest.mark.parametrize(
    ("metric", "advisory", "calibrated", "expected"),
    [
        ("recall_at_5", None, (), False),
        ("recall_at_5", True, (), True),
        ("faithfulness", None, (), True),
        ("faithfulness", None, ("context_recall",), True),
        ("faithfulness", None, ("faithfulness",), False),
        ("faithfulness", False, (), False),
        ("faithfulness", True, ("faithfulness",), True),
    ],
)
def test_only_a_calibrated_judge_can_fail_a_gate_unless_the_rule_says_so(
    metric: str, advisory: bool | None, calibrated: tuple[str, ...], expected: bool
) -> None:
    assert Rule(metric, advisory=advisory).is_advisory(calibrated) is expected


def test_rules_and_mappings_of_their_fields_are_the_same() -> None:
    assert parse_rules([{"metric": "mrr_at_10", "margin": 0.1}]) == parse_rules((Rule("mrr_at_10", margin=0.1),))


def test_one_metric_may_be_asked_on_both_splits() -> None:
    rules = [{"metric": "recall_at_5", "split": split} for split in ("tune", "test")]
    assert [rule.split for rule in parse_rules(rules)] == ["tune", "test"]


def test_a_rule_object_is_checked_like_a_mapping() -> None:
    with pytest.raises(GateError, match="no metric is called 'recall_at_five'"):
        parse_rules([Rule("recall_at_five")])


SHIPPED = {path.stem: node for path in sorted(CONF.glob("*.yaml")) if (node := yaml.safe_load(path.read_text()))}


@pytest.mark.parametrize("node", SHIPPED.values(), ids=SHIPPED)
def test_every_shipped_gate_can_be_made(node: dict[str, Any]) -> None:
    fields = {key: value for key, value in node.items() if key != "_target_"}
    assert len(Gate(**fields).rules) == len(fields["rules"])
