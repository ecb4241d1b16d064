"""Refusal against what the generator was shown: did the evidence reach the context, and was the question answered?

There are two gold notions of an answerable question. Corpus-answerable is the label: the corpus holds the answer, and
`refusal_rates` holds the system against it. Context-answerable is stricter: all evidence stands in the passages shown.
Refusing after a retrieval miss is right for the generator and wrong for the system: it is no fault here, and it is one in
`over_refusal_rate`.
"""

from dataclasses import dataclass
from typing import ClassVar

from harness.metrics.base import Measure
from harness.metrics.coverage import NEVER, find
from harness.types import Question, Score, Trace

_SOURCE = "denominators after Song et al. 2024 (Trust-Score), arXiv 2409.11242"


def context_answerable(question: Question, trace: Trace, tau: float) -> bool | None:
    """Whether every evidence group is covered to tau by the passages shown; None where nobody can tell.

    An unanswerable question never is. An answerable one without evidence cannot be told.
    """
    if not question.answerable:
        return False
    if not question.evidence:
        return None
    return max(find(question.evidence, trace.context, tau).ranks) < NEVER


@dataclass(frozen=True)
class InContext(Measure):
    """A share of the questions that are, or are not, context-answerable."""

    tau: float = 0.9
    """Share of an evidence span that must be covered."""

    kind: ClassVar[str] = "refusal"
    source: ClassVar[str] = _SOURCE
    higher_is_better: ClassVar[bool] = False
    answerable: ClassVar[bool]

    def score(self, question: Question, trace: Trace) -> Score:
        """Not applicable without an answer, without evidence, and outside the metric's denominator."""
        if trace.answer is None:
            return self.not_applicable(question, "no answer was generated")
        found = context_answerable(question, trace, self.tau)
        if found is None:
            return self.not_applicable(question, "the question has no evidence")
        if found is not self.answerable:
            return self.not_applicable(question, "context-answerable" if found else "not context-answerable")
        return self.scored(question, trace.answer.refused is found)


@dataclass(frozen=True)
class ContextOverRefusalRate(InContext):
    """Questions refused although all their evidence was shown: the generator's own over-refusal.

    A refusal after a retrieval miss is right for the generator and leaves this denominator; it is wrong for the system and
    counts in `over_refusal_rate`.
    """

    family: ClassVar[str] = "context_over_refusal_rate"
    label: ClassVar[str] = "Over-refusal rate in context"
    formula: ClassVar[str] = "refused and context-answerable / context-answerable (all evidence groups in the passages shown)"
    answerable: ClassVar[bool] = True


@dataclass(frozen=True)
class ContextFalseAnswerRate(InContext):
    """Questions answered although their evidence was not, or not all, shown: answers from elsewhere than the passages.

    An answer after a retrieval miss counts, right or wrong; `false_answer_rate` does not see it.
    """

    family: ClassVar[str] = "context_false_answer_rate"
    label: ClassVar[str] = "False answer rate in context"
    formula: ClassVar[str] = (
        "answered and not context-answerable / not context-answerable (some evidence not shown, or none exists)"
    )
    answerable: ClassVar[bool] = False
