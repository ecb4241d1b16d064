"""Refusal by several signals at once: a logistic model whose numbers stand in the conf file."""

from collections.abc import Mapping, Sequence
from math import exp
from typing import Annotated

from pydantic import ConfigDict, Field, field_validator
from pydantic.dataclasses import dataclass

from harness.answerability.calibrated import Calibrated, Limits, Parts, misplaced
from harness.answerability.never import NOTHING
from harness.answerability.signals import SIGNALS, lacking, read, unknown
from harness.errors import Problem, StageError
from harness.types import Assessment, Query, Ranking

Finite = Annotated[float, Field(allow_inf_nan=False)]


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Weight:
    """One signal's share in the model: weight * (signal - mean) / scale."""

    weight: Finite
    """What one standard deviation adds to the log-odds of being answerable."""
    mean: Finite
    """Mean of the signal over the questions it was trained on."""
    scale: Annotated[float, Field(gt=0, allow_inf_nan=False)]
    """Their standard deviation."""


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Classifier:
    """Answerable when a logistic model's probability reaches `minimum`.

    p = 1 / (1 + e^-z), z = intercept + sum over signals of weight * (signal - mean) / scale (Cox 1958). `harness calibrate
    refusal --method classifier` trains it; it is evaluated here, in plain arithmetic. Weights are of signals taken together: the
    sign of one says nothing of that signal alone.
    """

    signals: dict[str, Weight] = Field(min_length=1)
    """Weight of each signal by its name in `harness.answerability.signals`."""
    intercept: Finite = 0.0
    """Log-odds where every signal is at its mean."""
    minimum: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)] = 0.5
    """Lowest probability to answer from."""
    calibrated: Calibrated | None = None
    """Where it was trained; None is that the numbers were given."""

    @field_validator("signals")
    @classmethod
    def _known(cls, given: dict[str, Weight]) -> dict[str, Weight]:
        if wrong := unknown(given):
            raise ValueError(wrong)
        return given

    def assess(self, query: Query, stations: Mapping[str, Ranking]) -> Assessment:
        """Confidence is the probability, 0 for an empty ranking.

        Raises:
            StageError: when a station that a signal reads is not there.
        """
        if missing := lacking(self.signals, stations):
            raise StageError(f"answerability cannot be assessed: {'; '.join(missing)}")
        if not stations["reranked"].hits:
            return NOTHING
        values = read(self.signals, query, stations)
        parts = {name: item.weight * (values[name] - item.mean) / item.scale for name, item in self.signals.items()}
        value = logistic(self.intercept + sum(parts.values()))
        least = min(sorted(parts), key=lambda name: parts[name])
        relation = "reaches" if value >= self.minimum else "is below"
        said = f"the probability {value:.4g} {relation} {self.minimum:.4g}; the lowest term of the sum is {least} {values[least]:.4g}"
        return Assessment(value >= self.minimum, value, said)

    def limits(self, assessment: Assessment, stations: Mapping[str, Ranking]) -> Limits:
        """What each setting was held against."""
        return {"minimum": assessment.confidence}

    def faults(self, parts: Parts) -> Sequence[Problem]:
        """Signals that the pipeline cannot give, and models for which it was not trained."""
        names = {**dict.fromkeys(parts.retrievers, Ranking()), "reranked": Ranking()}
        why, fix = (
            "The model could not be evaluated.",
            "choose retrievers that give them, or calibrate again without these signals",
        )
        found = [Problem("F013", "answerability.signals", what, why, fix) for what in lacking(self.signals, names)]
        return found or misplaced(self.calibrated, parts, tuple({need for name in self.signals for need in SIGNALS[name].needs}))


def logistic(log_odds: float) -> float:
    """1 / (1 + e^-z) without overflow."""
    return 1 / (1 + exp(-log_odds)) if log_odds >= 0 else exp(log_odds) / (1 + exp(log_odds))
