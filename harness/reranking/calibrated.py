"""A reranker whose scores are made probabilities of relevance, learned on a golden set's tune questions."""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise
from math import exp
from typing import Annotated, Literal, Self

from pydantic import ConfigDict, Field, SkipValidation, model_validator
from pydantic.dataclasses import dataclass

from harness.errors import ConfigError
from harness.protocols import Reranker
from harness.reranking.descending import descending
from harness.reranking.logits import logit
from harness.types import Hit, Query, Ranking

Numbers = Annotated[list[Annotated[float, Field(allow_inf_nan=False)]], Field(default_factory=list)]


@dataclass(frozen=True, config=ConfigDict(extra="forbid", arbitrary_types_allowed=True))
class Calibrated:
    """The inner reranker's order, with the probability that a passage holds evidence of the question in place of its score.

    platt: 1 / (1 + e^-(slope x logit(score) + intercept)) (Platt 1999). isotonic: linear between the knots of an isotonic
    regression, and level beyond them (Zadrozny and Elkan 2002). `harness calibrate reranker` learns the numbers and writes them
    into a conf file. Where a plateau would make scores equal, the later one is lowered by the least a float can say, from 1e-12 where
    the plateau is lower.
    """

    reranker: SkipValidation[Reranker]
    """Gives scores in [0, 1]."""
    holds_for: Annotated[str, Field(min_length=1)]
    """Identity of the reranker that the numbers were learned with."""
    method: Literal["platt", "isotonic"] = "platt"
    """How scores become probabilities."""
    slope: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 1.0
    """Of platt."""
    intercept: Annotated[float, Field(allow_inf_nan=False)] = 0.0
    """Of platt."""
    knots: Numbers = Field(default_factory=list)
    """Of isotonic: scores of the knots, ascending."""
    probabilities: Numbers = Field(default_factory=list)
    """Of isotonic: probabilities at the knots, never descending."""

    @model_validator(mode="after")
    def _curve(self) -> Self:
        rising = all(a < b for a, b in pairwise(self.knots))
        level = all(a <= b for a, b in pairwise([0.0, *self.probabilities, 1.0]))
        if self.method == "isotonic" and not (rising and level and len(self.knots) == len(self.probabilities) > 1):
            raise ValueError("isotonic needs two knots or more: ascending scores, and as many probabilities that never descend")
        return self

    @property
    def calibrated(self) -> bool:
        """True."""
        return True

    @property
    def scale(self) -> str:
        """What its scores are."""
        return "probabilities of relevance"

    @property
    def identity(self) -> str:
        """The inner reranker's, and how its scores are read."""
        return f"{self.holds_for}, calibrated by {self.method}"

    def check(self) -> None:
        """Finds numbers that were learned with another reranker.

        Raises:
            ConfigError: names both.
        """
        found = getattr(self.reranker, "identity", type(self.reranker).__name__)
        if found != self.holds_for:
            raise ConfigError(
                f"the calibration was learned with {self.holds_for!r} and the reranker is {found!r}; its scores mean something "
                "else. Run `harness calibrate reranker` anew"
            )

    def rerank(self, query: Query, ranking: Ranking) -> Ranking:
        """The inner reranker's order with probabilities."""
        found = self.reranker.rerank(query, ranking)
        return descending([Hit(hit.chunk, self.probability(hit.score)) for hit in found.hits], found.faults)

    def probability(self, score: float) -> float:
        """Of a passage with this score."""
        if self.method == "isotonic":
            return _between(self.knots, self.probabilities, score)
        power = self.slope * logit(score) + self.intercept
        return 1 / (1 + exp(-power)) if power >= 0 else exp(power) / (1 + exp(power))


def _between(xs: Sequence[float], ys: Sequence[float], x: float) -> float:
    place = bisect_right(xs, x)
    if place in (0, len(xs)):
        return ys[0] if place == 0 else ys[-1]
    share = (x - xs[place - 1]) / (xs[place] - xs[place - 1])
    return ys[place - 1] + share * (ys[place] - ys[place - 1])
