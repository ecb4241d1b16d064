"""What holds for any ranking: nothing above 1, and repetition never pays."""

from hypothesis import given, settings
from hypothesis import strategies as st

from harness.metrics.base import RankingMetric
from harness.metrics.mrr import ReciprocalRank
from harness.metrics.ndcg import NDCG
from harness.metrics.precision import Redundancy, SpanIoU, SpanPrecision
from harness.metrics.recall import Recall
from harness.metrics.success import Complete, Success
from harness.metrics.whole import WholeEvidence
from harness.types import Chunk, Evidence, Question, Span
from tests.builders import chunk, ranking, trace

KINDS = (Recall, Success, Complete, ReciprocalRank, NDCG, SpanPrecision, SpanIoU, Redundancy, WholeEvidence)

spans = st.builds(
    lambda doc, start, size: Span(doc, start, start + size), st.sampled_from("abc"), st.integers(0, 40), st.integers(1, 30)
)
groups = st.lists(spans, min_size=1, max_size=3).map(lambda items: Evidence(tuple(items)))
questions = st.lists(groups, min_size=1, max_size=4).map(lambda items: Question("q1", "?", evidence=tuple(items)))
chunks = st.lists(spans.map(lambda span: chunk(span.doc_id, span.start, span.end)), max_size=12)
depths = st.integers(1, 12)
taus = st.sampled_from([0.1, 0.5, 0.9, 1.0])


def value(metric: RankingMetric, asked: Question, found: list[Chunk]) -> float:
    score = metric.score(asked, trace("q1", *found))
    assert score.value is not None
    return score.value


@given(questions, chunks, depths, taus)
@settings(max_examples=150, deadline=None)
def test_every_metric_lies_between_0_and_1_whatever_overlaps(asked: Question, found: list[Chunk], k: int, tau: float) -> None:
    for kind in KINDS:
        assert 0.0 <= value(kind(k, tau=tau), asked, found) <= 1.0


@given(questions, chunks, depths, taus)
@settings(max_examples=100, deadline=None)
def test_recall_never_falls_with_depth_and_never_with_a_smaller_tau(
    asked: Question, found: list[Chunk], k: int, tau: float
) -> None:
    assert value(Recall(k, tau=tau), asked, found) <= value(Recall(k + 1, tau=tau), asked, found)
    assert value(Recall(k, tau=tau), asked, found) <= value(Recall(k, tau=tau / 2), asked, found)


@given(questions, chunks, taus)
@settings(max_examples=100, deadline=None)
def test_adding_copies_of_what_was_retrieved_changes_nothing(asked: Question, found: list[Chunk], tau: float) -> None:
    for kind in (Recall, Success, Complete, ReciprocalRank, NDCG, SpanPrecision, SpanIoU, WholeEvidence):
        assert value(kind(50, tau=tau), asked, [*found, *found]) == value(kind(50, tau=tau), asked, found)


@given(questions, chunks, taus)
@settings(max_examples=100, deadline=None)
def test_a_piece_of_a_retrieved_chunk_finds_nothing_new(asked: Question, found: list[Chunk], tau: float) -> None:
    pieces = [chunk(item.span.doc_id, item.span.start, (item.span.start + item.span.end + 1) // 2) for item in found]
    for kind in (Recall, Success, Complete, NDCG):
        assert value(kind(50, tau=tau), asked, [*found, *pieces]) == value(kind(50, tau=tau), asked, found)


@given(questions, chunks, depths, taus)
@settings(max_examples=100, deadline=None)
def test_the_families_agree_with_each_other(asked: Question, found: list[Chunk], k: int, tau: float) -> None:
    recall = value(Recall(k, tau=tau), asked, found)
    assert value(Success(k, tau=tau), asked, found) == (recall > 0)
    assert value(Complete(k, tau=tau), asked, found) == (recall == 1)
    assert (value(ReciprocalRank(k, tau=tau), asked, found) > 0) == (recall > 0)
    assert value(WholeEvidence(k, tau=tau), asked, found) <= recall


@given(questions, chunks, taus)
@settings(max_examples=100, deadline=None)
def test_recall_equals_counting_characters_one_by_one(asked: Question, found: list[Chunk], tau: float) -> None:
    first = ranking_order(found)[:5]
    seen = {(item.span.doc_id, place) for item in first for place in range(item.span.start, item.span.end)}

    def covered(span: Span) -> bool:
        inside = sum((span.doc_id, place) in seen for place in range(span.start, span.end))
        return inside >= 1 and inside / len(span) >= tau - 1e-9

    expected = [any(covered(span) for span in group.alternatives) for group in asked.evidence]
    assert value(Recall(5, tau=tau), asked, found) == sum(expected) / len(expected)


def ranking_order(found: list[Chunk]) -> list[Chunk]:
    """The chunks as a ranking keeps them: each once, where it first stands."""
    return [hit.chunk for hit in ranking(*found).hits]
