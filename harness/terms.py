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
    """Per text its compound words without stop words, stemmed (Porter2, Snowball `english`); one-letter words stay."""
    import Stemmer

    stemmer = Stemmer.Stemmer("english")
    return [stemmer.stemWords([word for word in compound_words(text) if word not in STOP_WORDS]) for text in texts]


def _parts(word: str) -> list[str]:
    if _NUMBER.fullmatch(word):
        return []
    parts = [part for part in _JOINT.split(word) if part]
    return parts if len(parts) > 1 else []
