"""The order of the stages, on a small real corpus with real, model-free stages."""

from dataclasses import dataclass, replace

import pytest
from pydantic import ValidationError

from harness.answerability.never import NeverRefuse
from harness.answerability.threshold import Threshold
from harness.chunking.recursive import Recursive
from harness.chunking.sentence_window import SentenceWindow
from harness.context import TopPassages
from harness.embedding.fitting import fitted
from harness.embedding.hashing import Hashing
from harness.embedding.tfidf_svd import TfidfSvd
from harness.errors import CorpusError, StageError
from harness.fusion import ReciprocalRankFusion
from harness.generation.extractive import Extractive
from harness.generation.verification import Verification
from harness.pipeline import Depth, Pipeline
from harness.reranking.lexical import Lexical
from harness.reranking.none import NoReranker
from harness.retrieval.dense import Dense
from harness.retrieval.sparse import BM25
from harness.text import REFUSAL
from tests.builders import document, question

DOCUMENTS = [
    document("battery.md", "The soil probe runs on two AA cells. The cells last 18 months at one reading an hour."),
    document("range.md", "The gateway reaches sensors up to 400 metres away in open terrain."),
    document("reset.md", "Hold the button for ten seconds to reset the gateway to factory settings."),
    document("north.md", "Northwind pays 12 euros for each soil probe battery.", tenant="northwind"),
    document("south.md", "Bluepeak pays 15 euros for each soil probe battery.", tenant="bluepeak"),
    document("old.md", "Firmware 1 keeps readings for 7 days.", valid_from="2024-01-01", valid_to="2025-01-01"),
    document("new.md", "Firmware 2 keeps readings for 30 days.", valid_from="2025-01-01"),
]


def pipeline(**changes) -> Pipeline:
    stages = {
        "chunker": Recursive(size=40),
        "embedder": Hashing(),
        "retrievers": {"bm25": BM25(), "dense": Dense()},
        "fuser": ReciprocalRankFusion(),
        "reranker": Lexical(),
        "context": TopPassages(),
        "answerability": Threshold(0.3),
        "generator": Extractive(),
        "verification": Verification(),
        "depth": Depth(6, 4, 2),
    }
    return Pipeline(**{**stages, **changes})


def answered(text: str, recipe: Pipeline | None = None, **fields):
    return (recipe or pipeline()).index(DOCUMENTS, as_of="2026-01-01").answer(question(text=text, **fields))


def test_an_embedder_learns_from_what_is_searched_and_not_from_what_is_shown() -> None:
    built = pipeline(chunker=SentenceWindow(window=1), embedder=TfidfSvd(), retrievers={"dense": Dense()}).index(DOCUMENTS)
    searched = [chunk for chunk in built.chunks if chunk.searched]
    assert len(searched) < len(built.chunks)
    assert built.indexes["dense"].inner.identity == fitted(TfidfSvd(), searched).identity
    assert built.indexes["dense"].inner.identity != fitted(TfidfSvd(), built.chunks).identity


def documents_of(ranking) -> list[str]:
    return [hit.chunk.span.doc_id for hit in ranking.hits]


def test_a_question_leaves_a_ranking_at_every_station():
    trace = answered("How long do the cells of the soil probe last?")
    assert list(trace.stations()) == ["bm25", "dense", "fused", "reranked", "context"]
    assert documents_of(trace.reranked)[0] == "battery.md"
    assert len(trace.reranked) <= 4
    assert len(trace.context) <= 2


def test_the_answer_cites_a_passage_that_was_shown():
    trace = answered("How far does the gateway reach?")
    shown = {hit.chunk.chunk_id for hit in trace.context.hits}
    assert "400 metres" in trace.answer.text
    assert trace.answer.citations
    assert set(trace.answer.citations) <= shown


def test_a_question_without_a_good_passage_is_refused_before_generation():
    trace = answered("Which orchestra plays at the opera tonight?")
    assert trace.answer.refused
    assert trace.answer.text == REFUSAL
    assert trace.answer.refusal_reason.startswith("answerability:")
    assert "generate" not in trace.seconds


def test_without_a_threshold_the_generator_decides():
    trace = answered("How far does the gateway reach?", pipeline(answerability=NeverRefuse()))
    assert not trace.answer.refused


def test_a_tenant_sees_its_own_contract_and_not_the_others():
    trace = answered("What does a soil probe battery cost?", persona="northwind")
    seen = {name for ranking in trace.stations().values() for name in documents_of(ranking)}
    assert "north.md" in seen
    assert "south.md" not in seen


def test_an_asker_without_a_tenant_sees_no_contract():
    trace = answered("What does a soil probe battery cost?")
    assert not {"north.md", "south.md"} & {name for ranking in trace.stations().values() for name in documents_of(ranking)}


