"""How a difference becomes a verdict."""

import pytest

from harness.statistics.power import minimum_detectable_effect, required_questions
from harness.types import Outcome, Verdict
from tests.gates.records import Row, accepted, gate, outcome, record, verdict

GOOD: Row = [1.0] * 80 + [0.0] * 20


def changed(row: Row, *, fall: int = 0, rise: int = 0) -> Row:
    """The first `fall` questions turn 0 and the last `rise` turn 1."""
    return [0.0] * fall + list(row[fall : len(row) - rise]) + [1.0] * rise


@pytest.mark.parametrize(
    ("fall", "rise", "expected"),
    [
        (0, 0, Outcome.PASS),
        (1, 0, Outcome.PASS),  # one of a hundred
        (3, 3, Outcome.PASS),
        (6, 0, Outcome.INCONCLUSIVE),  # 2^-6 = .016 is not below .01
        (7, 0, Outcome.REGRESSED),  # 2^-7 is
        (20, 0, Outcome.REGRESSED),
        (12, 8, Outcome.INCONCLUSIVE),
        (0, 12, Outcome.IMPROVED),
        (0, 6, Outcome.PASS),
    ],
)
def test_the_verdict_on_a_hundred_questions(fall: int, rise: int, expected: Outcome) -> None:
    assert outcome(GOOD, changed(GOOD, fall=fall, rise=rise)) is expected


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ([0.0] * 100, [1.0] * 10 + [0.0] * 90, Outcome.REGRESSED),
        ([1.0] * 10 + [0.0] * 90, [0.0] * 100, Outcome.IMPROVED),
        ([0.0] * 100, [0.0] * 100, Outcome.PASS),
    ],
)
def test_where_lower_is_better_a_rise_is_a_loss(before: Row, after: Row, expected: Outcome) -> None:
    found = verdict(before, after, "over_refusal_rate")
    assert found.outcome is expected
    assert found.difference == pytest.approx(found.actual - found.expected)  # type: ignore[operator]
    assert found.low is not None and found.low <= found.difference <= found.high  # type: ignore[operator]


def test_a_sure_but_tiny_drop_is_no_regression() -> None:
    after = [0.995] * 80 + [0.0] * 20
    assert outcome(GOOD, after) is Outcome.PASS
    assert outcome(GOOD, after, practical_floor=0.001) is Outcome.REGRESSED


def test_the_margin_decides_what_must_be_ruled_out() -> None:
    after = changed(GOOD, fall=4, rise=2)
    assert outcome(GOOD, after, margin=0.10) is Outcome.PASS
    assert outcome(GOOD, after, margin=0.02) is Outcome.INCONCLUSIVE


def test_a_verdict_carries_its_numbers() -> None:
    found = verdict(GOOD, changed(GOOD, fall=10, rise=2))
    assert (found.expected, found.actual, found.n) == (0.8, pytest.approx(0.72), 100)
    assert found.difference == pytest.approx(-0.08)
    assert found.low is not None and found.high is not None and found.low < -0.08 < found.high
    assert found.p == pytest.approx(79 / 4096)  # 12 flips, at most 2 up: 1 + 12 + 66
    assert found.minimum_detectable_effect == pytest.approx(0.107, abs=0.005)
    assert found.slice == "test"


def test_changed_questions_are_listed_by_name_the_worst_first() -> None:
    before, after = [1.0] * 20, [1.0] * 20
    after[7], after[3], before[5] = 0.0, 0.5, 0.5
    assert verdict(before, after).flipped == ("q007", "q003", "q005")


def test_an_inconclusive_verdict_says_what_could_have_been_seen() -> None:
    reason = verdict(GOOD, changed(GOOD, fall=12, rise=8)).reason
    assert "a drop of 0.05 cannot be ruled out" in reason
    assert "this comparison can see drops of 0.1" in reason
    assert "questions would see 0.05" in reason


def test_where_lower_is_better_it_is_a_rise_that_cannot_be_ruled_out() -> None:
    reason = verdict(changed(GOOD, fall=12, rise=8), GOOD, "over_refusal_rate").reason
    assert "a rise of 0.05 cannot be ruled out" in reason
    assert "this comparison can see rises of 0.1" in reason
    assert "drop" not in reason


@pytest.mark.parametrize(("metric", "loss"), [("recall_at_5", "drop"), ("over_refusal_rate", "rise")])
def test_a_pass_says_which_loss_is_ruled_out(metric: str, loss: str) -> None:
    assert verdict(GOOD, changed(GOOD, fall=1, rise=1), metric).reason.startswith(f"a {loss} of 0.05 can be ruled out")


