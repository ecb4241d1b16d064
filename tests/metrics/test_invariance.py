"""What must not change a number: how the evidence is listed, what documents are called, in which order equals stand."""

from collections.abc import Callable
from itertools import pairwise
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from harness.metrics.base import RankingMetric
from harness.metrics.catalog import RANKING
from harness.metrics.mrr import ReciprocalRank
from harness.metrics.ndcg import NDCG
from harness.metrics.precision import Redundancy, SpanIoU, SpanPrecision
from harness.metrics.recall import Recall, RecallAtBudget
from harness.metrics.success import Complete, Success
from harness.metrics.whole import WholeEvidence
from harness.types import Chunk, Evidence, Hit, Question, Ranking, Span, Trace
from tests.builders import chunk, trace
from tests.metrics.test_properties import chunks, depths, questions, taus, value

UNORDERED = (Recall, Success, Complete, SpanPrecision, SpanIoU, Redundancy, WholeEvidence)
few = settings(max_examples=60, deadline=None)
seeds = st.integers(0, 1_000)


def shuffled(items: tuple[object, ...] | list[Chunk], seed: int) -> list[object]:
    copy = list(items)
    Random(seed).shuffle(copy)
    return copy


def every(asked: Question, found: list[Chunk], k: int, tau: float) -> list[float]:
    return [value(kind(k, tau=tau), asked, found) for kind in RANKING]


def distinct(found: list[Chunk]) -> list[Chunk]:
    """Each chunk once, where it first stands."""
    return list({item.chunk_id: item for item in found}.values())


@given(questions, chunks, depths, taus, seeds)
@few
def test_the_order_of_groups_and_of_alternatives(asked: Question, found: list[Chunk], k: int, tau: float, seed: int) -> None:
    groups = [Evidence(tuple(shuffled(group.alternatives, seed))) for group in asked.evidence]  # type: ignore[arg-type]
    other = Question("q1", "?", evidence=tuple(shuffled(groups, seed)))  # type: ignore[arg-type]
    for one, two in zip(every(asked, found, k, tau), every(other, found, k, tau), strict=True):
        assert abs(one - two) < 1e-9


@given(questions, chunks, depths, taus)
@few
def test_an_alternative_that_is_listed_twice(asked: Question, found: list[Chunk], k: int, tau: float) -> None:
    doubled = tuple(Evidence(group.alternatives * 2) for group in asked.evidence)
    assert every(Question("q1", "?", evidence=doubled), found, k, tau) == every(asked, found, k, tau)


@given(questions, chunks, depths, taus, st.integers(1, 500))
@few
def test_a_preface_before_every_document(asked: Question, found: list[Chunk], k: int, tau: float, by: int) -> None:
    def moved(span: Span) -> Span:
        return Span(f"copy/{span.doc_id}", span.start + by, span.end + by)

    groups = tuple(Evidence(tuple(map(moved, group.alternatives))) for group in asked.evidence)
    later = [chunk(span.doc_id, span.start, span.end) for span in (moved(item.span) for item in found)]
    assert every(Question("q1", "?", evidence=groups), later, k, tau) == every(asked, found, k, tau)


@given(questions, chunks, taus, seeds)
@few
def test_the_order_within_the_first_k_where_only_their_union_counts(
    asked: Question, found: list[Chunk], tau: float, seed: int
) -> None:
    other: list[Chunk] = shuffled(found, seed)  # type: ignore[assignment]
    for kind in UNORDERED:
        assert value(kind(50, tau=tau), asked, other) == value(kind(50, tau=tau), asked, found)


@given(questions, chunks, depths, taus)
@few
def test_a_chunk_that_comes_again_with_a_lower_score(asked: Question, found: list[Chunk], k: int, tau: float) -> None:
    first = [Hit(item, float(len(found) - place)) for place, item in enumerate(found)]
    again = [Hit(item, -1.0 - place) for place, item in enumerate(found)]
    repeated = Trace("q1", reranked=Ranking.of([*first, *again]))
    for kind in RANKING:
        assert kind(k, tau=tau).score(asked, repeated).value == value(kind(k, tau=tau), asked, found)


@given(questions, chunks, depths, taus, seeds)
@few
def test_hits_of_equal_score_in_whatever_order_they_arrive(
    asked: Question, found: list[Chunk], k: int, tau: float, seed: int
) -> None:
    tied = [Hit(item, 1.0) for item in found]
    arrivals = [Trace("q1", reranked=Ranking.of(hits)) for hits in (tied, shuffled(tied, seed))]  # type: ignore[arg-type]
    for kind in RANKING:
        one, two = (kind(k, tau=tau).score(asked, left).value for left in arrivals)
        assert one == two


@given(questions, chunks, depths, taus)
@few
def test_chunks_beyond_the_depth(asked: Question, found: list[Chunk], k: int, tau: float) -> None:
    head = distinct(found)[:k]
    for kind in RANKING:
        if kind is not RecallAtBudget:
            assert value(kind(k, tau=tau), asked, found) == value(kind(k, tau=tau), asked, head)


def never_falls(make: Callable[[int], RankingMetric], asked: Question, found: list[Chunk]) -> bool:
    values = [value(make(k), asked, found) for k in range(1, 14)]
    return all(after >= before for before, after in pairwise(values))


@given(questions, chunks, taus)
@few
def test_looking_deeper_never_finds_less(asked: Question, found: list[Chunk], tau: float) -> None:
    for kind in (Recall, Success, Complete, ReciprocalRank, WholeEvidence):
        assert never_falls(lambda k, kind=kind: kind(k, tau=tau), asked, found)  # type: ignore[misc]


@given(questions, chunks, taus)
@few
def test_a_larger_budget_never_finds_less_and_an_endless_one_finds_what_there_is(
    asked: Question, found: list[Chunk], tau: float
) -> None:
    assert never_falls(lambda k: RecallAtBudget(10 * k, tau=tau), asked, found)
    assert value(RecallAtBudget(10_000, tau=tau), asked, found) == value(Recall(10_000, tau=tau), asked, found)


@given(questions, chunks, taus)
@few
def test_noise_on_top_never_helps(asked: Question, found: list[Chunk], tau: float) -> None:
    for kind in (Recall, Success, Complete, ReciprocalRank, NDCG, WholeEvidence):
        assert value(kind(5, tau=tau), asked, [chunk("noise", 0, 9), *found]) <= value(kind(5, tau=tau), asked, found) + 1e-12


@given(questions, taus)
@few
def test_all_evidence_in_single_chunks_at_the_top_is_perfect(asked: Question, tau: float) -> None:
    gold = [group.alternatives[0] for group in asked.evidence]
    left = trace("q1", *(chunk(span.doc_id, span.start, span.end) for span in gold))
    for kind in (Recall, Success, Complete, ReciprocalRank, WholeEvidence, SpanPrecision):
        assert kind(10, tau=tau).score(asked, left).value == 1
