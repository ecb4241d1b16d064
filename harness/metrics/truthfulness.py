"""Truthfulness: a wrong answer costs as much as a right one earns, and a refusal costs nothing."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from harness.metrics.answer import alike, plain, token_f1
from harness.metrics.base import Measure
from harness.text import fold
from harness.types import Question, Score, Trace

_ACCEPTABLE = 0.5
_MINUS_WORD = re.compile(r"\bminus\s+(?=\d)")
_THOUSANDS = re.compile(r"(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d,]*\d)")
_TELLING = re.compile(
    r"(?<=\d)[.,:/\u2044\u2010-\u2013\u2212-](?=\d)"
    r"|(?<![\w)\]%\u00b0.,\u2010-\u2013\u2212-])(?<!\d\s)[\u2010-\u2013\u2212-](?=[$\u20ac\u00a3]?\.?\d)"
    r"|(?<=\w)/(?=\w)|(?<=[\w+#])[+#]"
)
_HIDDEN = str.maketrans(
    ".,:/\u2044+#-\u2010\u2011\u2012\u2013\u2212", "\ue000\ue001\ue002\ue003\ue003\ue004\ue005" + "\ue006" * 6
)
"""Marks to characters of private use, which no rule deletes; a slash is a slash, a dash a dash."""


@dataclass(frozen=True)
class Truthfulness(Measure):
    """CRAG's scale, decided without a judge: correct 1, acceptable .5, refused 0, wrong -1.

    An answer is correct when an accepted short answer stands in it as whole words in sequence, both normalised as for exact
    match and without citations, but with the marks that tell numbers and names apart (`exact`); acceptable when the F1 of
    these words against the best accepted answer is at least .5; otherwise wrong. An unanswerable question is refused rightly (1) or answered wrongly (-1). Words are compared, not meanings: a
    denial that holds an accepted answer counts as correct, a right answer in other words as wrong.
    """

    family: ClassVar[str] = "truthfulness"
    label: ClassVar[str] = "Truthfulness"
    formula: ClassVar[str] = (
        "accepted answer in the words 1, token F1 >= .5 .5, refused 0, wrong -1; unanswerable: refused 1, answered -1"
    )
    source: ClassVar[str] = "Yang et al. 2024 (CRAG), arXiv 2406.04744"
    kind: ClassVar[str] = "answer"
    low: ClassVar[float] = -1.0

    def score(self, question: Question, trace: Trace) -> Score:
        """Not applicable without an answer, and to answerable questions without short answers."""
        if trace.answer is None:
            return self.not_applicable(question, "no answer was generated")
        refused = trace.answer.refused
        if not question.answerable:
            return self.scored(question, 1 if refused else -1, "rightly refused" if refused else "answered")
        if not question.answers:
            return self.not_applicable(question, "the question has no short answers")
        return self.scored(question, 0, "refused") if refused else self._of_answer(question, plain(trace.answer.text))

    def _of_answer(self, question: Question, given: str) -> Score:
        if any(stands_in(accepted, given) for accepted in question.answers):
            return self.scored(question, 1, "correct")
        if max(token_f1(exact(given), exact(accepted)) for accepted in question.answers) >= _ACCEPTABLE:
            return self.scored(question, 0.5, "acceptable")
        return self.scored(question, -1, "wrong")


def stands_in(accepted: str, given: str) -> bool:
    """Whether the words of one text stand in another, in sequence, as `exact` reads them; a text without words is in none."""
    theirs, ours = alike(exact(accepted), exact(given))
    return bool(theirs) and f" {theirs} " in f" {ours} "


@lru_cache(maxsize=256)
def exact(text: str) -> str:
    """The folded text with the marks that tell numbers and names apart hidden from SQuAD's rule, which deletes punctuation.

    Kept are . , : / and dashes between digits, a minus before a number (`minus 5` too), / between letters, + and # behind a
    letter: 3.5 is not 35, -5 not 5, 1/2 not 12, C# not C. Only the commas of thousands go: 1,000 is 1000. Numbers are not
    calculated: 1.50 is not 1.5, for version 3.10 is not 3.1; a question may list both among its answers.
    """
    plainer = _MINUS_WORD.sub("-", _THOUSANDS.sub(lambda match: match.group().replace(",", ""), fold(text)))
    return _TELLING.sub(lambda match: match.group().translate(_HIDDEN), plainer)
