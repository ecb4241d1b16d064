"""Pieces without a single word: nothing can be found by them, and an embedder of words has no vector for them."""

from collections.abc import Iterable
from dataclasses import replace

from harness.chunking.assemble import Piece
from harness.text import words


def with_words(text: str, pieces: Iterable[Piece]) -> list[Piece]:
    """The pieces of a text, those of punctuation alone joined to the one before, at the start to the one after.

    The joint piece may exceed a chunker's size by what was joined. A text without any word gives one piece.
    """
    made: list[Piece] = []
    named = False
    for piece in pieces:
        if not text[piece.start : piece.end].strip():
            continue
        word = has_word(text, piece)
        if made and not (named and word):
            before = made.pop()
            piece = replace(before if named else piece, start=before.start, end=max(before.end, piece.end))
            named = named or word
        else:
            named = word
        made.append(piece)
    return made


def has_word(text: str, piece: Piece) -> bool:
    """Whether something can be found by what stands in a piece."""
    return any(words(part) for part in text[piece.start : piece.end].split())
