"""Several wordings of a question by a language model."""

import json

import pytest

from harness.errors import StageError
from harness.llm.litellm_client import LiteLLM
from harness.llm.scripted import Scripted
from harness.querying.multi_query import MultiQuery
from harness.types import Query
from tests.builders import question
from tests.contracts.query_step import QueryStepContract
from tests.fake_openai import FakeOpenAI, failing, ok

ASKED = "How long does the battery last?"


def reply(*texts: str) -> str:
    return json.dumps({"queries": texts})


class TestMultiQuery(QueryStepContract):
    @pytest.fixture
    def step(self) -> MultiQuery:
        return MultiQuery(Scripted({"": reply("battery life", "service time of the cell")}))


def test_the_wordings_stand_behind_the_question_without_its_notes_or_passage() -> None:
    given = [Query(ASKED, hypothetical="It lasts.", notes=("n",), persona="elm"), Query("o")]
    assert MultiQuery(Scripted([reply("battery life", "cell life")]), count=2).transform(question(), given) == [
        Query(ASKED, hypothetical="It lasts.", notes=("n", "subqueries: 2 from the model"), persona="elm"),
        Query("battery life", persona="elm"),
        Query("cell life", persona="elm"),
        Query("o"),
    ]


def test_the_number_of_wordings_is_asked_for_and_held(fake_openai: FakeOpenAI) -> None:
    fake_openai.script("m", ok(reply("a", "b", "c")))
    step = MultiQuery(LiteLLM("openai/m", api_base=fake_openai.url, attempts=1), count=2)
    found = step.transform(question(), [Query(ASKED)])
    assert "- 2 wordings" in fake_openai.requests[0]["messages"][0]["content"]
    assert [query.text for query in found] == [ASKED, "a", "b"]
    assert found[0].notes[-1] == "subqueries: left out 1 over the bound of 2"


def test_fewer_wordings_than_asked_for_are_noted() -> None:
    found = MultiQuery(Scripted([reply("a", "", "A")])).transform(question(), [Query(ASKED)])
    notes = ("subqueries: 1 from the model", "subqueries: left out 1 without a word", "subqueries: left out 1 repeated")
    assert (len(found), found[0].notes) == (2, notes)


@pytest.mark.parametrize("listed", [[], [ASKED], ["", "?"]])
def test_no_other_wording_is_a_failure(listed: list[str]) -> None:
    with pytest.raises(StageError, match="gave no other wording: subqueries: 0 from the model"):
        MultiQuery(Scripted([reply(*listed)])).transform(question(), [Query(ASKED)])


def test_a_failure_that_is_to_be_skipped_leaves_the_question_and_says_why(fake_openai: FakeOpenAI) -> None:
    fake_openai.script("m", failing(500))
    step = MultiQuery(LiteLLM("openai/m", api_base=fake_openai.url, attempts=1), on_failure="skip")
    (query,) = step.transform(question(), [Query(ASKED)])
    assert (
        query.text == ASKED
        and query.fallback.startswith("subqueries: ")
        and "'openai/m' failed after 1 attempt" in query.fallback
    )
