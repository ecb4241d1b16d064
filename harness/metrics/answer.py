"""Exact match and token F1 of SQuAD 1.1, best over the accepted answers, citation markers removed first.

English is compared word for word by SQuAD's rule. Where either text holds a letter or digit beyond ASCII, a mark of Arabic,
Chinese or Japanese, or a French elision written with ’, both are compared folded (`harness.text.fold`) and without any mark
of Unicode category P, each Chinese, Japanese or Korean character a word: `390元。` is `390元`, `٣٠ شهرًا` is `30 شهرا`. The
English articles go in either case, those of other languages stay.
"""

import re
import string
import unicodedata
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from harness.generation.citations import without_citations
from harness.metrics.base import Measure
from harness.text import CJK, fold
from harness.types import Question, Score, Trace

_ARTICLES = re.compile(r"\b(a|an|the)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation)
_CHARACTER = re.compile(rf"([{CJK}])")
_FOREIGN_MARK = re.compile(r"[،؛؟\u3000-\u303f\uff00-\uffef]|\b(?:[cdjlmnst]|(?:lors|puis|jus)?qu)’\w\w", re.IGNORECASE)
_KEPT = 256
_SOURCE = "Rajpurkar et al. 2016 (SQuAD 1.1), arXiv 1606.05250, evaluate-v1.1.py"


class _Compared(Measure):
    """A metric that holds the answer against accepted short answers."""

    kind: ClassVar[str] = "answer"
    source: ClassVar[str] = _SOURCE

    def score(self, question: Question, trace: Trace) -> Score:
        """0 for a refusal; not applicable to unanswerable questions and those without short answers."""
        if not question.answerable:
            return self.not_applicable(question, "unanswerable: there is no right answer")
        if not question.answers:
            return self.not_applicable(question, "the question has no short answers")
        if trace.answer is None:
            return self.not_applicable(question, "no answer was generated")
        if trace.answer.refused:
            return self.scored(question, 0.0, "refused")
        given = plain(trace.answer.text)
        return self.scored(question, max(self.compare(given, accepted) for accepted in question.answers))

    def compare(self, given: str, accepted: str) -> float:
        """How well one answer matches one accepted answer."""
        raise NotImplementedError


@dataclass(frozen=True)
class ExactMatch(_Compared):
    """Whether the answer is one of the accepted ones, normalised."""

    family: ClassVar[str] = "exact_match"
    label: ClassVar[str] = "Exact match"
    formula: ClassVar[str] = "1 if the normalised answer equals a normalised accepted answer, else 0"

    def compare(self, given: str, accepted: str) -> float:
        """1 or 0."""
        ours, theirs = alike(given, accepted)
        return float(ours == theirs)


@dataclass(frozen=True)
class TokenF1(_Compared):
    """How many words the answer shares with the best accepted one."""

    family: ClassVar[str] = "token_f1"
    label: ClassVar[str] = "Token F1"
    formula: ClassVar[str] = "harmonic mean of word precision and recall, normalised, best over accepted answers"

    def compare(self, given: str, accepted: str) -> float:
        """Word F1 of two texts."""
        return token_f1(given, accepted)


def token_f1(given: str, accepted: str) -> float:
    """Word F1 of two texts; two texts without words are equal."""
    ours, theirs = map(_counts, alike(given, accepted))
    if not ours or not theirs:
        return float(ours == theirs)
    shared = sum(min(count, ours.get(word, 0)) for word, count in theirs.items())
    return 2 * shared / (ours.total() + theirs.total())


@lru_cache(maxsize=_KEPT)
def _counts(text: str) -> Counter[str]:
    return Counter(text.split())


def normalised(text: str) -> str:
    """Lower case, without punctuation, English articles and repeated blanks; other languages folded, CJK characters apart."""
    return _normalised(text, _foreign(text))


def alike(one: str, other: str) -> tuple[str, str]:
    """Two texts normalised by one rule, English or not, so that they can be compared."""
    foreign = _foreign(one) or _foreign(other)
    return _normalised(one, foreign), _normalised(other, foreign)


@lru_cache(maxsize=_KEPT)
def plain(text: str) -> str:
    """The text without its citations."""
    return without_citations(text)


@lru_cache(maxsize=_KEPT)
def _normalised(text: str, foreign: bool) -> str:
    bare = _bare(text) if foreign else text.lower().translate(_PUNCTUATION)
    return " ".join(_ARTICLES.sub(" ", bare).split())


def _bare(text: str) -> str:
    plain = fold(text).translate(_PUNCTUATION)
    return _CHARACTER.sub(r" \1 ", "".join(letter for letter in plain if not unicodedata.category(letter).startswith("P")))


@lru_cache(maxsize=_KEPT)
def _foreign(text: str) -> bool:
    """Whether a text is not plain English."""
    return not text.isascii() and (any(_beyond_a_to_z(letter) for letter in text) or bool(_FOREIGN_MARK.search(text)))


def _beyond_a_to_z(letter: str) -> bool:
    return (letter.isalpha() or letter.isdecimal()) and not letter.isascii()
