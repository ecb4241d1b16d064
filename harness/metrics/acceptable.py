"""Acceptable ratio: was an unanswerable question met with a refusal or, where it is underspecified, with a question back?"""

from dataclasses import dataclass
from typing import ClassVar

from harness.metrics.answer import plain
from harness.metrics.base import Measure
from harness.types import Question, Score, Trace

_QUESTION_MARKS = ("?", "？", "؟", "\ufe56", "\u037e", "՞", "፧", "⁇", "⁈", "⁉", "‽")
_CLOSERS = " \t\r\n\u00a0\u202f\u3000\"')]}»«”“’‘›‹」』）】〕》〉*_~"


@dataclass(frozen=True)
class AcceptableRatio(Measure):
    """Unanswerable questions with an acceptable reaction; read it per reason, in the slices `reason:*`.

    The paper lets a judge decide by category. Here a refusal is acceptable for every reason, and for `underspecified` so is an
    answer that asks back: it ends with a question, in any script's question mark. Whether an answer corrects a false
    premise is not read.
    """

    family: ClassVar[str] = "acceptable_ratio"
    label: ClassVar[str] = "Acceptable ratio"
    formula: ClassVar[str] = "(refused, or underspecified and the answer ends with a question) and unanswerable / unanswerable"
    source: ClassVar[str] = "after Peng et al. 2024 (UAEval4RAG), arXiv 2412.12300"
    kind: ClassVar[str] = "refusal"

    def score(self, question: Question, trace: Trace) -> Score:
        """Not applicable without an answer and to answerable questions."""
        if trace.answer is None:
            return self.not_applicable(question, "no answer was generated")
        if question.answerable:
            return self.not_applicable(question, "answerable")
        if trace.answer.refused:
            return self.scored(question, 1, "refused")
        if question.reason == "underspecified" and asks_back(trace.answer.text):
            return self.scored(question, 1, "asks back")
        return self.scored(question, 0, "answered")


def asks_back(text: str) -> bool:
    """Whether the last sentence is a question: the text, without citations and closing marks, ends in a question mark.

    A Greek question may be closed by `;`, the form that Unicode normalises its question mark to.
    """
    told = plain(text).rstrip(_CLOSERS)
    return told.endswith(_QUESTION_MARKS) or (told.endswith(";") and _greek(told[-2:-1]))


def _greek(letter: str) -> bool:
    return "\u0370" <= letter <= "\u03ff" or "\u1f00" <= letter <= "\u1fff"
