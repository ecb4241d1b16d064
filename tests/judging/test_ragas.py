"""ragas' Faithfulness over a real loopback server; the only test file that imports ragas."""

import asyncio
import json
import os
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from harness.judging.ragas import REFORMAT, RagasJudge
from harness.llm.litellm_client import LiteLLM
from harness.llm.scripted import Scripted
from harness.protocols import Judge
from harness.text import REFUSAL
from harness.types import Answer, Score, State
from tests.builders import trace
from tests.contracts.judge import FAITHFUL, PASSAGE, QUESTION, JudgeContract
from tests.fake_openai import FakeOpenAI, Reply, busy, failing, ok, truncated


@pytest.fixture(autouse=True)
def _no_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """ragas writes an id below the user's data folder when it is imported."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


def statements(*texts: str) -> str:
    return json.dumps({"statements": list(texts)})


def verdicts(*values: int) -> str:
    return json.dumps({"statements": [{"statement": f"s{place}", "reason": "r", "verdict": v} for place, v in enumerate(values)]})


def judged(server: FakeOpenAI, *replies: Reply, **settings: Any) -> Score:
    server.script("judge", *replies)
    (score,) = RagasJudge(LiteLLM("openai/judge", api_base=server.url, attempts=1), **settings).judge(QUESTION, FAITHFUL)
    return score


def both(request: Mapping[str, Any]) -> Reply:
    """Splits into two statements, then finds both supported."""
    split = "verdict" not in json.dumps(request["response_format"])
    return ok(statements("one", "two") if split else verdicts(1, 1))


class TestContract(JudgeContract):
    @pytest.fixture
    def judge(self, fake_openai: FakeOpenAI) -> Judge:
        fake_openai.script("judge", both)
        return RagasJudge(LiteLLM("openai/judge", api_base=fake_openai.url))


def test_the_score_is_supported_statements_over_statements(fake_openai: FakeOpenAI) -> None:
    score = judged(fake_openai, ok(statements("a", "b", "c", "d")), ok(verdicts(1, 0, 1, 1)))
    assert (score.value, score.state, fake_openai.count("judge")) == (0.75, State.SCORED, 2)


def test_the_judge_reads_the_answer_without_markers_and_the_whole_passage(fake_openai: FakeOpenAI) -> None:
    judged(fake_openai, ok(statements("a")), ok(verdicts(1)))
    first, second = (request["messages"][0]["content"] for request in fake_openai.requests)
    assert "The range of the AQ-210 is 5 metres." in first and PASSAGE.chunk_id not in first
    assert PASSAGE.text in second


def test_both_requests_demand_ragas_schemas_at_temperature_zero(fake_openai: FakeOpenAI) -> None:
    judged(fake_openai, ok(statements("a")), ok(verdicts(1)))
    names = [request["response_format"]["json_schema"]["name"] for request in fake_openai.requests]
    assert names == ["StatementGeneratorOutput", "NLIStatementOutput"]
    assert {request["temperature"] for request in fake_openai.requests} == {0}


def test_json_in_a_markdown_fence_is_read(fake_openai: FakeOpenAI) -> None:
    assert judged(fake_openai, ok(f"```json\n{statements('a')}\n```"), ok(verdicts(1))).value == 1.0


def test_prose_is_asked_to_be_reformatted_once(fake_openai: FakeOpenAI) -> None:
    score = judged(fake_openai, ok("Sure! One statement."), ok(statements("a")), ok(verdicts(1)))
    assert (score.value, fake_openai.count("judge")) == (1.0, 3)
    assert fake_openai.requests[1]["messages"][-1]["content"] == REFORMAT


@pytest.mark.parametrize(
    ("replies", "reason", "requests"),
    [
        ([ok("Sure!"), ok("I think it is fine.")], "no StatementGeneratorOutput.*I think it is fine", 2),
        ([ok('{"grade": 5}'), ok('{"grade": 5}')], "no StatementGeneratorOutput", 2),
        ([truncated('{"statements": ["a"')], "finish_reason='length'.*judge.max_tokens", 1),
        ([failing(500, "disk on fire")], "disk on fire", 1),
        ([busy("1")], "slow down", 1),
        ([ok(statements())], "NaN", 1),
        ([ok(statements("a", "b")), ok(verdicts(1))], r"asked for 2 verdicts of 0 or 1, the judge gave \[1\]", 2),
        ([ok(statements("a")), ok(verdicts(5))], r"the judge gave \[5\]", 2),
    ],
    ids=["prose", "wrong-json", "cut", "500", "429", "nan", "dropped", "out-of-range"],
)
def test_whatever_goes_wrong_is_an_error_state_and_never_a_number(
    fake_openai: FakeOpenAI, replies: list[Reply], reason: str, requests: int
) -> None:
    score = judged(fake_openai, *replies)
    assert (score.value, score.state, fake_openai.count("judge")) == (None, State.ERROR, requests)
    with pytest.raises(AssertionError, match=reason):
        raise AssertionError(score.reason)


def test_an_answer_from_no_passages_is_an_error_that_says_so(fake_openai: FakeOpenAI) -> None:
    judge = RagasJudge(LiteLLM("openai/judge", api_base=fake_openai.url))
    (score,) = judge.judge(QUESTION, trace("q7", answer=Answer("It is 5 m.")))
    assert score.state is State.ERROR and "retrieved_contexts" in score.reason


def test_a_refusal_costs_no_request(fake_openai: FakeOpenAI) -> None:
    judge = RagasJudge(LiteLLM("openai/judge", api_base=fake_openai.url))
    (score,) = judge.judge(QUESTION, trace("q7", PASSAGE, answer=Answer(REFUSAL, refused=True)))
    assert (score.state, fake_openai.requests) == (State.NOT_APPLICABLE, [])


def test_it_works_inside_a_running_event_loop() -> None:
    async def notebook() -> float | None:
        return RagasJudge(Scripted([statements("a"), verdicts(1)])).judge(QUESTION, FAITHFUL)[0].value

    with ThreadPoolExecutor(1) as thread:
        assert thread.submit(asyncio.run, notebook()).result() == 1.0


def test_ragas_does_not_track() -> None:
    RagasJudge(Scripted([statements("a"), verdicts(1)])).judge(QUESTION, FAITHFUL)
    assert os.environ["RAGAS_DO_NOT_TRACK"] == "true"


def test_identity_names_ragas_version_prompt_and_model() -> None:
    identity = RagasJudge(LiteLLM("openai/judge")).identity
    assert identity.startswith("ragas 0.4.") and "litellm openai/judge" in identity and "max_tokens=4096" in identity
