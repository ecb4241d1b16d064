"""Questions whose score flips when the same pipeline is asked again: they leave the paired test, by name.

A flip rate is measured by asking every question several times (`repeats`); where each was asked once, nothing is known
and nothing is left out. When too many questions flip, the pipeline cannot be gated by them at all.
"""

from collections.abc import Iterable, Mapping

from harness.gates import changes, wording
from harness.gates.coverage import Problem
from harness.types import Outcome

Flips = Mapping[str, Mapping[str, float]]
"""Metric to question_id to the share of repeats that differed."""


def unstable(metric: str, questions: Iterable[str], limit: float, *measurements: Flips) -> tuple[str, ...]:
    """The questions whose flip rate exceeds the limit in any of the measurements; sorted."""
    rates = [flips.get(metric, {}) for flips in measurements]
    return tuple(sorted(name for name in questions if any(rate.get(name, 0.0) > limit for rate in rates)))


def too_many(metric: str, left_out: tuple[str, ...], compared: int, most: float, limit: float) -> Problem | None:
    """That more than a share of the rule's questions flip."""
    if len(left_out) <= most * compared:
        return None
    said = f"{wording.part(len(left_out), compared, 'question')} flip in {metric}"
    allowed = f"more than the {most:.0%} that may (gate.max_quarantined)"
    return Outcome.INVALID, f"{said} in over {limit:.0%} of repeats, {allowed}: {changes.listed(left_out)}"


def words(left_out: tuple[str, ...], limit: float) -> str:
    """Which questions were left out, for the verdict's reason; empty when none were."""
    if not left_out:
        return ""
    flip = "flips" if len(left_out) == 1 else "flip"
    return f"{wording.count(len(left_out), 'question')} quarantined, {flip} in over {limit:.0%} of repeats: {', '.join(left_out)}"
