"""From a question to what is searched: the query steps in their order, routing, parts of a question, depth by retriever."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from harness.cache import CachedLLM
from harness.chunking.two_tier import TwoTier
from harness.generation.llm import LLMGenerator
from harness.llm.scripted import Scripted
from harness.pipeline import Depth
from harness.querying.decompose_rules import Decomposition
from harness.querying.history_rules import Rules
from harness.store import Store
from harness.types import Query, Question, Ranking, Trace, Turn
from tests.builders import question
from tests.test_pipeline import DOCUMENTS, pipeline


@dataclass(frozen=True)
class Step:
    """Appends its name to every query, and keeps what it was given."""

    name: str
    given: list[Query] = field(default_factory=list)

    def transform(self, question: Question, queries: Sequence[Query]) -> Sequence[Query]:
        self.given.extend(queries)
        return [replace(query, text=f"{query.text} {self.name}") for query in queries]


@dataclass(frozen=True)
class To:
    """Sends queries to some retrievers, or to some kinds of chunk."""

    retrievers: frozenset[str] | None = None
    kinds: frozenset[str] | None = None

    def transform(self, question: Question, queries: Sequence[Query]) -> Sequence[Query]:
        return [replace(query, retrievers=self.retrievers, kinds=self.kinds) for query in queries]


def asked(text: str, changes: dict[str, Any], **fields: Any) -> Trace:
    return pipeline(**changes).index(DOCUMENTS, as_of="2026-01-01").answer(question(text=text, **fields))


def test_steps_work_in_the_order_rewrite_subqueries_hyde_route() -> None:
    steps = {name: Step(name) for name in ("route", "hyde", "subqueries", "rewrite")}
    assert asked("battery", steps).queries[0].text == "battery rewrite subqueries hyde route"


def test_every_step_and_every_index_knows_who_asks() -> None:
    """A step cannot take the asker off its queries."""
    rewrite, route = Step("x"), Step("y")
    found = asked("battery price", {"rewrite": rewrite, "route": route}, persona="northwind")
    assert {query.persona for query in (*rewrite.given, *route.given, *found.queries)} == {"northwind"}
    assert all("south.md" not in (query.allowed or ()) for query in (*rewrite.given, *found.queries))


def test_a_conversation_s_last_turn_is_made_to_stand_alone_for_every_stage_behind() -> None:
    talk = (Turn("user", "What does the soil probe run on?"), Turn("assistant", "Two AA cells."))
    found = asked("How long do they last?", {"history": Rules()}, history=talk)
    assert "probe" in found.queries[0].text
    assert found.fused.hits[0].chunk.span.doc_id == "battery.md"


def test_without_a_conversation_nothing_is_rewritten() -> None:
    assert asked("How long do they last?", {"history": Rules()}).queries[0].text == "How long do they last?"


def test_a_query_goes_to_the_retrievers_it_is_for() -> None:
    found = asked("gateway button", {"route": To(frozenset({"bm25"}))})
    assert found.retrieved["dense"] == Ranking()
    assert found.retrieved["bm25"].hits
    assert {hit.chunk.chunk_id for hit in found.fused.hits} == {hit.chunk.chunk_id for hit in found.retrieved["bm25"].hits}


@pytest.mark.parametrize("kind", ["summary", "prose"])
def test_a_query_for_a_kind_of_chunk_finds_no_other(kind: str) -> None:
    text = "Firmware 3 is new. " + "It keeps readings for 90 days and sends them every hour. " * 6
    documents = [replace(DOCUMENTS[0], doc_id="long.md", text=text, mime_type="text/markdown"), *DOCUMENTS]
    recipe = pipeline(chunker=TwoTier(sentences=1, size=60, overlap=0.0), route=To(kinds=frozenset({kind})))
    system = recipe.index(documents, as_of="2026-01-01")
    found = system.answer(question(text="firmware readings"))
    kinds = {chunk.kind for chunk in system.chunks if chunk.searched}
    assert {"summary", "prose"} <= kinds
    inner = [hit.chunk for hit in _inner(system.indexes["bm25"]).search([replace(found.queries[0])], 20)[0].hits]
    assert inner and {chunk.kind for chunk in inner} == {kind}


def _inner(index: Any) -> Any:
    return getattr(index, "inner", index)


def test_depth_can_differ_by_retriever() -> None:
    found = asked("the soil probe battery gateway readings", {"depth": Depth(6, 4, 2, {"bm25": 1})})
    assert len(found.retrieved["bm25"]) == 1
    assert len(found.retrieved["dense"]) > 1


BOTH = "How long do the cells last and how far does the gateway reach?"


def test_the_parts_of_a_question_each_bring_their_evidence() -> None:
    found = asked(BOTH, {"subqueries": Decomposition(), "retrievers": {"bm25": pipeline().retrievers["bm25"]}})
    assert [query.part for query in found.queries] == [False, True, True]
    assert {hit.chunk.span.doc_id for hit in found.fused.top(2).hits} == {"battery.md", "range.md"}


def test_the_reranker_reads_the_whole_question_so_that_a_threshold_means_the_same_for_a_question_in_parts() -> None:
    found, plain = asked(BOTH, {"subqueries": Decomposition()}), asked(BOTH, {})
    before = {hit.chunk.chunk_id: hit.score for hit in plain.reranked.hits}
    after = {hit.chunk.chunk_id: hit.score for hit in found.reranked.hits}
    shared = before.keys() & after.keys()
    assert shared and all(after[name] == before[name] for name in shared)


def test_what_a_stage_took_of_a_language_model_stands_under_its_name(tmp_path: Path) -> None:
    llm = CachedLLM(Scripted({"cells": "They last 18 months."}), Store(tmp_path / "stages.sqlite"))
    found = asked("How long do the cells of the soil probe last?", {"generator": LLMGenerator(llm), "verification": None})
    assert list(found.usage) == ["generate"]
    assert found.usage["generate"].calls == 1
