"""What the accepted run scored has to be asked and measured again before a rule can pass."""

from typing import Any

import pytest

from harness.gates.baseline import Baseline
from harness.types import Outcome, RunRecord, Verdict
from tests.gates.records import Row, accepted, gate, name, record

METRIC = "recall_at_5"
GOOD: Row = [1.0] * 100
ALL = {name(place): "test" if place < 60 else "tune" for place in range(100)}
LABELS = {name(place): ("kind:table",) if place % 2 else ("kind:factoid",) for place in range(100)}
BEFORE = accepted({METRIC: GOOD, "tenant_leaks": [0.0] * 100}, splits=ALL, labels=LABELS)


def run(asked: int, **fields: Any) -> RunRecord:
    """The first questions of the hundred: 12 of them, or the 60 of the test split."""
    known = {"splits": {name(place): ALL[name(place)] for place in range(asked)}, "labels": LABELS}
    return record({METRIC: [1.0] * asked, "tenant_leaks": [0.0] * asked}, **{**known, **fields})


def verdict(now: RunRecord, before: Baseline | None = BEFORE, shared_only: bool = False, **rule: Any) -> Verdict:
    (found,) = gate({"metric": METRIC, **rule}, shared_only=shared_only).check(now, before)
    return found


LEAKS = {"metric": "tenant_leaks", "kind": "invariant"}


@pytest.mark.parametrize(
    ("asked", "rule", "expected", "words"),
    [
        (12, {}, Outcome.INVALID, "48 of 60 questions (80.0%) that the accepted run scored were not asked: q012, q013"),
        (60, {}, Outcome.PASS, "no question changed"),
        (60, {"split": "all"}, Outcome.INVALID, "40 of 100 questions (40.0%) that the accepted run scored were not asked: q060"),
        (100, {"split": "all"}, Outcome.PASS, "no question changed"),
        (60, {"slice": "kind:table"}, Outcome.PASS, "no question changed"),
        (
            58,
            {"slice": "kind:table"},
            Outcome.INVALID,
            "1 of 30 questions (3.3%) that the accepted run scored were not asked: q059;",
        ),
        (59, {"slice": "kind:factoid"}, Outcome.PASS, "no question changed"),
        (12, {"kind": "floor", "floor": 0.5}, Outcome.INVALID, "48 of 60 questions"),
        (60, {"kind": "floor", "floor": 0.5}, Outcome.PASS, "not below"),
        (60, LEAKS, Outcome.INVALID, "40 of 100 questions"),
        (100, LEAKS, Outcome.PASS, "0 on 100 questions"),
    ],
)
def test_what_the_accepted_run_scored_in_the_rules_scope_has_to_be_asked(
    asked: int, rule: dict[str, Any], expected: Outcome, words: str
) -> None:
    found = verdict(run(asked), **rule)
    assert found.outcome is expected
    assert words in found.reason


def test_a_part_cannot_be_advisory_and_exits_4() -> None:
    checked = gate({"metric": METRIC, "advisory": True}, {"metric": METRIC, "kind": "floor", "floor": 0.5, "split": "test"})
    assert checked.exit_code(checked.check(run(12), BEFORE)) == 4


def test_what_the_accepted_run_did_not_score_need_not_be_asked() -> None:
    before = accepted({METRIC: [*[1.0] * 60, *["error", None] * 20]}, splits=dict.fromkeys(ALL, "test"))
    assert verdict(run(60), before).outcome is Outcome.PASS


def test_a_failed_question_was_asked() -> None:
    now = record({METRIC: [*[1.0] * 99, "error"]}, splits=ALL)
    assert verdict(now, split="all").outcome is Outcome.PASS


def test_a_baseline_from_before_labels_were_kept_takes_those_of_the_run() -> None:
    before = accepted({METRIC: GOOD}, splits=ALL)
    assert verdict(run(100), before, slice="kind:table").outcome is Outcome.PASS
    unknown = {name(place): LABELS[name(place)] for place in range(58)}
    assert verdict(run(58, labels=unknown), before, slice="kind:table").outcome is Outcome.INVALID


