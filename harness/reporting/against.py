"""Variants held against one reference: paired difference, interval and p, question by question."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from harness.metrics.catalog import bounds
from harness.reporting.markdown import table
from harness.reporting.names import change, higher_is_better, title
from harness.statistics.intervals import mean_interval
from harness.statistics.multiplicity import holm
from harness.statistics.paired import sign_flip
from harness.types import RunRecord


@dataclass(frozen=True, slots=True)
class Difference:
    """One variant on one metric, minus the reference."""

    variant: str
    """Experiment name."""
    metric: str
    """Metric id."""
    mean: float
    """Mean paired difference."""
    low: float | None
    """Lower end of its 95 % interval, questions clustered by group; None for counts."""
    high: float | None
    """Upper end."""
    p: float
    """One-sided p that it is no better, by sign flips of whole clusters."""
    holm: float
    """The same, Holm-adjusted over the variants of the table."""
    n: int
    """Questions compared."""


def differences(reference: RunRecord, variants: Sequence[RunRecord], metric: str) -> list[Difference]:
    """Every variant against the reference on one metric."""
    found = [_difference(reference, variant, metric) for variant in variants]
    adjusted = holm([item.p for item in found])
    return [replace(item, holm=p) for item, p in zip(found, adjusted, strict=True)]


def _difference(reference: RunRecord, variant: RunRecord, metric: str) -> Difference:
    then, now = _scores(reference, metric), _scores(variant, metric)
    shared = sorted(then.keys() & now.keys())
    gains = [now[name] - then[name] for name in shared]
    groups = [variant.groups.get(name, name) for name in shared]
    sign = 1.0 if higher_is_better(metric) else -1.0
    ends = bounds(metric)
    reach = (ends[0] - ends[1], ends[1] - ends[0]) if ends else None
    low, high = (mean_interval(gains, groups, bounds=reach) if reach else None) or (None, None)
    p = sign_flip([-sign * gain for gain in gains], groups)
    return Difference(variant.experiment, metric, fmean(gains), low, high, p, p, len(shared))


def _scores(record: RunRecord, metric: str) -> dict[str, float]:
    return {item.question_id: item.value for item in record.scores if item.metric == metric and item.value is not None}


def against_markdown(reference: RunRecord, variants: Sequence[RunRecord], metrics: Sequence[str]) -> str:
    """A table of the differences, one row per variant and metric."""
    rows = [
        (item.variant, title(metric), change(item.mean, item.low, item.high), _p(item.p), _p(item.holm), str(item.n))
        for metric in metrics
        for item in differences(reference, variants, metric)
    ]
    return table(
        ["Variant", "Metric", f"Difference to {reference.experiment} (95 % interval)", "p", "p (Holm)", "n"], rows, left=2
    )


def _p(value: float) -> str:
    return "< 0.001" if value < 0.001 else f"{value:.3f}"
