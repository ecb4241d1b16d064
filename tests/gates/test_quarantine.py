"""Questions that flip when the same pipeline is asked again: out of the test, by name, and not too many of them."""

from typing import Any

import pytest

from harness.gates.quarantine import too_many, unstable
from harness.types import Outcome, Verdict
from tests.gates.records import Row, accepted, gate, name, record

METRIC = "recall_at_5"
GOOD: Row = [1.0] * 100


def flips(count: int, share: float = 0.5) -> dict[str, Any]:
    """The first questions flip in a share of five repeats."""
    return {"repeats": 5, "flips": {METRIC: {name(place): share for place in range(count)}}}


def verdict(after: Row, now: dict[str, Any], before: dict[str, Any] | None = None, **fields: Any) -> Verdict:
    (found,) = gate(METRIC, **fields).check(
        record({METRIC: after}, **now), accepted({METRIC: GOOD}, **({"repeats": 5} if before is None else before))
    )
    return found


EIGHT_FELL: Row = [0.0] * 8 + [1.0] * 92


def test_a_loss_on_questions_that_flip_anyway_is_no_regression() -> None:
    assert verdict(EIGHT_FELL, {"repeats": 5}).outcome is Outcome.REGRESSED
    found = verdict(EIGHT_FELL, flips(8))
    assert (found.outcome, found.n, found.flipped) == (Outcome.PASS, 92, ())


def test_those_left_out_are_counted_and_named() -> None:
    reason = verdict(EIGHT_FELL, flips(3)).reason
    assert "3 questions quarantined, flip in over 20% of repeats: q000, q001, q002" in reason
    assert "1 question quarantined, flips in over 20% of repeats: q000" in verdict(EIGHT_FELL, flips(1)).reason


def test_flips_of_the_baseline_count_as_well() -> None:
    found = verdict(EIGHT_FELL, {"repeats": 5}, flips(8))
    assert (found.outcome, found.n) == (Outcome.PASS, 92)


@pytest.mark.parametrize(("share", "left_out"), [(0.2, 0), (0.200001, 5), (0.25, 5), (1.0, 5)])
def test_a_question_is_left_out_above_the_limit_and_not_at_it(share: float, left_out: int) -> None:
    assert verdict(GOOD, flips(5, share)).n == 100 - left_out


@pytest.mark.parametrize(("count", "expected"), [(10, Outcome.PASS), (11, Outcome.INVALID), (100, Outcome.INVALID)])
def test_an_unstable_pipeline_cannot_be_gated(count: int, expected: Outcome) -> None:
    assert verdict(GOOD, flips(count)).outcome is expected


def test_an_unstable_pipeline_is_told_how_many_questions_flip_and_how_many_may() -> None:
    reason = verdict(GOOD, flips(25)).reason
    assert reason.startswith("25 of 100 questions (25.0%) flip in recall_at_5 in over 20% of repeats, more than the 10%")
    assert reason.endswith("q009 and 15 more")


def test_flips_of_another_metric_and_of_questions_not_asked_leave_nothing_out() -> None:
    other = {"repeats": 5, "flips": {"mrr_at_10": {name(0): 1.0}, METRIC: {"gone": 1.0}}}
    assert verdict(GOOD, other).n == 100


def test_what_remains_must_be_enough() -> None:
    after: Row = [1.0] * 11 + [None] * 89
    found = verdict(after, flips(2), max_quarantined=0.5)
    assert (found.outcome, found.n) == (Outcome.INCONCLUSIVE, 9)
    assert "9 questions compared; fewer than 10 prove nothing" in found.reason


def test_asked_once_nothing_is_known_and_nothing_left_out() -> None:
    assert verdict(GOOD, {}, {}).reason == "no question changed"


def test_a_floor_looks_at_every_question() -> None:
    (found,) = gate({"metric": METRIC, "floor": 0.95}).check(
        record({METRIC: EIGHT_FELL}, **flips(8)), accepted({METRIC: GOOD}, repeats=5)
    )
    assert (found.outcome, found.n) == (Outcome.REGRESSED, 92)
    assert "0.920 is below the floor of 0.95" in found.reason


def test_an_invariant_is_never_quarantined() -> None:
    now = record({"tenant_leaks": [0.2] + [0.0] * 99}, repeats=5, flips={"tenant_leaks": {name(0): 0.25}})
    (found,) = gate({"metric": "tenant_leaks", "kind": "invariant"}).check(now, None)
    assert (found.outcome, found.flipped) == (Outcome.REGRESSED, (name(0),))


@pytest.mark.parametrize(
    ("now", "before", "words"),
    [
        ({"repeats": 3}, {"repeats": 1}, "the baseline asked each question 1 time, this run 3 times"),
        ({"repeats": 1}, {"repeats": 5}, "the baseline asked each question 5 times, this run 1 time"),
        ({"repeats": 3}, {"repeats": 3}, ""),
    ],
)
def test_other_repeats_are_comparable_and_pointed_out(now: dict[str, Any], before: dict[str, Any], words: str) -> None:
    found = verdict(GOOD, now, before)
    assert found.outcome is Outcome.PASS
    assert words in found.reason and ("asked each" in found.reason) is bool(words)


def test_an_advisory_rule_that_flips_too_much_stays_advisory() -> None:
    rows = {METRIC: GOOD, "faithfulness": GOOD}
    shaky = {name(place): 1.0 for place in range(50)}
    checked = gate(METRIC, "faithfulness")
    found = checked.check(record(rows, repeats=5, flips={"faithfulness": shaky}), accepted(rows, repeats=5))
    assert [(item.outcome, item.advisory) for item in found] == [(Outcome.PASS, False), (Outcome.INVALID, True)]
    assert checked.exit_code(found) == 0


@pytest.mark.parametrize("wrong", [{"quarantine": -0.1}, {"quarantine": 1.0}, {"max_quarantined": 1.0}])
def test_a_quarantine_that_could_hold_everything_cannot_be_asked_for(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        gate(METRIC, **wrong)


def test_the_highest_of_several_measurements_decides() -> None:
    first, second = {METRIC: {"a": 0.1, "b": 0.5}}, {METRIC: {"a": 0.3}}
    assert unstable(METRIC, ["c", "b", "a"], 0.2, first, second) == ("a", "b")
    assert too_many(METRIC, ("a", "b"), 20, 0.1, 0.2) is None
    assert too_many(METRIC, ("a", "b"), 19, 0.1, 0.2) is not None