@pytest.mark.parametrize(("as_of", "seen", "hidden"), [("", "new.md", "old.md"), ("2024-06-01", "old.md", "new.md")])
def test_only_the_version_valid_on_the_day_is_found(as_of, seen, hidden):
    trace = answered("How long are readings kept by the firmware?", as_of=as_of)
    found = {name for ranking in trace.stations().values() for name in documents_of(ranking)}
    assert seen in found
    assert hidden not in found


def test_a_single_retriever_is_not_fused():
    trace = answered("How far does the gateway reach?", pipeline(retrievers={"bm25": BM25()}))
    assert trace.fused == trace.retrieved["bm25"]


def test_without_a_reranker_the_fused_order_stands():
    trace = answered("How far does the gateway reach?", pipeline(reranker=NoReranker(), answerability=NeverRefuse()))
    assert trace.reranked == trace.fused.top(4)


def test_a_retrieval_only_run_answers_nothing():
    trace = answered("How far does the gateway reach?", pipeline(generator=None))
    assert trace.answer is None
    assert trace.assessment is None


def test_the_same_question_leaves_the_same_trace():
    system = pipeline().index(DOCUMENTS, as_of="2026-01-01")
    first, second = (system.answer(question(text="How far does the gateway reach?")) for _ in range(2))
    assert first.stations() == second.stations()
    assert first.answer == second.answer


def test_index_statistics_count_documents_and_chunks():
    statistics = pipeline().index(DOCUMENTS).statistics
    assert statistics["documents"] == 7
    assert statistics["chunks"] >= 7
    assert 0 < statistics["mean_chunk_tokens"] <= statistics["max_chunk_tokens"]


@dataclass(frozen=True)
class AsksForIts:
    """A question per chunk, made of its first word."""

    identity = "first word"

    def questions(self, chunk):
        return [f"What about {chunk.text.split()[0]}?"]


def test_questions_stand_with_the_chunk_that_answers_them():
    chunks = pipeline(doc2query=AsksForIts()).chunks(DOCUMENTS[:2])
    assert [chunk.questions for chunk in chunks] == [("What about The?",), ("What about The?",)]


def test_where_only_sentences_are_searched_the_first_one_holds_the_questions_of_its_window():
    chunks = pipeline(doc2query=AsksForIts(), chunker=SentenceWindow()).chunks(DOCUMENTS[:1])
    window, first, second = chunks
    assert (window.questions, first.questions, second.questions) == ((), ("What about The?",), ())


class Hides:
    """A chunker of somebody else that leaves a chunk unsearched, with nothing that leads to it."""

    def chunk(self, document):
        return [replace(item, searched=False) for item in Recursive().chunk(document)]


@pytest.mark.parametrize("writer", [None, AsksForIts()])
def test_a_chunk_that_could_never_be_found_is_an_error_that_names_chunker_and_document(writer):
    with pytest.raises(StageError, match=rf"chunker Hides .* '{DOCUMENTS[0].doc_id}', line"):
        pipeline(doc2query=writer, chunker=Hides()).chunks(DOCUMENTS[:1])


def test_what_is_found_by_a_sentence_is_shown_with_its_neighbours():
    trace = answered("How long do the cells last?", pipeline(chunker=SentenceWindow()))
    assert trace.reranked.hits[0].chunk.text == DOCUMENTS[0].text
    assert all(not hit.chunk.parent for ranking in trace.stations().values() for hit in ranking.hits)


def test_statistics_count_what_can_be_shown_and_what_is_searched():
    statistics = pipeline(chunker=SentenceWindow()).index(DOCUMENTS[:2]).statistics
    assert (statistics["documents"], statistics["chunks"], statistics["entries"]) == (2, 2, 3)


def test_a_document_that_was_withdrawn_is_not_found():
    documents = [*DOCUMENTS[:2], replace(DOCUMENTS[2], deleted_at="2025-12-01")]
    trace = pipeline().index(documents, as_of="2026-01-01").answer(question(text="How do I reset the gateway?"))
    assert "reset.md" not in {hit.chunk.span.doc_id for ranking in trace.stations().values() for hit in ranking.hits}


def test_a_corpus_without_a_chunk_is_an_error():
    with pytest.raises(CorpusError, match="give no chunk"):
        pipeline().index([document(text="  ")])


@pytest.mark.parametrize("depth", [(10, 20, 5), (50, 5, 8), (0, 0, 0)])
def test_a_step_cannot_pass_on_more_than_it_gets(depth):
    with pytest.raises(ValidationError):
        Depth(*depth)
