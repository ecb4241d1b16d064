"""Is there anything good enough to answer from? Asked after reranking, before any generation."""

from typing import Annotated

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

from harness.types import Assessment, Query, Ranking

NOTHING = Assessment(False, 0.0, "no passage was found")


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Threshold:
    """Answerable when the best passage scores at least `minimum`."""

    minimum: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0.5
    """Lowest score to answer from, on the reranker's scale; tune it on the golden set's tune split for each reranker."""

    def assess(self, query: Query, ranking: Ranking) -> Assessment:
        """Confidence is the top score, 0 for an empty ranking."""
        if not ranking.hits:
            return NOTHING
        top = ranking.hits[0].score
        relation = "reaches" if top >= self.minimum else "is below"
        return Assessment(top >= self.minimum, top, f"the best passage's score {top:.4g} {relation} {self.minimum:.4g}")


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class NeverRefuse:
    """Answerable whenever anything was found: the variant that shows what refusing is worth."""

    def assess(self, query: Query, ranking: Ranking) -> Assessment:
        """Confidence is the top score, 0 for an empty ranking."""
        return Assessment(True, ranking.hits[0].score, "something was found") if ranking.hits else NOTHING
