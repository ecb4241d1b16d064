"""Rewording by a language model."""

import pytest
from pydantic import ValidationError

from harness.errors import StageError
from harness.llm.litellm_client import LiteLLM
from harness.llm.scripted import Scripted
from harness.protocols import QueryTransformer
from harness.querying.rewrite import RULES, Rewrite
from harness.types import Query, Turn
from tests.builders import question
from tests.contracts.query_step import QueryStepContract
from tests.fake_openai import FakeOpenAI, Reply, failing, garbage, ok, truncated


def over(server: FakeOpenAI, **fields: object) -> Rewrite:
    return Rewrite(LiteLLM("openai/m", api_base=server.url, attempts=1), **fields)  # type: ignore[arg-type]


def asked(rewrite: Rewrite, *texts: str, **fields: object) -> list[Query]:
    return list(rewrite.transform(question(**fields), [Query(text) for text in texts]))  # type: ignore[arg-type]


def test_the_rewording_takes_the_querys_place_and_the_notes_keep_what_it_was() -> None:
    rewrite = Rewrite(Scripted({"refunds": "What is the refund\npolicy? "}))
    assert asked(rewrite, "what about refunds?") == [
        Query("What is the refund policy?", notes=("rewrite: was 'what about refunds?'",))
    ]


def test_a_clear_question_that_comes_back_is_noted_as_unchanged() -> None:
    assert asked(Rewrite(Scripted(["Price?"])), "Price?") == [Query("Price?", notes=("rewrite: unchanged",))]


def test_each_query_is_reworded_by_itself() -> None:
    found = asked(Rewrite(Scripted({"one": "first", "two": "second"})), "one?", "two?")
    assert [query.text for query in found] == ["first", "second"]


def test_who_asks_and_what_may_be_seen_stay_as_they_were() -> None:
    query = Query("Price?", allowed=frozenset({"a.md"}), persona="north")
    (found,) = Rewrite(Scripted(["What does it cost?"])).transform(question(), [query])
    assert (found.allowed, found.persona) == (frozenset({"a.md"}), "north")


def test_the_request_is_short_and_greedy_and_leaves_the_conversation_to_the_history_step(fake_openai: FakeOpenAI) -> None:
    fake_openai.script("m", ok("What is the refund policy?"))
    asked(over(fake_openai), "what about refunds?", history=(Turn("user", "Is the AQ-210 white?"),))
    sent = fake_openai.requests[0]
    assert [turn["content"] for turn in sent["messages"]] == [RULES, "what about refunds?"]
    assert (sent["max_tokens"], sent["temperature"]) == (96, 0)


FAULTS = [
    pytest.param(failing(500), id="server error"),
    pytest.param(garbage(), id="no JSON"),
    pytest.param(ok("\n"), id="empty"),
    pytest.param(ok("?!"), id="no word"),
    pytest.param(truncated("What is the"), id="cut off"),
]


@pytest.mark.parametrize("fault", FAULTS)
def test_a_failing_model_is_an_error_and_never_the_plain_question(fake_openai: FakeOpenAI, fault: Reply) -> None:
    fake_openai.script("m", fault)
    with pytest.raises(StageError):
        asked(over(fake_openai), "Price?")


@pytest.mark.parametrize("fault", FAULTS)
def test_under_skip_the_querys_own_words_are_searched_for_and_it_says_why(fake_openai: FakeOpenAI, fault: Reply) -> None:
    fake_openai.script("m", fault)
    (found,) = asked(over(fake_openai, on_failure="skip"), "Price?")
    assert (found.text, found.notes) == ("Price?", ())
    assert found.fallback.startswith("rewrite: ")


@pytest.mark.parametrize("fields", [{"on_failure": "ignore"}, {"max_tokens": 1}, {"tone": "kind"}])
def test_settings_out_of_range_are_refused(fields: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Rewrite(Scripted([]), **fields)  # type: ignore[arg-type]


class TestRewriteKeepsTheContract(QueryStepContract):
    @pytest.fixture
    def step(self) -> QueryTransformer:
        return Rewrite(Scripted({"": "The range is 5 m."}))


class TestRewriteWhoseModelFailsKeepsTheContract(QueryStepContract):
    @pytest.fixture
    def step(self) -> QueryTransformer:
        return Rewrite(Scripted([]), on_failure="skip")
