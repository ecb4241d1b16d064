"""Ranking metrics on hand-made rankings: every number can be checked in the head."""

from math import log2

import pytest

from harness.metrics.base import RankingMetric
from harness.metrics.coverage import NEVER, find, overlap, union
from harness.metrics.mrr import ReciprocalRank
from harness.metrics.ndcg import NDCG
from harness.metrics.precision import Redundancy, SpanIoU, SpanPrecision
from harness.metrics.recall import Recall, RecallAtBudget
from harness.metrics.success import Complete, Success
from harness.metrics.whole import WholeEvidence
from harness.types import Chunk, Question, Ranking, Span, State, Trace
from tests.builders import chunk, question, ranking, trace

Groups = list[list[tuple[str, int, int]]]

ONE: Groups = [[("a.md", 100, 200)]]
TWO: Groups = [[("a.md", 100, 200)], [("b.md", 0, 50)]]
EITHER: Groups = [[("a.md", 100, 200), ("c.md", 0, 100)]]
WHOLE = chunk("a.md", 100, 200)
LEFT, RIGHT = chunk("a.md", 50, 150), chunk("a.md", 140, 260)
NEAR = chunk("a.md", 110, 300)
B, C, NOISE = chunk("b.md", 0, 50), chunk("c.md", 0, 100), chunk("z.md", 0, 100)


def value(metric: RankingMetric, evidence: Groups, *chunks: Chunk) -> float | None:
    return metric.score(question(evidence=evidence), trace("q1", *chunks)).value


@pytest.mark.parametrize(
    ("evidence", "chunks", "k", "recall"),
    [
        (ONE, [WHOLE], 1, 1),
        (ONE, [NOISE, WHOLE], 1, 0),
        (ONE, [NOISE, WHOLE], 2, 1),
        (ONE, [LEFT], 5, 0),  # half of it
        (ONE, [LEFT, RIGHT], 2, 1),  # the union covers it
        (ONE, [NEAR], 1, 1),  # 90 of 100 characters are enough
        (TWO, [WHOLE, NOISE], 2, 0.5),
        (TWO, [WHOLE, B], 2, 1),
        (EITHER, [C], 1, 1),
        (EITHER, [C, WHOLE], 2, 1),
        (ONE, [], 5, 0),
    ],
)
def test_recall_counts_evidence_groups_covered_by_the_first_k_chunks(
    evidence: Groups, chunks: list[Chunk], k: int, recall: float
) -> None:
    assert value(Recall(k), evidence, *chunks) == recall


def test_tau_decides_how_much_of_a_span_is_enough() -> None:
    assert value(Recall(1, tau=0.9), ONE, NEAR) == 1
    assert value(Recall(1, tau=0.91), ONE, NEAR) == 0
    assert value(Recall(1, tau=1.0), ONE, NEAR) == 0


@pytest.mark.parametrize(("length", "tau", "need"), [(10, 0.7, 7), (30, 0.9, 27), (3, 0.1, 1), (7, 1.0, 7), (11, 0.9, 10)])
def test_a_share_that_is_a_whole_number_of_characters_is_not_missed_by_rounding(length: int, tau: float, need: int) -> None:
    evidence: Groups = [[("a.md", 0, length)]]
    assert value(Recall(1, tau=tau), evidence, chunk("a.md", 0, need)) == 1
    if need > 1:
        assert value(Recall(1, tau=tau), evidence, chunk("a.md", 0, need - 1)) == 0


def test_an_empty_span_is_never_found() -> None:
    assert value(Recall(1), [[("a.md", 5, 5)]], chunk("a.md", 0, 10)) == 0


def test_success_asks_for_any_and_complete_for_all_of_the_evidence() -> None:
    assert (value(Success(2), TWO, WHOLE, NOISE), value(Complete(2), TWO, WHOLE, NOISE)) == (1, 0)
    assert (value(Success(2), TWO, WHOLE, B), value(Complete(2), TWO, WHOLE, B)) == (1, 1)
    assert (value(Success(1), TWO, NOISE, B), value(Complete(1), TWO, NOISE, B)) == (0, 0)


