"""Answers under a schema: what a model can cite is what it was shown."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.errors import StageError
from harness.generation.citations import cited_ids
from harness.generation.claims import schema
from harness.generation.structured import CONTRACT, EXAMPLES, Structured
from harness.generation.verification import Verification
from harness.llm.litellm_client import LiteLLM
from harness.llm.scripted import Scripted
from harness.protocols import Generator
from harness.text import REFUSAL
from harness.types import Answer, Ranking, Turn
from tests.builders import chunk, question, ranking
from tests.contracts.generator import COLOUR, PASSAGES, QUESTION, RANGE, GeneratorContract
from tests.fake_openai import FakeOpenAI, failing, ok, truncated


def said(*claims: tuple[str, list[str]], answerable: bool = True) -> str:
    return json.dumps({"answerable": answerable, "claims": [{"claim": text, "passages": names} for text, names in claims]})


GOOD = said(("The range is 5 metres.", ["p1"]))


class TestContract(GeneratorContract):
    @pytest.fixture
    def generator(self) -> Generator:
        return Structured(Scripted({"range": GOOD}))


def over(server: FakeOpenAI, *replies: Any) -> Structured:
    server.script("m", *replies)
    return Structured(LiteLLM("openai/m", api_base=server.url, attempts=1))


def test_names_of_passages_become_chunk_ids(fake_openai: FakeOpenAI) -> None:
    reply = said(("It reaches 5 m.", ["p1"]), ("The other is green", ["p2", "p1", "p2"]))
    answer = over(fake_openai, ok(reply)).generate(QUESTION, PASSAGES)
    assert answer.text == f"It reaches 5 m [{RANGE.chunk_id}]. The other is green [{COLOUR.chunk_id}][{RANGE.chunk_id}]."
    assert answer.citations == (RANGE.chunk_id, COLOUR.chunk_id)


def test_the_request_holds_contract_examples_conversation_and_schema(fake_openai: FakeOpenAI) -> None:
    asked = question(
        text="And its range?", history=(Turn("user", "Tell me about the AQ-210."), Turn("assistant", "It is white."))
    )
    over(fake_openai, ok(GOOD)).generate(asked, PASSAGES)
    sent = fake_openai.requests[0]
    assert [turn["content"] for turn in sent["messages"][:1]] == [CONTRACT]
    assert [turn["content"] for turn in sent["messages"]][1:7] == [turn.content for turn in EXAMPLES]
    assert [turn["content"] for turn in sent["messages"]][7:9] == ["Tell me about the AQ-210.", "It is white."]
    assert sent["response_format"]["json_schema"]["schema"] == schema(["p1", "p2"], 3, 2)


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (said(answerable=False), "declined"),
        (said(("It is 5 m.", ["p1"]), answerable=False), "declined"),
        (said(), "declined"),
        (said((REFUSAL, ["p1"])), "it declines to answer"),
        (said(("The passages do not mention the range of the AQ-210.", ["p1"])), "it declines to answer"),
        (said(("It is 5 m.", [])), "no passage is named"),
        (said(("  ", ["p1"])), "it says nothing"),
        (said((" ... ", ["p1"])), "it says nothing"),
        (said(("[p1] [p2].", ["p1"])), "it says nothing"),
    ],
)
def test_without_a_claim_that_names_a_passage_it_refuses(reply: str, reason: str) -> None:
    answer = Structured(Scripted([reply])).generate(QUESTION, PASSAGES)
    assert (answer.text, answer.refused, answer.citations) == (REFUSAL, True, ())
    assert reason in answer.refusal_reason


def test_a_claim_without_a_passage_is_left_out_and_told() -> None:
    answer = Structured(Scripted([said(("It is 5 m.", ["p1"]), ("It is great.", []))])).generate(QUESTION, PASSAGES)
    assert answer.text == f"It is 5 m [{RANGE.chunk_id}]."
    assert answer.actions == ("left out 'It is great.': no passage is named",)


def test_an_invented_name_is_kept_for_verification_to_find() -> None:
    generator = Structured(Scripted([said(("It is 5 m.", ["p1"]), ("It floats.", ["p9"]))]))
    answer = generator.generate(QUESTION, PASSAGES)
    assert answer.citations == (RANGE.chunk_id, "p9")
    assert Verification().verify(answer, QUESTION, PASSAGES, generator).text == f"It is 5 m [{RANGE.chunk_id}]."


@pytest.mark.parametrize(
    "reply",
    [
        ok("It is 5 m."),
        ok('{"answerable": true}'),
        ok('{"answerable": "yes", "claims": []}'),
        ok('{"answerable": true, "claims": [{"claim": "\\ud800", "passages": ["p1"]}]}'),
        ok('{"answerable": true, "claims": [], "note": 1}'),
        ok("[" * 5_000),
        ok(""),
        truncated('{"answ'),
        failing(500),
    ],
    ids=lambda reply: reply.body[-40:].decode(),
)
def test_a_reply_that_is_not_of_the_schema_is_an_error_and_never_a_refusal(fake_openai: FakeOpenAI, reply: Any) -> None:
    with pytest.raises(StageError):
        over(fake_openai, reply).generate(QUESTION, PASSAGES)


def test_without_passages_nobody_is_asked(fake_openai: FakeOpenAI) -> None:
    assert over(fake_openai, failing(500)).generate(QUESTION, Ranking()).refused
    assert fake_openai.count("m") == 0


def test_names_follow_the_order_in_which_passages_are_shown(fake_openai: FakeOpenAI) -> None:
    turned = Ranking(ranking(RANGE, COLOUR).hits, order=(1, 0))
    answer = over(fake_openai, ok(said(("It is green.", ["p1"])))).generate(QUESTION, turned)
    assert answer.citations == (COLOUR.chunk_id,)
    prompt = fake_openai.requests[0]["messages"][-1]["content"]
    assert prompt.index(COLOUR.text) < prompt.index(RANGE.text)


def answered(*claims: tuple[str, list[str]], most_claims: int = 3) -> Answer:
    return Structured(Scripted([said(*claims)]), most_claims=most_claims).generate(QUESTION, PASSAGES)


FIRST, SECOND = f"[{RANGE.chunk_id}]", f"[{COLOUR.chunk_id}]"


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("It is 5 m [p1].", f"It is 5 m {FIRST}."),
        ("It is 5 m [p2], says [passage p1].", f"It is 5 m, says {FIRST}."),
        ("It is 5 m. It is white.", f"It is 5 m {FIRST}. It is white {FIRST}."),
        ("- It is 5 m\n- It is white", f"It is 5 m {FIRST}. It is white {FIRST}."),
        ("-5 degrees", f"-5 degrees {FIRST}."),
        ("价格是五元。", f"价格是五元 {FIRST}。"),
        ("It is\n5 m!", f"It is 5 m {FIRST}!"),
        ("```\nIt is 5 m", f"It is 5 m {FIRST}."),
    ],
)
def test_every_sentence_of_a_claim_carries_the_markers_of_its_passages(claim: str, text: str) -> None:
    answer = answered((claim, ["p1"]))
    assert (answer.text, answer.citations) == (text, (RANGE.chunk_id,))


def test_a_bracket_of_the_claim_itself_is_left_in_its_place() -> None:
    assert answered(("Set arr[0] to [deadbeef0000].", ["p1"])).citations == ("deadbeef0000", RANGE.chunk_id)


@pytest.mark.parametrize("name", ["p1", " p1 ", "[p1]", "P1", "passage p1", "p1, p1"])
def test_a_name_that_was_shown_is_known_however_it_is_written(name: str) -> None:
    assert answered(("It is 5 m.", [name])).citations == (RANGE.chunk_id,)


def test_a_range_of_names_stands_for_all_of_them() -> None:
    assert answered(("It is 5 m.", ["p1-p2"])).citations == (RANGE.chunk_id, COLOUR.chunk_id)


@pytest.mark.parametrize("name", ["p9", "see page three", "", "note", "2024", "[]", "\n", "第3章", "x" * 500, "`", "1.5"])
def test_whatever_name_is_invented_is_read_as_an_invented_citation(name: str) -> None:
    """An unreadable marker would pass for an answer without a citation."""
    answer = answered(("It is 5 m.", ["p1"]), ("It floats.", [name]))
    assert len(answer.citations) == 2
    kept = Verification().verify(answer, QUESTION, PASSAGES, Structured(Scripted([])))
    assert (kept.text, len(kept.draft_citations)) == (f"It is 5 m {FIRST}.", 2)


def test_lone_backticks_hide_no_marker() -> None:
    answer = answered(("Press the ` key.", ["p1"]), ("Release the ` key.", ["p2"]))
    assert answer.citations == (RANGE.chunk_id, COLOUR.chunk_id)


def test_claims_above_the_limit_are_left_out_and_told() -> None:
    answer = answered(("It is 5 m.", ["p1"]), ("It is white.", ["p1"]), most_claims=1)
    assert answer.text == f"It is 5 m {FIRST}."
    assert answer.actions == ("left out 'It is white.': there are more claims than most_claims",)


def test_a_claim_said_twice_is_said_once_and_a_refusal_among_claims_is_left_out() -> None:
    answer = answered(("It is 5 m.", ["p1"]), ("It is 5 m.", ["p1"]), (REFUSAL, ["p1"]))
    assert answer.text == f"It is 5 m {FIRST}."
    assert answer.actions == (f"left out {REFUSAL!r}: it declines to answer",)


def test_a_claim_made_from_two_passages_in_turn_is_said_once_with_both_markers() -> None:
    assert answered(("It is 5 m.", ["p1"]), ("It is 5 m.", ["p2"])).text == f"It is 5 m {FIRST}{SECOND}."


def test_claims_of_a_model_that_declines_are_told() -> None:
    answer = Structured(Scripted([said(("It is 5 m.", ["p1"]), answerable=False)])).generate(QUESTION, PASSAGES)
    assert answer.actions == ("left out 'It is 5 m.': the model says that the passages do not hold the answer",)


def test_a_claim_may_name_no_more_passages_than_there_are_or_the_setting_allows() -> None:
    def most(names: list[str], most_passages: int) -> int:
        return int(schema(names, 3, most_passages)["properties"]["claims"]["items"]["properties"]["passages"]["maxItems"])

    assert (most(["p1"], 3), most(["p1", "p2", "p3"], 1)) == (1, 1)


@given(st.lists(st.tuples(st.text(max_size=40), st.lists(st.text(max_size=8), max_size=3)), max_size=3))
@settings(max_examples=200, deadline=None, derandomize=True)
def test_whatever_a_model_claims_the_answer_is_a_refusal_or_cites(claims: list[tuple[str, list[str]]]) -> None:
    answer = answered(*claims)
    assert answer.refused == (answer.text == REFUSAL) == (not answer.citations)
    assert answer.citations == cited_ids(answer.text)


def test_the_examples_keep_to_the_schema_and_the_contract() -> None:
    """What a model is shown as a good reply gives an answer, two sides, and a refusal."""
    asked = [turn for turn in EXAMPLES if turn.role == "user"]
    assert len(asked) == 3 and all("<context>" in turn.content for turn in asked)
    replies = [turn.content for turn in EXAMPLES if turn.role == "assistant"]
    shown = ranking(RANGE, COLOUR, chunk("third.md", text="x"))
    answers = [Structured(Scripted([reply])).generate(QUESTION, shown) for reply in replies]
    assert [len(answer.citations) for answer in answers] == [1, 2, 0]
    assert [answer.refused for answer in answers] == [False, False, True]
    assert all(not answer.actions for answer in answers)
