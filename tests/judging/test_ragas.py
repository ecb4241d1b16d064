"""ragas' metrics over a real loopback server; the only test file that imports ragas."""

import asyncio
import json
import os
import signal
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from harness.cache import CachedLLM
from harness.embedding.hashing import Hashing
from harness.errors import ConfigError
from harness.judging.ragas import KNOWN, RagasJudge, _run
from harness.judging.replies import REFORMAT
from harness.llm.litellm_client import LiteLLM
from harness.llm.scripted import Scripted
from harness.protocols import LLM, Judge
from harness.spending import ExhaustedError
from harness.store import Store
from harness.text import REFUSAL
from harness.types import Answer, Question, Score, State, Trace
from tests.builders import chunk, question, trace
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


def faithful(llm: LLM, **settings: Any) -> RagasJudge:
    """The judge kept to faithfulness."""
    return RagasJudge(llm, Hashing(), metrics=("faithfulness",), **settings)


def judged(server: FakeOpenAI, *replies: Reply, **settings: Any) -> Score:
    server.script("judge", *replies)
    (score,) = faithful(LiteLLM("openai/judge", api_base=server.url, attempts=1), **settings).judge(QUESTION, FAITHFUL)
    return score


def both(request: Mapping[str, Any]) -> Reply:
    """Splits into two statements, then finds both supported."""
    split = "verdict" not in json.dumps(request["response_format"])
    return ok(statements("one", "two") if split else verdicts(1, 1))


class TestContract(JudgeContract):
    @pytest.fixture
    def judge(self, fake_openai: FakeOpenAI) -> Judge:
        fake_openai.script("judge", both)
        return faithful(LiteLLM("openai/judge", api_base=fake_openai.url))


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
        ([ok("Sure!"), ok("I think it is fine.")], "J001 .*no StatementGeneratorOutput.*I think it is fine", 2),
        ([ok('{"grade": 5}'), ok('{"grade": 5}')], "no StatementGeneratorOutput", 2),
        ([truncated('{"statements": ["a"')], "J003 .*finish_reason='length'", 1),
        ([failing(500, "disk on fire")], "disk on fire", 1),
        ([ok(statements())], "NaN", 1),
        ([ok(statements("a", "b")), ok(verdicts(1))], r"J001 asked for 2 verdicts of 0 or 1, the judge gave \[1\]", 2),
        ([ok(statements("a")), ok(verdicts(5))], r"J002 .*the judge gave \[5\]", 2),
    ],
    ids=["prose", "wrong-json", "cut", "500", "nan", "dropped", "out-of-range"],
)
def test_whatever_goes_wrong_is_an_error_state_and_never_a_number(
    fake_openai: FakeOpenAI, replies: list[Reply], reason: str, requests: int
) -> None:
    score = judged(fake_openai, *replies)
    assert (score.value, score.state, fake_openai.count("judge")) == (None, State.ERROR, requests)
    with pytest.raises(AssertionError, match=reason):
        raise AssertionError(score.reason)


def test_a_rate_limit_is_no_verdict_of_the_judge_and_ends_the_question(fake_openai: FakeOpenAI) -> None:
    with pytest.raises(ExhaustedError, match=r"R005 .*slow down"):
        judged(fake_openai, busy("1"))
    assert fake_openai.count("judge") == 1


def test_whoever_waits_for_a_metric_can_be_interrupted() -> None:
    """The thread that asks is a daemon: neither an interrupted wait nor the end of the process waits for it."""
    begun, ended = Event(), Event()

    async def hanging() -> None:
        begun.set()
        ended.wait(30)

    def interrupt(_signal: int, _frame: object) -> None:
        raise KeyboardInterrupt

    kept = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(KeyboardInterrupt):
            _run(hanging())
        assert begun.is_set() and not ended.is_set()
        assert all(thread.daemon for thread in threading.enumerate() if thread.name == "aside")
    finally:
        signal.signal(signal.SIGALRM, kept)
        ended.set()


def test_an_answer_from_no_passages_is_an_error_that_says_so(fake_openai: FakeOpenAI) -> None:
    judge = faithful(LiteLLM("openai/judge", api_base=fake_openai.url))
    (score,) = judge.judge(QUESTION, trace("q7", answer=Answer("It is 5 m.")))
    assert score.state is State.ERROR and "retrieved_contexts" in score.reason


