"""Refusal by the best passage's score."""

from collections.abc import Mapping, Sequence
from typing import Annotated

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

from harness.answerability.calibrated import Calibrated, Limits, Parts, misplaced, uncalibrated, unchosen
from harness.answerability.never import NOTHING
from harness.errors import Problem
from harness.types import Assessment, Query, Ranking


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Threshold:
    """Answerable when the best passage scores at least `minimum`."""

    minimum: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0.5
    """Lowest score to answer from, on the reranker's scale; `harness calibrate refusal` chooses it for a reranker and a golden set."""
    calibrated: Calibrated | None = None
    """Where it was chosen; None is that it was not."""

    def assess(self, query: Query, stations: Mapping[str, Ranking]) -> Assessment:
        """Confidence is the top score, 0 for an empty ranking."""
        ranking = stations["reranked"]
        if not ranking.hits:
            return NOTHING
        top = ranking.hits[0].score
        relation = "reaches" if top >= self.minimum else "is below"
        return Assessment(top >= self.minimum, top, f"the best passage's score {top:.4g} {relation} {self.minimum:.4g}")

    def limits(self, assessment: Assessment, stations: Mapping[str, Ranking]) -> Limits:
        """What each setting was held against."""
        return {"minimum": assessment.confidence}

    def faults(self, parts: Parts) -> Sequence[Problem]:
        """Scores on which no threshold means anything, and a reranker for which it was not chosen."""
        where = f"answerability.minimum={self.minimum}"
        wrong = uncalibrated(where, parts) or unchosen(where, self.calibrated, parts)
        return wrong or misplaced(self.calibrated, parts, ("reranked",))
