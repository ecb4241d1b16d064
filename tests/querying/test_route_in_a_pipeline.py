"""Routing in a pipeline: what is asked of which retriever, and what is found there."""

from typing import Any

import pytest

from harness.answerability.never import NeverRefuse
from harness.build.experiment import build
from harness.build.overrides import parse
from harness.chunking.recursive import Recursive
from harness.chunking.two_tier import TwoTier
from harness.context import TopPassages
from harness.embedding.hashing import Hashing
from harness.errors import ConfigError
from harness.fusion import ReciprocalRankFusion
from harness.pipeline import IndexedPipeline, Pipeline
from harness.querying.route import Rules
from harness.reranking.none import NoReranker
from harness.retrieval.dense import Dense
from harness.retrieval.sparse import BM25
from harness.store import Store
from tests.builders import document, question

LONG = "The gateway lies in its box. Its lamp is red at first. The lamp turns green when it is ready. Error E-77 means no network. Restart it then."
DOCUMENTS = (
    document("guide.md", f"# Start\n\n{LONG}"),
    document("codes.md", "# Codes\n\nE-78 means a full memory. Delete the log."),
    document("north.md", "# North\n\nE-99 is theirs, what it does not mean.", tenant="north"),
)


def system(route: Rules, chunker: Any = TwoTier(sentences=1)) -> IndexedPipeline:
    return Pipeline(
        chunker=chunker,
        embedder=Hashing(),
        retrievers={"bm25": BM25(), "dense": Dense()},
        fuser=ReciprocalRankFusion(),
        reranker=NoReranker(),
        context=TopPassages(),
        answerability=NeverRefuse(),
        route=route,
    ).index(DOCUMENTS)


def test_an_identifier_is_searched_by_words_alone() -> None:
    found = system(Rules()).answer(question(text="What does E-77 mean?"))
    assert (len(found.retrieved["dense"]), len(found.retrieved["bm25"]) > 0) == (0, True)
    assert found.fused.hits[0].chunk.span.doc_id == "guide.md"


@pytest.mark.parametrize("text", ["What does E-99 of the gateway mean?", "What happens to the gateway on 24.12.2025?"])
def test_what_is_no_identifier_of_the_corpus_is_searched_by_all(text: str) -> None:
    found = system(Rules()).answer(question(text=text))
    assert all(len(ranking) for ranking in found.retrieved.values())


def test_another_question_is_searched_by_all() -> None:
    found = system(Rules()).answer(question(text="When does the lamp turn green?"))
    assert all(len(ranking) for ranking in found.retrieved.values())


def test_a_summary_question_finds_sections_through_their_summaries() -> None:
    built = system(Rules(summaries=True))
    found = built.answer(question(text="Give me an overview of the gateway lamp"))
    summaries = {chunk.parent for chunk in built.chunks if chunk.kind == "summary"}
    assert found.queries[0].kinds == frozenset({"summary"})
    assert set() < {hit.chunk.chunk_id for hit in found.fused.hits} <= summaries


def test_a_lookup_finds_no_section_through_its_summary() -> None:
    found = system(Rules(summaries=True)).answer(question(text="When does the lamp turn green?"))
    assert found.queries[0].kinds == frozenset({"prose"})
    assert len(found.fused) > 0


def test_summaries_of_a_chunker_that_makes_none_are_an_error_before_anything_is_asked() -> None:
    with pytest.raises(ConfigError, match="chunker=two_tier"):
        system(Rules(summaries=True), Recursive())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("retrievers=hybrid route.identifiers=bm52", "bm52: no such retriever"),
        ("retrievers=dense", "the run's only retriever is dense"),
        ("retrievers=bm25", "bm25 is the only retriever"),
    ],
)
def test_a_route_to_nowhere_is_found_before_anything_is_asked(words: str, said: str, tmp_path: Any) -> None:
    with pytest.raises(ConfigError) as raised:
        build(parse(["route=rules", "embedder=hashing", "reranker=lexical", *words.split()])[0], Store(tmp_path / "s.sqlite"))
    assert any(said in f"{item.where.partition('=')[2]}: {item.what}" or said in item.what for item in raised.value.problems)


@pytest.mark.parametrize(
    "words", ["", "route.identifiers=dense", "route.identifiers= route.summaries=true retrievers=dense chunker=two_tier"]
)
def test_a_route_that_leads_somewhere_builds(words: str, tmp_path: Any) -> None:
    made = build(parse(["route=rules", "embedder=hashing", "reranker=lexical", *words.split()])[0], Store(tmp_path / "s.sqlite"))
    assert isinstance(made.pipeline.route, Rules)
