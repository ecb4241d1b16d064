"""The gate through the command line: reruns, slices, calibrated judges, and what two golden sets share."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness.corpus.files import corpus_digest
from harness.judging.calibration import CalibrationRecord, Estimate, path_of, save
from harness.metrics.catalog import describe
from tests.cli.project import questions
from tests.cli.situations import asked, both, edited, gate_file

Harness = Callable[..., tuple[int, str]]
RUN = ("run", "+experiment=light")
RECALL = {"metric": "recall_at_5"}


def newest(project: Path) -> Path:
    """The newest run's folder."""
    return max(project.glob("reports/runs/*/results.json"), key=lambda path: path.stat().st_mtime_ns).parent


def verdicts(project: Path) -> dict[str, dict[str, Any]]:
    """The newest run's verdicts by metric."""
    return {row["metric"]: row for row in json.loads((newest(project) / "gate.json").read_text())}


@pytest.fixture
def accepted_run(project: Path, harness: Harness) -> Path:
    """A project with an accepted run."""
    harness(*RUN)
    harness("accept")
    return project


def test_a_rerun_of_the_same_command_changes_no_question_of_any_deterministic_rule(accepted_run: Path, harness: Harness) -> None:
    code, text = harness(*RUN)
    assert code == 0, text
    found = {metric: row for metric, row in verdicts(accepted_run).items() if describe(metric).deterministic}
    paired = [row for row in found.values() if row["difference"] is not None]
    assert len(paired) >= 5
    assert [row["flipped"] for row in paired] == [[]] * len(paired)
    assert {row["difference"] for row in paired} == {0.0}
    assert {row["reason"] for row in paired if row["n"] >= 10} == {"no question changed"}


def test_a_loss_on_one_slice_is_seen_there_and_named_in_every_report(accepted_run: Path, harness: Harness) -> None:
    rules = [{"metric": "over_refusal_rate", "slice": label, "split": "all"} for label in ("kind:factoid", "answerable:yes")]
    gate_file(*rules, minimum_questions=5)(accepted_run)
    code, text = harness(*RUN, "gate=mine", "answerability.minimum=0.99")
    folder = newest(accepted_run)
    assert code == 1, text
    assert "on kind:factoid" in text
    assert 'name="over_refusal_rate [kind:factoid]"' in (folder / "junit.xml").read_text()
    for report in ("report.md", "report.html"):
        assert "on kind:factoid" in (folder / report).read_text()


def record(judge: str, metric: str = "faithfulness", auroc: float = 0.9) -> CalibrationRecord:
    """A good record of a judge."""
    near = Estimate(0.9, auroc, 0.95)
    numbers = {"n": 200, "judged": 200, "groups": 40, "raters": 3, "not_judged": (), "base_rate": 0.6}
    agreement = {"spearman": near, "auroc": near, "agreement": near, "majority": 0.6, "kappa": near, "ceiling": 0.9}
    return CalibrationRecord(judge, metric, "labels", "d" * 64, **numbers, **agreement)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("auroc", "identity", "advisory"),
    [(0.9, "", False), (0.6, "", True), (0.9, "another judge", True)],
    ids=["good", "poor", "of another judge"],
)
def test_a_judge_with_a_good_record_may_fail_the_gate(
    accepted_run: Path, harness: Harness, auroc: float, identity: str, advisory: bool
) -> None:
    judge = json.loads((newest(accepted_run) / "results.json").read_text())["fingerprints"]["judge"]
    kept = record(identity or judge, auroc=auroc)
    save(path_of(accepted_run / "reports", kept), kept)
    assert harness(*RUN)[0] == 0
    found = verdicts(accepted_run)["faithfulness"]
    assert found["advisory"] is advisory
    assert ("harness calibrate judge" in found["reason"]) is advisory


def test_a_calibration_record_that_was_edited_is_refused(accepted_run: Path, harness: Harness) -> None:
    kept = record("any judge")
    path = path_of(accepted_run / "reports", kept)
    save(path, kept)
    path.write_text(path.read_text().replace("200", "900", 1))
    code, text = harness("gate")
    assert code == 2
    assert "is refused" in " ".join(text.replace("│", " ").split())


def version_2(project: Path) -> None:
    """Five questions worded anew under a raised version."""
    rows = [
        {**row, "question": f"Say, {row['question']}"} if row["id"] in ("q0", "q1", "q2", "q3", "q4") else row
        for row in questions()
    ]
    raise_version = edited("golden_sets/tiny/golden_set.yaml", lambda text: text.replace("version: 1", "version: 2"))
    both(asked(rows), raise_version)(project)


def test_an_edited_golden_set_is_compared_only_when_asked_and_only_where_nothing_was_edited(
    accepted_run: Path, harness: Harness
) -> None:
    version_2(accepted_run)
    gate_file(RECALL, shared_only=False)(accepted_run)
    code, text = harness(*RUN, "gate=mine")
    assert code == 4
    assert "gate.shared_only=true compares the 22 questions unedited in both" in text
    code, text = harness(*RUN, "gate=mine", "gate.shared_only=true")
    found = verdicts(accepted_run)["recall_at_5"]
    assert code == 0, text
    assert (found["outcome"], found["slice"], found["n"]) == ("pass", "test, unedited", 19)
    assert "left out: 5 edited (q0, q1, q2, q3, q4)" in found["reason"]
    assert "on test, unedited" in (newest(accepted_run) / "report.md").read_text()


def test_a_question_whose_evidence_stands_in_an_edited_document_is_left_out_too(accepted_run: Path, harness: Harness) -> None:
    version_2(accepted_run)
    folder = accepted_run / "golden_sets" / "tiny"
    before = corpus_digest(folder / "corpus")
    edited("golden_sets/tiny/corpus/reset.md", lambda text: f"{text} It blinks twice.\n")(accepted_run)
    card = edited("golden_sets/tiny/golden_set.yaml", lambda text: text.replace(before, corpus_digest(folder / "corpus")))
    both(card, gate_file(RECALL, shared_only=True))(accepted_run)
    code, said = harness(*RUN, "gate=mine")
    found = verdicts(accepted_run)["recall_at_5"]
    assert code == 0, said
    assert "3 scored against other documents or terms (q15, q21, q9)" in found["reason"]
    assert "the corpus changed, and with it what is retrieved for every question" in found["reason"]
