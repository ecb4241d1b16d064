import pytest
from pydantic import ValidationError

from harness.fusion import ReciprocalRankFusion
from harness.types import Hit, Ranking
from tests.builders import ranking
from tests.contracts.fuser import A, B, C, D, FuserContract


class TestReciprocalRankFusion(FuserContract):
    @pytest.fixture
    def fuser(self) -> ReciprocalRankFusion:
        return ReciprocalRankFusion()


def fused(*rankings: Ranking, k: int = 60) -> dict[str, float]:
    return {hit.chunk.span.doc_id: hit.score for hit in ReciprocalRankFusion(k=k).fuse(rankings).hits}


def test_scores_by_hand() -> None:
    """
    | chunk | rank in 1 | rank in 2 | score                  |
    |-------|-----------|-----------|------------------------|
    | a     | 1         | 3         | 1/61 + 1/63 = 0.032266 |
    | b     | 2         | 1         | 1/62 + 1/61 = 0.032522 |
    | c     | 3         | -         | 1/63 = 0.015873        |
    | d     | -         | 2         | 1/62 = 0.016129        |
    """
    scores = fused(ranking(A, B, C), ranking(B, D, A))
    assert list(scores) == ["b.md", "a.md", "d.md", "c.md"]
    assert scores == pytest.approx({"a.md": 0.03226646, "b.md": 0.03252247, "c.md": 0.01587302, "d.md": 0.01612903})


def test_ranks_count_from_one() -> None:
    assert fused(ranking(A, B), k=1) == {"a.md": 1 / 2, "b.md": 1 / 3}


def test_a_chunk_in_both_lists_beats_the_head_of_one() -> None:
    """Nothing is divided by the number of lists that hold a chunk."""
    assert next(iter(fused(ranking(A, B), ranking(C, B)))) == "b.md"


def test_scales_do_not_matter() -> None:
    loud = Ranking.of([Hit(A, 9000.0), Hit(B, 8999.0)])
    assert fused(loud, ranking(B, A)) == fused(ranking(A, B), ranking(B, A))


def test_mirrored_rankings_tie_exactly_and_go_by_chunk_id() -> None:
    result = ReciprocalRankFusion().fuse([ranking(A, B, C), ranking(B, C, A), ranking(C, A, B)])
    assert len({hit.score for hit in result.hits}) == 1
    assert [hit.chunk for hit in result.hits] == sorted([A, B, C], key=lambda item: item.chunk_id)


def test_two_equal_rankings_double_the_scores() -> None:
    assert fused(ranking(A, B), ranking(A, B)) == {"a.md": 2 / 61, "b.md": 2 / 62}


def test_a_small_k_favours_the_first_rank_and_a_large_one_agreement() -> None:
    lists = ranking(A, B), ranking(C, B), ranking(A, D)
    assert list(fused(*lists, k=1))[:2] == ["a.md", "b.md"]
    assert fused(*lists, k=1)["b.md"] / fused(*lists, k=1)["a.md"] < fused(*lists, k=60)["b.md"] / fused(*lists, k=60)["a.md"]


@pytest.mark.parametrize("k", [0, -1, "sixty", 1.5])
def test_a_bad_k_is_an_error_that_names_the_field(k: object) -> None:
    with pytest.raises(ValidationError, match=r"ReciprocalRankFusion\nk\n"):
        ReciprocalRankFusion(k=k)  # type: ignore[arg-type]


def test_an_unknown_field_is_an_error() -> None:
    with pytest.raises(ValidationError, match="weights"):
        ReciprocalRankFusion(weights=[1, 2])  # type: ignore[call-arg]
