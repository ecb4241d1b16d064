"""The gate measured on recorded scores: what a simulated pair is, and what the numbers say."""

import numpy as np
import pytest

from harness.fingerprint import fingerprint
from harness.gates.selftest import Caught, FalseAlarms, Rate, SelfTest, _Trial, selftest
from harness.gates.simulation import Pair, Recorded, dropped, exchanged, p_values, pairs, redrawn
from harness.statistics.paired import sign_flip
from tests.gates.records import Row, accepted, gate, name, record

ONES: Row = [1.0] * 200
MIXED: Row = [1.0, 1.0, 1.0, 0.0] * 25
QUICK = 20
SEED = int(fingerprint("recall_at_5", "g1", "c1", "g1", "c1")[:8], 16)
"""The seed that the gate itself takes for runs of tests.gates.records."""


def recorded(rows: list[Row], *rules: str) -> Recorded:
    """A table of scores, every question a cluster of its own."""
    table = np.array(rows, dtype=float)
    clusters = tuple(np.array([place]) for place in range(table.shape[1]))
    return Recorded(gate(*rules).rules, tuple(map(name, range(table.shape[1]))), table, clusters)


def one(table: Recorded, change) -> Pair:
    return next(iter(pairs(table, change, 1, 0)))


def caught(found: SelfTest, drop: float) -> Caught:
    return next(item for item in found.caught if item.drop == drop)


def fake(red: Rate, identical: tuple[str, ...] = (), deciding: int = 1) -> SelfTest:
    alarms = FalseAlarms("noise", red, Rate(0, 200), Rate(0, 200), {})
    return SelfTest(1, 200, 0.01, identical, (alarms,), (), {}, deciding)


@pytest.mark.parametrize("size", [1, 5, 12])
def test_p_values_of_few_differences_are_those_of_the_gates_own_test(size):
    values = np.random.default_rng(size).normal(-0.1, 0.4, size).round(3)
    worse, better = p_values(values[None], 0)
    assert (worse[0], better[0]) == pytest.approx((sign_flip(values), sign_flip(-values)))


def test_p_values_of_many_differences_agree_with_the_gates_own_test_up_to_their_draws():
    rows = np.random.default_rng(1).normal(-0.04, 0.4, (5, 80))
    worse, better = p_values(rows, 0)
    assert worse == pytest.approx([sign_flip(row) for row in rows], abs=0.02)
    assert better == pytest.approx([sign_flip(-row) for row in rows], abs=0.02)


def test_clusters_that_do_not_differ_change_no_p_value():
    values = np.array([-1.0, -1.0, 0.5, -0.2])
    assert p_values(np.array([[*values, *[0.0] * 60]]), 0)[0] == pytest.approx([sign_flip(values)])
    assert p_values(np.zeros((1, 30)), 0) == (1.0, 1.0)


@pytest.mark.parametrize(
    ("metric", "row", "drop", "changed"),
    [
        ("recall_at_5", [1.0] * 20, 0.10, [-1.0, -1.0]),
        ("over_refusal_rate", [0.0] * 20, 0.10, [-1.0, -1.0]),
        ("recall_at_5", [1.0] * 10, 0.15, [-1.0, -0.5]),
        ("recall_at_5", [0.5] * 10, 0.10, [-0.5, -0.5]),
        ("recall_at_5", [1.0] + [0.0] * 9, 0.10, [-1.0]),
    ],
)
def test_random_questions_fall_to_the_worst_score_until_the_mean_has_fallen(metric, row, drop, changed):
    pair = one(recorded([row], metric), dropped(drop))
    assert sorted(pair.changes[pair.changes != 0]) == sorted(changed)


@pytest.mark.parametrize("row", [[0.0] * 10, [0.05] * 10], ids=["at the worst", "near it"])
def test_a_rule_that_has_not_so_much_to_lose_is_not_in_the_pair(row):
    pair = one(recorded([row, [1.0] * 10], "recall_at_5", "mrr_at_10"), dropped(0.1))
    assert (pair.looks_at(0), pair.looks_at(1)) == (False, True)


def test_a_share_of_zero_redraws_nothing_and_a_share_of_one_only_recorded_scores():
    table = recorded([[0.0, 0.25, 1.0] * 30], "recall_at_5")
    assert not one(table, redrawn(np.zeros((1, 90)))).changes.any()
    assert set(one(table, redrawn(np.ones((1, 90)))).after[0]) == {0.0, 0.25, 1.0}


