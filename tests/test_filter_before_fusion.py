"""Who may see what is decided before anything is ranked. Decided after fusion, the same pipeline turns the gate red."""

from dataclasses import replace
from pathlib import Path

import pytest

from harness.answerability.never import NeverRefuse
from harness.chunking.recursive import Recursive
from harness.context import TopPassages
from harness.embedding.hashing import Hashing
from harness.evaluation import ask, score
from harness.fusion import ReciprocalRankFusion
from harness.golden.golden_set import GoldenSet, load
from harness.metrics.catalog import default_metrics
from harness.pipeline import Depth, IndexedPipeline, Pipeline
from harness.reranking.none import NoReranker
from harness.resources import shipped_root
from harness.retrieval.dense import Dense
from harness.retrieval.filters import visible
from harness.retrieval.sparse import BM25
from harness.types import Outcome, Query, Question, Ranking, Trace
from tests.gates.records import gate, record

INVARIANTS = ("tenant_leaks", "superseded_hits", "deleted_hits")
STATIONS = ("bm25", "dense", "fused", "reranked", "context")


class FilteredAfterFusion(IndexedPipeline):
    """Deliberately wrong: ranks everything, then takes out of the fused ranking what the asker may not see."""

    def answer(self, question: Question) -> Trace:
        """No station from fusion on holds what is hidden: the answer looks the same as a right one's."""
        found = super().answer(question)
        allowed = visible(self.documents, question.persona, question.as_of or self.as_of)
        later = {name: _kept(getattr(found, name), allowed) for name in ("fused", "reranked", "context")}
        return replace(found, **later)

    def _queries(self, question: Question, clock: object) -> tuple[Question, tuple[Query, ...]]:
        asked, queries = super()._queries(question, clock)  # type: ignore[arg-type]
        return asked, tuple(replace(query, allowed=None, persona=None) for query in queries)


def _kept(ranking: Ranking, allowed: frozenset[str]) -> Ranking:
    return Ranking.of(hit for hit in ranking.hits if hit.chunk.span.doc_id in allowed)


@pytest.fixture(scope="module")
def golden() -> GoldenSet:
    return load(Path(shipped_root()) / "golden_sets" / "fernhill")


@pytest.fixture(scope="module")
def system(golden: GoldenSet) -> IndexedPipeline:
    return Pipeline(
        chunker=Recursive(),
        embedder=Hashing(512),
        retrievers={"bm25": BM25(), "dense": Dense()},
        fuser=ReciprocalRankFusion(),
        reranker=NoReranker(),
        context=TopPassages(),
        answerability=NeverRefuse(),
        depth=Depth(20, 10, 5),
    ).index(golden.documents, golden.as_of)


def counts(system: IndexedPipeline, golden: GoldenSet) -> dict[str, list[float]]:
    """Each invariant's count for each question."""
    metrics = [
        item
        for item in default_metrics(STATIONS, generation=False, documents=golden.documents, as_of=golden.as_of)
        if item.name in INVARIANTS
    ]
    answers = ask(system, golden.questions, {}, lambda _trace: None)
    assert not answers.failures
    found: dict[str, list[float]] = {name: [] for name in INVARIANTS}
    for item in score(golden.questions, answers, metrics):
        assert item.value is not None
        found[item.metric].append(item.value)
    return found


def outcomes(found: dict[str, list[float]]) -> dict[str, Outcome]:
    rules = [{"metric": name, "kind": "invariant"} for name in INVARIANTS]
    return {verdict.metric: verdict.outcome for verdict in gate(*rules).check(record(found), None)}  # type: ignore[arg-type]


def test_filtered_before_ranking_nobody_is_shown_what_is_hidden(system: IndexedPipeline, golden: GoldenSet) -> None:
    found = counts(system, golden)
    assert {name: sum(values) for name, values in found.items()} == dict.fromkeys(INVARIANTS, 0)
    assert set(outcomes(found).values()) == {Outcome.PASS}


def test_filtered_after_fusion_the_invariants_turn_red(system: IndexedPipeline, golden: GoldenSet) -> None:
    wrong = FilteredAfterFusion(system.recipe, system.documents, system.chunks, system.indexes, system.as_of)
    found = counts(wrong, golden)
    assert sum(found["tenant_leaks"]) > 100
    assert sum(found["superseded_hits"]) > 100
    assert {name: outcomes(found)[name] for name in INVARIANTS[:2]} == dict.fromkeys(INVARIANTS[:2], Outcome.REGRESSED)


def test_the_reason_names_the_document_and_the_retriever_that_gave_it(system: IndexedPipeline, golden: GoldenSet) -> None:
    """The wrong pipeline's context is clean; only the stations before it tell."""
    wrong = FilteredAfterFusion(system.recipe, system.documents, system.chunks, system.indexes, system.as_of)
    metrics = default_metrics(STATIONS, generation=False, documents=golden.documents, as_of=golden.as_of)
    (leaks,) = [item for item in metrics if item.name == "tenant_leaks"]
    scores = [leaks.score(question, wrong.answer(question)) for question in golden.questions[:40]]
    reasons = " ".join(item.reason for item in scores)
    assert "at bm25" in reasons or "at dense" in reasons
    assert "at context" not in reasons


def test_filtering_late_also_costs_places_that_allowed_documents_would_have_had(
    system: IndexedPipeline, golden: GoldenSet
) -> None:
    wrong = FilteredAfterFusion(system.recipe, system.documents, system.chunks, system.indexes, system.as_of)
    asked = [item for item in golden.questions if item.persona][:20]
    assert asked
    assert sum(len(wrong.answer(item).fused) for item in asked) < sum(len(system.answer(item).fused) for item in asked)
