"""Questions asked several times through the command line: flips measured, kept, quarantined, and resumed after a stop."""

import gc
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness import runs
from harness.cli.job import set_metrics
from harness.evaluation import Answers
from harness.gates import baseline
from harness.types import Answer, Failure, Trace
from tests.builders import question
from tests.cli.situations import PLUGIN, gate_file, stage
from tests.fake_openai import ok

Harness = Callable[..., tuple[int, str]]
RUN = ("run", "+experiment=light")


def results(project: Path, place: int = -1) -> dict[str, Any]:
    """results.json of a run, in the order in which they ended."""
    paths = sorted(project.glob("reports/runs/*/results.json"), key=lambda path: path.stat().st_mtime_ns)
    return json.loads(paths[place].read_text())  # type: ignore[no-any-return]


@pytest.fixture
def plugged(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project whose own stages are known."""
    (project / "going_wrong.py").write_text(PLUGIN)
    monkeypatch.syspath_prepend(str(project))
    monkeypatch.setenv("HARNESS_PLUGINS", "going_wrong")
    return project


def test_a_deterministic_pipeline_flips_nowhere_and_scores_as_if_asked_once(project: Path, harness: Harness) -> None:
    for repeats in (1, 3):
        assert harness(*RUN, "gate=none", f"repeats={repeats}")[0] == 0
    once, thrice = results(project, 0), results(project, 1)
    assert (once["repeats"], thrice["repeats"], thrice["flips"]) == (1, 3, {})
    assert once["metrics"] == thrice["metrics"]


def test_a_model_is_asked_anew_in_every_repeat_and_never_again_in_a_rerun(
    project: Path, harness: Harness, fake_openai: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CANARY_KEY", "sk-test")
    fake_openai.script("writer", ok("It is so."))
    llm = {"model": "openai/writer", "api_base": fake_openai.url, "api_key_env": "CANARY_KEY", "attempts": 1}
    words = [*RUN, "gate=none", "generator=llm", *(f"generator.llm.{name}={value}" for name, value in llm.items())]
    asked = []
    for repeats in (1, 3, 3):
        assert harness(*words, f"repeats={repeats}", "answerability.minimum=0")[0] == 0
        asked.append(len(fake_openai.requests))
    assert asked == [27, 81, 81]


@pytest.mark.parametrize(("fickle", "outcome", "n"), [(2, "pass", 22), (24, "invalid", 24)])
def test_questions_that_flip_are_quarantined_by_name_until_too_many_do(
    plugged: Path, harness: Harness, fickle: int, outcome: str, n: int
) -> None:
    stage("hyde", "fickle", "Fickle", fickle=fickle)(plugged)
    gate_file({"metric": "over_refusal_rate"})(plugged)
    words = (*RUN, "gate=mine", "hyde=fickle", "repeats=2")
    harness(*RUN)
    harness("accept")
    code, text = harness(*words)
    (found,) = json.loads((runs.newest(plugged / "reports" / "runs") / "gate.json").read_text())
    assert (found["outcome"], found["n"], code) == (outcome, n, 0 if outcome == "pass" else 4), text
    assert "q0, q1" in found["reason"]
    assert results(plugged)["flips"]["over_refusal_rate"]["q0"] == 1.0


def test_the_flips_are_kept_with_the_accepted_baseline(plugged: Path, harness: Harness) -> None:
    stage("hyde", "fickle", "Fickle", fickle=2)(plugged)
    harness(*RUN, "hyde=fickle", "repeats=2")
    harness("accept")
    kept = baseline.load(plugged / "reports" / "tiny" / "light.json")
    assert (kept.repeats, kept.flips["over_refusal_rate"]) == (2, {"q0": 1.0, "q1": 1.0})
    assert kept.scores["over_refusal_rate"]["q0"] == 0.5


@pytest.mark.parametrize("stop", [13, 40])
def test_a_run_that_was_stopped_in_any_repeat_goes_on_there_and_ends_as_if_nothing_had_been(
    plugged: Path, harness: Harness, stop: int
) -> None:
    stage("hyde", "stopping", "Stopping")(plugged)
    words = (*RUN, "gate=none", "hyde=stopping", "repeats=2", "workers=1")
    harness(*words, "runs_dir=whole")
    (plugged / "stop").write_text(str(stop))
    assert harness(*words)[0] == 130
    (plugged / "stop").unlink()
    gc.collect()  # frees the lock, as the end of the process would
    (journal,) = plugged.glob("reports/runs/*/traces.jsonl")
    kept = len(journal.read_text().splitlines())
    assert (kept >= 27) is (stop > 27)
    code, text = harness(*words)
    assert code == 0, text
    assert f"{kept} of 54 questions are finished" in text
    (whole,), (resumed,) = plugged.glob("whole/*/results.json"), plugged.glob("reports/runs/*/results.json")
    assert whole.read_bytes() == resumed.read_bytes()
    assert len((resumed.parent / "traces.jsonl").read_text().splitlines()) == 27


@pytest.mark.parametrize("repeats", ["0", "21", "two"])
def test_a_number_of_repeats_that_measures_nothing_or_too_much_is_refused(harness: Harness, project: Path, repeats: str) -> None:
    code, text = harness(*RUN, f"repeats={repeats}")
    assert code == 2
    assert "repeats" in text


def test_numbers_of_the_whole_set_are_the_mean_over_the_repeats(plugged: Path, harness: Harness) -> None:
    stage("hyde", "fickle", "Fickle", fickle=6)(plugged)
    for repeats in (1, 2):
        harness(*RUN, "gate=none", "hyde=fickle", f"repeats={repeats}")
    once, twice = (results(plugged, place)["metrics"] for place in (0, 1))
    no, yes = (once[name]["n"] for name in ("false_answer_rate", "over_refusal_rate"))
    right = no * (1 - once["false_answer_rate"]["value"])
    over = once["over_refusal_rate"]["value"], 2 * twice["over_refusal_rate"]["value"] - once["over_refusal_rate"]["value"]
    by_hand = [2 * right / (no + right + yes * share) for share in over]  # the second repeat refuses six more
    assert once["refusal_f1"]["value"] == pytest.approx(by_hand[0]) != pytest.approx(by_hand[1])
    assert twice["refusal_f1"]["value"] == pytest.approx(sum(by_hand) / 2)


def test_a_question_that_failed_in_any_repeat_is_an_error_of_the_whole_set() -> None:
    questions = [question(f"q{place}", answerable=place < 2) for place in range(4)]
    traces = {item.question_id: Trace(item.question_id, answer=Answer("x", refused=not item.answerable)) for item in questions}
    broken = {name: item for name, item in traces.items() if name != "q0"}
    answers = [Answers(traces, ()), Answers(broken, (Failure("q0", "pipeline", "boom"),))]
    found = {item.metric: item for item in set_metrics(questions, answers, 0.9)}
    assert (found["refusal_f1"].value, found["refusal_f1"].n, found["refusal_f1"].errors) == (1.0, 3, 1)
