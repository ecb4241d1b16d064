"""The reciprocal rank of one question."""

import pytest

from harness.metrics.mrr import ReciprocalRank
from tests.metrics.lines import value


@pytest.mark.parametrize(
    ("evidence", "found", "reciprocal"),
    [
        ("a:0-100", "a:0-100 z:0-9", 1),
        ("a:0-100", "z:0-9 a:0-100", 1 / 2),
        ("a:0-100", "z:0-9 y:0-9 a:0-100", 1 / 3),
        ("a:0-100", "z:0-9 y:0-9", 0),
        ("a:0-100", "a:0-50 a:0-100", 1 / 2),  # half of it does not count
        ("a:0-100", "a:0-50 z:0-9 a:50-100", 1 / 3),  # here it is complete
        ("a:0-100", "a:0-90 a:0-100", 1),  # tau of it counts
        ("a:0-100 & b:0-100", "z:0-9 b:0-100 a:0-100", 1 / 2),  # whichever comes first
        ("a:0-100 | b:0-100", "z:0-9 b:0-100 a:0-100", 1 / 2),
        ("a:0-100 | b:0-100", "a:0-50 b:0-50 a:50-100 b:50-100", 1 / 3),
    ],
)
def test_it_is_that_of_the_first_chunk_with_which_some_evidence_is_covered(evidence: str, found: str, reciprocal: float) -> None:
    assert value(ReciprocalRank(10), evidence, found) == pytest.approx(reciprocal)


@pytest.mark.parametrize(("rank", "reciprocal"), [(1, 1), (9, 1 / 9), (10, 1 / 10), (11, 0), (50, 0)])
def test_mrr_at_10_looks_at_ten_ranks(rank: int, reciprocal: float) -> None:
    noise = " ".join(f"z:{10 * place}-{10 * place + 10}" for place in range(rank - 1))
    assert value(ReciprocalRank(10), "a:0-10", f"{noise} a:0-10") == pytest.approx(reciprocal)
