"""Texts that know which line or paragraph of the original each of their characters comes from."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import pairwise

from harness.corpus.cleaned import Places, refuse_long

Traced = tuple[str, list[tuple[int, int]]]
"""A text and its runs: (offset, number) says from which character on it comes from which line or paragraph, ascending; 0 is what
the original does not have, as is all before the first run."""

EMPTY: Traced = ("", [])
DEEPEST = 20
"""Levels of a nested list that are indented; a deeper item stands as one of these, so that no depth multiplies a text."""


def traced(text: str, number: int) -> Traced:
    """A text all of which comes from one place."""
    return text, [(0, number)] if text else []


def indent(depth: int) -> str:
    """Blanks before an item of a nested list, two a level."""
    return "  " * min(depth, DEEPEST)


def stripped(piece: Traced, characters: str | None = None) -> Traced:
    """Without these characters (blanks) at both ends."""
    text, _ = piece
    start = len(text) - len(text.lstrip(characters))
    return _cut(piece, start, start + len(text[start:].rstrip(characters)))


def on_one_line(piece: Traced) -> Traced:
    """Its words, one blank between them."""
    text, _ = piece
    found, at = list[Traced](), 0
    for word in text.split():
        at = text.index(word, at)
        found.append(_cut(piece, at, at + len(word)))
        at += len(word)
    return between(" ", found)


def _cut(piece: Traced, start: int, end: int) -> Traced:
    text, runs = piece
    if start >= end:
        return EMPTY
    first = bisect_right(runs, start, key=_offset)
    last = bisect_right(runs, end - 1, key=_offset)
    begun = [(0, runs[first - 1][1])] if first else []
    return text[start:end], begun + [(offset - start, number) for offset, number in runs[first:last]]


def _offset(run: tuple[int, int]) -> int:
    return run[0]


def around(before: str, piece: Traced, after: str = "") -> Traced:
    """With characters before and after it that come from where it starts and ends."""
    text, runs = piece
    if not runs:
        return before + text + after, []
    first = runs[0][1] if runs[0][0] == 0 else 0
    moved = [(offset + len(before), number) for offset, number in runs[first > 0 :]]
    return before + text + after, [*([(0, first)] if first else []), *moved]


def between(separator: str, pieces: Iterable[Traced]) -> Traced:
    """The pieces as one, with characters between them that come from nowhere.

    Raises:
        TooLargeError: when that is too long.
    """
    texts, runs, at = list[str](), list[tuple[int, int]](), 0
    for text, own in pieces:
        if texts and separator:
            runs.append((at, 0))
            at += len(separator)
        if text and (not own or own[0][0]):
            runs.append((at, 0))
        runs += [(at + offset, number) for offset, number in own]
        texts.append(text)
        at += len(text)
        refuse_long(at)
    return separator.join(texts), runs


def escaped(piece: Traced) -> Traced:
    """With a backslash before each `|`, as a cell of a pipe table needs it."""
    text, runs = piece
    moved, seen, bars = list[tuple[int, int]](), 0, 0
    for offset, number in runs:
        bars += text.count("|", seen, offset)
        moved.append((offset + bars, number))
        seen = offset
    return text.replace("|", "\\|"), moved


def pipe_table(rows: Sequence[Sequence[Traced]]) -> Traced:
    """Rows of cells as lines, the first one over the rule that makes it the header."""
    drawn = [around("| ", between(" | ", row), " |") for row in rows]
    if drawn:
        drawn.insert(1, ("|" + " --- |" * max(map(len, rows)), []))
    return between("\n", drawn)


def places(piece: Traced, unit: str) -> Places:
    """The first place, and where the number is not the one before or, for lines, the one that counting line ends would give."""
    text, runs = piece
    found, expected = list[tuple[int, int]](), 0
    for (start, number), (end, _) in pairwise([(0, 0), *runs, (len(text), 0)]):
        for place, part in enumerate(text[start:end].split("\n")):
            expected += place > 0 and unit == "line"
            if number and number != expected and (shown := part.lstrip()):
                found.append((start + len(part) - len(shown), number))
                expected = number
            start += len(part) + 1
    return () if found == [(0, 1)] and unit == "line" else tuple(found)
