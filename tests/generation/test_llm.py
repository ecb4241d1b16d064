"""Answers written by a language model."""

import pytest
from pydantic import ValidationError

from harness.errors import StageError
from harness.generation.llm import LLMGenerator, is_refusal
from harness.llm.litellm_client import LiteLLM
from harness.llm.scripted import Scripted
from harness.protocols import Generator
from harness.text import REFUSAL
from tests.builders import question
from tests.contracts.generator import PASSAGES, QUESTION, RANGE, GeneratorContract
from tests.fake_openai import FakeOpenAI, failing, ok, truncated

GOOD = f"The AQ-210 reaches 5 metres [{RANGE.chunk_id}]."


class TestContract(GeneratorContract):
    @pytest.fixture
    def generator(self) -> Generator:
        return LLMGenerator(Scripted({"range": GOOD}))


def over(server: FakeOpenAI) -> LLMGenerator:
    return LLMGenerator(LiteLLM("openai/m", api_base=server.url, attempts=1))


def test_the_model_reads_contract_passages_and_question_over_http(fake_openai: FakeOpenAI) -> None:
    fake_openai.script("m", ok(GOOD, tokens=(90, 9)))
    answer = over(fake_openai).generate(QUESTION, PASSAGES)
    sent = fake_openai.requests[0]
    assert [turn["role"] for turn in sent["messages"]] == ["system", "user"]
    assert RANGE.text in sent["messages"][1]["content"] and sent["max_tokens"] == 400
    assert (answer.text, answer.usage.input_tokens, answer.usage.calls) == (GOOD, 90, 1)


def test_invented_citations_are_kept_for_verification() -> None:
    answer = LLMGenerator(Scripted(["It is 5 m [deadbeef0000]."])).generate(QUESTION, PASSAGES)
    assert answer.citations == ("deadbeef0000",)


def test_the_refusal_sentence_is_a_refusal() -> None:
    answer = LLMGenerator(Scripted([f"  {REFUSAL}\n"])).generate(QUESTION, PASSAGES)
    assert (answer.text, answer.refused, answer.citations) == (REFUSAL, True, ())
    assert (answer.refusal_reason, answer.usage.calls) == ("generator: the model declined", 1)


@pytest.mark.parametrize(
    ("text", "refuses"),
    [
        (REFUSAL, True),
        (REFUSAL.lower().rstrip("."), True),
        (f'"{REFUSAL}"', True),
        (f"**{REFUSAL}**", True),
        (f"{REFUSAL} [3f2a9c1b2d3e]", True),
        (f"{REFUSAL} But the AQ-210 is white.", False),
        (f"The manual says: {REFUSAL}", False),
        ("I'm sorry to hear that. Press the button.", False),
    ],
)
def test_only_the_sentence_alone_counts_as_refusal(text: str, refuses: bool) -> None:
    assert is_refusal(text) is refuses


def test_a_cut_off_answer_is_an_error_that_names_the_setting(fake_openai: FakeOpenAI) -> None:
    fake_openai.script("m", truncated("The range is"))
    with pytest.raises(StageError, match=r"'q1' is not whole: finish_reason='length'.*generator.max_tokens"):
        over(fake_openai).generate(QUESTION, PASSAGES)


def test_an_empty_answer_is_an_error(fake_openai: FakeOpenAI) -> None:
    fake_openai.script("m", ok("  "))
    with pytest.raises(StageError, match="not whole"):
        over(fake_openai).generate(QUESTION, PASSAGES)


def test_a_failing_model_is_an_error_and_never_a_refusal(fake_openai: FakeOpenAI) -> None:
    fake_openai.script("m", failing(500))
    with pytest.raises(StageError, match="openai/m"):
        over(fake_openai).generate(QUESTION, PASSAGES)


def test_history_is_sent_along() -> None:
    asked = Scripted({"And the range?": GOOD})
    assert not LLMGenerator(asked).generate(question(text="And the range?"), PASSAGES).refused


def test_max_tokens_must_leave_room_for_a_sentence() -> None:
    with pytest.raises(ValidationError, match="max_tokens"):
        LLMGenerator(Scripted(["x"]), max_tokens=1)
