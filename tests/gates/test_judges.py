"""Judged metrics: who may fail a gate, and what the verdict says about it."""

from typing import Any

import pytest

from harness.types import Outcome, Verdict
from tests.gates.records import Row, accepted, gate, record

GOOD: Row = [1.0] * 50
FELL: Row = [0.0] * 20 + [1.0] * 30
MARKS = {"config": "c1", "golden_set": "g1", "corpus": "d1"}


def judged(after: Row, calibrated: tuple[str, ...] = (), judge: str = "j1", **rule: Any) -> tuple[Verdict, int]:
    """The verdict of a rule on faithfulness beside one on recall that passes, and the gate's exit code."""
    checked = gate("recall_at_5", {"metric": "faithfulness", **rule})
    now = record({"recall_at_5": GOOD, "faithfulness": after}, fingerprints={**MARKS, "judge": judge})
    found = checked.check(now, accepted({"recall_at_5": GOOD, "faithfulness": GOOD}), calibrated)
    return found[1], checked.exit_code(found)


ADVICE = "advisory: the judge is not calibrated; `harness calibrate judge LABELS.jsonl`"


@pytest.mark.parametrize(
    ("calibrated", "rule", "code", "words"),
    [
        ((), {}, 0, ADVICE),
        (("citation_recall",), {}, 0, ADVICE),
        (("faithfulness",), {}, 1, "worse by 0.400"),
        (("faithfulness",), {"advisory": True}, 0, "advisory: the rule says so"),
        ((), {"advisory": False}, 1, "the judge is not calibrated, and the rule says advisory: false"),
    ],
)
def test_a_judged_loss_fails_the_gate_only_when_the_judge_is_calibrated_or_the_rule_says_so(
    calibrated: tuple[str, ...], rule: dict[str, Any], code: int, words: str
) -> None:
    found, exit_code = judged(FELL, calibrated, **rule)
    assert (found.outcome, exit_code) == (Outcome.REGRESSED, code)
    assert words in found.reason


def test_a_calibrated_judge_needs_no_remark() -> None:
    found, _ = judged(GOOD, ("faithfulness",))
    assert (found.outcome, found.advisory, found.reason) == (Outcome.PASS, False, "no question changed")


@pytest.mark.parametrize("fell", [GOOD, FELL], ids=["held", "broken"])
def test_a_floor_on_an_uncalibrated_judge_says_that_it_is_advisory(fell: Row) -> None:
    found, code = judged(fell, kind="floor", floor=0.9)
    assert (found.advisory, code) == (True, 0)
    assert found.reason.endswith(ADVICE)


@pytest.mark.parametrize(("calibrated", "code"), [((), 0), (("faithfulness",), 4)])
def test_another_judge_is_not_comparable_which_matters_once_the_judge_counts(calibrated: tuple[str, ...], code: int) -> None:
    found, exit_code = judged(GOOD, calibrated, judge="j2")
    assert (found.outcome, exit_code) == (Outcome.NOT_COMPARABLE, code)


@pytest.mark.parametrize("calibrated", [(), ("faithfulness",)])
def test_a_judge_that_is_down_fails_the_gate_calibrated_or_not(calibrated: tuple[str, ...]) -> None:
    found, code = judged(["error"] * 50, calibrated)
    assert (found.outcome, found.advisory, code) == (Outcome.INVALID, False, 4)


def test_a_rule_on_a_metric_without_a_judge_may_be_advisory_too() -> None:
    checked = gate("mrr_at_10", {"metric": "recall_at_5", "advisory": True})
    rows = {"mrr_at_10": GOOD, "recall_at_5": GOOD}
    found = checked.check(record({**rows, "recall_at_5": FELL}), accepted(rows))
    assert [(item.outcome, item.advisory) for item in found] == [(Outcome.PASS, False), (Outcome.REGRESSED, True)]
    assert checked.exit_code(found) == 0


def test_a_calibrated_judge_joins_the_family_that_shares_the_error_rate() -> None:
    fell: Row = [0.0] * 7 + [1.0] * 43
    rows = {"recall_at_5": GOOD, "faithfulness": GOOD}
    now, before = record({**rows, "recall_at_5": fell}), accepted(rows)
    checked = gate("recall_at_5", "faithfulness")
    alone, among = checked.check(now, before)[0], checked.check(now, before, {"faithfulness"})[0]
    assert (alone.outcome, alone.p) == (Outcome.REGRESSED, pytest.approx(1 / 128))
    assert (among.outcome, among.p) == (Outcome.INCONCLUSIVE, pytest.approx(2 / 128))
