"""Metrics of one station scored together are what each of them says alone."""

from dataclasses import dataclass
from typing import ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.metrics.base import Measure, RankingMetric, Together, together
from harness.metrics.catalog import RANKING, default_metrics
from harness.metrics.coverage import NEVER, find
from harness.metrics.ndcg import NDCG
from harness.metrics.recall import Recall, RecallAtBudget
from harness.types import Chunk, Evidence, Question, Ranking, Score, Span, State, Trace
from tests.builders import chunk, question, ranking, trace
from tests.metrics.lines import asked, chunks

spans = st.builds(
    lambda doc, start, size: Span(doc, start, start + size), st.sampled_from("abc"), st.integers(0, 40), st.integers(1, 30)
)
evidence = st.lists(st.lists(spans, min_size=1, max_size=3).map(tuple).map(Evidence), min_size=1, max_size=4).map(tuple)
rankings = st.lists(spans.map(lambda span: chunk(span.doc_id, span.start, span.end)), max_size=12)


@given(evidence, rankings, st.sampled_from([0.1, 0.5, 0.9, 1.0]))
@settings(max_examples=150, deadline=None)
def test_scored_together_is_scored_alone(groups: tuple[Evidence, ...], found: list[Chunk], tau: float) -> None:
    metrics = [kind(k, tau=tau) for kind in RANKING for k in (1, 3, 7)]
    item, left = Question("q1", "?", evidence=groups), trace("q1", *found)
    assert Together(metrics).score_all(item, left) == [metric.score(item, left) for metric in metrics]


def test_what_lies_deeper_than_k_does_not_change_the_last_digit_of_ndcg_at_k() -> None:
    groups = tuple(Evidence((Span(*span),)) for span in (("a", 0, 1), ("b", 0, 21), ("b", 1, 2)))
    found = [chunk("a", 0, 1), chunk("a", 0, 2), chunk("b", 0, 1), chunk("b", 0, 2)]
    item, left = Question("q1", "?", evidence=groups), trace("q1", *found)
    metrics = [NDCG(k, tau=0.1) for k in (1, 3, 7)]
    assert Together(metrics).score_all(item, left) == [metric.score(item, left) for metric in metrics]


@given(evidence, rankings, st.integers(1, 12))
@settings(max_examples=150, deadline=None)
def test_hits_beyond_the_depth_change_nothing_before_it(groups: tuple[Evidence, ...], found: list[Chunk], depth: int) -> None:
    whole, cut = find(groups, ranking(*found), 0.9), find(groups, ranking(*found), 0.9, depth)
    assert cut.ranks == tuple(rank if rank <= depth else NEVER for rank in whole.ranks)
    assert cut.whole == tuple(rank if rank <= depth else NEVER for rank in whole.whole)
    assert cut.gains == tuple(pair for pair in whole.gains if pair[0] <= depth)
    assert [cut.share(k) for k in range(1, depth + 1)] == [whole.share(k) for k in range(1, depth + 1)]


@given(evidence, rankings, st.sampled_from([0.3, 0.9, 1.0]))
@settings(max_examples=150, deadline=None)
def test_ranks_are_those_of_counting_characters_hit_by_hit(groups: tuple[Evidence, ...], found: list[Chunk], tau: float) -> None:
    hits = [hit.chunk.span for hit in ranking(*found).hits]

    def covered(span: Span, k: int) -> bool:
        seen = {place for hit in hits[:k] if hit.doc_id == span.doc_id for place in range(hit.start, hit.end)}
        return len(seen & set(range(span.start, span.end))) >= max(1, tau * len(span) - 1e-9)

    expected = tuple(
        next((k for k in range(1, len(hits) + 1) if any(covered(span, k) for span in group.alternatives)), NEVER)
        for group in groups
    )
    assert find(groups, ranking(*found), tau).ranks == expected


def test_neighbours_of_one_station_and_one_tau_are_joined_in_their_order() -> None:
    metrics = [Recall(1), NDCG(3), Recall(1, tau=0.5), Recall(1, "fused"), Recall(3, "fused"), Recall(5)]
    parts = together(metrics)
    assert [part.names for part in parts if isinstance(part, Together)] == [
        ("recall_at_1", "ndcg_at_3"),
        ("recall_at_1",),
        ("fused/recall_at_1", "fused/recall_at_3"),
        ("recall_at_5",),
    ]


def test_what_a_run_computes_by_default_is_one_part_a_station() -> None:
    parts = together(default_metrics(["bm25", "fused", "reranked", "context"], generation=True))
    assert [part.station for part in parts if isinstance(part, Together)] == ["bm25", "fused", "reranked", "context"]


class Whim(Measure):
    """A user's own metric."""

    family: ClassVar[str] = "whim"

    def score(self, question: Question, trace: Trace) -> Score:
        return self.scored(question, 0.5)


@dataclass(frozen=True)
class Lenient(Recall):
    """A user's own ranking metric that scores questions without evidence too."""

    def score(self, question: Question, trace: Trace) -> Score:
        return self.scored(question, 1.0)


def test_a_count_that_a_users_ranking_metric_gives_becomes_a_number() -> None:
    class Found(Recall):
        def value(self, found: object) -> float:
            return True

    (score,) = Together([Found(1)]).score_all(asked("a:0-9"), trace("q1", chunk()))
    assert isinstance(score.value, float)


def test_a_metric_with_a_score_of_its_own_is_asked_by_itself() -> None:
    own, lenient = Whim(), Lenient(1)
    assert together([Recall(1), own, lenient])[1:] == [own, lenient]


def test_states_are_those_of_each_metric() -> None:
    metrics = [Recall(1, "splade"), NDCG(3, "splade")]
    for item, state in ((question("u", answerable=False), State.NOT_APPLICABLE), (asked("a:0-9"), State.SKIPPED)):
        scores = Together(metrics).score_all(item, trace(item.question_id, chunk()))
        assert [(score.metric, score.state) for score in scores] == [
            ("splade/recall_at_1", state),
            ("splade/ndcg_at_3", state),
        ]
        assert all(score.reason for score in scores)


def test_a_budget_of_tokens_may_reach_beyond_every_depth() -> None:
    hits = chunks("z:0-1 y:0-1 x:0-1 a:0-9")
    both = [Recall(1), RecallAtBudget(1_000)]
    scores = Together(both).score_all(asked("a:0-9"), trace("q1", *hits))
    assert [score.value for score in scores] == [0.0, 1.0]


@pytest.mark.parametrize("kind", RANKING)
def test_an_empty_ranking_is_scored(kind: type[RankingMetric]) -> None:
    (score,) = Together([kind(5)]).score_all(asked("a:0-9"), Trace("q1", reranked=Ranking()))
    assert (score.value, score.state) == (0.0, State.SCORED)
