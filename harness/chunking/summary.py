"""The most central sentences of a text: extractive, the same every time, no model.

A sentence is as central as its TF-IDF vector is close to the sum of all the text's (centroid summarisation, Radev et al.
2004, Information Processing & Management 40).
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import log, sqrt

from harness.terms import STOP_WORDS
from harness.text import words

Weights = Mapping[str, float]


def rarity(sentences: Iterable[str]) -> dict[str, float]:
    """Inverse document frequency of each word over sentences: log(1 + N / df); stop words are left out."""
    seen = [set(words(sentence)) - STOP_WORDS for sentence in sentences]
    counts = Counter(word for found in seen for word in found)
    return {word: log(1 + len(seen) / count) for word, count in counts.items()}


def central(sentences: Sequence[str], idf: Weights, most: int) -> list[int]:
    """Places of the `most` most central sentences, in the text's order; of equals the earlier."""
    vectors = [_unit(_weights(sentence, idf)) for sentence in sentences]
    total: Counter[str] = Counter()
    for vector in vectors:
        total.update(vector)
    scores = [sum(weight * total[word] for word, weight in vector.items()) for vector in vectors]
    best = sorted(range(len(sentences)), key=lambda place: (-round(scores[place], 9), place))
    return sorted(best[:most])


def _weights(sentence: str, idf: Weights) -> dict[str, float]:
    return {word: count * idf[word] for word, count in Counter(words(sentence)).items() if word in idf}


def _unit(vector: Weights) -> dict[str, float]:
    length = sqrt(sum(weight * weight for weight in vector.values()))
    return {word: weight / length for word, weight in vector.items()}
