"""Refusal by how far the best passage stands out."""

from collections.abc import Mapping, Sequence
from typing import Annotated

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

from harness.answerability.calibrated import Calibrated, Limits, Parts, misplaced, uncalibrated, unchosen
from harness.answerability.never import NOTHING
from harness.errors import Problem
from harness.types import Assessment, Query, Ranking


def margin_of(ranking: Ranking) -> float:
    """The best score less the second; the best score itself where it is the only one, 0 for an empty ranking."""
    scores = [hit.score for hit in ranking.hits[:2]]
    return scores[0] - (scores[1] if len(scores) > 1 else 0.0) if scores else 0.0


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Margin:
    """Answerable when the best passage scores at least `minimum`, and at least `margin` more than the second."""

    margin: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0.0
    """Least lead of the best passage over the second."""
    minimum: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0.5
    """Lowest score of the best passage."""
    calibrated: Calibrated | None = None
    """Where both were chosen; None is that they were not."""

    def assess(self, query: Query, stations: Mapping[str, Ranking]) -> Assessment:
        """Confidence is the margin alone, 0 for an empty ranking."""
        ranking = stations["reranked"]
        if not ranking.hits:
            return NOTHING
        top, margin = ranking.hits[0].score, margin_of(ranking)
        said = (
            f"the best passage's score {top:.4g} {'reaches' if top >= self.minimum else 'is below'} {self.minimum:.4g}, "
            f"its lead {margin:.4g} {'reaches' if margin >= self.margin else 'is below'} {self.margin:.4g}"
        )
        return Assessment(top >= self.minimum and margin >= self.margin, margin, said)

    def limits(self, assessment: Assessment, stations: Mapping[str, Ranking]) -> Limits:
        """What each setting was held against."""
        hits = stations["reranked"].hits
        return {"minimum": hits[0].score if hits else 0.0, "margin": assessment.confidence}

    def faults(self, parts: Parts) -> Sequence[Problem]:
        """Scores on which no margin means anything, and a reranker for which it was not chosen."""
        where = f"answerability.margin={self.margin}"
        wrong = uncalibrated(where, parts) or unchosen(where, self.calibrated, parts)
        return wrong or misplaced(self.calibrated, parts, ("reranked",))
