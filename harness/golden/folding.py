"""Texts made alike where only typography differs, each letter with its place in the original.

Not alike are texts that may mean something else: 10⁵ is not 105, x² not x2, 1½ not 11⁄2. Super- and subscripts, units in one
letter, roman and circled numbers and all other compatibility forms therefore stay what they are.
"""

import unicodedata
from collections.abc import Iterator

from harness.text import normalise
from harness.types import Span

_ALIKE = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u2039\u203a\u00b4`", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
    }
)


def aligned(text: str) -> tuple[str, list[int]]:
    """The text decomposed (NFD), one blank for each run of blanks, one kind of quotation mark and dash, no blanks around it.

    Full-width and half-width forms and ligatures become plain letters; a fraction such as ½ becomes 1⁄2 where no letter or
    digit stands beside it. With each letter comes the place of the letter from which it was made.
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


def only_place(doc_id: str, text: str, quote: str) -> Span | None:
    """The one stretch of a text that `aligned` makes equal to a quote; None for none, for several, or for part of a number."""
    folded, places = aligned(text)
    wanted, _ = aligned(normalise(quote))
    found = folded.find(wanted) if wanted else -1
    if found < 0 or folded.find(wanted, found + 1) >= 0:
        return None
    first, last = found, found + len(wanted) - 1
    if _joined(folded, places, first) or _joined(folded, places, last + 1):
        return None
    return Span(doc_id, places[first], places[last] + 1)


def _joined(folded: str, places: list[int], at: int) -> bool:
    """Whether a cut here would go through a letter of the original or through a number."""
    if not 0 < at < len(folded):
        return False
    return places[at - 1] == places[at] or (folded[at - 1].isdigit() and folded[at].isdigit())


def _made(text: str) -> Iterator[tuple[int, str]]:
    for place, letter in enumerate(text):
        beside = text[max(place - 1, 0) : place] + text[place + 1 : place + 2]
        for made in _plain(letter, beside).translate(_ALIKE):
            yield place, " " if made.isspace() else made


def _plain(letter: str, beside: str) -> str:
    """A letter as typography has it at its plainest; `beside` are its neighbours."""
    if letter.isascii():
        return letter
    form = unicodedata.decomposition(letter).partition(" ")[0]
    alike = form in ("<wide>", "<narrow>") or (form == "<compat>" and "LIGATURE" in unicodedata.name(letter, ""))
    alike = alike or (form == "<fraction>" and not any(map(str.isalnum, beside)))
    return unicodedata.normalize("NFKD" if alike else "NFD", letter)
