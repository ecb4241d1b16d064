"""What a provider says, without the key that it may repeat, whole or in pieces."""

import re

PIECE = 6
"""Letters of a key in a row by which a word is known to hold a part of it."""
_REDACTED = "REDACTED"
"""What litellm puts in place of a part of a key; another part may stand beside it."""


def masked(text: str, key: str) -> str:
    """The text with `***` for the key, and for every word that holds a piece of it."""
    pieces = {key[start : start + PIECE] for start in range(max(1, len(key) - PIECE + 1))} - {""}
    text = text.replace(key, "***") if key else text

    def checked(word: re.Match[str]) -> str:
        return "***" if any(piece in word[0] for piece in (_REDACTED, *pieces)) else word[0]

    return re.sub(r"\S+", checked, text)
