"""A question that is refused before generation is never put before a language model: counted at a real loopback server."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness import runs
from tests.cli.test_providers import KEY, cite_first, settings
from tests.fake_openai import FakeOpenAI

RULES = {
    "threshold refuses all": (["answerability.minimum=2"], 0),
    "threshold": (["answerability.minimum=0.4"], None),
    "margin": (["answerability=margin", "answerability.minimum=0.4", "answerability.margin=0.2"], None),
    "never": (["answerability=never"], 27),
}


@pytest.mark.parametrize("rule", RULES)
def test_only_questions_that_answerability_lets_through_reach_the_model(
    project: Path, harness: Callable[..., tuple[int, str]], fake_openai: FakeOpenAI, monkeypatch: pytest.MonkeyPatch, rule: str
) -> None:
    monkeypatch.setenv("CANARY_KEY", KEY)
    fake_openai.script("judge", cite_first)
    words, expected = RULES[rule]
    if any(word.startswith("answerability=") for word in words):
        light = project / "experiments" / "light.yaml"
        light.write_text(light.read_text().replace("answerability: {minimum: 0.4}\n", ""))
    code, text = harness("run", "+experiment=light", "gate=none", "judge=none", *words, *settings("generator", fake_openai))
    assert code == 0, text
    traces = runs.load_traces(runs.newest(project / "reports" / "runs")).values()
    let_through = [trace for trace in traces if trace.assessment and trace.assessment.answerable]
    assert fake_openai.count("judge") == len(let_through)
    assert expected is None or len(let_through) == expected
    assert len(traces) == 27
    refused: list[Any] = [trace for trace in traces if trace not in let_through]
    assert all(trace.answer.refused and "generate" not in trace.usage for trace in refused), json.dumps(text)
