"""Refusal per question: was an unanswerable question refused, was an answerable one?

Each is a rate over its own denominator, and both sides are gated, so neither always answering nor always refusing
passes. The gold notion is the label, corpus-answerable; context_refusal.py holds the generator against what it was shown.
The F1 of the whole set is in refusal.py.
"""

from dataclasses import dataclass
from typing import ClassVar

from harness.metrics.base import Measure
from harness.types import Question, Score, Trace

_SOURCE = "Song et al. 2024 (Trust-Score), arXiv 2409.11242"


class _Refusal(Measure):
    """A share of questions."""

    kind: ClassVar[str] = "refusal"
    source: ClassVar[str] = _SOURCE

    def score(self, question: Question, trace: Trace) -> Score:
        """Not applicable without an answer, and outside the metric's denominator."""
        if trace.answer is None:
            return self.not_applicable(question, "no answer was generated")
        if reason := self.outside(question, trace.answer.refused):
            return self.not_applicable(question, reason)
        return self.scored(question, self.counted(question, trace.answer.refused))

    def outside(self, question: Question, refused: bool) -> str:
        """Why a question is not in the denominator; empty when it is."""
        raise NotImplementedError

    def counted(self, question: Question, refused: bool) -> bool:
        """Whether a question of the denominator counts."""
        return refused


@dataclass(frozen=True)
class RefusalRecall(_Refusal):
    """Unanswerable questions that were refused; sliced by reason it is RGB's rejection rate (Chen et al. 2023, arXiv 2309.01431)."""

    family: ClassVar[str] = "refusal_recall"
    label: ClassVar[str] = "Refusal recall"
    formula: ClassVar[str] = "refused and unanswerable / unanswerable"

    def outside(self, question: Question, refused: bool) -> str:
        """Only unanswerable questions."""
        return "answerable" if question.answerable else ""


@dataclass(frozen=True)
class RefusalPrecision(_Refusal):
    """Refusals that were right."""

    family: ClassVar[str] = "refusal_precision"
    label: ClassVar[str] = "Refusal precision"
    formula: ClassVar[str] = "refused and unanswerable / refused"

    def outside(self, question: Question, refused: bool) -> str:
        """Only refused questions."""
        return "" if refused else "answered"

    def counted(self, question: Question, refused: bool) -> bool:
        """The refusal was right."""
        return not question.answerable


@dataclass(frozen=True)
class OverRefusalRate(_Refusal):
    """Answerable questions that were refused."""

    family: ClassVar[str] = "over_refusal_rate"
    label: ClassVar[str] = "Over-refusal rate"
    formula: ClassVar[str] = "refused and answerable / answerable"
    higher_is_better: ClassVar[bool] = False

    def outside(self, question: Question, refused: bool) -> str:
        """Only answerable questions."""
        return "" if question.answerable else "unanswerable"


@dataclass(frozen=True)
class FalseAnswerRate(_Refusal):
    """Unanswerable questions that were answered."""

    family: ClassVar[str] = "false_answer_rate"
    label: ClassVar[str] = "False answer rate"
    formula: ClassVar[str] = "answered and unanswerable / unanswerable"
    higher_is_better: ClassVar[bool] = False

    def outside(self, question: Question, refused: bool) -> str:
        """Only unanswerable questions."""
        return "answerable" if question.answerable else ""

    def counted(self, question: Question, refused: bool) -> bool:
        """It was answered."""
        return not refused
