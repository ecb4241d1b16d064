"""Runs and gates made by hand for the tests of verdicts."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from harness.gates.baseline import Baseline, from_record
from harness.gates.gate import Gate
from harness.types import Aggregate, Failure, Outcome, RunRecord, Score, State, Verdict

Row = Sequence[float | str | None]
"""One value per question; None does not apply, a word is a state."""


def record(scores: Mapping[str, Row], **fields: Any) -> RunRecord:
    """A run whose questions are q000, q001, ...: each row holds their scores on one metric."""
    size = max((len(row) for row in scores.values()), default=0)
    known: dict[str, Any] = {
        "run_id": "run-1",
        "created": "2026-11-30T10:15:00+00:00",
        "experiment": "hybrid",
        "config": {},
        "overrides": (),
        "fingerprints": {"config": "c1", "golden_set": "g1", "corpus": "d1", "judge": "j1"},
        "environment": {"python": "3.11"},
        "statistics": {"documents": 3, "chunks": 12},
        "failures": (),
        "splits": {name(place): "test" for place in range(size)},
        "golden_set": "smoke",
        "golden_version": 1,
    }
    found = tuple(score(metric, place, value) for metric, row in scores.items() for place, value in enumerate(row))
    means = {metric: aggregate(metric, row) for metric, row in scores.items()}
    return RunRecord(**{**known, "scores": found, "aggregates": means, **fields})


def name(place: int) -> str:
    return f"q{place:03d}"


def score(metric: str, place: int, value: float | str | None) -> Score:
    if isinstance(value, str):
        return Score(metric, name(place), None, State(value), "because")
    if value is None:
        return Score(metric, name(place), None, State.NOT_APPLICABLE, "because")
    return Score(metric, name(place), float(value))


def aggregate(metric: str, row: Row) -> Aggregate:
    values = [value for value in row if isinstance(value, int | float)]
    return Aggregate(metric, float(np.mean(values)) if values else None, len(values), 0.0, 1.0)


def accepted(scores: Mapping[str, Row], **fields: Any) -> Baseline:
    return from_record(record(scores, run_id="run-0", **fields))


def gate(*rules: Mapping[str, Any] | str, **fields: Any) -> Gate:
    """A gate; a word is a difference rule on that metric."""
    return Gate(rules=[{"metric": rule} if isinstance(rule, str) else rule for rule in rules], **fields)  # type: ignore[arg-type]


def failures(count: int) -> tuple[Failure, ...]:
    return tuple(Failure(name(place), "generate", "timeout") for place in range(count))


def verdict(before: Row, after: Row, metric: str = "recall_at_5", **rule: Any) -> Verdict:
    """The one verdict of a difference rule."""
    found = gate({"metric": metric, **rule}).check(record({metric: after}), accepted({metric: before}))
    assert len(found) == 1
    return found[0]


def outcome(before: Row, after: Row, metric: str = "recall_at_5", **rule: Any) -> Outcome:
    return verdict(before, after, metric, **rule).outcome