@pytest.mark.parametrize(
    ("chunks", "reciprocal"),
    [([WHOLE], 1), ([NOISE, WHOLE], 1 / 2), ([LEFT, NOISE, RIGHT], 1 / 3), ([NOISE, B, WHOLE], 1 / 2), ([NOISE], 0), ([], 0)],
)
def test_reciprocal_rank_is_that_of_the_first_chunk_that_covers_or_completes_evidence(
    chunks: list[Chunk], reciprocal: float
) -> None:
    assert value(ReciprocalRank(10), TWO, *chunks) == reciprocal


def test_reciprocal_rank_ends_at_its_depth() -> None:
    assert value(ReciprocalRank(2), ONE, NOISE, B, WHOLE) == 0


IDEAL_2 = 1 + 1 / log2(3)


@pytest.mark.parametrize(
    ("evidence", "chunks", "k", "ndcg"),
    [
        (ONE, [WHOLE], 5, 1),
        (ONE, [NOISE, WHOLE], 5, 1 / log2(3)),
        (TWO, [WHOLE, B], 5, 1),
        (TWO, [WHOLE, NOISE, B], 5, (1 + 1 / log2(4)) / IDEAL_2),
        (TWO, [WHOLE, B], 1, 1),  # one rank can hold no more
        (ONE, [WHOLE, NEAR, LEFT], 5, 1),  # copies earn nothing
        (ONE, [LEFT, RIGHT], 5, 50 / 90 + (40 / 90) / log2(3)),  # 50 characters of the 90 needed, then the rest
        (ONE, [NOISE], 5, 0),
    ],
)
def test_ndcg_discounts_the_newly_covered_share_of_evidence(evidence: Groups, chunks: list[Chunk], k: int, ndcg: float) -> None:
    assert value(NDCG(k), evidence, *chunks) == pytest.approx(ndcg, abs=1e-12)


BOTH: Groups = [[("a.md", 0, 50)], [("a.md", 60, 100)]]
LARGE = chunk("a.md", 0, 200)


@pytest.mark.parametrize("k", [1, 2, 3, 10])
def test_a_chunk_that_holds_all_evidence_at_the_top_is_a_perfect_ranking_and_not_a_better_one(k: int) -> None:
    assert value(NDCG(k), BOTH, LARGE, NOISE) == 1
    assert value(NDCG(k), BOTH, LARGE) == 1


def test_a_chunk_that_holds_all_evidence_further_down_earns_what_it_earns_there() -> None:
    assert value(NDCG(5), BOTH, NOISE, LARGE) == pytest.approx(2 / log2(3) / IDEAL_2)
    assert value(NDCG(1), BOTH, NOISE, LARGE) == 0


def test_span_precision_is_the_share_of_retrieved_characters_that_are_evidence() -> None:
    assert value(SpanPrecision(1), ONE, WHOLE, NOISE) == 1
    assert value(SpanPrecision(2), ONE, WHOLE, NOISE) == 0.5
    assert value(SpanPrecision(2), ONE, LEFT, RIGHT) == 100 / 210  # 50..260, overlap once
    assert value(SpanPrecision(2), ONE) == 0


def test_span_iou_also_counts_evidence_that_was_missed() -> None:
    assert value(SpanIoU(5), ONE, LEFT) == 50 / 150
    assert value(SpanIoU(5), TWO, WHOLE) == 100 / 150
    assert value(SpanIoU(5), ONE) == 0


def test_redundancy_is_the_share_of_characters_seen_before() -> None:
    assert value(Redundancy(2), ONE, LEFT, RIGHT) == pytest.approx(1 - 210 / 220)
    assert value(Redundancy(2), ONE, WHOLE, B) == 0
    assert value(Redundancy(2), ONE) == 0


def test_whole_evidence_asks_for_one_chunk_where_recall_takes_the_union() -> None:
    assert (value(Recall(2), ONE, LEFT, RIGHT), value(WholeEvidence(2), ONE, LEFT, RIGHT)) == (1, 0)
    assert value(WholeEvidence(3), ONE, LEFT, RIGHT, WHOLE) == 1
    assert value(WholeEvidence(2), TWO, NEAR, NOISE) == 0.5