@pytest.mark.parametrize(("metric", "loss"), [("recall_at_5", "drop"), ("over_refusal_rate", "rise")])
def test_a_rule_that_no_loss_could_turn_red_says_so_in_the_metrics_direction(metric: str, loss: str) -> None:
    groups = {f"q{place:03d}": "manual" for place in range(100)}
    now, before = record({metric: changed(GOOD, fall=5)}, groups=groups), accepted({metric: GOOD})
    assert f"even a {loss} on every question" in gate(metric).check(now, before)[0].reason


def test_an_unchanged_pipeline_passes_with_a_difference_of_exactly_0() -> None:
    found = verdict(GOOD, GOOD)
    assert (found.outcome, found.difference, found.low, found.high, found.n) == (Outcome.PASS, 0.0, 0.0, 0.0, 100)
    assert (found.p, found.flipped, found.reason) == (1.0, (), "no question changed")


def test_the_rounding_of_the_baseline_changes_no_question() -> None:
    thirds = [1 / 3, 2 / 3, 1.0] * 10
    assert verdict(thirds, thirds).flipped == ()


def test_below_the_minimum_a_drop_can_be_seen_but_a_pass_cannot_be_shown() -> None:
    silent: Row = [None] * 92
    assert outcome([*[1.0] * 8, *silent], [*[1.0] * 8, *silent]) is Outcome.INCONCLUSIVE
    assert outcome([*[1.0] * 8, *silent], [*[0.0] * 8, *silent]) is Outcome.REGRESSED


def test_clusters_count_as_one_piece_of_evidence() -> None:
    before, after = [1.0] * 100, changed([1.0] * 100, fall=10)
    groups = {f"q{place:03d}": f"document {place // 5}" for place in range(100)}
    now = record({"recall_at_5": after}, groups=groups)
    assert gate("recall_at_5").check(now, accepted({"recall_at_5": before}))[0].outcome is not Outcome.REGRESSED
    assert outcome(before, after) is Outcome.REGRESSED


def test_many_rules_share_one_error_rate() -> None:
    names = [f"{station}recall_at_{k}" for station in ("", "bm25/", "dense/") for k in (1, 3, 5, 10)]
    fell = changed(GOOD, fall=7)
    now = record({metric: fell if metric == "recall_at_5" else GOOD for metric in names})
    found = {item.metric: item for item in gate(*names).check(now, accepted(dict.fromkeys(names, GOOD)))}
    assert found["recall_at_5"].p == pytest.approx(12 / 128)
    assert found["recall_at_5"].outcome is Outcome.INCONCLUSIVE
    assert gate("recall_at_5").check(now, accepted({"recall_at_5": GOOD}))[0].outcome is Outcome.REGRESSED


def test_only_the_questions_of_the_split_are_compared() -> None:
    splits = {f"q{place:03d}": "tune" if place < 50 else "test" for place in range(100)}
    now, before = record({"recall_at_5": changed(GOOD, fall=30)}, splits=splits), accepted({"recall_at_5": GOOD}, splits=splits)
    rules = [{"metric": "recall_at_5", "split": split} for split in ("test", "tune", "all")]
    assert [(item.outcome, item.n, item.slice) for item in gate(*rules).check(now, before)] == [
        (Outcome.PASS, 50, "test"),
        (Outcome.REGRESSED, 50, "tune"),
        (Outcome.REGRESSED, 100, "all"),
    ]


@pytest.mark.parametrize(("value", "expected"), [(0.0, Outcome.PASS), (1.0, Outcome.REGRESSED)])
def test_an_invariant_tolerates_nothing_and_needs_no_baseline(value: float, expected: Outcome) -> None:
    now = record({"tenant_leaks": [0.0] * 3 + [value] + [None] * 20})
    found = gate({"metric": "tenant_leaks", "kind": "invariant"}).check(now, None)[0]
    assert (found.outcome, found.expected, found.actual, found.n) == (expected, 0.0, value, 4)
    assert found.flipped == (("q003",) if value else ())


def test_an_invariant_holds_on_the_tune_split_too() -> None:
    now = record({"tenant_leaks": [0.0, 2.0]}, splits={"q000": "test", "q001": "tune"})
    found = gate({"metric": "tenant_leaks", "kind": "invariant"}).check(now, None)[0]
    assert (found.outcome, found.slice, found.actual) == (Outcome.REGRESSED, "all", 2.0)


