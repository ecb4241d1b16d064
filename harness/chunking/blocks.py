"""Blocks of a text and its lines: what the outlines of Markdown and reStructuredText are made of."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Block:
    """Lines that belong together; a fenced block, a table, a list item or a directive is better not cut."""

    start: int
    """First character."""
    end: int
    """One past the last character that is not blank."""
    kind: str
    """heading, code, table, list, directive, prose."""
    level: int = 0
    """Of a heading, from 1."""
    title: str = ""
    """Of a heading."""
    parts: tuple["Block", ...] = ()
    """Where it is better cut when it is too long: the rows of a table, what stands inside a list item. All of it, in order."""


class Lines:
    """The lines of a text, by number from 0, and where they stand."""

    def __init__(self, text: str) -> None:
        self.texts = text.split("\n")
        self._starts = [0]
        for line in self.texts:
            self._starts.append(self._starts[-1] + len(line) + 1)

    def block(self, first: int, after: int, kind: str, level: int = 0, title: str = "", parts: Sequence[Block] = ()) -> Block:
        """The block of lines `first` to `after` - 1, without blank lines around; one of them must hold something."""
        while not self.texts[first].strip():
            first += 1
        while not self.texts[after - 1].strip():
            after -= 1
        end = self._starts[after - 1] + len(self.texts[after - 1].rstrip())
        return Block(self._starts[first], end, kind, level, title, tuple(parts))

    def blank(self, first: int, after: int) -> bool:
        """Whether lines `first` to `after` - 1 hold nothing."""
        return not any(line.strip() for line in self.texts[first:after])

    def paragraphs(self, first: int, after: int, kind: str) -> Iterator[Block]:
        """The stretches between blank lines."""
        opening: int | None = None
        for number in range(first, after + 1):
            blank = number == after or not self.texts[number].strip()
            if blank and opening is not None:
                yield self.block(opening, number, kind)
            opening = None if blank else number if opening is None else opening


def together(quoted: bool, kind: str, parts: Sequence[Block]) -> str:
    """The kind of a block with its parts: a quotation that holds more than paragraphs is not prose to start a chunk in."""
    return "directive" if quoted and any(part.kind != kind for part in parts) else kind
