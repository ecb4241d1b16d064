import pytest

from harness.reranking.lexical import Lexical
from tests.contracts.reranker import ScoringRerankerContract


class TestLexical(ScoringRerankerContract):
    @pytest.fixture
    def reranker(self) -> Lexical:
        return Lexical()


@pytest.mark.parametrize(
    ("query", "passage", "score"),
    [
        ("red pumps", "The red pump.", 1.0),
        ("red pump", "A red valve, red as a rose.", 0.5),
        ("red red pump", "A red valve.", 0.5),
        ("red pump of the year", "The yearly red one.", 2 / 3),
        ("FH-4410-B", "Model FH-4410-C", 0.5),
        ("k=60", "with k = 60", 1.0),
        ("red pump", "", 0.0),
        ("to be or not to be", "to be or not to be", 0.0),
        ("", "red pump", 0.0),
    ],
)
def test_the_score_is_the_share_of_query_terms_in_the_passage(query: str, passage: str, score: float) -> None:
    assert Lexical().scores(query, [passage]) == [pytest.approx(score)]


def test_it_is_calibrated_so_that_a_threshold_means_a_share() -> None:
    assert Lexical().calibrated is True
