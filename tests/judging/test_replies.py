"""Replies of judging models: read by their schema or turned into an error that says what happened."""

from typing import Literal

import pytest
from pydantic import BaseModel, Field, ValidationError

from harness.errors import StageError
from harness.judging.replies import REFORMAT, ask, read_reply
from harness.llm.litellm_client import LiteLLM
from harness.types import Turn
from tests.fake_openai import FakeOpenAI, Reply, ok, truncated


class Grade(BaseModel):
    verdict: Literal["full", "none"]
    score: float = Field(ge=0, le=1)


GOOD = '{"verdict": "full", "score": 1}'


def asked(server: FakeOpenAI, *replies: Reply, max_input_tokens: int = 1_000) -> Grade:
    server.script("judge", *replies)
    model = LiteLLM("openai/judge", api_base=server.url, attempts=1)
    return ask(model, [Turn("user", "How good is it?")], Grade, 64, max_input_tokens)


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"```json\n{GOOD}\n```",
        f"```\n{GOOD}\n```",
        f"  {GOOD}\n",
        f"\n```json \r\n{GOOD}\r\n  ```\n\n",
        f"```json\n\n{GOOD}\n\n```",
    ],
)
def test_json_is_read_with_or_without_a_markdown_fence(fake_openai: FakeOpenAI, text: str) -> None:
    assert asked(fake_openai, ok(text)).verdict == "full"
    assert fake_openai.count("judge") == 1


def test_prose_is_asked_to_be_reformatted_once(fake_openai: FakeOpenAI) -> None:
    assert asked(fake_openai, ok("Sure! It is fine."), ok(GOOD)).score == 1
    first, second = (request["messages"] for request in fake_openai.requests)
    assert second == [*first, {"role": "assistant", "content": "Sure! It is fine."}, {"role": "user", "content": REFORMAT}]


@pytest.mark.parametrize(
    ("replies", "says", "requests"),
    [
        ([ok("Sure!"), ok("I think it is fine.")], "J001 .* no Grade after 1 reformat: 'I think it is fine.'", 2),
        ([ok("Sure!"), ok(GOOD[:-1])], "J001", 2),
        ([ok(f"{GOOD} {GOOD}")], "J001", 2),
        ([ok('{"verdict": "full", "score": 90}')], "J002 the judge's score is 90.*less than or equal to 1", 2),
        ([ok('{"verdict": "great", "score": 1}')], "J002 the judge's verdict is 'great'.*'full' or 'none'", 2),
        ([ok('{"verdict": "full", "score": NaN}')], "J00[12]", 2),
        ([truncated('{"verdict": "fu')], "J003 .*finish_reason='length', max_tokens=64. Raise", 1),
        ([ok("Sure!"), truncated(GOOD)], "J003", 2),
    ],
    ids=["prose", "cut-json", "two-objects", "range", "word", "nan", "cut", "cut-after-reformat"],
)
def test_what_cannot_be_read_is_an_error_with_the_judges_words(
    fake_openai: FakeOpenAI, replies: list[Reply], says: str, requests: int
) -> None:
    with pytest.raises(StageError, match=says):
        asked(fake_openai, *replies)
    assert fake_openai.count("judge") == requests


def test_a_prompt_that_does_not_fit_is_an_error_and_is_never_sent(fake_openai: FakeOpenAI) -> None:
    with pytest.raises(StageError, match=r"J005 .* needs about 5 tokens; max_input_tokens is 4. Passages are never cut"):
        asked(fake_openai, ok(GOOD), max_input_tokens=4)
    assert fake_openai.requests == []


def test_a_judge_has_no_tools(fake_openai: FakeOpenAI) -> None:
    asked(fake_openai, ok(GOOD))
    assert {"tools", "functions", "tool_choice"}.isdisjoint(fake_openai.requests[0])


@pytest.mark.parametrize(
    "text", [f"```\n{GOOD}", f"{GOOD}\n```", f"```yaml\n{GOOD}\n```", f"Here:\n```\n{GOOD}\n```", "```", "```\n```"]
)
def test_half_a_fence_or_words_around_it_are_not_taken_off(text: str) -> None:
    with pytest.raises(ValidationError):
        read_reply(text, Grade)


@pytest.mark.parametrize("piece", ["\n", "\n ", " ", "`", "```\n", "```json\n", "\n```", "\r\n", "{", "["])
@pytest.mark.parametrize("opening", ["", "```", "```json\n"])
@pytest.mark.parametrize("end", ["", "x", "\n```"])
def test_a_reply_of_a_megabyte_is_read_in_one_go(piece: str, opening: str, end: str) -> None:
    """A pattern that tries every pair of lines would not come back."""
    with pytest.raises(ValidationError):
        read_reply(opening + piece * (1_000_000 // len(piece)) + end, Grade)


def test_a_megabyte_of_blank_lines_inside_a_fence_does_no_harm() -> None:
    blank = "\n" * 500_000
    assert read_reply(f"```json{blank}{GOOD}{blank}```", Grade).verdict == "full"