def test_two_rules_with_the_same_scores_have_the_same_noise():
    table = recorded([MIXED, MIXED], "recall_at_5", "context/recall_at_5")
    pair = one(table, redrawn(np.full((2, 100), 0.3)))
    assert (pair.changes[0] == pair.changes[1]).all()


def test_recorded_differences_keep_their_size_and_change_their_sign():
    table = recorded([[0.5] * 50], "recall_at_5")
    pair = one(table, exchanged(np.full((1, 50), 0.25)))
    assert set(pair.changes[0]) == {0.25, -0.25}


def test_questions_of_a_document_are_drawn_and_exchanged_together():
    table = recorded([[0.5] * 40], "recall_at_5")
    clusters = tuple(np.arange(place, place + 4) for place in range(0, 40, 4))
    grouped = Recorded(table.rules, table.questions, table.values, clusters)
    pair = one(grouped, exchanged(np.full((1, 40), 0.25)))
    assert all(len({pair.changes[0, place] for place in np.flatnonzero(pair.cluster == number)}) == 1 for number in range(10))
    assert [len(np.flatnonzero(pair.cluster == number)) for number in range(10)] == [4] * 10


@pytest.mark.parametrize("change", [dropped(0.1), dropped(0.3), redrawn(np.full((1, 40), 0.2))])
def test_the_verdict_of_a_pair_is_what_the_gate_says_of_these_scores(change):
    table = recorded([MIXED[:40]], "recall_at_5")
    judge = gate("recall_at_5")
    trial = _Trial(judge, table, frozenset(), SEED, 12)
    for pair, tests in zip(pairs(table, change, 12, SEED), trial._tests(table, change), strict=True):
        (simulated,) = trial.concluded(tests).values()
        before, after = pair.after[0] - pair.changes[0], pair.after[0]
        (real,) = judge.check(record({"recall_at_5": list(after)}), accepted({"recall_at_5": list(before)}))
        assert simulated.outcome is real.outcome
        assert simulated.difference == pytest.approx(real.difference)


def test_drops_on_two_hundred_right_questions_are_caught_from_seven_lost_questions_on():
    """4 lost questions give p = 1/16, 10 give 1/1024, 20 less: the gate's alpha is 1/100."""
    found = selftest(gate("recall_at_5"), record({"recall_at_5": ONES}), simulations=QUICK)
    shares = {item.drop: (item.red.share, item.passed.share, item.questions) for item in found.caught}
    assert shares == {0.02: (0.0, 1.0, 200), 0.05: (1.0, 0.0, 200), 0.1: (1.0, 0.0, 200)}
    assert {item.drop: item.naive.share for item in found.caught} == {0.02: 0.0, 0.05: 1.0, 0.1: 1.0}


def test_eight_rules_beside_it_cost_a_rule_the_drop_that_it_would_catch_alone():
    names = [f"{station}recall_at_{k}" for station in ("", "bm25/", "dense/") for k in (1, 3, 5, 10)]
    found = selftest(gate(*names), record(dict.fromkeys(names, ONES)), simulations=QUICK)
    assert caught(found, 0.05).red.share == 0.0
    assert caught(found, 0.10).red.share == 1.0


def test_an_unsteady_pipeline_is_red_for_the_naive_rule_and_not_for_the_gate():
    found = selftest(gate("recall_at_5"), record({"recall_at_5": MIXED}), simulations=100)
    noisy = found.false_alarms[-1]
    assert noisy.noise == "100% of the scores drawn anew"
    assert noisy.red.share <= 0.02
    assert noisy.naive.share > 0.2
    assert found.holds


def test_identical_scores_are_never_red():
    found = selftest(gate("recall_at_5", "mrr_at_10"), record({"recall_at_5": MIXED, "mrr_at_10": MIXED}), simulations=5)
    assert found.identical == ()


def test_the_recorded_differences_to_another_run_serve_as_noise():
    other = accepted({"recall_at_5": [*MIXED[:50], *reversed(MIXED[:50])]})
    found = selftest(gate("recall_at_5"), record({"recall_at_5": MIXED}), other, simulations=QUICK)
    assert found.false_alarms[-1].noise.startswith("recorded differences")
    assert found.false_alarms[-1].red.count == 0
    same = selftest(gate("recall_at_5"), record({"recall_at_5": MIXED}), accepted({"recall_at_5": MIXED}), simulations=5)
    assert len(same.false_alarms) == 3


