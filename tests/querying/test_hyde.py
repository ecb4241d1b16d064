"""HyDE with a language model."""

import pytest

from harness.errors import StageError
from harness.llm.litellm_client import LiteLLM
from harness.llm.scripted import Scripted
from harness.querying.hyde import Hyde
from harness.types import Query, Turn
from tests.builders import question
from tests.fake_openai import FakeOpenAI, failing, ok, truncated


def over(server: FakeOpenAI) -> Hyde:
    return Hyde(LiteLLM("openai/m", api_base=server.url, attempts=1))


def test_the_models_passage_is_the_hypothetical() -> None:
    hyde = Hyde(Scripted({"range": "The range\nis 5 m. "}))
    assert hyde.transform(question(text="What range?")) == [Query("What range?", hypothetical="The range is 5 m.")]


def test_the_request_is_short_and_carries_the_history(fake_openai: FakeOpenAI) -> None:
    fake_openai.script("m", ok("It is 5 m."))
    over(fake_openai).transform(question(text="And its range?", history=(Turn("user", "Is the AQ-210 white?"),)))
    sent = fake_openai.requests[0]
    assert [turn["content"] for turn in sent["messages"][1:]] == ["Is the AQ-210 white?", "And its range?"]
    assert sent["max_tokens"] == 128


def test_a_cut_off_passage_still_serves_as_a_query(fake_openai: FakeOpenAI) -> None:
    fake_openai.script("m", truncated("The range is"))
    assert over(fake_openai).transform(question())[0].hypothetical == "The range is"


def test_a_failing_model_is_an_error_and_never_the_plain_question(fake_openai: FakeOpenAI) -> None:
    fake_openai.script("m", failing(500))
    with pytest.raises(StageError, match="openai/m"):
        over(fake_openai).transform(question())


def test_an_empty_passage_is_an_error(fake_openai: FakeOpenAI) -> None:
    fake_openai.script("m", ok(" \n"))
    with pytest.raises(StageError, match="no hypothetical passage for 'q1'"):
        over(fake_openai).transform(question())
