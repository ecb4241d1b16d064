"""How often did a language model's order of passages have to be mended?"""

from dataclasses import dataclass
from math import inf
from typing import ClassVar

from harness.metrics.base import Measure
from harness.types import Question, Score, Trace


@dataclass(frozen=True)
class RerankingFaults(Measure):
    """Bad, repeated and missing numbers in the order that a language model gave; each was mended.

    Only computed where a model reranks whole lists. Above 0 the model does not follow its instructions, and part of the order is
    the one before it.
    """

    family: ClassVar[str] = "reranking_faults"
    label: ClassVar[str] = "Reranking faults"
    formula: ClassVar[str] = "numbers in the model's order that no passage has or that came again, and passages it left out"
    source: ClassVar[str] = "this project"
    kind: ClassVar[str] = "invariant"
    higher_is_better: ClassVar[bool] = False
    high: ClassVar[float] = inf

    def score(self, question: Question, trace: Trace) -> Score:
        """The count."""
        return self.scored(question, trace.reranked.faults)
