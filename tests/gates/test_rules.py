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
    assert (rule.kind, rule.floor, rule.margin, rule.practical_floor, rule.split) == ("difference", None, 0.05, 0.01, "test")


@pytest.mark.parametrize(
    ("kind", "split", "looked_at"), [("difference", "tune", "tune"), ("floor", "test", "test"), ("invariant", "test", "all")]
)
def test_an_invariant_looks_at_every_question(kind: str, split: str, looked_at: str) -> None:
    assert Rule("tenant_leaks", kind=kind, split=split).slice == looked_at  # type: ignore[arg-type]


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
