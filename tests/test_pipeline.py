"""The order of the stages, on a small real corpus with real, model-free stages."""

import pytest
from pydantic import ValidationError

from harness.answerability import NeverRefuse, Threshold
from harness.chunking.recursive import Recursive
from harness.context import TopPassages
from harness.embedding.hashing import Hashing
from harness.errors import CorpusError
from harness.fusion import ReciprocalRankFusion
from harness.generation.extractive import Extractive
from harness.generation.verification import Verification
from harness.pipeline import Depth, Pipeline
from harness.querying.plain import Plain
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
        "hyde": Plain(),
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


def test_a_corpus_without_a_chunk_is_an_error():
    with pytest.raises(CorpusError, match="give no chunk"):
        pipeline().index([document(text="  ")])


@pytest.mark.parametrize("depth", [(10, 20, 5), (50, 5, 8), (0, 0, 0)])
def test_a_step_cannot_pass_on_more_than_it_gets(depth):
    with pytest.raises(ValidationError):
        Depth(*depth)
