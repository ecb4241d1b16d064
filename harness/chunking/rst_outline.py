"""The blocks of a reStructuredText text, found by docutils."""

import re
from collections.abc import Sequence

from docutils import ApplicationError
from docutils.statemachine import StateMachineError

from harness.chunking.blocks import Block, Lines, together
from harness.chunking.rst_states import Note, notes

_GAVE_UP = (
    ApplicationError,
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    StateMachineError,
    TypeError,
    ValueError,
)
"""What docutils raises where it did not expect a text."""
_BLANK = re.compile(r"\s")


def rst_blocks(text: str) -> list[Block]:
    """The outermost blocks in order, each list item on its own; what lies between them is blank.

    A target that stands right above a heading belongs to it. A text that docutils cannot read is paragraphs.
    """
    lines = Lines(text)
    try:
        found = notes([_BLANK.sub(" ", line.expandtabs()).rstrip() for line in lines.texts])
    except _GAVE_UP:
        found = []
    return _blocks(lines, _led(lines, found), 0, len(lines.texts), "prose")


def _led(lines: Lines, found: Sequence[Note]) -> list[Note]:
    """The notes with targets put to the heading below them."""
    led: list[Note] = []
    for note in found:
        while note.kind == "heading" and led and led[-1].kind == "target" and lines.blank(led[-1].after, note.first):
            note.first = led.pop().first
        led.append(note)
    return led


def _blocks(lines: Lines, found: Sequence[Note], first: int, after: int, inside: str) -> list[Block]:
    """Blocks of the lines `first` to `after` - 1; paragraphs, and what was not noted, are of the kind of what they stand in."""
    made: list[Block] = []
    for note in found:
        begin, end = max(first, note.first), min(after, note.after)
        if begin >= end or lines.blank(begin, end):
            continue
        made += lines.paragraphs(first, begin, inside)
        kind = inside if note.kind in ("prose", "target") else note.kind
        parts = _blocks(lines, note.parts, begin, end, kind) if note.parts else ()
        made.append(lines.block(begin, end, together(note.kind == "prose", kind, parts), note.level, note.title, parts))
        first = end
    return [*made, *lines.paragraphs(first, after, inside)]
