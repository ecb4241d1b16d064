"""Nothing passes by being absent: each situation through the command line, and none of them exits 0.

Every situation starts from the same project, whose run passes its gate: one thing is then taken away or broken, one
command is given, and the exit code and the words that name the fault are held against the table.
"""

import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from harness.cli import job
from harness.cli.main import main
from tests.cli.project import questions, write_project
from tests.cli.situations import PLUGIN, accepted, asked, both, edited, gate_file, nothing, ran, removed, scored_before, stage

RUN = ("run", "+experiment=light")
RULED = (*RUN, "gate=mine")
RECALL = {"metric": "recall_at_5"}
FAITHFUL = {"metric": "faithfulness", "advisory": False}


@dataclass(frozen=True)
class Situation:
    """One way in which a gate could pass without having measured anything."""

    prepare: Callable[[Path], None]
    command: Sequence[str]
    code: int
    words: str


LEAKS = {"metric": "superseded_hits", "kind": "invariant"}
TWO_SPLITS = [{**row, "split": "tune"} if place % 2 else row for place, row in enumerate(questions())]
LOSING_ONE = [row for row in questions() if row["id"] != "q0"]
OTHER_MARKS = {"config": "c", "golden_set": "0" * 64, "corpus": "d", "golden_terms": "t", "judge": "j"}
BASELINE, RESULTS = "reports/tiny/light.json", "reports/runs/*/results.json"

