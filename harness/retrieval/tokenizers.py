"""Tokenizers of sparse retrieval, by name."""

from collections.abc import Sequence
from typing import Literal

from harness.terms import compound_words, stems

TokenizerName = Literal["stemmed", "words", "plain"]
"""`plain`: str.lower().split(). `words`: words and parts of compounds. `stemmed`: those without stop words, stemmed."""


def tokenize(name: TokenizerName, texts: Sequence[str]) -> list[list[str]]:
    """The tokens of each text."""
    match name:
        case "stemmed":
            return stems(texts)
        case "words":
            return [compound_words(text) for text in texts]
        case "plain":
            return [text.lower().split() for text in texts]
