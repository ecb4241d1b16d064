import math

import pytest
from pydantic import ValidationError

from harness.errors import ConfigError
from harness.reranking.calibrated import Calibrated
from harness.reranking.lexical import Lexical
from harness.types import Hit, Query, Ranking
from tests.builders import chunk, ranking
from tests.contracts.reranker import BANANA, BERLIN, PARIS, QUERY, RerankerContract

NAME = Lexical().identity
PLATT = Calibrated(Lexical(), NAME, slope=2.0, intercept=-1.0)
ISOTONIC = Calibrated(Lexical(), NAME, "isotonic", knots=[0.2, 0.5, 0.9], probabilities=[0.1, 0.1, 0.7])


class TestPlatt(RerankerContract):
    @pytest.fixture
    def reranker(self) -> Calibrated:
        return PLATT


class TestIsotonic(RerankerContract):
    @pytest.fixture
    def reranker(self) -> Calibrated:
        return ISOTONIC


def test_platt_by_hand() -> None:
    """score .5 has logit 0: 1 / (1 + e^1); score .75 has logit ln 3: 1 / (1 + e^-(2 ln 3 - 1)) = 1 / (1 + e / 9)."""
    assert PLATT.probability(0.5) == pytest.approx(1 / (1 + math.e))
    assert PLATT.probability(0.75) == pytest.approx(1 / (1 + math.e / 9))


@pytest.mark.parametrize(
    ("score", "probability"), [(0.0, 0.1), (0.2, 0.1), (0.35, 0.1), (0.5, 0.1), (0.7, 0.4), (0.9, 0.7), (1.0, 0.7)]
)
def test_isotonic_is_linear_between_its_knots_and_level_beyond(score: float, probability: float) -> None:
    assert ISOTONIC.probability(score) == pytest.approx(probability)


@pytest.mark.parametrize("reranker", [PLATT, ISOTONIC], ids=["platt", "isotonic"])
def test_the_order_stays_even_where_a_curve_is_level(reranker: Calibrated) -> None:
    given = ranking(BANANA, BERLIN, PARIS)
    inner = [hit.chunk for hit in Lexical().rerank(QUERY, given).hits]
    assert [hit.chunk for hit in reranker.rerank(QUERY, given).hits] == inner


class Given:
    """A reranker with these scores by document."""

    calibrated, identity = True, NAME

    def __init__(self, scores: dict[str, float]) -> None:
        self.scores = scores

    def rerank(self, query: Query, ranking: Ranking) -> Ranking:
        return Ranking.of(Hit(hit.chunk, self.scores[hit.chunk.span.doc_id]) for hit in ranking.hits)


SCORES = {"d1": 0.03, "d3": 0.9, "d5": 0.02, "d9": 0.04}


@pytest.mark.parametrize(
    "probabilities",
    [[0.0, 0.8], [0.0, 0.0, 0.8], [0.0, 1e-13], [1e-300, 0.8], [0.01, 0.8], [1.0, 1.0], [0.0, 0.0]],
    ids=str,
)
def test_the_inner_order_stays_on_every_plateau_that_of_probability_zero_included(probabilities: list[float]) -> None:
    curve = Calibrated(
        Given(SCORES), NAME, "isotonic", knots=[0.05, 0.9, 0.95][: len(probabilities)], probabilities=probabilities
    )
    found = curve.rerank(QUERY, ranking(*(chunk(doc) for doc in SCORES)))
    assert [hit.chunk.span.doc_id for hit in found.hits] == ["d3", "d9", "d1", "d5"]
    assert all(0 < hit.score <= 1 for hit in found.hits)
    assert len({hit.score for hit in found.hits}) == 4


def test_numbers_that_were_learned_with_another_reranker_are_found_before_anything_runs() -> None:
    PLATT.check()
    with pytest.raises(ConfigError, match="learned with 'another' and the reranker is 'lexical overlap of stems'"):
        Calibrated(Lexical(), "another").check()


@pytest.mark.parametrize(
    ("scores", "probabilities"),
    [([], []), ([0.5], [0.5]), ([0.5, 0.4], [0.1, 0.2]), ([0.1, 0.2], [0.5, 0.4]), ([0.1, 0.2], [0.5]), ([0.1, 0.2], [0.5, 1.5])],
)
def test_a_curve_that_is_none_is_refused(scores: list[float], probabilities: list[float]) -> None:
    with pytest.raises(ValidationError, match="two knots or more"):
        Calibrated(Lexical(), NAME, "isotonic", knots=scores, probabilities=probabilities)


def test_a_slope_that_would_turn_the_order_around_is_refused() -> None:
    with pytest.raises(ValidationError, match="slope"):
        Calibrated(Lexical(), NAME, slope=-1.0)
