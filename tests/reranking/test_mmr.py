import numpy as np
import pytest

from harness.embedding.hashing import Hashing
from harness.errors import ConfigError
from harness.reranking.lexical import Lexical
from harness.reranking.mmr import MMR, taken
from harness.reranking.none import NoReranker
from harness.types import Query
from tests.builders import chunk, ranking
from tests.contracts.reranker import RerankerContract

QUERY = Query("pump weight and price")
WEIGHT = chunk("weight.md", text="The pump weight is 12 kg.")
AGAIN = chunk("again.md", text="The pump weight is 12 kg!")
PRICE = chunk("price.md", text="Its price list: 300 euros.")
OTHER = chunk("other.md", text="A valve.")


class TestMMR(RerankerContract):
    @pytest.fixture
    def reranker(self) -> MMR:
        return MMR(Lexical(), Hashing(256))


def order(balance: float) -> list[str]:
    found = MMR(Lexical(), Hashing(256), balance).rerank(QUERY, ranking(WEIGHT, AGAIN, PRICE, OTHER))
    return [hit.chunk.span.doc_id for hit in found.hits]


def test_relevance_alone_repeats_itself_and_a_balance_does_not() -> None:
    assert sorted(order(1.0)[:2]) == ["again.md", "weight.md"]
    assert order(0.5)[1] == "price.md"


def test_by_hand() -> None:
    """
    relevance .9 .8 .5, likeness of 0 and 1 = 1, of 2 to both = 0, balance .5
    | second | .5 x relevance - .5 x likeness |
    | 1      | .40 - .50 = -.10               |
    | 2      | .25 - 0   =  .25               |
    """
    likeness = np.array([[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    assert taken(np.array([0.9, 0.8, 0.5]), likeness, 0.5) == [0, 2, 1]
    assert taken(np.array([0.9, 0.8, 0.5]), likeness, 0.9) == [0, 1, 2]


def test_the_best_passage_keeps_its_score_so_that_a_threshold_means_what_it_did() -> None:
    given = ranking(WEIGHT, AGAIN, PRICE, OTHER)
    found, plain = MMR(Lexical(), Hashing(256), 0.5).rerank(QUERY, given), Lexical().rerank(QUERY, given)
    assert found.hits[0].score == plain.hits[0].score
    scores = [hit.score for hit in found.hits if hit.score]
    assert scores == sorted(set(scores), reverse=True)


def test_a_reranker_without_scores_in_zero_to_one_is_refused_by_name() -> None:
    with pytest.raises(ConfigError, match="NoReranker gives none"):
        MMR(NoReranker(), Hashing())