def test_without_a_baseline_a_floor_speaks_of_what_was_asked() -> None:
    assert verdict(run(12), None, kind="floor", floor=0.5).outcome is Outcome.PASS


def contents(names: dict[str, str]) -> dict[str, dict[str, str]]:
    return {kind: dict.fromkeys(names, "same") for kind in ("questions", "evidence")}


@pytest.mark.parametrize(
    ("known", "expected"), [(60, Outcome.PASS), (100, Outcome.INVALID)], ids=["removed from the set", "still in the set"]
)
def test_questions_removed_from_the_golden_set_are_not_missed_when_only_shared_ones_are_compared(
    known: int, expected: Outcome
) -> None:
    before = accepted({METRIC: GOOD}, splits=ALL, contents=contents(ALL))
    marks = {"config": "c1", "golden_set": "g2", "corpus": "d1", "judge": "j1"}
    now = run(60, contents=contents(dict.fromkeys(list(ALL)[:known], "")), fingerprints=marks, golden_version=2)
    assert verdict(now, before, shared_only=True, split="all").outcome is expected


@pytest.mark.parametrize(
    ("metric", "rule", "value"),
    [
        (METRIC, {"kind": "floor", "floor": 0.9}, 1.0),
        (METRIC, {"floor": 0.9}, 1.0),
        ("tenant_leaks", {"kind": "invariant"}, 0.0),
    ],
    ids=["floor", "difference with a floor", "invariant"],
)
@pytest.mark.parametrize(
    ("row", "words"),
    [
        (["skipped"] * 88, "88 of 100 questions (88.0%) have no"),
        (["skipped"] * 3, "3 skipped (q000, q001, q002)"),
        (["error", "skipped", "skipped"], "1 lost (q000), 2 skipped (q001, q002)"),
    ],
)
def test_skipped_questions_count_like_lost_ones(metric: str, rule: dict[str, Any], value: float, row: Row, words: str) -> None:
    scores: dict[str, Row] = {metric: [*row, *[value] * (100 - len(row))]}
    (found,) = gate({"metric": metric, **rule}).check(record(scores), accepted(scores))
    assert found.outcome is Outcome.INVALID
    assert words in found.reason


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (["error", "error"], "0 on 98 questions; not measured: 2 lost (q000, q001)"),
        (["error", "skipped"], "0 on 98 questions; not measured: 1 lost (q000), 1 skipped (q001)"),
        ([None, 0.0], "0 on 99 questions"),
        ([0.0, 0.0], "0 on 100 questions"),
    ],
)
def test_an_invariant_names_what_it_could_not_measure(row: Row, reason: str) -> None:
    (found,) = gate(LEAKS).check(record({"tenant_leaks": [*row, *[0.0] * 98]}), None)
    assert (found.outcome, found.reason) == (Outcome.PASS, reason)


def lapsed(count: int, rest: Row) -> Verdict:
    return verdict(record({METRIC: [*[None] * count, *rest]}), accepted({METRIC: GOOD}))


@pytest.mark.parametrize(
    ("count", "rest", "expected"),
    [
        (10, [1.0] * 90, Outcome.PASS),
        (11, [1.0] * 89, Outcome.INCONCLUSIVE),
        (88, [1.0] * 12, Outcome.INCONCLUSIVE),
        (30, [0.0] * 10 + [1.0] * 60, Outcome.REGRESSED),
    ],
)
def test_more_than_a_tenth_that_is_not_applicable_any_more_cannot_pass(count: int, rest: Row, expected: Outcome) -> None:
    found = lapsed(count, rest)
    assert found.outcome is expected
    assert f"{count} questions scored in the baseline have no number now: {count} not applicable (q000, q001" in found.reason


def test_that_too_many_are_not_applicable_any_more_is_said() -> None:
    reason = lapsed(11, [1.0] * 89).reason
    assert reason.startswith("11 of 100 questions (11.0%) that the baseline scored are not applicable now, more than the 10%")
