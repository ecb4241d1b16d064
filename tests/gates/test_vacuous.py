"""What was not measured cannot pass: none of these situations exits 0."""

from collections.abc import Callable
from typing import Any

import pytest

from harness.errors import GateError
from harness.gates.baseline import Baseline
from harness.types import Aggregate, Failure, Outcome, RunRecord, Verdict
from tests.gates.records import Row, accepted, failures, gate, name, record

METRIC = "recall_at_5"
GOOD: Row = [1.0] * 50
BEFORE = accepted({METRIC: GOOD})
SPLITS = {name(place): "test" for place in range(50)}


MARKS = {"config": "c1", "golden_set": "g1", "corpus": "d1", "judge": "j1"}
TERMS_1, TERMS_2 = {**MARKS, "golden_terms": "t1"}, {**MARKS, "golden_terms": "t2"}
NO_CORPUS = {name: mark for name, mark in MARKS.items() if name != "corpus"}
CARDED = accepted({METRIC: GOOD}, fingerprints=TERMS_1)


def run(row: Row = GOOD, **fields: Any) -> RunRecord:
    return record({METRIC: row}, **fields)


def other_set(**fields: Any) -> RunRecord:
    return run(fingerprints={"config": "c1", "golden_set": "g2"}, **fields)


SITUATIONS: dict[str, tuple[Outcome, RunRecord, Baseline | None]] = {
    "the run has no questions": (Outcome.MISSING, record({}), BEFORE),
    "no question is in the split": (Outcome.MISSING, run(splits=dict.fromkeys(SPLITS, "tune")), BEFORE),
    "the metric was not computed": (Outcome.MISSING, record({"mrr_at_10": GOOD}), BEFORE),
    "the metric applies to no question": (Outcome.MISSING, run([None] * 50), BEFORE),
    "every question was skipped": (Outcome.MISSING, run(["skipped"] * 50), BEFORE),
    "every question failed": (Outcome.INVALID, record({METRIC: ["error"] * 50}, failures=failures(50)), BEFORE),
    "too many questions failed": (Outcome.INVALID, run(["error"] * 2 + [1.0] * 48, failures=failures(2)), BEFORE),
    "the metric raised on too many": (Outcome.INVALID, run(["error"] * 2 + [1.0] * 48), BEFORE),
    "questions have no score at all": (Outcome.INVALID, run([1.0] * 40, splits=SPLITS), BEFORE),
    "the run was cut short": (Outcome.INVALID, run([1.0] * 20 + ["skipped"] * 30), BEFORE),
    "the set is a handful of questions": (Outcome.INVALID, run([1.0] * 5), accepted({METRIC: [1.0] * 5})),
    "there is no baseline": (Outcome.MISSING, run(), None),
    "the baseline lacks the metric": (Outcome.MISSING, run(), accepted({"mrr_at_10": GOOD})),
    "the baseline never scored it": (Outcome.MISSING, run(), accepted({METRIC: [None] * 50})),
    "the golden set is another one": (Outcome.NOT_COMPARABLE, other_set(), BEFORE),
    "the golden set is of another version": (Outcome.NOT_COMPARABLE, run(golden_version=2), BEFORE),
    "the card changed under one version": (Outcome.NOT_COMPARABLE, run(fingerprints=TERMS_2), CARDED),
    "the run does not say what its card was": (Outcome.NOT_COMPARABLE, run(), CARDED),
    "the corpus changed under one version": (Outcome.NOT_COMPARABLE, run(fingerprints={**MARKS, "corpus": "d2"}), BEFORE),
    "the run does not say what its corpus was": (Outcome.NOT_COMPARABLE, run(fingerprints=NO_CORPUS), BEFORE),
    "the baseline names no golden set": (Outcome.NOT_COMPARABLE, run(), accepted({METRIC: GOOD}, fingerprints={})),
}


@pytest.mark.parametrize("situation", SITUATIONS)
def test_what_was_not_measured_exits_4(situation: str) -> None:
    expected, now, before = SITUATIONS[situation]
    checked = gate(METRIC)
    found = checked.check(now, before)
    assert [item.outcome for item in found] == [expected]
    assert found[0].reason
    assert checked.exit_code(found) == 4


@pytest.mark.parametrize("kind", [{"kind": "invariant"}, {"kind": "floor", "floor": 0.0}])
@pytest.mark.parametrize("row", [[None] * 20, ["error"] * 20, ["skipped"] * 20, []], ids=["n/a", "errors", "skipped", "absent"])
def test_rules_without_a_baseline_need_something_measured_too(kind: dict[str, Any], row: Row) -> None:
    checked = gate({"metric": "invented_citations", **kind})
    now = record({METRIC: [1.0] * 20, **({"invented_citations": row} if row else {})})
    assert checked.exit_code(checked.check(now, None)) == 4


