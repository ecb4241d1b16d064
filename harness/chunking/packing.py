"""Packing: units that should stay whole into chunks of at most so many tokens, with whole sentences of overlap."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from harness.text import sentence_spans, token_spans

_BLANK_LINES = re.compile(r"\n\s*\n")
_LINE_END = re.compile(r"\n")
_BLANKS = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Unit:
    """A stretch that is cut no further."""

    start: int
    """First character, never blank."""
    end: int
    """One past the last, which is not blank either."""
    kind: str = "prose"
    """prose, table, code, list, heading."""
    goes_on: bool = False
    """Cut from the same stretch as the unit before it, so that no sentence or item need start here."""


class Tokens:
    """Where the tokens of a text start; counts them in any stretch without reading it again."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.starts = [start for start, _ in token_spans(text)]

    def count(self, start: int, end: int) -> int:
        """Tokens that start in text[start:end]."""
        return bisect_left(self.starts, end) - bisect_left(self.starts, start)


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """A stretch without blanks around it; of blanks alone an empty one."""
    piece = text[start:end]
    kept = len(piece) - len(piece.lstrip())
    return start + kept, max(start + kept, start + len(piece.rstrip()))


def split(tokens: Tokens, start: int, end: int, size: int, kind: str = "prose", by_line: bool = False) -> Iterator[Unit]:
    """Units of at most `size` tokens: paragraphs, else lines, else sentences, else words, else parts of a huge word.

    With `by_line` it starts at lines, which keeps the rows of a table and the lines of a listing whole.
    """
    levels = (_by_line, _by_sentence, _by_word) if by_line else (_by_paragraph, _by_line, _by_sentence, _by_word)
    spans: Iterable[tuple[int, int]] = [(start, end)]
    for level in levels:
        spans = [part for span in spans for part in (level(tokens.text, *span) if tokens.count(*span) > size else [span])]
    parts = (part for span in spans for part in _by_token(tokens, *span, size))
    return (Unit(*part, kind, goes_on=place > 0) for place, part in enumerate(parts))


def pack(tokens: Tokens, units: Iterable[Unit], size: int) -> list[list[Unit]]:
    """Neighbouring units together, as many as fit into `size` tokens; a heading is not left at the end of a group."""
    groups: list[list[Unit]] = []
    for unit in units:
        if groups and tokens.count(groups[-1][0].start, unit.end) <= size:
            groups[-1].append(unit)
            continue
        stranded = _headings_at_end(groups[-1]) if groups else []
        if stranded and tokens.count(stranded[0].start, unit.end) <= size:
            del groups[-1][-len(stranded) :]
            groups.append([*stranded, unit])
        else:
            groups.append([unit])
    return groups


def kind_of(units: Iterable[Unit]) -> str:
    """The one kind of all units, headings aside: table, code or list; prose where they differ."""
    kinds = {unit.kind for unit in units} - {"heading"}
    return kinds.pop() if len(kinds) == 1 and kinds <= {"table", "code", "list"} else "prose"


def start_of(tokens: Tokens, groups: Sequence[Sequence[Unit]], place: int, budget: int) -> int:
    """Where the chunk of a group starts: with up to `budget` tokens of whole sentences or list items of the group before.

    An overlap never takes that whole group, and never starts inside a table or a listing.
    """
    start = groups[place][0].start
    if place == 0:
        return start
    before = groups[place - 1]
    for opening in _openings(tokens.text, before):
        if opening == before[0].start or tokens.count(opening, before[-1].end) > budget:
            return start
        start = opening
    return start


def _openings(text: str, group: Sequence[Unit]) -> Iterator[int]:
    """Starts of sentences and whole list items, the last first, back to the first table or listing."""
    runs = [(kind, list(units)) for kind, units in groupby(group, key=lambda unit: unit.kind)]
    for kind, units in reversed(runs):
        if kind == "list":
            for item in reversed(_items(units)):
                yield from _sentences(text, item) if len(item) > 1 else [item[0].start]
        elif kind == "prose":
            yield from _sentences(text, units)
        else:
            return


def _items(units: Sequence[Unit]) -> list[list[Unit]]:
    """Each item with all units that it was cut into."""
    items: list[list[Unit]] = []
    for unit in units:
        if unit.goes_on and items:
            items[-1].append(unit)
        else:
            items.append([unit])
    return items


def _sentences(text: str, units: Sequence[Unit]) -> Iterator[int]:
    first = units[0].start
    return (first + start for start, _ in reversed(sentence_spans(text[first : units[-1].end])))


def _headings_at_end(group: Sequence[Unit]) -> list[Unit]:
    place = len(group)
    while place > 1 and group[place - 1].kind == "heading":
        place -= 1
    return list(group[place:])


def _by_paragraph(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    return _between(_BLANK_LINES, text, start, end)


def _by_line(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    return _between(_LINE_END, text, start, end)


def _by_sentence(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    return ((start + first, start + last) for first, last in sentence_spans(text[start:end]))


def _by_word(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    return _between(_BLANKS, text, start, end)


def _by_token(tokens: Tokens, start: int, end: int, size: int) -> Iterator[tuple[int, int]]:
    first, last = bisect_left(tokens.starts, start), bisect_left(tokens.starts, end)
    marks = [start, *(tokens.starts[place] for place in range(first + size, last, size)), end]
    return ((begin, finish) for begin, finish in pairwise(marks) if finish > begin)


def _between(separator: re.Pattern[str], text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The trimmed stretches between separators, blank ones left out."""
    marks = [(found.start(), found.end()) for found in separator.finditer(text, start, end)]
    begins, ends = [start, *(after for _, after in marks)], [*(before for before, _ in marks), end]
    for begin, finish in zip(begins, ends, strict=True):
        first, last = trimmed(text, begin, finish)
        if first < last:
            yield first, last