def test_a_refusal_costs_no_request(fake_openai: FakeOpenAI) -> None:
    judge = faithful(LiteLLM("openai/judge", api_base=fake_openai.url))
    (score,) = judge.judge(QUESTION, trace("q7", PASSAGE, answer=Answer(REFUSAL, refused=True)))
    assert (score.state, fake_openai.requests) == (State.NOT_APPLICABLE, [])


def test_it_works_inside_a_running_event_loop() -> None:
    async def notebook() -> float | None:
        return faithful(Scripted([statements("a"), verdicts(1)])).judge(QUESTION, FAITHFUL)[0].value

    with ThreadPoolExecutor(1) as thread:
        assert thread.submit(asyncio.run, notebook()).result() == 1.0


def test_ragas_does_not_track() -> None:
    faithful(Scripted([statements("a"), verdicts(1)])).judge(QUESTION, FAITHFUL)
    assert os.environ["RAGAS_DO_NOT_TRACK"] == "true"


def test_identity_names_ragas_version_prompt_and_model() -> None:
    identity = faithful(LiteLLM("openai/judge")).identity
    assert identity.startswith("ragas 0.4.") and "litellm openai/judge" in identity and "max_tokens=4096" in identity
    assert "hashing" not in identity and "hashing" in RagasJudge(LiteLLM("openai/judge"), Hashing()).identity


ASKED = question("q7", "What is the range of the AQ-210?", reference="It is 5 metres.")
SHOWN = trace("q7", PASSAGE, chunk("b.md", text="It is red."), answer=Answer(f"The range is 5 metres [{PASSAGE.chunk_id}]."))
REFUSED = trace("q7", PASSAGE, answer=Answer(REFUSAL, refused=True))
TITLES = {
    "StatementGeneratorOutput": [statements("one", "two")],
    "NLIStatementOutput": [verdicts(1, 0)],
    "AnswerRelevanceOutput": ['{"question": "What is the range of the AQ-210?", "noncommittal": 0}'],
    "ContextPrecisionOutput": ['{"reason": "r", "verdict": 1}', '{"reason": "r", "verdict": 0}'],
    "ContextRecallOutput": [
        json.dumps({"classifications": [{"statement": "s", "reason": "r", "attributed": given} for given in (1, 1, 0, 1)]})
    ],
}


def by_schema(**other: str) -> Callable[[Mapping[str, Any]], Reply]:
    """Replies by the schema asked for; `other` replaces one schema's reply."""
    left = {name: list(replies) for name, replies in TITLES.items()} | {name: [reply] for name, reply in other.items()}

    def reply(request: Mapping[str, Any]) -> Reply:
        waiting = left[request["response_format"]["json_schema"]["name"]]
        return ok(waiting.pop(0) if len(waiting) > 1 else waiting[0])

    return reply


def all_four(server: FakeOpenAI, asked: Question = ASKED, shown: Trace = SHOWN, **other: str) -> dict[str, Score]:
    server.script("judge", by_schema(**other))
    judge = RagasJudge(LiteLLM("openai/judge", api_base=server.url, attempts=1), Hashing())
    return {score.metric: score for score in judge.judge(asked, shown)}


def test_four_metrics_come_out_of_one_adapter_with_six_requests(fake_openai: FakeOpenAI) -> None:
    found = all_four(fake_openai)
    assert {name: score.value for name, score in found.items()} == {
        "faithfulness": 0.5,
        "answer_relevancy": 1.0,
        "context_precision": 1.0,
        "context_recall": 0.75,
    }
    assert fake_openai.count("judge") == 2 + 1 + 2 + 1


def test_context_precision_is_the_mean_precision_at_relevant_ranks(fake_openai: FakeOpenAI) -> None:
    replies = iter(reversed(TITLES["ContextPrecisionOutput"]))
    fake_openai.script("judge", lambda _request: ok(next(replies)))
    judge = RagasJudge(LiteLLM("openai/judge", api_base=fake_openai.url), Hashing(), metrics=("context_precision",))
    assert judge.judge(ASKED, SHOWN)[0].value == 0.5


def test_answer_relevancy_compares_questions_by_our_embedder(fake_openai: FakeOpenAI) -> None:
    other = all_four(fake_openai, AnswerRelevanceOutput='{"question": "Who paints violins?", "noncommittal": 0}')
    expected = float(Hashing().embed_queries(["Who paints violins?"])[0] @ Hashing().embed_queries([ASKED.text])[0])
    assert other["answer_relevancy"].value == pytest.approx(expected, abs=1e-6)
    assert expected < 0.5


