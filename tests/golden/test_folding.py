"""Texts made alike, and where a quote then stands."""

import pytest

from harness.golden.folding import fold, only_place
from harness.types import Span


@pytest.mark.parametrize(
    ("text", "folded", "places"),
    [
        ("", "", []),
        (" \n", "", []),
        ("a  b", "a b", [0, 1, 3]),
        (" a\n", "a", [1]),
        ("“a”", '"a"', [0, 1, 2]),
        ("a – b", "a - b", [0, 1, 2, 3, 4]),
        ("ﬁx", "fix", [0, 0, 1]),
    ],
)
def test_each_letter_comes_with_its_place(text: str, folded: str, places: list[int]) -> None:
    assert fold(text) == (folded, places)


@pytest.mark.parametrize(
    ("text", "quote", "span"),
    [
        ("say “hi”  now", 'say "hi" now', (0, 13)),
        ("x a  b x", " a b ", (2, 6)),
        ("a b, a  b", "a b", None),
        ("abc", "", None),
        ("abc", "d", None),
        ("ﬁx", "ix", None),
        ("aﬁ", "af", None),
        ("aﬁ", "afi", (0, 2)),
    ],
)
def test_a_quote_is_placed_only_where_it_stands_once_and_whole(text: str, quote: str, span: tuple[int, int] | None) -> None:
    assert only_place("d", text, quote) == (Span("d", *span) if span else None)
