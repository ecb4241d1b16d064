"""Success@k and complete@k: anything, and everything."""

import pytest

from harness.metrics.success import Complete, Success
from harness.metrics.whole import WholeEvidence
from tests.metrics.lines import value


@pytest.mark.parametrize(
    ("evidence", "found", "success", "complete"),
    [
        # at k = 1, 2, 3
        ("a:0-10", "a:0-10", (1, 1, 1), (1, 1, 1)),
        ("a:0-10", "z:0-10 a:0-10", (0, 1, 1), (0, 1, 1)),
        ("a:0-10", "z:0-10", (0, 0, 0), (0, 0, 0)),
        ("a:0-10 & b:0-10", "a:0-10 z:0-10 b:0-10", (1, 1, 1), (0, 0, 1)),
        ("a:0-10 & b:0-10", "b:0-10 a:0-10", (1, 1, 1), (0, 1, 1)),
        ("a:0-10 & b:0-10", "b:0-10 c:0-10", (1, 1, 1), (0, 0, 0)),
        ("a:0-10 & a:20-30", "a:0-30", (1, 1, 1), (1, 1, 1)),
        ("a:0-10 | b:0-10", "z:0-10 b:0-10", (0, 1, 1), (0, 1, 1)),
        ("a:0-10 | b:0-10 & c:0-10", "a:0-10 b:0-10 c:0-10", (1, 1, 1), (0, 0, 1)),
        ("a:0-10 & b:0-10", "a:0-5 b:0-5 a:5-10", (0, 0, 1), (0, 0, 0)),
    ],
)
def test_success_takes_any_group_and_complete_takes_all(
    evidence: str, found: str, success: tuple[float, ...], complete: tuple[float, ...]
) -> None:
    assert tuple(value(Success(k), evidence, found) for k in (1, 2, 3)) == success
    assert tuple(value(Complete(k), evidence, found) for k in (1, 2, 3)) == complete


@pytest.mark.parametrize(
    ("evidence", "found", "whole"),
    [
        ("a:0-100", "a:0-100", 1),
        ("a:0-100", "a:0-90", 1),  # tau of it is enough
        ("a:0-100", "a:0-89", 0),
        ("a:0-100", "a:0-60 a:40-100", 0),  # covered, but by no chunk alone
        ("a:0-100", "a:0-60 a:0-95 a:40-100", 1),
        ("a:0-100 & b:0-50", "a:0-60 a:40-100 b:0-50", 1 / 2),
        ("a:0-100 | b:0-50", "a:0-60 a:40-100 b:0-50", 1),  # the alternative is whole
        ("a:0-10 & a:10-20 & a:20-30", "a:0-25", 2 / 3),
        ("a:0-100", "z:0-9 y:0-9 x:0-9 a:0-100", 0),  # beyond k
    ],
)
def test_evidence_is_whole_when_one_of_the_first_three_chunks_holds_it(evidence: str, found: str, whole: float) -> None:
    assert value(WholeEvidence(3), evidence, found) == pytest.approx(whole)


def test_evidence_that_the_union_already_covers_is_still_whole_in_a_later_chunk() -> None:
    cut_apart_first = "a:0-50 a:50-100 a:0-100"
    assert [value(WholeEvidence(k), "a:0-100", cut_apart_first) for k in (1, 2, 3)] == [0, 0, 1]