def test_errors_within_the_budget_are_tolerated() -> None:
    now = record({METRIC: ["error", *[1.0] * 49]}, failures=failures(1))
    checked = gate(METRIC)
    assert checked.exit_code(checked.check(now, BEFORE)) == 0


def test_one_broken_rule_is_enough() -> None:
    checked = gate(METRIC, "mrr_at_10")
    found = checked.check(run(), BEFORE)
    assert [item.outcome for item in found] == [Outcome.PASS, Outcome.MISSING]
    assert checked.exit_code(found) == 4


def test_a_gate_of_advisory_rules_only_decides_nothing() -> None:
    checked = gate("faithfulness")
    found = checked.check(record({"faithfulness": GOOD}), accepted({"faithfulness": GOOD}))
    assert found[0].advisory
    assert checked.exit_code(found) == 4
    assert checked.exit_code([]) == 4


def test_a_judge_that_did_not_run_is_missing_and_not_advisory() -> None:
    checked = gate(METRIC, "faithfulness")
    assert checked.exit_code(checked.check(run(), accepted({METRIC: GOOD, "faithfulness": GOOD}))) == 4


def test_the_bounds_of_the_mean_are_shown_when_errors_pass_the_budget() -> None:
    found = gate(METRIC).check(run(["error"] * 10 + [1.0] * 40), BEFORE)[0]
    assert (
        found.reason == "10 of 50 questions (20.0%) have no recall_at_5 because of errors; its mean lies between 0.800 and 1.000"
    )


def test_a_number_of_the_whole_set_cannot_be_paired() -> None:
    now = run(aggregates={"refusal_f1": Aggregate("refusal_f1", 0.8, 50)})
    found = gate("refusal_f1").check(now, BEFORE)[0]
    assert found.outcome is Outcome.MISSING
    assert "cannot be paired" in found.reason


def test_a_metric_that_was_not_produced_names_what_is_near() -> None:
    found = gate("recall_at_4").check(run(), BEFORE)[0]
    assert "'recall_at_5'" in found.reason


def test_a_changed_golden_set_lists_what_was_added_and_removed() -> None:
    now = other_set(splits={**{name(place): "test" for place in range(1, 50)}, "new-1": "test"})
    now = RunRecord(**{field: getattr(now, field) for field in now.__slots__} | {"scores": now.scores[1:]})
    reason = gate(METRIC).check(now, BEFORE)[0].reason
    assert "questions: 1 added (new-1), 1 removed (q000)" in reason
    assert "the same question ids, with other content" in gate(METRIC).check(other_set(), BEFORE)[0].reason


def test_a_golden_set_of_another_version_is_named_with_both_versions() -> None:
    reason = gate(METRIC).check(run(golden_version=2, fingerprints=TERMS_2), CARDED)[0].reason
    assert reason.startswith("golden set 'smoke' is version 2, the baseline was accepted on version 1")


def test_a_card_that_changed_under_its_version_says_what_may_have_changed() -> None:
    reason = gate(METRIC).check(run(fingerprints=TERMS_2), CARDED)[0].reason
    assert "the card of golden set 'smoke' changed under version 1: its name, its date (as_of) or its coverage" in reason


def test_a_corpus_that_changed_under_its_version_says_what_to_do() -> None:
    reason = gate(METRIC).check(run(fingerprints={**MARKS, "corpus": "d2"}), BEFORE)[0].reason
    assert reason == "the corpus changed under version 1. Raise the version and accept a new baseline."


@pytest.mark.parametrize(
    ("fields", "words"),
    [({"golden_version": 2}, "is version 2"), ({"fingerprints": {**MARKS, "golden_set": "g2", "corpus": "d2"}}, "golden sets")],
    ids=["version", "questions"],
)
def test_other_questions_or_another_version_are_named_before_the_corpus(fields: dict[str, Any], words: str) -> None:
    now = run(**{"fingerprints": {**MARKS, "corpus": "d2"}, **fields})
    assert words in gate(METRIC).check(now, BEFORE)[0].reason


def test_a_baseline_that_does_not_say_what_its_corpus_was_is_comparable() -> None:
    assert gate(METRIC).check(run(), accepted({METRIC: GOOD}, fingerprints=NO_CORPUS))[0].outcome is Outcome.PASS


