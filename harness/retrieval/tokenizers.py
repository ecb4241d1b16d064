"""Tokenizers of sparse retrieval, by name."""

from collections.abc import Sequence
from typing import Literal

from harness.errors import StageError
from harness.retrieval.bigrams import bigrams
from harness.retrieval.stemming import Language, stems
from harness.terms import compound_words

TokenizerName = Literal["stemmed", "words", "plain", "bigrams"]
"""`plain`: str.lower().split(). `words`: words and parts of compounds, each CJK character a word. `stemmed`: those without stop
words, stemmed. `bigrams`: as `stemmed`, but Chinese, Japanese and Korean by overlapping pairs of characters."""


def tokenize(name: TokenizerName, texts: Sequence[str], language: Language = "english") -> list[list[str]]:
    """The tokens of each text; `language` is read by `stemmed` and `bigrams`.

    All but `plain` fold the text first (`harness.text.fold`): composed and decomposed accents, full and half width are one.

    Raises:
        StageError: when a string is given in place of a list of texts.
    """
    refuse_string(texts, "texts")
    match name:
        case "stemmed":
            return stems(texts, language)
        case "words":
            return [compound_words(text) for text in texts]
        case "plain":
            return [text.lower().split() for text in texts]
        case "bigrams":
            return bigrams(texts, language)


def refuse_string(values: Sequence[str], what: str) -> None:
    """That a list is a list: a string in its place would be taken apart into letters.

    Raises:
        StageError: when it is a string.
    """
    if isinstance(values, str):
        raise StageError(
            f"a list of {what} is needed, got the string {values[:80]!r}: its letters would count as {what}; give [{what[:-1]}]"
        )
