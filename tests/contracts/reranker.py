"""What every reranker must do. Subclass it and give the fixture `reranker`; scoring ones take the second class too."""

import pytest

from harness.protocols import PassageScorer, Reranker
from harness.types import Query, Ranking
from tests.builders import chunk, ranking

PARIS, BERLIN, BANANA = (
    chunk("paris.md", text="Paris is the capital of France."),
    chunk("berlin.md", text="Berlin is the capital of Germany."),
    chunk("banana.md", text="Bananas are yellow."),
)
QUERY = Query("What is the capital of France?")


class RerankerContract:
    def test_it_returns_the_same_chunks(self, reranker: Reranker) -> None:
        given = ranking(BANANA, BERLIN, PARIS)
        assert {hit.chunk for hit in reranker.rerank(QUERY, given).hits} == {PARIS, BERLIN, BANANA}

    def test_nothing_stays_nothing(self, reranker: Reranker) -> None:
        assert reranker.rerank(QUERY, Ranking()) == Ranking()

    def test_the_same_ranking_gives_the_same_result(self, reranker: Reranker) -> None:
        given = ranking(BANANA, BERLIN, PARIS)
        assert reranker.rerank(QUERY, given) == reranker.rerank(QUERY, given)

    def test_calibrated_scores_lie_in_zero_to_one(self, reranker: Reranker) -> None:
        scores = [hit.score for hit in reranker.rerank(QUERY, ranking(BANANA, BERLIN, PARIS)).hits]
        assert not reranker.calibrated or all(0 <= score <= 1 for score in scores)


class ScoringRerankerContract(RerankerContract):
    @pytest.fixture
    def scorer(self, reranker: PassageScorer) -> PassageScorer:
        return reranker

    def test_the_passage_that_answers_comes_first_and_the_stranger_last(self, reranker: Reranker) -> None:
        assert [hit.chunk for hit in reranker.rerank(QUERY, ranking(BANANA, BERLIN, PARIS)).hits] == [PARIS, BERLIN, BANANA]

    def test_the_order_given_does_not_matter(self, reranker: Reranker) -> None:
        assert reranker.rerank(QUERY, ranking(BANANA, BERLIN, PARIS)) == reranker.rerank(QUERY, ranking(PARIS, BANANA, BERLIN))

    def test_reranking_is_ordering_by_the_pair_scores(self, reranker: Reranker, scorer: PassageScorer) -> None:
        result = reranker.rerank(QUERY, ranking(BANANA, BERLIN, PARIS))
        assert [hit.score for hit in result.hits] == scorer.scores(QUERY.text, [hit.chunk.text for hit in result.hits])

    def test_a_pairs_score_does_not_depend_on_its_neighbours(self, scorer: PassageScorer) -> None:
        texts = [PARIS.text, BERLIN.text * 20, BANANA.text]
        assert scorer.scores(QUERY.text, texts) == [scorer.scores(QUERY.text, [text])[0] for text in texts]

    def test_an_empty_passage_or_query_has_a_score(self, scorer: PassageScorer) -> None:
        assert all(0 <= score <= 1 for score in scorer.scores(QUERY.text, [""]) + scorer.scores("", [PARIS.text]))

    def test_no_passages_give_no_scores(self, scorer: PassageScorer) -> None:
        assert scorer.scores(QUERY.text, []) == []

    def test_the_heading_is_read(self, reranker: Reranker) -> None:
        plain, titled = chunk("a.md", text="It is its capital."), chunk("b.md", text="It is its capital.", title="Paris, France")
        assert reranker.rerank(QUERY, ranking(plain, titled)).hits[0].chunk == titled

    def test_it_has_an_identity(self, scorer: PassageScorer) -> None:
        assert scorer.identity
