"""nDCG@k by hand. Discounts of ranks 1 to 4: 1, .6309, .5, .4307; their sums: 1, 1.6309, 2.1309, 2.5616."""

from math import log2

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.metrics.ndcg import NDCG
from tests.builders import chunk, question, trace
from tests.metrics.lines import value

ONE = "a:0-100"
TWO = "a:0-100 & b:0-100"
THREE = "a:0-100 & b:0-100 & c:0-100"


@pytest.mark.parametrize(
    ("evidence", "found", "k", "ndcg"),
    [
        (ONE, "a:0-100", 1, 1.0),
        (ONE, "z:0-9 a:0-100", 4, 0.6309),
        (ONE, "z:0-9 y:0-9 a:0-100", 4, 0.5),
        (ONE, "z:0-9 y:0-9 x:0-9 a:0-100", 4, 0.4307),
        (ONE, "z:0-9 y:0-9 x:0-9 a:0-100", 3, 0.0),
        (TWO, "a:0-100 b:0-100", 4, 1.0),
        (TWO, "b:0-100 a:0-100", 4, 1.0),
        (TWO, "a:0-100 z:0-9 b:0-100", 4, 0.9197),  # 1.5 / 1.6309
        (TWO, "z:0-9 a:0-100 b:0-100", 4, 0.6934),  # 1.1309 / 1.6309
        (TWO, "a:0-100", 4, 0.6131),  # 1 / 1.6309
        (TWO, "a:0-100 z:0-9 b:0-100", 1, 1.0),  # the best that one rank can do
        (TWO, "a:0-100 z:0-9 b:0-100", 2, 0.6131),
        (THREE, "a:0-100 b:0-100 c:0-100", 4, 1.0),
        (THREE, "a:0-100 b:0-100 z:0-9", 4, 0.7654),  # 1.6309 / 2.1309
        (THREE, "c:0-100 z:0-9 y:0-9 a:0-100", 4, 0.6714),  # 1.4307 / 2.1309
        ("a:0-100 | b:0-100", "b:0-100 a:0-100", 4, 1.0),
        ("a:0-100 | b:0-100 & c:0-100", "a:0-100 b:0-100 c:0-100", 4, 0.9197),  # b says nothing new
    ],
)
def test_the_gain_of_a_rank_is_the_evidence_that_it_adds(evidence: str, found: str, k: int, ndcg: float) -> None:
    assert value(NDCG(k), evidence, found) == pytest.approx(ndcg, abs=5e-5)


@pytest.mark.parametrize(
    ("found", "k", "ndcg"),
    [
        ("a:0-50 a:50-100", 2, 0.8155),  # .5 + .5 x .6309
        ("a:0-50 a:50-100", 1, 0.5),
        ("a:0-50 a:25-75 a:50-100", 3, 0.7827),  # .5 + .25 x .6309 + .25 x .5
        ("a:0-25 a:0-26 a:0-100", 3, 0.6263),  # .25 + .01 x .6309 + .74 x .5
        ("z:0-9 a:0-50", 2, 0.3155),
        ("a:0-100 a:0-50", 2, 1.0),
    ],
)
def test_evidence_that_is_cut_apart_is_gained_piece_by_piece(found: str, k: int, ndcg: float) -> None:
    assert value(NDCG(k, tau=1.0), ONE, found) == pytest.approx(ndcg, abs=5e-4)


def test_a_perfect_ranking_scores_1_for_large_and_small_chunks_alike() -> None:
    evidence = "a:0-10 & a:10-20 & a:20-30"
    for found in ("a:0-10 a:10-20 a:20-30", "a:0-30", "a:0-20 a:20-30", "a:0-30 z:0-9"):
        assert value(NDCG(3), evidence, found) == pytest.approx(1)


shares = st.lists(st.integers(0, 10), min_size=1, max_size=8)


@given(shares, st.integers(1, 8))
@settings(max_examples=60, deadline=None)
def test_one_chunk_a_document_gives_the_textbooks_sum(tenths: list[int], k: int) -> None:
    asked = question(evidence=[[(f"d{place}", 0, 10)] for place in range(len(tenths))])
    found = [
        chunk(f"d{place}", 0, share) if share else chunk("z", 10 * place, 10 * place + 5) for place, share in enumerate(tenths)
    ]
    gained = sum(share / 10 / log2(rank + 1) for rank, share in enumerate(tenths[:k], 1))
    ideal = sum(1 / log2(rank + 1) for rank in range(1, min(k, len(tenths)) + 1))
    assert NDCG(k, tau=1.0).score(asked, trace("q1", *found)).value == pytest.approx(gained / ideal)
