"""HyDE with a language model."""

import pytest

from harness.errors import StageError
from harness.llm.litellm_client import LiteLLM
from harness.llm.scripted import Scripted
from harness.protocols import QueryTransformer
from harness.querying.hyde import Hyde
from harness.types import Query, Turn
from tests.builders import question
from tests.contracts.query_step import QueryStepContract
from tests.fake_openai import FakeOpenAI, Reply, failing, garbage, ok, truncated


def over(server: FakeOpenAI, **fields: object) -> Hyde:
    return Hyde(LiteLLM("openai/m", api_base=server.url, attempts=1), **fields)  # type: ignore[arg-type]


def asked(hyde: Hyde, *texts: str, **fields: object) -> list[Query]:
    return list(hyde.transform(question(**fields), [Query(text) for text in texts]))  # type: ignore[arg-type]


def test_the_models_passage_is_the_hypothetical_on_one_line() -> None:
    hyde = Hyde(Scripted({"range": "The range\nis 5 m. "}))
    assert asked(hyde, "What range?") == [Query("What range?", hypothetical="The range is 5 m.")]


def test_each_query_has_a_passage_of_its_own() -> None:
    hyde = Hyde(Scripted({"range": "It is 5 m.", "price": "It costs 19 euros."}))
    assert [query.hypothetical for query in asked(hyde, "What range?", "What price?")] == ["It is 5 m.", "It costs 19 euros."]


def test_the_query_is_asked_for_and_not_the_question_it_came_from() -> None:
    hyde = Hyde(Scripted({"price": "It costs 19 euros."}))
    assert asked(hyde, "What price?", text="And what does it cost?")[0].hypothetical == "It costs 19 euros."


def test_everything_else_of_a_query_is_kept() -> None:
    query = Query("What price?", allowed=frozenset({"a.md"}), persona="north", retrievers=frozenset({"dense"}), notes=("before",))
    (found,) = Hyde(Scripted(["19 euros."])).transform(question(), [query])
    assert (found.text, found.allowed, found.persona, found.retrievers, found.notes) == (
        *("What price?", frozenset({"a.md"}), "north", frozenset({"dense"})),
        ("before",),
    )


def test_the_request_is_short_and_greedy_and_carries_the_history(fake_openai: FakeOpenAI) -> None:
    fake_openai.script("m", ok("It is 5 m."))
    asked(over(fake_openai), "And its range?", history=(Turn("user", "Is the AQ-210 white?"),))
    sent = fake_openai.requests[0]
    assert [turn["content"] for turn in sent["messages"][1:]] == ["Is the AQ-210 white?", "And its range?"]
    assert (sent["max_tokens"], sent["temperature"]) == (128, 0)


def test_a_cut_off_passage_still_serves_as_a_query(fake_openai: FakeOpenAI) -> None:
    fake_openai.script("m", truncated("The range is"))
    assert asked(over(fake_openai), "What range?")[0].hypothetical == "The range is"


FAULTS = [
    pytest.param(failing(500), id="server error"),
    pytest.param(garbage(), id="no JSON"),
    pytest.param(ok(" \n"), id="empty"),
    pytest.param(ok("..."), id="no word"),
    pytest.param(ok("It is", finish_reason="content_filter"), id="filtered"),
]


@pytest.mark.parametrize("fault", FAULTS)
def test_a_failing_model_is_an_error_and_never_the_plain_question(fake_openai: FakeOpenAI, fault: Reply) -> None:
    fake_openai.script("m", fault)
    with pytest.raises(StageError):
        asked(over(fake_openai), "What range?")


@pytest.mark.parametrize("fault", FAULTS)
def test_under_skip_the_plain_query_says_why_it_is_plain(fake_openai: FakeOpenAI, fault: Reply) -> None:
    fake_openai.script("m", fault)
    (found,) = asked(over(fake_openai, on_failure="skip"), "What range?")
    assert (found.text, found.hypothetical) == ("What range?", "")
    assert found.fallback.startswith("hyde: ")


def test_one_querys_failure_takes_no_passage_from_the_others(fake_openai: FakeOpenAI) -> None:
    fake_openai.script("m", failing(500), ok("It costs 19 euros."))
    found = asked(over(fake_openai, on_failure="skip"), "What range?", "What price?")
    assert [(query.hypothetical, bool(query.fallback)) for query in found] == [("", True), ("It costs 19 euros.", False)]


class TestHydeKeepsTheContract(QueryStepContract):
    @pytest.fixture
    def step(self) -> QueryTransformer:
        return Hyde(Scripted({"": "The range is 5 m."}))


class TestHydeWhoseModelFailsKeepsTheContract(QueryStepContract):
    @pytest.fixture
    def step(self) -> QueryTransformer:
        return Hyde(Scripted([]), on_failure="skip")