def test_recall_at_a_budget_takes_the_leading_chunks_that_fit() -> None:
    chunks = [chunk("z.md", 0, 11, text="one two six"), chunk("a.md", 100, 200, text="one two six")]  # 3 tokens each
    assert value(RecallAtBudget(5), ONE, *chunks) == 0
    assert value(RecallAtBudget(6), ONE, *chunks) == 1


EVERY = [kind(3) for kind in (Recall, Success, Complete, ReciprocalRank, NDCG, SpanPrecision, SpanIoU, Redundancy, WholeEvidence)]


@pytest.mark.parametrize("metric", EVERY, ids=lambda metric: metric.name)
@pytest.mark.parametrize(
    ("asked", "reason"), [(question(answerable=False), "unanswerable"), (question(evidence=[]), "no evidence")]
)
def test_without_evidence_a_ranking_metric_does_not_apply(metric: RankingMetric, asked: Question, reason: str) -> None:
    score = metric.score(asked, trace("q1", WHOLE))
    assert score.state is State.NOT_APPLICABLE
    assert reason in score.reason


def test_each_station_is_scored_by_itself() -> None:
    left = Trace("q1", retrieved={"bm25": ranking(WHOLE), "dense": ranking(NOISE)}, fused=ranking(NOISE, WHOLE))
    asked = question(evidence=ONE)
    found = {name: Recall(1, station=name).score(asked, left) for name in ("bm25", "dense", "fused", "reranked", "context")}
    assert {name: score.value for name, score in found.items()} == {
        "bm25": 1,
        "dense": 0,
        "fused": 0,
        "reranked": 0,
        "context": 0,
    }
    assert found["dense"].metric == "dense/recall_at_1"
    assert found["reranked"].metric == "recall_at_1"


def test_a_station_that_the_trace_lacks_is_skipped_and_named() -> None:
    score = Recall(1, station="splade").score(question(evidence=ONE), trace("q1", WHOLE))
    assert score.state is State.SKIPPED
    assert "'splade'" in score.reason


def test_one_pass_serves_every_depth_and_the_memory_of_it_is_never_stale() -> None:
    asked, other = question(evidence=ONE), question(evidence=TWO)
    first, second = trace("q1", WHOLE), trace("q1", NOISE, B)
    pairs = [(asked, first), (asked, second), (other, first), (other, second), (asked, first)]
    assert [Recall(2).score(*pair).value for pair in pairs] == [1, 0, 0.5, 0.5, 1]


def test_found_names_the_rank_of_each_group() -> None:
    found = find(question(evidence=[*TWO, [("n.md", 0, 9)]]).evidence, ranking(LEFT, B, RIGHT, WHOLE), 0.9)
    assert found.ranks == (3, 2, NEVER)
    assert found.whole == (4, 2, NEVER)
    assert [rank for rank, _ in found.gains] == [1, 2, 3]
    assert sum(gain for _, gain in found.gains) == pytest.approx(2)


def test_union_and_overlap_count_characters_once() -> None:
    spans = union([Span("a", 5, 9), Span("a", 0, 6), Span("b", 3, 4), Span("a", 9, 10), Span("b", 7, 7)])
    assert spans == [("a", 0, 10), ("b", 3, 4)]
    assert overlap(spans, [("a", 8, 12), ("b", 0, 9)]) == 3


@pytest.mark.parametrize("wrong", [{"k": 0}, {"k": 5, "tau": 0.0}, {"k": 5, "tau": 1.1}, {"k": 5, "depth": 3}])
def test_a_metric_that_means_nothing_cannot_be_made(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=r"k|tau|depth"):
        Recall(**wrong)  # type: ignore[arg-type]


def test_an_empty_ranking_is_zero_and_not_missing() -> None:
    score = Recall(5).score(question(evidence=ONE), Trace("q1", reranked=Ranking()))
    assert (score.value, score.state) == (0.0, State.SCORED)
