"""Personal data in logged queries: e-mail addresses, telephone numbers and long numbers are replaced before anything is kept."""

import re
from collections.abc import Callable

LEAST_DIGITS = 7
"""Digits from which a number is taken for one of a person, account or device."""

_EMAIL = re.compile(r"[\w.+%'-]+@[\w-]+(?:\.[\w-]+)+")
_NUMBER = re.compile(r"(?<![\w.])\+?\(?\d(?:[\d()]|[ ./-](?=[\d(]))*\d")
_ATTACHED = re.compile(r"\d{7,}")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{4}")


def mask(text: str, public: Callable[[str], bool]) -> tuple[str, int]:
    """The text with `[email]` and `[number]` instead, and how many were replaced.

    Dates stay, and so does a number that is `public` because it stands in the documents.
    """
    count = 0

    def replaced(found: re.Match[str], word: str) -> str:
        nonlocal count
        piece = found[0]
        digits = sum(letter.isdigit() for letter in piece)
        if word == "[number]" and (digits < LEAST_DIGITS or _DATE.fullmatch(piece) or public(piece)):
            return piece
        count += 1
        return word

    text = _EMAIL.sub(lambda found: replaced(found, "[email]"), text)
    text = _NUMBER.sub(lambda found: replaced(found, "[number]"), text)
    return _ATTACHED.sub(lambda found: replaced(found, "[number]"), text), count
