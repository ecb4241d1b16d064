"""What every ranking metric has in common: ids, titles, stations and settings."""

import pytest

from harness.metrics.base import RankingMetric, station_title, without_evidence
from harness.metrics.catalog import BUDGET, RANKING, describe
from harness.metrics.recall import Recall
from harness.types import State, Trace
from tests.builders import chunk, question, ranking

GOLD, NOISE = chunk("a", 0, 10), chunk("z", 0, 10)
ASKED = question(evidence=[[("a", 0, 10)]])


@pytest.mark.parametrize(
    ("station", "name", "title"),
    [
        ("reranked", "recall_at_3", "Recall@3"),
        ("bm25", "bm25/recall_at_3", "Recall@3 (bm25)"),
        ("fused", "fused/recall_at_3", "Recall@3 (fused)"),
        ("context", "context/recall_at_3", "Recall@3 (context)"),
        ("my-retriever", "my-retriever/recall_at_3", "Recall@3 (my-retriever)"),
    ],
)
def test_only_the_headline_station_has_no_prefix(station: str, name: str, title: str) -> None:
    metric = Recall(3, station)
    assert (metric.name, metric.title) == (name, title)
    assert describe(name).title == title


@pytest.mark.parametrize("kind", RANKING, ids=lambda kind: f"{kind.family}{kind.separator}")
@pytest.mark.parametrize("station", ["reranked", "dense"])
def test_the_id_of_every_ranking_metric_is_known_to_the_catalog(kind: type[RankingMetric], station: str) -> None:
    metric = kind(BUDGET, station)
    found = describe(metric.name)
    assert (found.title, found.formula, found.higher_is_better) == (metric.title, kind.formula, kind.higher_is_better)
    assert (found.low, found.high, found.deterministic) == (0.0, 1.0, True)


def test_a_loss_has_an_address() -> None:
    left = Trace(
        "q1",
        retrieved={"bm25": ranking(NOISE, GOLD)},
        fused=ranking(GOLD, NOISE),
        reranked=ranking(NOISE, GOLD),
        context=ranking(NOISE),
    )
    values = {station: Recall(1, station).score(ASKED, left).value for station in ("bm25", "fused", "reranked", "context")}
    assert values == {"bm25": 0, "fused": 1, "reranked": 0, "context": 0}


@pytest.mark.parametrize("kind", RANKING, ids=lambda kind: f"{kind.family}{kind.separator}")
def test_a_trace_without_the_station_is_skipped_and_never_0(kind: type[RankingMetric]) -> None:
    score = kind(5, "splade").score(ASKED, Trace("q1", reranked=ranking(GOLD)))
    assert (score.state, score.value) == (State.SKIPPED, None)
    assert score.reason == "the trace has no station 'splade'"


@pytest.mark.parametrize("kind", RANKING, ids=lambda kind: f"{kind.family}{kind.separator}")
@pytest.mark.parametrize(
    "wrong", [{"k": 0}, {"k": 10_001}, {"k": 5, "tau": 0}, {"k": 5, "tau": 1.01}, {"k": 5, "tau": float("nan")}]
)
def test_a_depth_or_threshold_that_means_nothing_is_refused(kind: type[RankingMetric], wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=list(wrong)[-1]):
        kind(**wrong)  # type: ignore[arg-type]


def test_why_there_is_nothing_to_find() -> None:
    assert without_evidence(question(answerable=False, evidence=[[("a", 0, 1)]])) == "unanswerable: there is nothing to find"
    assert without_evidence(question()) == "the question has no evidence"
    assert without_evidence(ASKED) == ""


def test_a_title_names_its_station_only_when_there_is_one() -> None:
    assert (station_title("MRR@10", ""), station_title("MRR@10", "dense")) == ("MRR@10", "MRR@10 (dense)")
