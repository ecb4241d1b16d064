"""Scores, their aggregates, the record of a run and the verdicts of a gate."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from math import isfinite
from typing import Any


class State(StrEnum):
    """What became of a score."""

    SCORED = "scored"
    NOT_APPLICABLE = "not_applicable"
    SKIPPED = "skipped"
    ERROR = "error"


_SCORED, _INFINITE = State.SCORED, float("inf")


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
        number = self.value is not None and -_INFINITE < self.value < _INFINITE
        if (self.state is _SCORED) != number:
            raise ValueError(f"{self.metric!r} of {self.question_id!r}: state {self.state} with value {self.value!r}")

    @classmethod
    def of(cls, metrics: Sequence[str], question_id: str, values: Sequence[float]) -> "list[Score]":
        """Numbers of one question, as the constructor makes them, in half of its time: a run has 70 of them per question."""
        if not isfinite(sum(values)):
            return [cls(metric, question_id, value) for metric, value in zip(metrics, values, strict=True)]
        scores, new, state = [], object.__new__, _SCORED
        set_metric, set_question, set_value, set_state, set_reason = _SETTERS
        for metric, value in zip(metrics, values, strict=True):
            score = new(cls)
            set_metric(score, metric)
            set_question(score, question_id)
            set_value(score, value)
            set_state(score, state)
            set_reason(score, "")
            scores.append(score)
        return scores


_SETTERS = tuple(getattr(Score, name).__set__ for name in Score.__slots__)
"""Set a field of a frozen score, in the order of the fields."""


@dataclass(frozen=True, slots=True)
class Support:
    """Whether passages support a claim."""

    probability: float
    """Chance that they do, in [0, 1]; 0 or 1 from a judge that only says yes or no."""
    supported: bool
    """The judge's verdict at its own threshold."""
    reason: str = ""
    """What speaks for or against it, in words."""


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
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """question_id to the slices it belongs to, such as kind:table, language:de, tenant:acme, tag:near-identical; sorted."""
    repeats: int = 1
    """How often each question was asked; a score is then the mean over the repeats."""
    flips: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """Metric to question_id to the share of repeats that differ from the first; questions that never flip are left out."""
    latency: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """Stage to {"p50", "p95"} seconds, as if nothing had come from a cache; beside results.json, never in it."""
    contents: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """questions, documents and evidence (what each question is scored against): id to a short digest."""
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
