"""Paired differences between two records, as the pages of docs/ tell them."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from harness.comparison.compare import compare
from harness.comparison.sides import RUN, Side
from harness.gates.baseline import from_record
from harness.gates.comparison import compare as paired
from harness.gates.comparison import measured
from harness.metrics.base import Description
from harness.metrics.catalog import describe
from harness.statistics.paired import sign_flips
from harness.types import Aggregate, RunRecord

DRAWS = 100_000
"""Random sign patterns: the least p of 2 / (1 + DRAWS) has to be far below .05 over the number of differences that are judged."""


def versus(base: RunRecord, other: RunRecord, metrics: Sequence[str], where: str = "all") -> dict[str, dict[str, Any]]:
    """By metric the paired difference other - base, its 95 % interval and its p, not adjusted."""
    about = [describe(name) for name in metrics]
    found = compare(Side("A", RUN, base), Side("B", RUN, other), about, where)
    names = ("difference", "low", "high", "n", "wins", "losses", "ties")
    return {
        row.metric: {**{name: getattr(row, name) for name in names}, "p": _p(base, other, item, found.questions)}
        for row, item in zip(found.rows, about, strict=True)
    }


def numbers(item: Aggregate) -> dict[str, Any]:
    """A mean as the records keep it."""
    return {"value": item.value, "low": item.low, "high": item.high, "n": item.n, "errors": item.errors}


def _p(base: RunRecord, other: RunRecord, about: Description, questions: Sequence[str]) -> float:
    """Two-sided p of the sign-flip test on these questions, from more patterns than the comparison of two runs draws."""
    found = paired(other, from_record(base), measured(other, about.metric, "all").only(questions), about)
    changes = np.array(found.differences)
    ends = sign_flips(np.column_stack([changes, -changes]), found.groups, found.seed, DRAWS)
    return min(1.0, 2 * float(ends.min()))
