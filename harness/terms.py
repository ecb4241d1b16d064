"""Terms: words prepared for lexical matching. Shared by sparse retrieval and the lexical reranker."""

import re
from collections.abc import Sequence

from harness.text import words

# fmt: off
STOP_WORDS = frozenset((
    "a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "if", "in", "into", "is", "it", "no",
    "not", "of", "on", "or", "such", "that", "the", "their", "then", "there", "these", "they", "this", "to",
    "was", "will", "with",
))
# fmt: on
"""The 33 English stop words of Lucene's EnglishAnalyzer (Apache Lucene, EnglishAnalyzer.ENGLISH_STOP_WORDS_SET)."""

_JOINT = re.compile(r"[-._]+")
_NUMBER = re.compile(r"[\d.]+")


def compound_words(text: str) -> list[str]:
    """Lower-case words, each compound followed by its parts: FH-4410-B gives fh-4410-b, fh, 4410, b; 2.4 stays whole."""
    return [term for word in words(text) for term in (word, *_parts(word))]


def stems(texts: Sequence[str]) -> list[list[str]]:
    """Per text its compound words without stop words, stemmed; one-letter words stay.

    Words in Arabic script by Snowball `arabic`, twice, for once takes the article or the ending, not both (`الملوحة` would
    miss `ملوحة`); all others by Porter2 (Snowball `english`).
    """
    import Stemmer

    english, arabic = Stemmer.Stemmer("english"), Stemmer.Stemmer("arabic")
    found = [english.stemWords([word for word in compound_words(text) if word not in STOP_WORDS]) for text in texts]
    return [
        terms if text.isascii() else [arabic.stemWord(arabic.stemWord(word)) if _is_arabic(word) else word for word in terms]
        for text, terms in zip(texts, found, strict=True)
    ]


def _is_arabic(word: str) -> bool:
    return "\u0620" <= word[0] <= "\u06d3"


def _parts(word: str) -> list[str]:
    if word.isalnum() or _NUMBER.fullmatch(word):
        return []
    parts = [part for part in _JOINT.split(word) if part]
    return parts if len(parts) > 1 else []
