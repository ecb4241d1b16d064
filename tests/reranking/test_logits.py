import math

import pytest

from harness.reranking.lexical import Lexical
from harness.reranking.logits import Logits, logit
from tests.builders import ranking
from tests.contracts.reranker import BANANA, BERLIN, PARIS, QUERY, RerankerContract


class TestLogits(RerankerContract):
    @pytest.fixture
    def reranker(self) -> Logits:
        return Logits(Lexical())


@pytest.mark.parametrize(("probability", "expected"), [(0.5, 0.0), (0.75, math.log(3)), (0.25, -math.log(3))])
def test_a_logit_is_the_logarithm_of_the_odds(probability: float, expected: float) -> None:
    assert logit(probability) == pytest.approx(expected)


def test_the_ends_are_finite() -> None:
    assert logit(0.0) == pytest.approx(-34.5, abs=0.1)
    assert logit(1.0) == pytest.approx(34.5, abs=0.1)


def test_the_order_stays_and_the_scores_are_declared_to_be_logits() -> None:
    given = ranking(BANANA, BERLIN, PARIS)
    found = Logits(Lexical()).rerank(QUERY, given)
    assert [hit.chunk for hit in found.hits] == [hit.chunk for hit in Lexical().rerank(QUERY, given).hits]
    assert (Logits(Lexical()).calibrated, Logits(Lexical()).scale) == (False, "logits")
