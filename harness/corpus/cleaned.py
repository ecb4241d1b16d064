"""What a loader makes of one file."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

MAX_TEXT = 20_000_000
"""Characters of the text that comes out of a page, deck or document; markup can say more than it holds."""

Places = tuple[tuple[int, int], ...]
"""(offset, number): from that character on the text comes from that line, page, ... of the original; ascending."""


class TooLargeError(ValueError):
    """A file says more than is read; the message names the limit."""


@dataclass(frozen=True, slots=True)
class Dropped:
    """What cleaning left out of a file."""

    what: str
    """In words: `front matter`, `<script>`, `hidden slide 3`."""
    characters: int
    """Characters of the original's text; 0 where its text is not read."""
    line: int | None = None
    """Line of the original on which it starts; None where the file has no lines or the thing stands in several places."""
    doc_id: str = ""
    """The document it was left out of."""


@dataclass(frozen=True, slots=True)
class Cleaned:
    """The text of one file, what the file says of itself, and the way back to the original."""

    text: str
    """What is kept."""
    fields: Mapping[str, Any] = field(default_factory=dict)
    """Title, author, dates, ... as the file has them."""
    unit: str = "line"
    """What `places` counts."""
    places: Places = ()
    """See `Places`; empty is line 1 at 0."""
    dropped: tuple[Dropped, ...] = ()
    """What is not kept, in the order of the original."""


def joined(parts: Iterable[tuple[int, str]], separator: str) -> tuple[str, Places]:
    """Numbered parts of an original as one text that ends with a line end, and where each number starts in it; empty parts are left out."""
    text, places = [], list[tuple[int, int]]()
    at = 0
    for number, part in parts:
        if part:
            places.append((at, number))
            text.append(part)
            at += len(part) + len(separator)
    return (separator.join(text) + "\n" if text else ""), tuple(places)


def refuse_long(characters: int) -> None:
    """Raises for a text of more than `MAX_TEXT` characters.

    Raises:
        TooLargeError: with the limit.
    """
    if characters > MAX_TEXT:
        raise TooLargeError(f"has a text of more than {MAX_TEXT:,} characters")


def single_line(text: str) -> str:
    """Its words, one blank between them."""
    return " ".join(text.split())
