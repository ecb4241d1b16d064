"""The candidates of the first token, as OpenAI's interface and its imitators report them."""

from math import log
from typing import Any

import pytest

from harness.llm.logprobs import first_token


def reported(*candidates: tuple[str, Any]) -> dict[str, Any]:
    listed = [{"token": token, "logprob": value} for token, value in candidates]
    return {
        "content": [{"token": "x", "top_logprobs": listed}, {"token": "second", "top_logprobs": [{"token": "s", "logprob": 0}]}]
    }


def test_only_the_first_token_counts_and_the_likeliest_stands_first() -> None:
    found = first_token(reported(("No", -2.0), ("Yes", -0.5)))
    assert list(found) == ["Yes", "No"]
    assert found == pytest.approx({"Yes": -0.5, "No": -2.0})


def test_tokens_of_the_same_text_are_one_candidate() -> None:
    assert first_token(reported(("Yes", log(0.25)), ("Yes", log(0.5)))) == pytest.approx({"Yes": log(0.75)})


@pytest.mark.parametrize("value", [None, float("nan"), float("-inf"), "high", -9999.0])
def test_a_candidate_without_a_chance_or_a_number_is_left_out(value: Any) -> None:
    assert first_token(reported(("Yes", -0.5), ("No", value))) == pytest.approx({"Yes": -0.5})


@pytest.mark.parametrize("logprobs", [None, {}, {"content": None}, {"content": []}, {"content": [{"token": "x"}]}, "none"])
def test_nothing_reported_is_no_candidate(logprobs: Any) -> None:
    assert first_token(logprobs) == {}
