import pytest
from pydantic import ValidationError

from harness.fusion import ReciprocalRankFusion, WeightedFusion, by_turns
from harness.types import Chunk, Hit, Ranking
from tests.builders import ranking
from tests.contracts.fuser import A, B, C, D, FuserContract, named


class TestReciprocalRankFusion(FuserContract):
    @pytest.fixture
    def fuser(self) -> ReciprocalRankFusion:
        return ReciprocalRankFusion()


def fused(*rankings: Ranking, k: int = 60) -> dict[str, float]:
    return {hit.chunk.span.doc_id: hit.score for hit in ReciprocalRankFusion(k=k).fuse(named(*rankings)).hits}


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
    result = ReciprocalRankFusion().fuse(named(ranking(A, B, C), ranking(B, C, A), ranking(C, A, B)))
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


class TestWeightedMinMax(FuserContract):
    @pytest.fixture
    def fuser(self) -> WeightedFusion:
        return WeightedFusion()


class TestWeightedZ(FuserContract):
    @pytest.fixture
    def fuser(self) -> WeightedFusion:
        return WeightedFusion("z")


def scored(**scores: float) -> Ranking:
    chunks = {"a": A, "b": B, "c": C, "d": D}
    return Ranking.of(Hit(chunks[name], score) for name, score in scores.items())


def weighted(fuser: WeightedFusion, **rankings: Ranking) -> dict[str, float]:
    return {hit.chunk.span.doc_id[0]: round(hit.score, 6) for hit in fuser.fuse(rankings).hits}


BM25, DENSE = scored(a=12.0, b=6.0, c=2.0), scored(c=0.9, d=0.8, b=0.5)


def test_min_max_scores_by_hand() -> None:
    """
    | chunk | bm25         | dense         | sum |
    |-------|--------------|---------------|-----|
    | a     | 10 / 10 = 1  | absent = 0    | 1.0 |
    | b     | 4 / 10 = .4  | 0 / .4 = 0    | 0.4 |
    | c     | 0            | .4 / .4 = 1   | 1.0 |
    | d     | absent = 0   | .3 / .4 = .75 | .75 |
    """
    assert weighted(WeightedFusion(), bm25=BM25, dense=DENSE) == {"a": 1.0, "c": 1.0, "d": 0.75, "b": 0.4}


def test_weights_by_hand() -> None:
    found = weighted(WeightedFusion(weights={"bm25": 0.5, "dense": 2}), bm25=BM25, dense=DENSE)
    assert found == {"c": 2.0, "d": 1.5, "a": 0.5, "b": 0.2}


def test_a_weight_of_zero_leaves_the_other_channel_s_order() -> None:
    assert next(iter(weighted(WeightedFusion(weights={"bm25": 0}), bm25=BM25, dense=DENSE))) == "c"


def test_z_scores_by_hand() -> None:
    """bm25 3, 2, 1 (deviation sqrt(2/3)): 2.449, 1.225 and 0 above the lowest; dense .9, .7 (deviation .1): 2 and 0."""
    found = weighted(WeightedFusion("z"), bm25=scored(a=3.0, b=2.0, c=1.0), dense=scored(c=0.9, d=0.7))
    assert found == {"a": pytest.approx(2.44949), "c": pytest.approx(2.0), "b": pytest.approx(1.224745), "d": 0.0}


@pytest.mark.parametrize("normalise", ["minmax", "z"])
def test_what_a_channel_does_not_hold_counts_as_its_last_hit(normalise: str) -> None:
    fuser = WeightedFusion(normalise)  # type: ignore[arg-type]
    assert weighted(fuser, bm25=BM25, dense=DENSE)["a"] == weighted(fuser, bm25=BM25)["a"]


@pytest.mark.parametrize("normalise", ["minmax", "z"])
def test_scale_and_offset_of_a_channel_change_nothing(normalise: str) -> None:
    fuser = WeightedFusion(normalise)  # type: ignore[arg-type]
    loud = scored(c=900.0 + 7, d=800.0 + 7, b=500.0 + 7)
    assert weighted(fuser, bm25=BM25, dense=loud) == pytest.approx(weighted(fuser, bm25=BM25, dense=DENSE))


def test_equal_scores_are_all_the_best_of_their_channel() -> None:
    assert weighted(WeightedFusion(), bm25=scored(a=3.0, b=3.0)) == {"a": 1.0, "b": 1.0}


@pytest.mark.parametrize("normalise", ["minmax", "z"])
def test_the_only_hit_of_a_channel_counts_as_its_best(normalise: str) -> None:
    """An identifier that only BM25 finds is not lost among dense's neighbours."""
    fuser = WeightedFusion(normalise)  # type: ignore[arg-type]
    found = weighted(fuser, bm25=scored(a=25.0), dense=scored(b=0.70, c=0.69, d=0.5))
    assert found["a"] > found["d"]


@pytest.mark.parametrize("normalise", ["minmax", "z"])
def test_a_difference_of_rounding_is_none(normalise: str) -> None:
    fuser = WeightedFusion(normalise)  # type: ignore[arg-type]
    assert set(weighted(fuser, bm25=scored(a=0.3, b=0.1 + 0.2)).values()) == {1.0}


@pytest.mark.parametrize("raw", ["none", "raw", "sum", ""])
def test_a_sum_of_raw_scores_is_refused_and_the_reason_said(raw: str) -> None:
    with pytest.raises(ValidationError, match="BM25's have no upper bound"):
        WeightedFusion(raw)  # type: ignore[arg-type]


@pytest.mark.parametrize("weights", [{"bm25": -1}, {"bm25": float("nan")}, {"bm25": "much"}], ids=str)
def test_weights_that_mean_nothing_are_refused(weights: dict[str, float]) -> None:
    with pytest.raises(ValidationError, match="weights"):
        WeightedFusion(weights=weights)


@pytest.mark.parametrize(
    ("rankings", "order"),
    [
        ([ranking(A, B, C)], [A, B, C]),
        ([ranking(A, B), ranking(C, D)], [A, C, B, D]),
        ([ranking(A, B, C), ranking(A, D)], [A, B, D, C]),
        ([ranking(A), ranking(), ranking(B, C, D)], [A, B, C, D]),
        ([], []),
    ],
)
def test_by_turns_takes_the_heads_of_all_rankings_before_any_second(rankings: list[Ranking], order: list[Chunk]) -> None:
    assert [hit.chunk for hit in by_turns(rankings).hits] == order


def test_by_turns_puts_what_heads_one_part_before_what_stands_amid_both() -> None:
    first, second = ranking(A, B), ranking(C, B)
    assert [hit.chunk for hit in by_turns([first, second]).hits][:2] == [A, C]
    assert ReciprocalRankFusion().fuse(named(first, second)).hits[0].chunk == B
