"""Which runs cannot be held against the best of a leaderboard, and what failed questions may hide."""

from collections.abc import Sequence

from harness.gates.gate import MAX_ERROR_RATE
from harness.metrics.catalog import bounds
from harness.reporting.names import is_judged, number
from harness.types import RunRecord

NOT_SHARED = "no scored question is shared with the best"
OTHER_SET = "another golden set than the best was asked"
OTHER_JUDGE = "another judge than that of the best scored it"
FAILED = f"more than {100 * MAX_ERROR_RATE:g} % of the questions failed, so the mean of the others ranks nothing"


def over_budget(record: RunRecord, metric: str) -> bool:
    """Whether more questions than a gate allows have no number of the metric because something failed."""
    failed, asked = _failed(record, metric)
    return failed > MAX_ERROR_RATE * asked


def unlike(best: RunRecord, other: RunRecord, metric: str) -> str:
    """Why the scores of two runs cannot be held against one another; empty when they can."""
    if over_budget(other, metric) or over_budget(best, metric):
        return FAILED
    if best.fingerprints.get("golden_set") != other.fingerprints.get("golden_set"):
        return OTHER_SET
    if is_judged(metric) and best.fingerprints.get("judge") != other.fingerprints.get("judge"):
        return OTHER_JUDGE
    return ""


def hidden(name: str, record: RunRecord, metric: str) -> str:
    """Between what ends a run's mean lies if the failed questions count as worst and as best; empty where none failed."""
    (failed, asked), found, reach = _failed(record, metric), record.aggregates.get(metric), bounds(metric)
    if not failed:
        return ""
    told = f"{name}: {failed} of {asked} questions failed"
    if found is None or found.value is None or reach is None or all(score.metric != metric for score in record.scores):
        return f"{told}."
    low, high = (number((found.n * found.value + failed * end) / (found.n + failed)) for end in reach)
    return f"{told}; with {reach[0]:g} to {reach[1]:g} for each of them the mean lies between {low} and {high}."


def _failed(record: RunRecord, metric: str) -> tuple[int, int]:
    """Questions that failed, and all."""
    found = record.aggregates.get(metric)
    return (found.errors, found.n + found.not_applicable + found.skipped + found.errors) if found else (0, 0)


def listed(doubts: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """(name, reason) pairs as one (names, reason) pair per reason, in the order in which they first stand."""
    grouped: dict[str, list[str]] = {}
    for name, reason in doubts:
        if reason:
            grouped.setdefault(reason, []).append(name)
    return [(" and ".join(names), reason) for reason, names in grouped.items()]
