"""A reranker's scores before they were squeezed into [0, 1]."""

from math import log

from pydantic import ConfigDict, SkipValidation
from pydantic.dataclasses import dataclass

from harness.protocols import Reranker
from harness.types import Hit, Query, Ranking

_LEAST = 1e-15


@dataclass(frozen=True, config=ConfigDict(extra="forbid", arbitrary_types_allowed=True))
class Logits:
    """score = ln(p / (1 - p)) of the inner reranker's p: the order stays, but for scores nearer to 0 or 1 than 1e-15, which are equal.

    Many cross-encoders are served like this. A threshold on such scores is refused by name: 0.5 on a logit is a probability of
    0.62, and 0.5 as a probability a logit of 0.
    """

    reranker: SkipValidation[Reranker]
    """Gives scores in [0, 1]."""

    @property
    def calibrated(self) -> bool:
        """False: a logit is no probability."""
        return False

    @property
    def scale(self) -> str:
        """What its scores are."""
        return "logits"

    @property
    def identity(self) -> str:
        """The inner reranker's, as logits."""
        return f"logits of {getattr(self.reranker, 'identity', type(self.reranker).__name__)}"

    def rerank(self, query: Query, ranking: Ranking) -> Ranking:
        """The inner reranker's order, with logits."""
        found = self.reranker.rerank(query, ranking)
        return Ranking(tuple(Hit(hit.chunk, logit(hit.score)) for hit in found.hits), faults=found.faults)


def logit(probability: float) -> float:
    """ln(p / (1 - p)), between -34.5 and 34.5."""
    inside = min(max(probability, _LEAST), 1 - _LEAST)
    return log(inside / (1 - inside))
