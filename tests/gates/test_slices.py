"""A rule on a slice looks at the questions that carry its label, and never passes because there are none."""

from typing import Any

import pytest

from harness.types import Outcome, RunRecord, Verdict
from tests.gates.records import Row, accepted, gate, name, record

METRIC = "recall_at_5"
BEFORE: Row = [1.0] * 60
LABELS = {name(place): ("answerable:yes", "kind:table" if place < 30 else "kind:factoid") for place in range(60)}
SPLITS = {name(place): "tune" if place % 2 else "test" for place in range(60)}


def run(after: Row = BEFORE, **fields: Any) -> RunRecord:
    return record({METRIC: after}, **{"labels": LABELS, **fields})


def on(label: str, now: RunRecord, **rule: Any) -> Verdict:
    (found,) = gate({"metric": METRIC, "slice": label, **rule}).check(now, accepted({METRIC: BEFORE}, splits=now.splits))
    return found


TABLES_FELL: Row = [0.0] * 12 + [1.0] * 48


@pytest.mark.parametrize(
    ("label", "expected", "before", "after"),
    [("kind:table", Outcome.REGRESSED, 1.0, 0.6), ("kind:factoid", Outcome.PASS, 1.0, 1.0)],
)
def test_a_slice_has_its_own_verdict(label: str, expected: Outcome, before: float, after: float) -> None:
    found = on(label, run(TABLES_FELL))
    assert (found.outcome, found.n, found.slice) == (expected, 30, f"{label}, test")
    assert (found.expected, found.actual) == (before, pytest.approx(after))


def test_only_questions_of_the_slice_are_named_as_changed() -> None:
    now = run([0.0] * 8 + [1.0] * 22 + [0.0] * 8 + [1.0] * 22)
    assert on("kind:table", now).flipped == tuple(name(place) for place in range(8))
    assert on("kind:factoid", now).flipped == tuple(name(place) for place in range(30, 38))


@pytest.mark.parametrize(("split", "n", "where"), [("test", 15, "kind:table, test"), ("all", 30, "kind:table")])
def test_split_and_slice_narrow_together(split: str, n: int, where: str) -> None:
    found = on("kind:table", run(splits=SPLITS), split=split)
    assert (found.n, found.slice) == (n, where)


@pytest.mark.parametrize(
    ("label", "words"),
    [
        ("kind:tabel", "no question of this run is in slice 'kind:tabel'; did you mean 'kind:table'"),
        ("knd:table", "did you mean 'kind:table'"),
        ("zzz", "known: answerable:yes, kind:factoid, kind:table"),
        ("", ""),
    ],
)
def test_a_mistyped_slice_is_missing_and_names_the_nearest(label: str, words: str) -> None:
    found = on(label, run())
    assert (found.outcome is Outcome.MISSING) is bool(words)
    assert words in found.reason


def test_a_slice_that_has_no_question_in_the_split_is_missing() -> None:
    found = on("kind:table", run(splits={name(place): "tune" if place < 30 else "test" for place in range(60)}))
    assert found.outcome is Outcome.MISSING
    assert found.reason == "no question of this run is 'kind:table' in split 'test'; ask all (split=all) or change the rule"


def test_a_run_that_does_not_know_its_slices_cannot_be_asked_about_one() -> None:
    found = on("kind:table", run(labels={}))
    assert found.outcome is Outcome.MISSING
    assert "does not say which slices its questions belong to" in found.reason


def test_a_slice_in_which_nothing_was_scored_is_missing() -> None:
    found = on("kind:table", run([None] * 30 + [1.0] * 30))
    assert (found.outcome, found.reason) == (Outcome.MISSING, "recall_at_5 applies to none of the 30 questions")


def test_errors_inside_a_slice_are_counted_against_the_slice() -> None:
    now = run(["error"] + [1.0] * 59)
    assert on("kind:table", now).outcome is Outcome.INVALID  # 1 of 30 is over 2 %
    assert on("kind:factoid", now).outcome is Outcome.PASS


def test_a_slice_of_a_handful_proves_nothing() -> None:
    few = {question: ("kind:code",) if question < name(6) else labels for question, labels in LABELS.items()}
    found = on("kind:code", run(labels=few))
    assert (found.outcome, found.reason) == (Outcome.INVALID, "'kind:code, test' has 6 questions; a gate needs 10")


@pytest.mark.parametrize(("label", "expected"), [("kind:table", Outcome.REGRESSED), ("kind:factoid", Outcome.PASS)])
def test_an_invariant_may_hold_on_one_slice_only(label: str, expected: Outcome) -> None:
    now = record({"tenant_leaks": [1.0] + [0.0] * 59}, labels=LABELS, splits=SPLITS)
    (found,) = gate({"metric": "tenant_leaks", "kind": "invariant", "slice": label}).check(now, None)
    assert (found.outcome, found.slice, found.n) == (expected, label, 30)


def test_a_floor_may_stand_on_one_slice_only() -> None:
    rules = [{"metric": METRIC, "kind": "floor", "floor": 0.9, "slice": label} for label in ("kind:table", "kind:factoid")]
    found = gate(*rules).check(run(TABLES_FELL), None)
    assert [item.outcome for item in found] == [Outcome.REGRESSED, Outcome.PASS]


def test_every_slice_of_the_family_costs_some_of_its_error_rate() -> None:
    after: Row = [0.0] * 7 + [1.0] * 53
    alone = on("kind:table", run(after))
    both = gate({"metric": METRIC, "slice": "kind:table"}, {"metric": METRIC, "slice": "kind:factoid"})
    among = both.check(run(after), accepted({METRIC: BEFORE}))[0]
    assert (alone.outcome, alone.p) == (Outcome.REGRESSED, pytest.approx(1 / 128))
    assert (among.outcome, among.p) == (Outcome.INCONCLUSIVE, pytest.approx(2 / 128))
