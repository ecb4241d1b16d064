"""Judges through the command line: each verdict bought once, each failure shown as one."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from harness.recordings import NAME
from tests.fake_openai import failing, ok

METRICS = {
    "faithfulness",
    "citation_recall",
    "citation_precision",
    "citation_support_recall",
    "citation_support_precision",
    "hallucination",
    "self_knowledge",
    "noise_sensitivity",
    "context_utilization",
    "answer_correctness_strict_vital",
    "answer_correctness_vital",
    "answer_correctness_all",
}
RUN = ("run", "+experiment=light", "gate=none")


def settings(server) -> list[str]:
    """The overrides that point the judge llm at the fake server."""
    values = {"model": "openai/judge", "api_base": server.url, "api_key_env": "CANARY_KEY", "attempts": 1}
    return ["judge=llm", *(f"judge.splitter.llm.{name}={value}" for name, value in values.items())]


@pytest.fixture(autouse=True)
def _key(monkeypatch):
    monkeypatch.setenv("CANARY_KEY", "sk-CANARY-0123456789abcdef")


def judging(request) -> Any:
    """Splits an answer into its lines, and finds every claim fully supported."""
    asked = request["messages"][-1]["content"]
    if request["response_format"]["json_schema"]["name"] == "Claims":
        return ok(json.dumps({"claims": re.findall(r"(?m)^\| (.+)$", asked)}))
    claims = re.findall(r"(?m)^<<<claim (\d+) ", asked)
    return ok(json.dumps({"verdicts": [{"claim": int(place), "reason": "r", "verdict": "full"} for place in claims]}))


def results(project: Path) -> dict[str, Any]:
    """The metrics of the newest run."""
    paths = sorted((project / "reports" / "runs").glob("*/results.json"), key=lambda path: path.stat().st_mtime_ns)
    return json.loads(paths[-1].read_text())["metrics"]


def test_the_offline_judge_scores_every_metric_and_shows_who_judged(project, harness):
    code, text = harness(*RUN)
    assert code == 0, text
    found = results(project)
    assert set(found) >= METRICS
    assert found["faithfulness"]["n"] == 20 and found["faithfulness"]["errors"] == 0
    assert found["hallucination"]["not_applicable"] == found["answer_correctness_all"]["not_applicable"] == 27
    assert "Faithfulness (lexical)" in text


def test_a_second_run_judges_nothing_anew_and_gives_the_same_numbers(project, harness):
    harness(*RUN)
    first = results(project)
    _, text = harness(*RUN)
    assert results(project) == first
    asked = re.search(r"support: ([\d,]+) of ([\d,]+) from the cache", text)
    assert asked and asked[1] == asked[2] != "0"


def test_a_language_model_judges_and_a_second_run_pays_for_nothing(project, harness, fake_openai):
    fake_openai.script("judge", judging)
    code, text = harness(*RUN, *settings(fake_openai))
    assert code == 0, text
    assert results(project)["faithfulness"]["value"] == results(project)["citation_recall"]["value"] == 1.0
    assert "Faithfulness (llm)" in text
    bought = fake_openai.count("judge")
    harness(*RUN, *settings(fake_openai))
    assert fake_openai.count("judge") == bought > 0


def test_what_a_judge_was_told_is_recorded_even_when_it_came_from_the_cache(project, harness, fake_openai):
    fake_openai.script("judge", judging)
    words = [*RUN, *settings(fake_openai), "judge.metrics=[faithfulness]"]
    harness(*words)
    harness(*words)
    first, second = ((folder / NAME).read_text() for folder in (project / "reports" / "runs").glob("*light*"))
    assert first.count("\n") == second.count("\n") > 0


def test_a_costly_judge_kept_to_faithfulness_is_asked_twice_an_answer(project, harness, fake_openai):
    fake_openai.script("judge", judging)
    code, text = harness(*RUN, *settings(fake_openai), "judge.metrics=[faithfulness]")
    assert code == 0, text
    answered = results(project)["faithfulness"]["n"]
    assert answered == 20
    assert fake_openai.count("judge") <= 2 * answered
    assert METRICS & set(results(project)) == {"faithfulness"}


def test_a_judge_that_fails_makes_errors_and_never_a_zero(project, harness, fake_openai):
    fake_openai.script("judge", failing(500))
    _, text = harness(*RUN, *settings(fake_openai), "judge.metrics=[faithfulness]")
    found = results(project)["faithfulness"]
    assert (found["value"], found["n"]) == (None, 0)
    assert found["errors"] == 20
    assert "errors" in text


def test_a_mistyped_metric_of_the_judge_names_the_known_ones(project, harness):
    code, text = harness(*RUN, "judge.metrics=[faithfullness]")
    assert code == 2
    assert "no metric 'faithfullness'" in text and "citation_support_recall" in text
