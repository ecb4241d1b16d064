"""The bundled price table, read for the dearest that a call can be."""

import pytest

from harness.llm.prices import TURN_TOKENS, litellm, most_read, most_searches, most_tokens, priced, with_cost
from harness.llm.remote import Remote
from harness.types import Turn, Usage


@pytest.mark.parametrize(
    ("model", "usage", "cost"),
    [
        ("openai/gpt-4o-mini", Usage(1_000_000, 0, 1), 0.15),
        ("openai/gpt-4o-mini", Usage(0, 1_000_000, 1), 0.60),
        ("openai/text-embedding-3-small", Usage(1_000_000, 0, 1), 0.02),
        ("cohere/rerank-v3.5", Usage(5_000, 0, 3), 0.006),  # 0.002 a search, whatever its tokens
        ("gemini/gemini-2.5-pro", Usage(1_000_000, 0, 1), 2.50),  # the rate of long prompts
        ("openai/house-model", Usage(1_000_000, 0, 1), 0.0),
    ],
)
def test_the_cost_is_that_of_the_dearest_rate_which_can_apply(model: str, usage: Usage, cost: float) -> None:
    assert with_cost(model, usage).cost == pytest.approx(cost)


@pytest.mark.parametrize(
    ("model", "listed"),
    [
        ("openai/gpt-4o-mini", True),
        ("cohere/rerank-v3.5", True),
        ("ollama/llama3", True),  # listed with the price 0
        ("openai/house-model", False),
        ("foo/bar", False),
        ("gpt-9-unknown", False),  # what litellm takes for one of a family, at no price
        ("gpt-5-mini-typo", False),
        ("dashscope/qwen-flash", False),  # listed without a price of a token or a query
    ],
)
def test_only_a_listed_model_is_priced(model: str, listed: bool) -> None:
    assert priced(model) is Remote(model).priced is listed


@pytest.mark.parametrize("text", ["plain words here", "Größe 5 µm", "数値は五です", "🙂🙂", "\udcff", ""])
def test_no_tokenizer_makes_more_of_a_text_than_is_reckoned_with(text: str) -> None:
    found = len(litellm().encode(model="gpt-4", text=text.encode("utf-8", "replace").decode()))
    assert found <= most_tokens([text]) == len(text.encode("utf-8", "surrogatepass")) + TURN_TOKENS


def test_a_prompt_is_reckoned_with_its_turns_and_the_schema_of_the_reply() -> None:
    turns = (Turn("system", "abc"), Turn("user", "de"))
    assert most_read(turns, '{"a": 1}') == 3 + 2 + 8 + 3 * TURN_TOKENS


@pytest.mark.parametrize(
    ("query", "passages", "searches"),
    [
        ("q", ["a"], 1),
        ("q", ["a"] * 100, 1),
        ("q", ["a"] * 101, 2),
        ("q", ["a"] * 250, 3),
        ("q" * 68, ["a" * 400] * 100, 1),  # 68 + 400 + 2 * 16 = 500 tokens at most: one document
        ("q" * 68, ["a" * 401] * 100, 2),  # one more: two documents
        ("q", ["a" * 3_000] * 250, 18),  # seven documents each
        ("q", [], 0),
    ],
)
def test_searches_are_hundreds_of_documents_of_five_hundred_tokens(query: str, passages: list[str], searches: int) -> None:
    assert most_searches(query, passages) == searches
    assert with_cost("cohere/rerank-v3.5", Usage(9, 0, 1), searches).cost == pytest.approx(0.002 * searches)
    assert with_cost("voyage/rerank-2", Usage(1_000_000, 0, 1), searches).cost == pytest.approx(0.05)
