"""Words without stop words, stemmed, by language."""

import re
from collections.abc import Callable, Sequence
from typing import Literal

from harness import terms
from harness.retrieval.stemming_stop_words import stop_words

Language = Literal["english", "german", "french", "spanish", "italian", "dutch", "arabic"]
"""Languages with a Snowball stemmer and a list of stop words here."""

_ITALIAN_ELISION = re.compile(r"(?:un|gl|quell|quest|bell|tutt|(?:a|co|da|de|ne|su)ll)'(?=\w)")
_ARABIC = re.compile("[\u0620-\u06d3]")


def stems(texts: Sequence[str], language: Language) -> list[list[str]]:
    """Per text its compound words without the language's stop words, stemmed by Snowball; one-letter words stay.

    Words in Arabic script are stemmed as `harness.terms` does it whatever the language; with `arabic` all others are stemmed as
    English. German compounds stay whole: Luftfeuchtigkeit does not match Feuchtigkeit. German ae, oe and ue count as umlauts where
    Snowball takes them for such. French elisions (l'eau) and Italian ones (dell'acqua) are taken off.
    """
    if language == "english":
        return terms.stems(texts)
    import Stemmer

    own = Stemmer.Stemmer("english" if language == "arabic" else language)
    arabic, stops = Stemmer.Stemmer("arabic"), stop_words(language)
    found = [[word for word in _words(text, language) if word not in stops] for text in texts]
    return [_arabic(own.stemWords(words), arabic.stemWord) for words in found]


def _words(text: str, language: Language) -> list[str]:
    words = terms.compound_words(text)
    return [_ITALIAN_ELISION.sub("", word) for word in words] if language == "italian" else words


def _arabic(words: Sequence[str], stem: Callable[[str], str]) -> list[str]:
    """Stemmed twice, for once takes the article or the ending, not both."""
    return [stem(stem(word)) if _ARABIC.match(word) else word for word in words]
