"""Abbreviations that a text explains in brackets: `mean time between failures (MTBF)`, `MTBF (mean time between failures)`.

The algorithm is that of Schwartz and Hearst 2003, "A simple algorithm for identifying abbreviation definitions in biomedical
text" (Pacific Symposium on Biocomputing 8), the code our own. Going backwards, each character of the short form is sought in the
words before it, and the first one must start a word, where there is one no stop word such as `of`. Every look-back is bounded, so a text takes time in proportion to its length.
"""

import re
from collections.abc import Iterator

from harness.terms import STOP_WORDS

_BRACKETS = re.compile(r"[(（]([^()（）]{2,160})[)）]")
_BEFORE = 240
"""Characters before a bracket that are looked at; more than ten characters of short form can ask for."""
_SHORT = re.compile(r"[^\W_](?:[\w.&/+-]| (?=\w)){1,9}")
_ROMAN = re.compile(r"X{0,3}(?:IX|IV|V?I{0,3})")
_STARTS_ANEW = re.compile(r"[.!?:;。！？；：]\s|\n\s*\n|\n(?=\s*[-*+#|•])|[()（）]")
PLAIN = re.compile(r"(?:[\w\s.,&/-]|['’](?!['’]))+")
"""Words alone: no code, no formula."""
_JOINED = "@#$/\\_"
"""Characters before a word that make it a part of something else, such as an account or a path."""
_CUT = re.compile(r"[;,；，、]")
MARKUP = " \t\n*_`\"'“”„«»‘’"
"""Characters around a term that belong to the markup or the sentence, not to it."""


def is_short(text: str) -> bool:
    """Whether it can be a short form: 2 to 10 characters in at most two words, two of them letters or digits, two capitals, or one in
    three characters; no Roman numeral.
    """
    capitals = sum(letter.isupper() for letter in text)
    whole = bool(_SHORT.fullmatch(text)) and sum(map(str.isalnum, text)) > 1 and text.count(" ") < 2
    return whole and not _ROMAN.fullmatch(text) and (capitals > 1 or (capitals == 1 and len(text) < 4))


def explained(text: str) -> Iterator[tuple[str, str]]:
    """Short and long form of each explanation in brackets, in the order of the text; repeated ones again."""
    last = 0
    for match in _BRACKETS.finditer(text):
        inside = _CUT.split(match[1], maxsplit=1)[0].strip(MARKUP)
        before = _STARTS_ANEW.split(text[max(last, match.start() - _BEFORE) : match.start()])[-1].strip(MARKUP)
        last = match.end()
        if is_short(inside):
            short, candidate = inside, _last_words(before, inside)
        else:
            short, candidate = before.rpartition(" ")[2].strip(MARKUP), " ".join(inside.split())
        if is_short(short) and (found := long_form(short, candidate)):
            yield short, found


def long_form(short: str, candidate: str) -> str:
    """The end of the candidate that the short form abbreviates, from the word of its first character on; empty if there is none."""
    lowered = candidate.lower()
    wanted = [letter for letter in short.lower() if letter.isalnum()]
    if len(lowered) != len(candidate):
        return ""
    place = len(lowered)
    for letter in reversed(wanted[1:]):
        place = lowered.rfind(letter, 0, place)
        if place < 0:
            return ""
    starts = [at for at in range(place) if lowered[at] == wanted[0] and _starts_a_word(lowered, at)]
    weighty = [at for at in starts if lowered[at:].split(maxsplit=1)[0] not in STOP_WORDS]
    if not starts:
        return ""
    found = candidate[(weighty or starts)[-1] :].strip(f"{MARKUP},")
    return found if _is_long(found, short, len(wanted)) else ""


def _starts_a_word(text: str, place: int) -> bool:
    return place == 0 or not (text[place - 1].isalnum() or text[place - 1] in _JOINED)


def _last_words(before: str, short: str) -> str:
    size = sum(letter.isalnum() for letter in short)
    return " ".join(before.split()[-min(size + 5, size * 2) :])


def _is_long(found: str, short: str, size: int) -> bool:
    """Words alone, longer than the short form, which is none of them, and no more of them than such a one can have."""
    parts = found.casefold().split()
    bounded = len(short) < len(found) and len(parts) <= min(size + 5, size * 2)
    return bounded and bool(PLAIN.fullmatch(found)) and short.casefold() not in parts
