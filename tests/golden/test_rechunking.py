"""Labels survive re-chunking: fernhill cut by every chunker, from 128 to 2,048 tokens."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import pytest
import pytrec_eval

from harness.chunking.fixed import Fixed
from harness.chunking.markdown import Markdown
from harness.chunking.recursive import Recursive
from harness.embedding.hashing import Hashing
from harness.golden.evidence import whole
from harness.golden.golden_set import GoldenSet, load
from harness.golden.unreachable import unreachable
from harness.metrics.mrr import ReciprocalRank
from harness.metrics.ndcg import NDCG
from harness.metrics.recall import Recall
from harness.metrics.success import Success
from harness.metrics.trec import qrels, run
from harness.protocols import Chunker
from harness.retrieval.filters import visible
from harness.retrieval.sparse import BM25
from harness.types import Chunk, Evidence, Query, Question, Ranking, Trace
from tests.golden.public import ROOT

SIZES = (128, 256, 512, 1024, 2048)
CHARACTERS_PER_TOKEN = 4
CHUNKERS: list[Chunker] = [
    *(Markdown(size=size) for size in SIZES),
    *(Recursive(size=size) for size in SIZES),
    *(Fixed(size=size * CHARACTERS_PER_TOKEN) for size in SIZES),
]


@cache
def fernhill() -> GoldenSet:
    return load(ROOT / "golden_sets" / "fernhill")


def cut(chunker: Chunker) -> list[Chunk]:
    return [chunk for document in fernhill().documents for chunk in chunker.chunk(document)]


def rankings(chunks: Sequence[Chunk], questions: Sequence[Question], k: int) -> list[Ranking]:
    """BM25 over what each asker may see."""
    golden = fernhill()
    queries = [
        Query(question.text, allowed=visible(golden.documents, question.persona, question.as_of or golden.as_of))
        for question in questions
    ]
    return BM25().index(chunks, Hashing()).search(queries, k)


@pytest.mark.parametrize("chunker", CHUNKERS, ids=repr)
def test_every_evidence_is_found_in_the_chunks_of_any_chunker_and_size(chunker: Chunker) -> None:
    assert unreachable(fernhill(), cut(chunker), fernhill().coverage) == []


@pytest.mark.parametrize("chunker", CHUNKERS, ids=repr)
def test_recall_lies_between_0_and_1_and_never_falls_with_depth(chunker: Chunker) -> None:
    questions = [question for question in fernhill().questions if question.answerable]
    traces = [
        Trace(question.question_id, reranked=ranking)
        for question, ranking in zip(questions, rankings(cut(chunker), questions, 50), strict=True)
    ]
    for question, trace in zip(questions, traces, strict=True):
        values = [Recall(k).score(question, trace).value for k in (1, 3, 5, 10, 50)]
        numbers = [value for value in values if value is not None]
        assert len(numbers) == 5
        assert numbers == sorted(numbers)
        assert 0 <= numbers[0] <= numbers[-1] <= 1


def by_document(question: Question) -> Question:
    """The same question when whole documents are judged: each that holds evidence is needed."""
    texts = {document.doc_id: document for document in fernhill().documents}
    names = sorted({span.doc_id for evidence in question.evidence for span in evidence.alternatives})
    return replace(question, evidence=tuple(Evidence((whole(texts[name]),)) for name in names))


def test_with_one_chunk_per_document_the_numbers_are_those_of_trec_eval() -> None:
    chunks = [Chunk(whole(document), document.text.strip(), title=document.title) for document in fernhill().documents]
    questions = [by_document(question) for question in fernhill().questions if question.answerable]
    found = rankings(chunks, questions, 100)
    traces = [Trace(question.question_id, reranked=ranking) for question, ranking in zip(questions, found, strict=True)]
    measures = {"recall.1,5,10", "success.1,5,10", "ndcg_cut.5,10", "recip_rank"}
    scored = pytrec_eval.RelevanceEvaluator(qrels(questions), measures).evaluate(run(traces))
    ours = {
        **{f"recall_{k}": Recall(k) for k in (1, 5, 10)},
        **{f"success_{k}": Success(k) for k in (1, 5, 10)},
        **{f"ndcg_cut_{k}": NDCG(k) for k in (5, 10)},
        "recip_rank": ReciprocalRank(100),
    }
    assert len(scored) >= 100
    for question, trace in zip(questions, traces, strict=True):
        if question.question_id in scored:
            theirs = scored[question.question_id]
            assert {name: metric.score(question, trace).value for name, metric in ours.items()} == pytest.approx(
                {name: theirs[name] for name in ours}
            )
