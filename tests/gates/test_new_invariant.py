"""An invariant that did not exist when a baseline was accepted is judged on the run alone."""

from pathlib import Path

import pytest
import yaml

from harness.types import Outcome
from tests.gates.records import accepted, gate, record

DELETED = {"metric": "deleted_hits", "kind": "invariant", "split": "all"}
BEFORE = accepted({"recall_at_5": [1.0] * 20, "tenant_leaks": [0.0] * 20})
CONF = Path(__file__).parents[2] / "conf" / "gate"


@pytest.mark.parametrize(
    ("hits", "outcome"), [([0.0] * 20, Outcome.PASS), ([0.0] * 19 + [1.0], Outcome.REGRESSED)], ids=["none", "one"]
)
def test_a_baseline_without_the_metric_is_no_reason_to_fail_and_none_to_pass(hits: list[float | None], outcome: Outcome) -> None:
    assert "deleted_hits" not in BEFORE.scores
    (found,) = gate(DELETED).check(record({"recall_at_5": [1.0] * 20, "deleted_hits": hits}), BEFORE)
    assert found.outcome is outcome


def test_a_run_that_did_not_count_it_cannot_pass() -> None:
    (found,) = gate(DELETED).check(record({"recall_at_5": [1.0] * 20}), BEFORE)
    assert found.outcome is Outcome.MISSING


@pytest.mark.parametrize("name", ["default", "retrieval"])
def test_the_shipped_gates_ask_that_nothing_withdrawn_is_found(name: str) -> None:
    assert DELETED in yaml.safe_load((CONF / f"{name}.yaml").read_text())["rules"]
