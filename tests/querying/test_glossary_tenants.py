"""The glossary in a pipeline: what one tenant's documents define is never used for another."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from harness.answerability.never import NeverRefuse
from harness.chunking.recursive import Recursive
from harness.context import TopPassages
from harness.embedding.hashing import Hashing
from harness.fusion import ReciprocalRankFusion
from harness.pipeline import IndexedPipeline, Pipeline
from harness.querying.glossary import Glossary
from harness.reranking.none import NoReranker
from harness.retrieval.sparse import BM25
from harness.types import Document, Query, Question
from tests.builders import document, question

DOCUMENTS = (
    document("public.md", "# Notes\n\nThe merger of two branches is done in the tool."),
    document("north.md", "# North\n\nThe acquisition of Bluepeak (AOB) closes in May.", tenant="north"),
    document("board.md", "# Board\n\nThe long term incentive (LTI) is a bonus.", acl=("ann",)),
    document("old.md", "# Old\n\nThe remote terminal unit (RTU) was sold.", valid_to="2026-01-01"),
    document("gone.md", "# Gone\n\nThe free of charge (FOC) repair.", deleted_at="2026-02-01"),
)
SECRETS = {
    "AOB": ("acquisition of Bluepeak", {"north"}),
    "LTI": ("long term incentive", {"ann"}),
    "RTU": ("remote terminal unit", set()),
    "FOC": ("free of charge", set()),
}


def system(documents: tuple[Document, ...] = DOCUMENTS) -> IndexedPipeline:
    return Pipeline(
        chunker=Recursive(),
        embedder=Hashing(),
        retrievers={"bm25": BM25()},
        fuser=ReciprocalRankFusion(),
        reranker=NoReranker(),
        context=TopPassages(),
        answerability=NeverRefuse(),
        rewrite=Glossary(),
    ).index(documents, "2026-06-30")


@pytest.mark.parametrize("persona", ["", "north", "south", "ann"])
@pytest.mark.parametrize("short", SECRETS)
def test_an_abbreviation_is_spelled_out_only_for_who_may_see_its_document(short: str, persona: str) -> None:
    long, readers = SECRETS[short]
    (query,) = system().answer(question(text=f"What is {short}?", persona=persona)).queries
    assert (long in query.text) is (persona in readers)
    assert bool(query.notes) is (persona in readers)


@pytest.mark.parametrize("short", SECRETS)
def test_a_long_form_is_abbreviated_only_for_who_may_see_its_document(short: str) -> None:
    long, readers = SECRETS[short]
    for persona in ("", "north", "south", "ann"):
        (query,) = system().answer(question(text=f"Is the {long} done?", persona=persona)).queries
        assert (short in query.text) is (persona in readers)


def test_a_version_that_held_on_the_day_of_the_question_defines_what_it_defined() -> None:
    (query,) = system().answer(question(text="What is RTU?", as_of="2025-12-31")).queries
    assert query.text == "What is RTU (remote terminal unit)?"


def test_the_words_of_a_hidden_document_change_no_ranking_of_another_asker() -> None:
    asked = question(text="Is the AOB a merger?", persona="south")
    without = tuple(item for item in DOCUMENTS if item.doc_id != "north.md")
    first, second = (system(documents).answer(asked) for documents in (DOCUMENTS, without))
    assert first.queries[0].text == second.queries[0].text == "Is the AOB a merger?"
    assert {hit.chunk.span.doc_id for hit in first.fused.hits} == {hit.chunk.span.doc_id for hit in second.fused.hits}


def test_a_hidden_document_that_uses_an_abbreviation_as_a_word_changes_nothing() -> None:
    theirs = document("south.md", "# South\n\nWe say foc and lti.", tenant="south")
    shown = document("lists.md", "# Lists\n\nA free of charge (FOC) repair.")
    for persona, seen in (("north", "what is foc (free of charge)?"), ("south", "what is foc?")):
        assert system((shown, theirs)).answer(question(text="what is foc?", persona=persona)).queries[0].text == seen


SPELLINGS = (
    document("acme.md", "# A\n\nProject Nightingale Berlin (PNB) is secret.", tenant="north"),
    document("open.md", "# B\n\nOur project nightingale berlin (PNB) is open.", tenant="south"),
)


@pytest.mark.parametrize("documents", [SPELLINGS, SPELLINGS[::-1]])
@pytest.mark.parametrize(
    ("persona", "spelled"), [("north", "Project Nightingale Berlin"), ("south", "project nightingale berlin")]
)
def test_each_asker_reads_the_spelling_of_the_own_documents(documents: tuple[Document, ...], persona: str, spelled: str) -> None:
    built = system(documents)
    (short,) = built.answer(question(text="What is PNB?", persona=persona)).queries
    (long,) = built.answer(question(text="Is the PROJECT NIGHTINGALE BERLIN done?", persona=persona)).queries
    assert short.text == f"What is PNB ({spelled})?"
    assert long.notes[0].startswith(f"glossary: {spelled} = PNB, from ")


def test_the_meaning_of_most_documents_wins_however_they_spell_it() -> None:
    spellings = ("Particulate Matter", "particulate matter", "Particulate matter")
    documents = [document(f"{place}.md", f"The {text} (PM).") for place, text in enumerate(spellings)]
    other = [document(f"o{place}.md", "A preventive maintenance (PM).") for place in range(2)]
    (query,) = system((*documents, *other)).answer(question(text="PM?")).queries
    assert query.text == "PM (Particulate Matter)?"


HIDDEN = (
    document("h1.md", "# H\n\nA private mandate (PM). We say foc. aerial aerial", tenant="north"),
    document("h2.md", "# Synonyms\n\n- aerial: hidden word\n- cell: other word\n- FOC: secret long form", tenant="north"),
    document("h3.md", "# H\n\nThe private mandate (PM). Free Of Charge (FOC). aerial", tenant="north"),
)
SHOWN = (
    document("s1.md", "# S\n\nA particulate matter (PM) is free of charge (FOC)."),
    document("s2.md", "# Synonyms\n\n- aerial: antenna\n- cell: battery\n- probe: sensor"),
)


@pytest.mark.parametrize(
    "text", ["PM?", "foc", "Which aerial?", "Is it free of charge?", "cell or private mandate?", "hidden word"]
)
def test_documents_that_are_hidden_change_no_query_of_another_asker(text: str) -> None:
    asked = question(text=text, persona="south")
    without, first, last = (system(items).answer(asked).queries for items in (SHOWN, (*HIDDEN, *SHOWN), (*SHOWN, *HIDDEN)))
    assert without == tuple(replace(query, allowed=without[0].allowed) for query in first)
    assert first == last


class Forgetful:
    """A step that makes queries anew, without who asks."""

    def transform(self, question: Question, queries: Sequence[Query]) -> Sequence[Query]:
        return [Query(query.text) for query in queries]


def test_a_step_that_forgets_who_asks_opens_nothing_to_the_steps_after_it() -> None:
    built = system()
    recipe = replace(built.recipe, rewrite=Forgetful(), subqueries=built.recipe.rewrite)
    (query,) = replace(built, recipe=recipe).answer(question(text="What is AOB?", persona="south")).queries
    assert (query.text, query.persona) == ("What is AOB?", "south")


def test_the_recipe_that_was_given_learns_nothing_itself() -> None:
    recipe = system().recipe
    assert recipe.rewrite != Glossary()
    again = recipe.index([document("other.md", "# Other\n\nThe mean time between failures (MTBF).")])
    (query,) = again.answer(question(text="AOB or MTBF?", persona="north")).queries
    assert query.text == "AOB or MTBF (mean time between failures)?"
