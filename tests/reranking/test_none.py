import pytest

from harness.reranking.none import NoReranker
from tests.builders import ranking
from tests.contracts.reranker import BANANA, PARIS, QUERY, RerankerContract


class TestNoReranker(RerankerContract):
    @pytest.fixture
    def reranker(self) -> NoReranker:
        return NoReranker()


def test_the_ranking_comes_back_with_its_order_and_scores() -> None:
    given = ranking(BANANA, PARIS)
    assert NoReranker().rerank(QUERY, given) is given


def test_its_scores_mean_nothing_to_a_threshold() -> None:
    assert NoReranker().calibrated is False