@pytest.mark.parametrize(
    ("metric", "floor", "expected"),
    [
        ("recall_at_5", 0.8, Outcome.PASS),
        ("recall_at_5", 0.81, Outcome.REGRESSED),
        ("over_refusal_rate", 0.8, Outcome.PASS),
        ("over_refusal_rate", 0.79, Outcome.REGRESSED),
    ],
)
def test_a_floor_is_a_ceiling_where_lower_is_better(metric: str, floor: float, expected: Outcome) -> None:
    found = gate({"metric": metric, "kind": "floor", "floor": floor}).check(record({metric: GOOD}), None)[0]
    assert (found.outcome, found.expected, found.actual) == (expected, floor, 0.8)


def test_a_floor_on_a_handful_of_questions_proves_nothing() -> None:
    now = record({"refusal_recall": [1.0] * 6 + [None] * 20})
    assert gate({"metric": "refusal_recall", "kind": "floor", "floor": 0.9}).check(now, None)[0].outcome is Outcome.INCONCLUSIVE


def test_a_difference_rule_may_carry_a_floor() -> None:
    assert outcome(GOOD, GOOD, floor=0.8) is Outcome.PASS
    found = verdict(GOOD, GOOD, floor=0.9)
    assert (found.outcome, found.reason) == (Outcome.REGRESSED, "0.800 is below the floor of 0.9")


POWERLESS = "even a drop on every question could not turn this rule red here; give it a floor or add questions"


def in_clusters(clusters: int, family: int = 1, **rule: object) -> Verdict:
    """The first verdict of a family of rules on 60 questions in so many clusters, each of which falls on one question."""
    before: Row = [1.0] * 60
    after: Row = [0.0] * clusters + [1.0] * (60 - clusters)
    groups = {f"q{place:03d}": f"document {place % clusters}" for place in range(60)}
    names = [f"recall_at_{place + 1}" for place in range(family)]
    now = record({"recall_at_1": after, **dict.fromkeys(names[1:], before)}, groups=groups)
    checked = gate({"metric": "recall_at_1", **rule}, *names[1:])
    return checked.check(now, accepted(dict.fromkeys(names, before)))[0]


@pytest.mark.parametrize(
    ("clusters", "family", "powerless"),
    [
        (6, 1, True),  # 2^-6 = .0156
        (7, 1, False),  # 2^-7 = .0078
        (7, 2, True),  # twice that, by Holm
        (9, 5, False),  # 5 x 2^-9 = .0098
        (9, 6, True),
    ],
)
def test_a_rule_that_cannot_turn_red_on_this_set_says_so(clusters: int, family: int, powerless: bool) -> None:
    found = in_clusters(clusters, family)
    assert (found.outcome is Outcome.INCONCLUSIVE) is powerless
    assert (POWERLESS in found.reason) is powerless


def test_an_inconclusive_rule_that_could_turn_red_is_not_called_powerless() -> None:
    found = verdict(GOOD, changed(GOOD, fall=12, rise=8))
    assert found.outcome is Outcome.INCONCLUSIVE
    assert POWERLESS not in found.reason


def test_a_rule_with_a_floor_can_turn_red_on_any_set() -> None:
    found = in_clusters(6, floor=0.5)
    assert found.outcome is Outcome.INCONCLUSIVE
    assert POWERLESS not in found.reason


def grouped(before: Row, after: Row, per_group: int) -> Verdict:
    """The verdict on questions of which so many in a row form a group."""
    groups = {f"q{place:03d}": f"document {place // per_group}" for place in range(len(before))}
    return gate("recall_at_5").check(record({"recall_at_5": after}, groups=groups), accepted({"recall_at_5": before}))[0]


ONE_LOST_OF_EACH: Row = [0.0, *[1.0] * 24] * 2


@pytest.mark.parametrize(
    ("before", "after", "per_group", "expected"),
    [
        ([1.0] * 50, ONE_LOST_OF_EACH, 25, Outcome.INCONCLUSIVE),  # 2 groups that lose alike
        ([1.0] * 48, [0.0, *[1.0] * 47], 12, Outcome.INCONCLUSIVE),  # 4 groups
        ([1.0] * 50, [0.5, *[1.0] * 49], 10, Outcome.PASS),  # 5 groups
        ([1.0] * 50, [1.0] * 50, 25, Outcome.PASS),  # nothing changed
        ([0.0, 1.0] * 5, [1.0, 0.0] * 5, 2, Outcome.INCONCLUSIVE),  # pairs that change up and down
    ],
)
def test_groups_that_change_alike_are_no_certainty(before: Row, after: Row, per_group: int, expected: Outcome) -> None:
    assert grouped(before, after, per_group).outcome is expected


