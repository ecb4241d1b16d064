"""Texts made alike, and where a quote then stands."""

import unicodedata

import pytest

from harness.golden.folding import aligned, only_place
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
        ("Ｑ５", "Q5", [0, 1]),
        ("é", "e\u0301", [0, 0]),
        ("a ½ b", "a 1⁄2 b", [0, 1, 2, 2, 2, 3, 4]),
        ("1½", "1½", [0, 1]),
    ],
)
def test_each_letter_comes_with_its_place(text: str, folded: str, places: list[int]) -> None:
    assert aligned(text) == (folded, places)


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


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("a\u00a0b\n\tc\u3000d\u2009e", "a b c d e"),
        ("“a” «b» „c‟ ″", '"a" "b" "c" "'),
        ("it’s ‘b’ ‚c‛ ′ ‹d›", "it's 'b' 'c' ' 'd'"),
        ("a\u2010b\u2011c\u2012d–e—f―g−h", "a-b-c-d-e-f-g-h"),
        ("café Å", "cafe\u0301 A\u030a"),
        ("Ω 5 K", "\u2126 5 \u212a"),
        ("ＡＱ－５（ｘ）", "AQ-5(x)"),
        ("ガス", "ｶﾞｽ"),
        ("ﬁlter oﬀ eﬃcient ﬂow oﬄine ﬆ", "filter off efficient flow offline st"),
        ("uses ½ litre, 1 ¾ cups", "uses 1⁄2 litre, 1 3⁄4 cups"),
    ],
)
def test_typography_is_made_alike_in_both_directions(text: str, quote: str) -> None:
    assert only_place("d", text, quote) == Span("d", 0, len(text))
    assert only_place("d", quote, text) == Span("d", 0, len(quote))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("10⁵ cells", "105 cells"),
        ("10⁻⁵ mol", "10-5 mol"),
        ("x² is 4", "x2 is 4"),
        ("note 1² here", "note 12 here"),
        ("H₂O", "H2O"),
        ("CO₂", "CO2"),
        ("1ª", "1a"),
        ("1½ cups", "11⁄2 cups"),
        ("½1 cups", "1⁄21 cups"),
        ("x½ y", "x1⁄2 y"),
        ("²½ y", "²1⁄2 y"),
        ("½¼ y", "1⁄21⁄4 y"),
        ("⅟2 y", "1⁄2 y"),
        ("5 ㎡", "5 m2"),
        ("5 ㎏", "5 kg"),
        ("20 ℃", "20 °C"),
        ("5 µm", "5 μm"),
        ("Ⅳ x", "IV x"),
        ("① x", "1 x"),
        ("№ 5", "No 5"),
        ("a™", "aTM"),
        ("wait…", "wait..."),
        ("𝐀 x", "A x"),
        ("ſo x", "so x"),
        ("a b", "ab"),
        ("A b", "a b"),
        ("1,5", "1.5"),
        ("a/b", "a⁄b"),
        ("cafe", "café"),
    ],
)
def test_what_may_say_something_else_is_not_made_alike(one: str, other: str) -> None:
    assert only_place("d", f"It: {one}", f"It: {other}") is None
    assert only_place("d", f"It: {other}", f"It: {one}") is None


@pytest.mark.parametrize(
    ("text", "quote"),
    [("11⁄2  cups", "½ cups"), ("15  volts", "5 volts"), ("up  to 15", "up to 1"), ("up  to 10⁵", "up to 10"), ("a  é", "a e")],
)
def test_no_quote_begins_or_ends_inside_a_number_or_a_letter(text: str, quote: str) -> None:
    assert only_place("d", text, quote) is None


def test_no_letter_but_blanks_quotation_marks_dashes_wide_forms_ligatures_and_fractions_becomes_another() -> None:
    """Over all of Unicode: what NFKC would change and `aligned` changes too is of one of these kinds."""
    kinds = {"<wide>", "<narrow>", "<fraction>", "<noBreak>"}
    for code in range(0x110000):
        letter = chr(code)
        form = unicodedata.decomposition(letter).partition(" ")[0]
        if not form.startswith("<") or aligned(f"({letter})")[0] == f"({letter})":
            continue
        named = unicodedata.name(letter, "")
        assert form in kinds or letter.isspace() or "LIGATURE" in named or letter in "´″‑", (hex(code), named)
