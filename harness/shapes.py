"""Shapes: what type a value and everything inside it must have, each mismatch with its place."""

import unicodedata
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any, NamedTuple

from harness.errors import Problem

_NAMES = {str: "text", bool: "true or false", int: "a whole number", float: "a number", list: "a list", dict: "an object"}
_BLANKS = "\n\t\r"


class Fault(NamedTuple):
    """One fault of a value: its code, the field's path, what is wrong, why it matters, how to mend it."""

    code: str
    field: str
    what: str
    why: str = ""
    fix: str = ""

    def at(self, where: str) -> Problem:
        """The fault as a problem of a file and line."""
        return Problem(self.code, f"{where} {self.field}".rstrip(), self.what, self.why, self.fix)


def mismatches(value: Any, shape: Any, field: str = "") -> Iterator[Fault]:
    """Faults of a value against a shape.

    A shape is a type, a list with the shape of each item, or a mapping of names to shapes in which a trailing ? marks
    a name that may be left out.
    """
    kind = shape if isinstance(shape, type) else list if isinstance(shape, list) else dict
    if not _is(value, kind):
        yield Fault("G007" if field == "id" else "G009", field, *_wrong_type(value, kind))
    elif isinstance(shape, list):
        for place, item in enumerate(value):
            yield from mismatches(item, shape[0], f"{field}[{place}]")
    elif isinstance(shape, Mapping):
        yield from _members(value, shape, field)


def texts(value: Any, field: str = "") -> Iterator[tuple[str, str]]:
    """Every text inside a value with its path."""
    if isinstance(value, str):
        yield field, value
    elif isinstance(value, list):
        for place, item in enumerate(value):
            yield from texts(item, f"{field}[{place}]")
    elif isinstance(value, dict):
        for name, item in value.items():
            yield from texts(item, f"{field}.{name}" if field else name)


def bad_text(field: str, text: str, longest: int) -> Iterator[Fault]:
    """A text that is too long or holds control characters or lone surrogates."""
    if len(text) > longest:
        yield Fault("G020", field, f"has {len(text):,} characters (limit {longest:,}).", fix="shorten it.")
    for place, letter in enumerate(text):
        if letter not in _BLANKS and unicodedata.category(letter) in ("Cc", "Cs"):
            kind = "lone surrogate" if unicodedata.category(letter) == "Cs" else "control character"
            yield Fault("G021", field, f"{kind} U+{ord(letter):04X} at character {place}.", fix="remove it.")
            return


def unknown_word(field: str, word: str, known: tuple[str, ...]) -> Iterator[Fault]:
    """A word that is not one of those known."""
    if word not in known:
        yield Fault("G027", field, f"{word!r} is unknown{suggestion(word, known)}", fix=f"one of {', '.join(known)}.")


def suggestion(word: str, known: tuple[str, ...]) -> str:
    """`; did you mean 'x'?`, or a full stop when nothing is near."""
    near = get_close_matches(word, known, 1)
    return f"; did you mean {near[0]!r}?" if near else "."


def _members(value: dict[str, Any], shape: Mapping[str, Any], field: str) -> Iterator[Fault]:
    known = {name.removesuffix("?"): inner for name, inner in shape.items()}
    prefix = f"{field}." if field else ""
    for name in shape:
        if not name.endswith("?") and name not in value:
            yield Fault("G005", prefix + name, "is missing.", fix=f"add it as {_NAMES[_kind(known[name])]}.")
    for name, item in value.items():
        if name in known:
            yield from mismatches(item, known[name], prefix + name)
        else:
            yield Fault(
                "G004", prefix + name, f"field {name!r} is unknown{suggestion(name, tuple(known))}", fix="rename or drop it."
            )


def _kind(shape: Any) -> type:
    return shape if isinstance(shape, type) else type(shape)


def _is(value: Any, kind: type) -> bool:
    if kind is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    return isinstance(value, kind) and not (kind is int and isinstance(value, bool))


def _wrong_type(value: Any, kind: type) -> tuple[str, str, str]:
    got = "null" if value is None else _NAMES.get(type(value), type(value).__name__)
    shown = "" if value is None else f" {value!r}"[:60]
    fix = (
        f'write "{value}".'
        if kind is str and _is(value, float)
        else f'["{value}"].'
        if kind is list and isinstance(value, str)
        else ""
    )
    return f"must be {_NAMES[kind]}, got {got}{shown}.", "", fix or f"write {_NAMES[kind]}, or leave the field out."
