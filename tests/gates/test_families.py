"""What one rule does to another, and where a comparison has too little to stand on."""

import pytest

from harness.types import Outcome
from tests.gates.records import Row, accepted, gate, outcome, record, verdict

GOOD: Row = [1.0] * 80 + [0.0] * 20
FELL: Row = [0.0] * 8 + [1.0] * 72 + [0.0] * 20
MARKS = {"config": "c1", "golden_set": "g1", "corpus": "d1", "judge": "j1"}


def test_verdicts_stand_in_the_order_of_the_rules() -> None:
    names = ["ndcg_at_10", "recall_at_5", "mrr_at_10"]
    rules = [
        names[0],
        {"metric": "tenant_leaks", "kind": "invariant"},
        names[1],
        {"metric": "recall_at_5", "kind": "floor", "floor": 0.5},
        names[2],
    ]
    rows = dict.fromkeys([*names, "tenant_leaks"], [0.0] * 100)
    found = gate(*rules).check(record(rows), accepted(rows))
    assert [item.metric for item in found] == ["ndcg_at_10", "tenant_leaks", "recall_at_5", "recall_at_5", "mrr_at_10"]


def test_advisory_rules_do_not_share_the_error_rate_of_those_that_can_fail() -> None:
    judged = ["faithfulness", "answer_relevancy", "context_recall"]
    rows = {"recall_at_5": GOOD, **dict.fromkeys(judged, GOOD)}
    now, before = record({**rows, "recall_at_5": FELL}), accepted(rows)
    alone, among = gate("recall_at_5").check(now, before)[0], gate("recall_at_5", *judged).check(now, before)[0]
    assert alone.p == among.p == pytest.approx(1 / 256)
    assert alone.outcome is among.outcome is Outcome.REGRESSED


def test_a_floor_and_an_invariant_are_no_tests_and_cost_no_error_rate() -> None:
    rows = {"recall_at_5": GOOD, "tenant_leaks": [0.0] * 100}
    now, before = record({**rows, "recall_at_5": FELL}), accepted(rows)
    rules = [
        "recall_at_5",
        {"metric": "tenant_leaks", "kind": "invariant"},
        {"metric": "recall_at_5", "kind": "floor", "floor": 0.1},
    ]
    assert gate(*rules).check(now, before)[0].p == pytest.approx(1 / 256)


def test_a_rule_that_cannot_be_tested_leaves_the_others_their_verdicts() -> None:
    found = gate("recall_at_5", "mrr_at_10").check(record({"recall_at_5": FELL}), accepted({"recall_at_5": GOOD}))
    assert [item.outcome for item in found] == [Outcome.REGRESSED, Outcome.MISSING]


def test_the_family_is_what_the_gate_declares_whatever_the_run_lets_be_tested() -> None:
    now, before = record({"recall_at_5": FELL}), accepted({"recall_at_5": GOOD})
    found = gate("recall_at_5", "mrr_at_10", "ndcg_at_10").check(now, before)[0]
    assert (found.outcome, found.p) == (Outcome.INCONCLUSIVE, pytest.approx(3 / 256))


def test_a_sure_but_tiny_rise_is_a_pass_and_no_improvement() -> None:
    before: Row = [0.5] * 100
    after: Row = [0.505] * 40 + [0.5] * 60
    assert outcome(before, after) is Outcome.PASS
    assert outcome(before, after, practical_floor=0.001) is Outcome.IMPROVED


def test_questions_about_a_single_document_prove_nothing_once_something_changed() -> None:
    groups = {f"q{place:03d}": "manual" for place in range(100)}
    now, before = record({"recall_at_5": FELL}, groups=groups), accepted({"recall_at_5": GOOD})
    found = gate("recall_at_5").check(now, before)[0]
    assert found.outcome is Outcome.INCONCLUSIVE
    assert (found.low, found.high, found.p) == (None, None, 0.5)


@pytest.mark.parametrize(("n", "expected"), [(9, Outcome.INVALID), (10, Outcome.PASS), (11, Outcome.PASS)])
def test_ten_questions_are_the_least_that_a_gate_takes(n: int, expected: Outcome) -> None:
    assert outcome([1.0] * n, [1.0] * n) is expected


@pytest.mark.parametrize(("n", "expected"), [(19, Outcome.INVALID), (20, Outcome.PASS)])
def test_the_least_number_can_be_raised(n: int, expected: Outcome) -> None:
    checked = gate("recall_at_5", minimum_questions=20)
    found = checked.check(record({"recall_at_5": [1.0] * n}), accepted({"recall_at_5": [1.0] * n}))
    assert found[0].outcome is expected


def test_a_stricter_alpha_asks_for_more_evidence_of_a_loss() -> None:
    now, before = record({"recall_at_5": FELL}), accepted({"recall_at_5": GOOD})
    found = [gate("recall_at_5", alpha=alpha).check(now, before)[0].outcome for alpha in (0.01, 0.001)]
    assert found == [Outcome.REGRESSED, Outcome.INCONCLUSIVE]


@pytest.mark.parametrize(("mark", "expected"), [("corpus", Outcome.NOT_COMPARABLE), ("config", Outcome.PASS)])
def test_another_corpus_cannot_be_compared_and_another_config_is_what_a_gate_is_for(mark: str, expected: Outcome) -> None:
    now = record({"recall_at_5": GOOD}, fingerprints={**MARKS, mark: "other"})
    assert gate("recall_at_5").check(now, accepted({"recall_at_5": GOOD}))[0].outcome is expected


def test_a_deterministic_metric_does_not_ask_who_the_judge_is() -> None:
    now = record({"recall_at_5": GOOD}, fingerprints={**MARKS, "judge": "j2"})
    assert gate("recall_at_5").check(now, accepted({"recall_at_5": GOOD}))[0].outcome is Outcome.PASS


@pytest.mark.parametrize("metric", ["recall_at_5", "over_refusal_rate"])
def test_better_and_worse_are_the_same_in_both_directions_of_a_metric(metric: str) -> None:
    rise, fall = verdict(FELL, GOOD, metric), verdict(GOOD, FELL, metric)
    words = {rise.outcome, fall.outcome}
    assert words == {Outcome.IMPROVED, Outcome.REGRESSED}
    assert rise.difference == pytest.approx(-(fall.difference or 0))
    assert (rise.low, rise.high) == pytest.approx((-(fall.high or 0), -(fall.low or 0)))


def test_a_missed_question_is_no_reason_to_pass_what_the_others_lost() -> None:
    after: Row = ["error", *FELL[1:]]
    found = verdict(GOOD, after)
    assert found.outcome is Outcome.REGRESSED
    assert found.n == 99