def test_flips_measured_by_repeats_serve_as_noise():
    flips = {"recall_at_5": {name(place): 0.1 for place in range(20)}}
    run = record({"recall_at_5": MIXED}, flips=flips, repeats=10)
    assert selftest(gate("recall_at_5"), run, simulations=5).false_alarms[-1].noise.endswith("flipped in 10 repeats")


def test_what_cannot_be_measured_is_named_with_its_reason():
    rules = gate("recall_at_5", "mrr_at_10", {"metric": "recall_at_5", "kind": "floor", "floor": 0.5})
    found = selftest(rules, record({"recall_at_5": MIXED}), simulations=5)
    assert sorted(found.left_out) == ["mrr_at_10 (test)", "recall_at_5 (test) floor 0.5"]
    assert "did not produce mrr_at_10" in found.left_out["mrr_at_10 (test)"]
    assert {item.rule for item in found.caught} == {"recall_at_5 (test)"}


def test_a_gate_of_invariants_measures_nothing():
    rules = gate({"metric": "tenant_leaks", "kind": "invariant"})
    found = selftest(rules, record({"tenant_leaks": [0.0] * 20}), simulations=5)
    assert (found.false_alarms, found.caught) == ((), ())


def test_an_advisory_rule_cannot_raise_a_false_alarm_of_the_gate():
    rules = gate("recall_at_5", {"metric": "mrr_at_10", "advisory": True}, alpha=0.49)
    run = record({"recall_at_5": [1.0] * 60, "mrr_at_10": MIXED[:60]})
    found = selftest(rules, run, simulations=60).false_alarms[-1]
    assert found.red.count == 0
    assert found.rules["mrr_at_10 (test)"] > 0


def test_without_a_rule_that_can_fail_the_gate_nothing_holds():
    run = record({"faithfulness": MIXED})
    uncalibrated = selftest(gate("faithfulness"), run, simulations=5)
    calibrated = selftest(gate("faithfulness"), run, calibrated={"faithfulness"}, simulations=5)
    assert (uncalibrated.deciding, uncalibrated.holds) == (0, False)
    assert (calibrated.deciding, calibrated.holds) == (1, True)


def test_drops_of_a_judged_metric_that_has_not_so_much_to_lose_are_not_counted():
    low = [place / 99 * 0.08 for place in range(100)]
    found = selftest(gate("faithfulness"), record({"faithfulness": low}), calibrated={"faithfulness"}, simulations=QUICK)
    assert {item.drop: item.red.n for item in found.caught} == {0.02: QUICK, 0.05: 0, 0.1: 0}
    assert caught(found, 0.10).passed == Rate(0, 0)
    assert caught(found, 0.10).detectable is None


def test_the_stated_effect_is_that_of_the_whole_family():
    names = [f"{station}recall_at_{k}" for station in ("", "bm25/", "dense/") for k in (1, 3, 5, 10)]
    rows = record(dict.fromkeys(names, MIXED))
    alone, among = (caught(selftest(gate(*rules), rows, simulations=QUICK), 0.05) for rules in (names[:1], names))
    assert among.detectable > alone.detectable


def test_the_same_run_gives_the_same_numbers_and_another_run_its_own():
    first, again = (selftest(gate("recall_at_5"), record({"recall_at_5": MIXED}), simulations=10) for _ in range(2))
    marks = {"config": "c2", "golden_set": "g1", "corpus": "d1", "judge": "j1"}
    other = selftest(gate("recall_at_5"), record({"recall_at_5": MIXED}, fingerprints=marks), simulations=10)
    assert first == again
    assert other.seed != first.seed


@pytest.mark.parametrize(
    ("red", "identical", "holds"),
    [(Rate(0, 200), (), True), (Rate(4, 200), (), True), (Rate(9, 200), (), False), (Rate(0, 200), ("recall_at_5",), False)],
)
def test_a_gate_holds_unless_it_is_surely_red_more_often_than_it_declares(red, identical, holds):
    assert fake(red, identical).holds is holds


def test_a_rate_without_pairs_says_so():
    assert (Rate(0, 0).share, Rate(0, 0).interval) == (0.0, (0.0, 1.0))