@pytest.mark.parametrize(
    ("now", "before"), [(run(fingerprints=TERMS_1), CARDED), (run(fingerprints=TERMS_1), BEFORE)], ids=["same", "old baseline"]
)
def test_the_same_card_and_a_baseline_from_before_cards_were_kept_are_comparable(now: RunRecord, before: Baseline) -> None:
    assert gate(METRIC).check(now, before)[0].outcome is Outcome.PASS


def test_a_depth_that_was_not_produced_is_not_offered_as_its_own_neighbour() -> None:
    reason = gate("recall_at_20").check(run(), BEFORE)[0].reason
    assert reason.startswith("this run did not produce recall_at_20: its rankings do not reach that depth")
    assert "near" not in reason


def test_an_answer_metric_that_was_not_produced_is_not_offered_as_its_own_neighbour() -> None:
    assert gate("citation_validity").check(run(), BEFORE)[0].reason == "this run did not produce citation_validity"


@pytest.mark.parametrize(
    ("outcomes", "strict", "code"),
    [
        ([Outcome.PASS, Outcome.IMPROVED], True, 0),
        ([Outcome.PASS, Outcome.REGRESSED], False, 1),
        ([Outcome.PASS, Outcome.INCONCLUSIVE], False, 0),
        ([Outcome.PASS, Outcome.INCONCLUSIVE], True, 3),
        ([Outcome.REGRESSED, Outcome.INCONCLUSIVE], True, 1),
        ([Outcome.REGRESSED, Outcome.MISSING], True, 4),
        ([Outcome.INCONCLUSIVE, Outcome.INVALID], True, 4),
        ([Outcome.PASS, Outcome.NOT_COMPARABLE], False, 4),
    ],
)
def test_the_worst_verdict_sets_the_exit_code(outcomes: list[Outcome], strict: bool, code: int) -> None:
    assert gate(METRIC, strict=strict).exit_code([Verdict(METRIC, outcome) for outcome in outcomes]) == code


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ([], "a gate without rules passes everything"),
        (None, "a gate without rules passes everything"),
        ([{"metric": "faithfullness"}], "no metric is called 'faithfullness'. Fix: did you mean 'faithfulness'"),
        ([{"metric": METRIC, "max_drop": 1}], "rules.0.max_drop — no such key. Fix: known: metric, kind, floor"),
        ([{"metric": METRIC, "flor": 1}], "did you mean 'floor'"),
        ([{"metric": METRIC, "margin": "wide"}], "rules.0.margin"),
        ([{"metric": METRIC, "margin": float("nan")}], "rules.0.margin"),
        ([{"metric": METRIC, "margin": -0.1}], "rules.0.margin"),
        ([{"metric": METRIC, "split": "tset"}], "rules.0.split"),
        ([{"metric": METRIC, "kind": "floor"}], "rules.0.floor — is missing"),
        ([{"metric": METRIC, "kind": "invariant"}], "is no count that must be 0"),
        ([{"metric": "tenant_leaks", "kind": "invariant", "floor": 1}], "must be 0"),
        ([{"metric": "citation_validity", "kind": "invariant"}], "is no count that must be 0"),
        ([{}], "rules.0.metric"),
        (["recall_at_5"], "write a mapping"),
        ([{"metric": METRIC}, {"metric": METRIC}], "a second time"),
    ],
)
def test_a_wrong_gate_file_is_an_error_that_says_what_is_wrong(rules: Any, words: str) -> None:
    with pytest.raises(GateError) as caught:
        gate_of(rules)
    assert words in str(caught.value)


def gate_of(rules: Any) -> object:
    from harness.gates.gate import Gate

    return Gate(rules=rules)


def test_all_faults_are_reported_at_once() -> None:
    with pytest.raises(GateError) as caught:
        gate_of([{"metric": "recal_at_5"}, {"metric": METRIC}, {"metric": "mmr_at_10"}, {"metric": METRIC, "flor": 1}])
    assert [problem.where for problem in caught.value.problems] == ["rules.0.metric", "rules.2.metric", "rules.3.flor"]


@pytest.mark.parametrize("wrong", [{"alpha": 0}, {"alpha": 1}, {"max_error_rate": -1}, {"minimum_questions": 1}, {"alhpa": 0.01}])
def test_a_gate_that_could_not_fail_cannot_be_made(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        gate(METRIC, **wrong)


def test_a_failed_question_without_any_score_still_counts() -> None:
    lost: Callable[[int], Failure] = lambda place: Failure(f"lost-{place}", "retrieve", "boom")  # noqa: E731
    now = run(failures=(lost(0), lost(1)))
    assert gate(METRIC).check(now, BEFORE)[0].outcome is Outcome.INVALID