SITUATIONS = {
    # the questions
    "the golden set is empty": Situation(asked([]), RUN, 2, "no questions"),
    "the split selects nothing": Situation(nothing, (*RUN, "split=tune"), 2, "has no such question"),
    "all questions lie in the other split": Situation(
        asked([{**row, "split": "tune"} for row in questions()]), RUN, 4, "no question of this run is in split 'test'"
    ),
    "the slice is mistyped": Situation(gate_file({**RECALL, "slice": "kind:factiod"}), RULED, 4, "did you mean 'kind:factoid'"),
    "the slice is empty in its split": Situation(
        gate_file({**RECALL, "slice": "kind:factoid", "split": "tune"}), RULED, 4, "no question of this run is 'kind:factoid' in"
    ),
    "the slice has no scored question": Situation(
        gate_file({**RECALL, "slice": "kind:unanswerable"}, minimum_questions=2), RULED, 4, "applies to none of the 3 questions"
    ),
    "the slice is a handful": Situation(
        gate_file({"metric": "false_answer_rate", "slice": "kind:unanswerable"}), RULED, 4, "a gate needs 10"
    ),
    "fewer questions than the gate asks for": Situation(gate_file(RECALL, minimum_questions=50), RULED, 4, "a gate needs 50"),
    "no question is unanswerable and refusal is gated": Situation(
        asked(
            [row for row in questions() if row["answerable"]],
            gate_file({"metric": "false_answer_rate", "kind": "floor", "floor": 0.1}),
        ),
        RULED,
        4,
        "false_answer_rate applies to none",
    ),
    "a document was edited under the card": Situation(
        edited("golden_sets/tiny/corpus/reset.md", str.upper), RUN, 2, "corpus_sha256"
    ),
    "the golden set was edited since the run": Situation(
        edited("golden_sets/tiny/questions.jsonl", lambda text: text + "\n"), ("gate",), 4, "has changed since run"
    ),
    # the gate file
    "the metric is mistyped": Situation(gate_file({"metric": "recal_at_5"}), RULED, 2, "did you mean 'recall_at_5'"),
    "a key is mistyped": Situation(gate_file({**RECALL, "flor": 0.9}), RULED, 2, "did you mean 'floor'"),
    "an option of the gate is mistyped": Situation(gate_file(RECALL, minimum_question=10), RULED, 2, "minimum_question"),
    "there are no rules": Situation(gate_file(), RULED, 2, "a gate without rules passes everything"),
    "all rules are commented out": Situation(
        both(gate_file(), edited("conf/gate/mine.yaml", lambda text: text.replace("[]", ""))), RULED, 2, "rules is None"
    ),
    "one rule is commented out halfway": Situation(gate_file(RECALL, None), RULED, 2, "is None. Fix: write a mapping"),
    "the margin is no number": Situation(gate_file({**RECALL, "margin": float("nan")}), RULED, 2, "rules.0.margin"),
    "the margin is negative": Situation(gate_file({**RECALL, "margin": -0.1}), RULED, 2, "rules.0.margin"),
    "no false red is allowed": Situation(gate_file(RECALL, alpha=0), RULED, 2, "alpha"),
    "the gate is mistyped": Situation(nothing, (*RUN, "gate=defualt"), 2, "defualt"),
    "every rule is advisory": Situation(gate_file({"metric": "faithfulness"}), RULED, 4, "every rule is advisory"),
    "every rule that the self-test can measure is advisory": Situation(
        both(gate_file({**RECALL, "advisory": True}), ran(*RULED)), ("gate", "--selftest"), 4, "The gate was not measured"
    ),
    "the run had no gate": Situation(
        lambda _: main([*RUN, "gate=none"]) and None, ("gate",), 2, "there is no rule to hold it against"
    ),
    "questions are asked no time": Situation(nothing, (*RUN, "repeats=0"), 2, "repeats"),
    # the metrics
    "the metric needs answers and none are written": Situation(
        nothing, (*RUN, "generator=none", "judge=none"), 4, "this run did not produce"
    ),
    "the metric looks deeper than the ranking": Situation(
        gate_file({"metric": "recall_at_50"}), RULED, 4, "its rankings do not reach that depth"
    ),
    "the metric is a number of the whole set": Situation(gate_file({"metric": "refusal_f1"}), RULED, 4, "cannot be paired"),
    "every question failed": Situation(
        stage("hyde", "failing", "Failing", failing=27), (*RUN, "hyde=failing"), 4, "27 of 27 questions (100.0%) failed"
    ),
    "more questions failed than the budget allows": Situation(
        stage("hyde", "failing", "Failing", failing=2), (*RUN, "hyde=failing"), 4, "2 of 27 questions (7.4%) failed, 2.0% are"
    ),
    "the judge is down": Situation(
        both(gate_file(FAITHFUL), stage("judge", "down", "Down")), (*RULED, "judge=down"), 4, "because of errors"
    ),
    "the judge is down and only advisory": Situation(
        both(gate_file(RECALL, {"metric": "faithfulness"}), stage("judge", "down", "Down")),
        (*RULED, "judge=down"),
        4,
        "because of errors",
    ),
    "the judge skipped nearly every question": Situation(
        both(gate_file({**FAITHFUL, "kind": "floor", "floor": 0.5}), stage("judge", "choosy", "Choosy")),
        (*RULED, "judge=choosy"),
        4,
        "26 of 27 questions (96.3%) have no faithfulness: 26 skipped",
    ),
    "another judge than the baseline's": Situation(
        gate_file(FAITHFUL), (*RULED, "judge.support.minimum=0.5"), 4, "the judges differ"
    ),
    "every question flips": Situation(
        stage("hyde", "fickle", "Fickle", fickle=27),
        (*RUN, "hyde=fickle", "repeats=2"),
        4,
        "gate.max_quarantined",
    ),
    # the baseline
    "there is no baseline": Situation(removed(BASELINE), RUN, 4, "there is no accepted baseline"),
    "the baseline was cut": Situation(edited(BASELINE, lambda text: text[: len(text) // 2]), RUN, 2, "it is not JSON"),
    "a number of the baseline was edited": Situation(
        edited(BASELINE, lambda text: text.replace("1.0", "0.0", 1)), RUN, 2, "its content has digest"
    ),
    "the baseline is of another version": Situation(accepted(golden_version=7), RUN, 4, "accepted on version 7"),
    "the baseline is of other questions": Situation(accepted(fingerprints=OTHER_MARKS), RUN, 4, "the golden sets differ"),
    "the golden set lost a question": Situation(asked(LOSING_ONE), RUN, 4, "1 removed (q0)"),
    "nothing is shared with the baseline": Situation(
        both(accepted(fingerprints=OTHER_MARKS, contents={}), gate_file(RECALL, shared_only=True)), RULED, 4, "accept a run anew"
    ),
    "the baseline lacks the metric": Situation(accepted(without="recall_at_5"), RUN, 4, "has no recall_at_5"),
    "the baseline scored questions that are not asked any more": Situation(
        scored_before("recall_at_5", "q90", "q91"), RUN, 4, "that the accepted run scored were not asked: q90, q91"
    ),
    "the accepted run asked both splits and this one asks one": Situation(
        both(asked(TWO_SPLITS, gate_file({**RECALL, "split": "all"})), ran(*RUN, "gate=none"), ran("accept")),
        (*RULED, "split=test"),
        4,
        "12 of 24 questions (50.0%) that the accepted run scored were not asked",
    ),
    "an invariant looks at all questions and the run asks one split": Situation(
        both(asked(TWO_SPLITS, gate_file(LEAKS)), ran(*RUN, "gate=none"), ran("accept")),
        (*RULED, "split=tune"),
        4,
        "that the accepted run scored were not asked",
    ),
    "the metric does not apply to questions any more that the baseline scored": Situation(
        both(gate_file(RECALL, strict=True), scored_before("recall_at_5", "u0", "u1", "u2")),
        RULED,
        3,
        "3 of 27 questions (11.1%) that the baseline scored are not applicable now",
    ),
    # the run
    "the run was interrupted": Situation(removed(RESULTS), ("gate",), 4, "no finished run"),
    "the results were cut": Situation(edited(RESULTS, lambda text: text[:-200]), ("gate",), 4, "is damaged"),
    "the results were edited": Situation(edited(RESULTS, lambda text: text.replace("tiny", "tinx")), ("gate",), 4, "is damaged"),
    "a score was edited": Situation(
        edited("reports/runs/*/scores.jsonl", lambda text: text.replace("1.0", "0.9", 1)), ("gate",), 4, "is damaged"
    ),
    "there is no such run": Situation(nothing, ("gate", "yesterday"), 2, "no run folder 'yesterday'"),
    "MLflow is required and cannot be reached": Situation(
        nothing,
        (*RUN, "tracking=mlflow", "tracking.required=true", "tracking.uri=sqlite:///going_wrong.py/mlflow.db"),
        4,
        "MLflow",
    ),
}


@pytest.fixture(scope="module")
def passing(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project whose run passes its gate; made once."""
    folder = write_project(tmp_path_factory.mktemp("passing"))
    (folder / "going_wrong.py").write_text(PLUGIN)
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(folder)
        patched.setenv("HARNESS_CACHE_DIR", str(folder / "cache"))
        job._load.cache_clear()
        main([*RUN])
        main(["accept"])
    return folder


@pytest.fixture
def project(passing: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the passing project, as current folder."""
    folder = tmp_path / "project"
    shutil.copytree(passing, folder)
    monkeypatch.chdir(folder)
    monkeypatch.syspath_prepend(str(folder))
    for name, value in {"HARNESS_CACHE_DIR": str(folder / "cache"), "HARNESS_PLUGINS": "going_wrong", "COLUMNS": "160"}.items():
        monkeypatch.setenv(name, value)
    job._load.cache_clear()
    return folder


def test_without_any_fault_the_run_and_the_gate_pass(project: Path, harness: Callable[..., tuple[int, str]]) -> None:
    assert harness("gate")[0] == 0
    code, text = harness(*RUN)
    assert code == 0, text


def test_one_split_is_enough_for_rules_on_that_split(project: Path, harness: Callable[..., tuple[int, str]]) -> None:
    asked(TWO_SPLITS, gate_file(RECALL, {"metric": "mrr_at_10", "kind": "floor", "floor": 0.1}))(project)
    harness(*RUN, "gate=none")
    harness("accept")
    code, text = harness(*RULED, "split=test")
    assert code == 0, text


@pytest.mark.parametrize("situation", SITUATIONS)
def test_nothing_passes_by_being_absent(project: Path, harness: Callable[..., tuple[int, str]], situation: str) -> None:
    wanted = SITUATIONS[situation]
    wanted.prepare(project)
    code, text = harness(*wanted.command)
    assert code == wanted.code, text
    assert wanted.words in " ".join(text.replace("│", " ").split())
    assert "Traceback" not in text


def test_a_run_that_did_not_pass_says_so_in_every_report(project: Path, harness: Callable[..., tuple[int, str]]) -> None:
    removed(BASELINE)(project)
    harness(*RUN)
    folder = max(project.glob("reports/runs/*"))
    outcomes = {row["outcome"] for row in json.loads((folder / "gate.json").read_text())}
    assert outcomes <= {"missing", "pass"} and "missing" in outcomes
    assert "<error" in (folder / "junit.xml").read_text() or "<failure" in (folder / "junit.xml").read_text()
