"""No refusal before generation."""

from collections.abc import Mapping

from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from harness.types import Assessment, Query, Ranking

NOTHING = Assessment(False, 0.0, "no passage was found")
"""What every rule says of an empty ranking."""


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class NeverRefuse:
    """Answerable whenever anything was found: the variant that shows what refusing is worth."""

    def assess(self, query: Query, stations: Mapping[str, Ranking]) -> Assessment:
        """Confidence is the top score, 0 for an empty ranking."""
        ranking = stations["reranked"]
        return Assessment(True, ranking.hits[0].score, "something was found") if ranking.hits else NOTHING
