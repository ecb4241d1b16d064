"""A changed golden set: not comparable, unless the gate asks to compare what is the same in both and says so."""

from dataclasses import replace
from typing import Any

import pytest

from harness.gates.baseline import Baseline
from harness.types import Outcome, RunRecord, Verdict
from tests.gates.records import Row, accepted, gate, name, record

METRIC = "recall_at_5"
GOOD: Row = [1.0] * 40
MARKS = {"config": "c1", "golden_set": "g1", "corpus": "d1", "judge": "j1"}


def contents(**edited: str) -> dict[str, dict[str, str]]:
    """Forty questions, each scored against a document of its own; `q003_questions="x"` edits one of a kind."""
    kinds = {
        "questions": {name(place): "as it was" for place in range(40)},
        "evidence": {name(place): "these documents" for place in range(40)},
        "documents": {"a.md": "d"},
    }
    for key, digest in edited.items():
        question, _, kind = key.partition("_")
        kinds[kind][question] = digest
    return kinds


BEFORE = accepted({METRIC: GOOD}, contents=contents(), fingerprints=MARKS)


def run(after: Row = GOOD, marks: dict[str, str] | None = None, **edited: str) -> RunRecord:
    changed = {**MARKS, "golden_set": "g2", **(marks or {})}
    return record({METRIC: after}, contents=contents(**edited), fingerprints=changed, golden_version=2)


def verdict(now: RunRecord, before: Baseline = BEFORE, shared_only: bool = True) -> Verdict:
    (found,) = gate(METRIC, shared_only=shared_only).check(now, before)
    return found


EDITED = {"q000_questions": "reworded", "q001_questions": "reworded", "q002_evidence": "other documents"}


def test_without_the_switch_nothing_is_compared_and_the_switch_is_named() -> None:
    found = verdict(run(**EDITED), shared_only=False)
    assert found.outcome is Outcome.NOT_COMPARABLE
    assert "questions: 2 edited (q000, q001)" in found.reason
    assert found.reason.endswith("gate.shared_only=true compares the 37 questions unedited in both")


def test_with_it_the_unedited_are_compared_and_the_others_listed() -> None:
    found = verdict(run(**EDITED))
    assert (found.outcome, found.n, found.slice) == (Outcome.PASS, 37, "test, unedited")
    assert "only the 37 questions unedited in both are compared; left out: 2 edited (q000, q001)" in found.reason
    assert "1 scored against other documents or terms (q002)" in found.reason


def test_a_loss_on_edited_questions_is_not_seen_and_one_on_the_others_is() -> None:
    assert verdict(run([0.0, 0.0, 0.0, *GOOD[3:]], **EDITED)).outcome is Outcome.PASS
    found = verdict(run([*GOOD[:3], *[0.0] * 10, *GOOD[13:]], **EDITED))
    assert (found.outcome, len(found.flipped)) == (Outcome.REGRESSED, 10)


def test_added_and_removed_questions_are_listed() -> None:
    now = run([1.0] * 41)
    kinds = contents()
    for kind in ("questions", "evidence"):
        kinds[kind] = {**{name(place): kinds[kind][name(place)] for place in range(1, 40)}, name(40): "new"}
    found = verdict(replace(now, contents=kinds))
    assert found.n == 39
    assert "left out: 1 added (q040), 1 removed (q000)" in found.reason


def test_a_changed_corpus_is_pointed_out_for_it_changes_every_ranking() -> None:
    assert "the corpus changed, and with it what is retrieved for every question" in verdict(run(marks={"corpus": "d2"})).reason
    assert "the corpus changed" not in verdict(run()).reason


def test_too_few_shared_questions_prove_nothing() -> None:
    edited = {f"{name(place)}_questions": "reworded" for place in range(31)}
    found = verdict(run(**edited))
    assert (found.outcome, found.n) == (Outcome.INCONCLUSIVE, 9)


@pytest.mark.parametrize("kind", ["questions", "evidence"])
def test_when_everything_was_edited_nothing_is_comparable(kind: str) -> None:
    found = verdict(run(**{f"{name(place)}_{kind}": "other" for place in range(40)}))
    assert found.outcome is Outcome.NOT_COMPARABLE
    assert "no question is known to be the same in both" in found.reason


def test_a_baseline_that_does_not_say_what_its_questions_were_scored_against_is_not_comparable() -> None:
    old = accepted({METRIC: GOOD}, contents={**contents(), "evidence": {}}, fingerprints=MARKS)
    for shared_only in (True, False):
        found = verdict(run(), old, shared_only)
        assert found.outcome is Outcome.NOT_COMPARABLE
        assert "gate.shared_only" not in found.reason
    assert "accept a run anew" in verdict(run(), old).reason


def test_on_the_same_golden_set_the_switch_changes_nothing() -> None:
    now = record({METRIC: GOOD}, contents=contents(), fingerprints=MARKS)
    assert verdict(now) == verdict(now, shared_only=False)
    assert verdict(now).slice == "test"


def test_rules_without_a_baseline_look_at_all_questions_whatever_was_edited() -> None:
    rules: list[dict[str, Any]] = [{"metric": METRIC, "kind": "floor", "floor": 0.5}]
    (found,) = gate(*rules, shared_only=True).check(run(**EDITED), BEFORE)
    assert (found.outcome, found.n, found.slice) == (Outcome.PASS, 40, "test")
