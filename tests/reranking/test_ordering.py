import pytest

from harness.errors import StageError
from harness.reranking.ordering import read_texts, reordered
from harness.types import Hit, Ranking
from tests.builders import chunk, ranking

A, B, C = (chunk(f"{name}.md", text=f"text {name}") for name in "abc")


def test_scores_belong_to_the_hits_in_the_order_given() -> None:
    assert reordered(ranking(A, B, C), [0.1, 0.9, 0.5]).hits == (Hit(B, 0.9), Hit(C, 0.5), Hit(A, 0.1))


def test_equal_scores_go_by_chunk_id() -> None:
    expected = sorted([A, B, C], key=lambda item: item.chunk_id)
    assert [hit.chunk for hit in reordered(ranking(C, B, A), [0.5, 0.5, 0.5]).hits] == expected


@pytest.mark.parametrize("scores", [[], [0.5], [0.5, 0.5, 0.5]])
def test_a_score_missing_or_too_many_is_an_error(scores: list[float]) -> None:
    with pytest.raises(StageError, match=f"{len(scores)} scores for 2 passages"):
        reordered(ranking(A, B), scores)


@pytest.mark.parametrize("score", [float("nan"), 9.14, -0.1, float("inf")], ids=str)
def test_a_logit_or_a_nan_is_an_error_that_names_the_passage(score: float) -> None:
    with pytest.raises(StageError, match=rf"passage '{B.chunk_id}' with {score}"):
        reordered(ranking(A, B), [0.5, score])


def test_both_ends_of_the_scale_are_allowed() -> None:
    assert [hit.score for hit in reordered(ranking(A, B), [0.0, 1.0]).hits] == [1.0, 0.0]


def test_a_reranker_reads_heading_and_text() -> None:
    titled = chunk(text="It weighs 12 kg.", title="Pump", section_path=("Data",))
    assert read_texts(Ranking.of([Hit(titled, 1.0)])) == ["Pump > Data\nIt weighs 12 kg."]
