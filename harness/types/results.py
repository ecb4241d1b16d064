"""Scores, their aggregates, the record of a run and the verdicts of a gate."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class State(StrEnum):
    """What became of a score."""

    SCORED = "scored"
    NOT_APPLICABLE = "not_applicable"
    SKIPPED = "skipped"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Score:
    """One metric on one question."""

    metric: str
    """Metric id, such as recall_at_5."""
    question_id: str
    """The question."""
    value: float | None
    """The number; None unless the state is scored. Never NaN."""
    state: State = State.SCORED
    """scored, not_applicable, skipped or error."""
    reason: str = ""
    """Why there is no number, or a remark."""

    def __post_init__(self) -> None:
        number = self.value is not None and self.value == self.value and abs(self.value) != float("inf")
        if (self.state is State.SCORED) != number:
            raise ValueError(f"{self.metric!r} of {self.question_id!r}: state {self.state} with value {self.value!r}")


@dataclass(frozen=True, slots=True)
class Failure:
    """A question that a stage could not handle."""

    question_id: str
    """The question."""
    stage: str
    """Where it failed."""
    error: str
    """What it said."""


@dataclass(frozen=True, slots=True)
class Aggregate:
    """A metric over the questions of a run."""

    metric: str
    """Metric id."""
    value: float | None
    """Mean (or the metric's own fold); None when nothing was scored."""
    n: int
    """Questions scored: the denominator."""
    low: float | None = None
    """Lower end of the 95 % interval."""
    high: float | None = None
    """Upper end."""
    not_applicable: int = 0
    """Questions to which it does not apply."""
    skipped: int = 0
    """Questions left out on purpose."""
    errors: int = 0
    """Questions on which it failed."""


@dataclass(frozen=True, slots=True)
class RunRecord:
    """One finished run: all that gates, reports and MLflow need."""

    run_id: str
    """Unique name of the run's folder."""
    created: str
    """ISO time; never part of results.json."""
    experiment: str
    """Variant name."""
    config: Mapping[str, Any]
    """The resolved config."""
    overrides: tuple[str, ...]
    """What the command line changed."""
    fingerprints: Mapping[str, str]
    """SHA-256 of config, golden set, corpus, judge."""
    environment: Mapping[str, str]
    """Package versions, code revision, CPU; beside results.json, never in it."""
    statistics: Mapping[str, float]
    """Documents, chunks, mean chunk length."""
    scores: tuple[Score, ...]
    """Every metric on every question."""
    failures: tuple[Failure, ...]
    """Questions that failed."""
    aggregates: Mapping[str, Aggregate]
    """By metric id."""
    groups: Mapping[str, str] = field(default_factory=dict)
    """question_id to its cluster."""
    splits: Mapping[str, str] = field(default_factory=dict)
    """question_id to tune or test."""
    latency: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """Stage to {"p50", "p95"} wall seconds; beside results.json, never in it."""
    contents: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """questions and documents: id to a short digest of what was asked and searched."""
    golden_set: str = ""
    """Name of the golden set."""
    golden_version: int = 0
    """Its version."""


class Outcome(StrEnum):
    """What a gate rule found."""

    PASS = "pass"
    IMPROVED = "improved"
    REGRESSED = "regressed"
    INCONCLUSIVE = "inconclusive"
    MISSING = "missing"
    INVALID = "invalid"
    NOT_COMPARABLE = "not_comparable"


@dataclass(frozen=True, slots=True)
class Verdict:
    """One gate rule held against one run."""

    metric: str
    """Metric id."""
    outcome: Outcome
    """What was found."""
    reason: str = ""
    """In words."""
    slice: str = "all"
    """Which questions."""
    expected: float | None = None
    """The accepted baseline's value, the floor or the allowed count."""
    actual: float | None = None
    """This run's value."""
    difference: float | None = None
    """Paired mean difference, this run minus baseline, in the metric's own direction."""
    low: float | None = None
    """Lower end of the 95 % interval of the difference."""
    high: float | None = None
    """Upper end."""
    p: float | None = None
    """One-sided p that it got worse, Holm-adjusted over the declared family."""
    minimum_detectable_effect: float | None = None
    """Smallest drop this comparison could have seen."""
    n: int = 0
    """Questions compared."""
    flipped: tuple[str, ...] = ()
    """Question ids whose score changed."""
    advisory: bool = False
    """Shown, but cannot fail the gate (uncalibrated judge)."""