def test_an_evasive_answer_is_irrelevant_as_in_ragas(fake_openai: FakeOpenAI) -> None:
    reply = '{"question": "What is the range of the AQ-210?", "noncommittal": 1}'
    assert all_four(fake_openai, AnswerRelevanceOutput=reply)["answer_relevancy"].value == 0.0


@pytest.mark.parametrize(
    ("other", "metric", "says"),
    [
        ({"ContextRecallOutput": '{"classifications": []}'}, "context_recall", r"no statement in the reference \(NaN\)"),
        (
            {"ContextRecallOutput": '{"classifications": [{"statement": "s", "reason": "r", "attributed": 3}]}'},
            "context_recall",
            "J002",
        ),
        ({"ContextPrecisionOutput": '{"reason": "r", "verdict": 7}'}, "context_precision", "J002"),
        ({"AnswerRelevanceOutput": '{"question": " ", "noncommittal": 0}'}, "answer_relevancy", "J001 .* blank question"),
        ({"AnswerRelevanceOutput": '{"question": "Why?", "noncommittal": 2}'}, "answer_relevancy", "J002"),
        ({"StatementGeneratorOutput": "Sure!"}, "faithfulness", "J001"),
    ],
)
def test_an_odd_reply_is_an_error_of_its_metric_alone(
    fake_openai: FakeOpenAI, other: dict[str, str], metric: str, says: str
) -> None:
    found = all_four(fake_openai, **other)
    assert [name for name, score in found.items() if score.state is State.ERROR] == [metric]
    with pytest.raises(AssertionError, match=says):
        raise AssertionError(found[metric].reason)


def test_a_correct_refusal_is_not_applicable_where_ragas_gives_zero(fake_openai: FakeOpenAI) -> None:
    found = all_four(fake_openai, question("q7", "Why?", answerable=False), REFUSED)
    assert {score.state for score in found.values()} == {State.NOT_APPLICABLE}
    assert fake_openai.requests == []


def test_a_wrong_refusal_is_irrelevant_and_its_passages_are_judged_all_the_same(fake_openai: FakeOpenAI) -> None:
    found = all_four(fake_openai, ASKED, REFUSED)
    assert (found["answer_relevancy"].value, found["faithfulness"].state) == (0.0, State.NOT_APPLICABLE)
    assert "refused although the question can be answered" in found["answer_relevancy"].reason
    assert found["context_precision"].value == 1.0


def test_without_a_reference_or_a_passage_nobody_is_asked(fake_openai: FakeOpenAI) -> None:
    judge = RagasJudge(LiteLLM("openai/judge", api_base=fake_openai.url), Hashing(), metrics=KNOWN[2:])
    assert {score.state for score in judge.judge(QUESTION, SHOWN)} == {State.NOT_APPLICABLE}
    assert [score.value for score in judge.judge(ASKED, trace("q7"))] == [0.0, 0.0]
    assert fake_openai.requests == []


def test_a_prompt_beyond_its_window_is_an_error_and_is_not_cut(fake_openai: FakeOpenAI) -> None:
    judge = RagasJudge(LiteLLM("openai/judge", api_base=fake_openai.url), Hashing(), max_input_tokens=256)
    assert {score.state for score in judge.judge(ASKED, SHOWN)} == {State.ERROR}
    assert all("J005" in score.reason for score in judge.judge(ASKED, SHOWN))
    assert fake_openai.requests == []


def test_unknown_and_repeated_metrics_are_refused_by_name() -> None:
    with pytest.raises(ConfigError, match=r"no metric 'faithfullness'[\s\S]*twice"):
        RagasJudge(Scripted([]), Hashing(), metrics=("faithfullness", "faithfullness"))


def test_the_second_judging_of_the_same_answer_costs_nothing(fake_openai: FakeOpenAI, tmp_path: Path) -> None:
    fake_openai.script("judge", by_schema())
    model = CachedLLM(LiteLLM("openai/judge", api_base=fake_openai.url), Store(tmp_path / "s.sqlite"))
    judge = RagasJudge(model, Hashing())
    first, asked = judge.judge(ASKED, SHOWN), fake_openai.count("judge")
    assert judge.judge(ASKED, SHOWN) == first
    assert fake_openai.count("judge") == asked == 6
