"""Span precision, IoU and redundancy: characters counted once."""

import pytest

from harness.metrics.precision import Redundancy, SpanIoU, SpanPrecision
from tests.metrics.lines import value


@pytest.mark.parametrize(
    ("evidence", "found", "precision", "iou", "redundancy"),
    [
        ("a:0-100", "a:0-100", 1, 1, 0),
        ("a:0-100", "a:0-200", 1 / 2, 1 / 2, 0),
        ("a:0-100", "a:0-50", 1, 1 / 2, 0),
        ("a:0-100", "a:50-150", 1 / 2, 1 / 3, 0),
        ("a:0-100", "z:0-100", 0, 0, 0),
        ("a:0-100", "a:0-100 z:0-300", 1 / 4, 1 / 4, 0),
        ("a:0-100", "a:0-60 a:40-100", 1, 1, 1 / 6),  # 20 of 120 characters come twice
        ("a:0-100", "a:0-100 a:0-99 a:1-100", 1, 1, 198 / 298),
        ("a:0-100", "a:0-40 a:60-100", 1, 4 / 5, 0),
        ("a:0-100 & b:0-100", "a:0-100", 1, 1 / 2, 0),
        ("a:0-100 & a:50-150", "a:0-150", 1, 1, 0),  # overlapping evidence counts once too
        ("a:0-100 & b:0-100", "a:0-100 b:0-100", 1, 1, 0),
        ("a:0-100 | b:0-100", "a:0-100", 1, 1 / 2, 0),  # an alternative is evidence as well
        ("a:0-100", "a:0-100 b:0-100", 1 / 2, 1 / 2, 0),
    ],
)
def test_characters_of_the_first_three_chunks(evidence: str, found: str, precision: float, iou: float, redundancy: float) -> None:
    metrics = (SpanPrecision(3), SpanIoU(3), Redundancy(3))
    assert [value(metric, evidence, found) for metric in metrics] == pytest.approx([precision, iou, redundancy])


def test_only_the_first_k_chunks_are_looked_at() -> None:
    found = "a:0-100 z:0-100 a:50-150"
    assert [value(SpanPrecision(k), "a:0-100", found) for k in (1, 2, 3)] == pytest.approx([1, 1 / 2, 100 / 250])
    assert [value(Redundancy(k), "a:0-100", found) for k in (1, 2, 3)] == pytest.approx([0, 0, 1 / 6])


def test_nothing_retrieved_is_0_and_not_a_division_by_it() -> None:
    assert [value(metric, "a:0-100", "") for metric in (SpanPrecision(3), SpanIoU(3), Redundancy(3))] == [0, 0, 0]


def test_the_coverage_threshold_has_no_say_in_what_is_counted_in_characters() -> None:
    for kind in (SpanPrecision, SpanIoU, Redundancy):
        assert value(kind(3, tau=0.1), "a:0-100", "a:0-60 a:40-90") == value(kind(3, tau=1.0), "a:0-100", "a:0-60 a:40-90")


def test_only_of_redundancy_less_is_better() -> None:
    assert [kind.higher_is_better for kind in (SpanPrecision, SpanIoU, Redundancy)] == [True, True, False]
