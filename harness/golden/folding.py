"""Texts made alike: blanks, quotation marks, dashes and compatibility forms, each letter with its place in the original."""

import unicodedata
from collections.abc import Iterator

from harness.text import normalise
from harness.types import Span

_ALIKE = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u00b4`", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
    }
)


def fold(text: str) -> tuple[str, list[int]]:
    """The text in NFKC, one blank for each run of blanks, one kind of quotation mark and dash, no blanks around it.

    With each letter comes the place of the letter from which it was made.
    """
    letters: list[str] = []
    places: list[int] = []
    for place, made in _made(text):
        if not (made == " " and (not letters or letters[-1] == " ")):
            letters.append(made)
            places.append(place)
    if letters and letters[-1] == " ":
        letters.pop()
        places.pop()
    return "".join(letters), places


def _made(text: str) -> Iterator[tuple[int, str]]:
    for place, letter in enumerate(text):
        for made in unicodedata.normalize("NFKC", letter).translate(_ALIKE):
            yield place, " " if made.isspace() else made


def only_place(doc_id: str, text: str, quote: str) -> Span | None:
    """The one stretch of a text that differs from a quote by no more than `fold` takes away; None for none or several."""
    folded, places = fold(text)
    wanted, _ = fold(normalise(quote))
    found = folded.find(wanted) if wanted else -1
    if found < 0 or folded.find(wanted, found + 1) >= 0:
        return None
    start, end = places[found], places[found + len(wanted) - 1] + 1
    inside = found > 0 and places[found - 1] == start
    cut = found + len(wanted) < len(places) and places[found + len(wanted)] == end - 1
    return None if inside or cut else Span(doc_id, start, end)