def test_fewer_than_five_groups_are_said_and_questions_without_a_group_are_their_own() -> None:
    reason = grouped([1.0] * 50, ONE_LOST_OF_EACH, 25).reason
    assert reason.startswith("the questions form 2 groups; with fewer than 5 no drop can be ruled out")
    assert outcome([1.0] * 50, [0.5, *[1.0] * 49]) is Outcome.PASS


def test_two_groups_can_still_break_a_floor() -> None:
    groups = {f"q{place:03d}": f"document {place // 25}" for place in range(50)}
    now = record({"recall_at_5": ONE_LOST_OF_EACH}, groups=groups)
    (found,) = gate({"metric": "recall_at_5", "floor": 0.98}).check(now, accepted({"recall_at_5": [1.0] * 50}))
    assert found.outcome is Outcome.REGRESSED


@pytest.mark.parametrize("family", [1, 24])
def test_what_a_comparison_can_see_is_what_holm_leaves_it(family: int) -> None:
    names = [f"{station}recall_at_{k}" for station in ("", "bm25/", "dense/", "fused/") for k in (1, 2, 3, 5, 10, 20)][:family]
    after = changed(GOOD, fall=12, rise=8)
    now = record({names[0]: after, **dict.fromkeys(names[1:], GOOD)})
    found = gate(*names).check(now, accepted(dict.fromkeys(names, GOOD)))[0]
    changes = [new - old for new, old in zip(after, GOOD, strict=True)]  # type: ignore[operator]
    seen, needed = minimum_detectable_effect(changes, None, 0.01 / family), required_questions(changes, None, 0.05, 0.01 / family)
    assert found.minimum_detectable_effect == pytest.approx(seen)
    assert f"this comparison can see drops of {seen:.3f} or more, {needed} questions would see 0.05" in found.reason


def test_a_count_of_citations_may_be_made_an_invariant() -> None:
    now = record({"forbidden_citations": [0.0, 1.0, None]})
    found = gate({"metric": "forbidden_citations", "kind": "invariant"}).check(now, None)[0]
    assert (found.outcome, found.actual, found.flipped) == (Outcome.REGRESSED, 1.0, ("q001",))


def test_an_uncalibrated_judge_is_shown_and_cannot_fail_the_gate() -> None:
    both = {"recall_at_5": GOOD, "faithfulness": GOOD}
    now = record({"recall_at_5": GOOD, "faithfulness": changed(GOOD, fall=40)})
    checked = gate("recall_at_5", "faithfulness")
    found = checked.check(now, accepted(both))
    assert [(item.outcome, item.advisory) for item in found] == [(Outcome.PASS, False), (Outcome.REGRESSED, True)]
    assert "the judge is not calibrated" in found[1].reason
    assert checked.exit_code(found) == 0


def test_another_judge_gives_other_scores() -> None:
    both = {"recall_at_5": GOOD, "faithfulness": GOOD}
    now = record(both, fingerprints={"config": "c1", "golden_set": "g1", "corpus": "d1", "judge": "j2"})
    found = gate("faithfulness").check(now, accepted(both))[0]
    assert (found.outcome, found.advisory) == (Outcome.NOT_COMPARABLE, True)
    assert "'j1' and 'j2'" in found.reason


def test_scores_that_change_under_an_unchanged_config_are_pointed_out() -> None:
    assert "the config is that of the baseline, yet scores changed" in verdict(GOOD, changed(GOOD, fall=1)).reason


def test_questions_that_lost_their_number_are_counted() -> None:
    after: Row = [None, None, *GOOD[2:]]
    assert "2 questions scored in the baseline have no number now: 2 not applicable (q000, q001)" in verdict(GOOD, after).reason
    assert "2 questions scored now had no number in the baseline" in verdict(after, GOOD).reason


def test_the_same_run_gives_the_same_verdicts() -> None:
    now, before = record({"recall_at_5": changed(GOOD, fall=14, rise=9)}), accepted({"recall_at_5": GOOD})
    assert gate("recall_at_5").check(now, before) == gate("recall_at_5").check(now, before)
