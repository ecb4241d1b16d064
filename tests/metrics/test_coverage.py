"""Arithmetic on spans: unions, overlaps, contact, and where evidence is found."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.metrics.coverage import NEVER, Piece, find, overlap, size, touches, union
from harness.types import Evidence, Span
from tests.builders import ranking
from tests.metrics.lines import asked, chunks, span


@pytest.mark.parametrize(
    ("given_spans", "pieces"),
    [
        ("", []),
        ("a:0-10", [("a", 0, 10)]),
        ("a:0-10 a:10-20", [("a", 0, 20)]),  # neighbours join
        ("a:0-10 a:11-20", [("a", 0, 10), ("a", 11, 20)]),
        ("a:0-10 b:5-20", [("a", 0, 10), ("b", 5, 20)]),
        ("a:0-30 a:5-10", [("a", 0, 30)]),  # one inside the other
        ("b:0-5 a:20-30 a:0-10", [("a", 0, 10), ("a", 20, 30), ("b", 0, 5)]),
        ("a:5-5", []),
    ],
)
def test_a_union_is_disjoint_and_sorted(given_spans: str, pieces: list[Piece]) -> None:
    assert union(map(span, given_spans.split())) == pieces


@pytest.mark.parametrize(
    ("chunk", "evidence", "touching"),
    [
        ("a:0-10", "a:5-15", True),
        ("a:0-10", "a:9-10", True),
        ("a:0-10", "a:10-20", False),  # half-open: 10 is not in the chunk
        ("a:10-20", "a:0-10", False),
        ("a:0-10", "b:0-10", False),
        ("a:0-10", "b:0-10 a:3-4", True),  # any alternative
        ("a:0-100", "a:40-50", True),
        ("a:40-50", "a:0-100", True),
    ],
)
def test_one_shared_character_is_contact(chunk: str, evidence: str, touching: bool) -> None:
    assert touches(span(chunk), Evidence(tuple(map(span, evidence.split())))) is touching


@pytest.mark.parametrize(
    ("evidence", "found", "ranks", "whole", "gains"),
    [
        ("a:0-10", "z:0-9 a:0-10", (2,), (2,), [(2, 1.0)]),
        ("a:0-10", "z:0-9", (NEVER,), (NEVER,), []),
        ("a:0-10", "a:0-5 a:5-10", (2,), (NEVER,), [(1, 0.5), (2, 0.5)]),
        ("a:0-10", "a:0-5 a:5-10 a:0-10", (2,), (3,), [(1, 0.5), (2, 0.5)]),
        ("a:0-10 & b:0-10", "a:0-10 b:0-10", (1, 2), (1, 2), [(1, 1.0), (2, 1.0)]),
        ("a:0-10 & a:10-20", "a:0-20", (1, 1), (1, 1), [(1, 2.0)]),
        ("a:0-10 | b:0-10", "a:0-5 b:0-10", (2,), (2,), [(1, 0.5), (2, 0.5)]),  # the better alternative counts
        ("a:0-10 | b:0-10", "a:0-10 b:0-10", (1,), (1,), [(1, 1.0)]),
    ],
)
def test_each_group_has_a_rank_and_each_rank_its_gain(
    evidence: str, found: str, ranks: tuple[int, ...], whole: tuple[int, ...], gains: list[tuple[int, float]]
) -> None:
    place = find(asked(evidence).evidence, ranking(*chunks(found)), 1.0)
    assert (place.ranks, place.whole) == (ranks, whole)
    assert list(place.gains) == gains


spans = st.builds(
    lambda doc, start, length: Span(doc, start, start + length), st.sampled_from("ab"), st.integers(0, 30), st.integers(0, 9)
)
lists = st.lists(spans, max_size=8)


def characters(items: list[Span]) -> set[tuple[str, int]]:
    """The same as a set of single characters: the slow way."""
    return {(item.doc_id, place) for item in items for place in range(item.start, item.end)}


@given(lists, lists)
def test_sizes_are_those_of_sets_of_characters(one: list[Span], other: list[Span]) -> None:
    assert size(union(one)) == len(characters(one))
    assert overlap(union(one), union(other)) == len(characters(one) & characters(other))


@given(lists, lists)
def test_the_order_of_spans_and_of_sides_does_not_matter(one: list[Span], other: list[Span]) -> None:
    assert union(one) == union(list(reversed(one)))
    assert overlap(union(one), union(other)) == overlap(union(other), union(one))
