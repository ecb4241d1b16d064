"""No reranking: the variant that shows what a reranker is worth."""

from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from harness.types import Query, Ranking


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class NoReranker:
    """Returns the ranking as it is, with the scores of the stage before."""

    @property
    def calibrated(self) -> bool:
        """False: fusion scores say nothing about relevance."""
        return False

    def rerank(self, query: Query, ranking: Ranking) -> Ranking:
        """The same ranking."""
        return ranking
