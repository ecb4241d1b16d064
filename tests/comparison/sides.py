"""Sides of a comparison made by hand."""

from collections.abc import Mapping
from typing import Any

from harness.comparison.compare import compare
from harness.comparison.result import Row, RunComparison
from harness.comparison.sides import RUN, Side
from harness.reporting.names import about
from tests.gates.records import Row as Values
from tests.gates.records import record


def side(scores: Mapping[str, Values], name: str = "x", traces: Any = None, attributions: Any = None, **fields: Any) -> Side:
    """A run whose questions are q000, q001, ..."""
    return Side(name, RUN, record(scores, **fields), traces, attributions)


def found(a: Side, b: Side, *metrics: str, where: str = "all", further: tuple[str, ...] = ()) -> RunComparison:
    """The comparison on the metrics named, or on those of A."""
    names = metrics or tuple(dict.fromkeys(score.metric for score in a.record.scores))
    return compare(a, b, [about(name) for name in names], where, [about(name) for name in further])


def row(a: Values, b: Values, metric: str = "recall_at_5", **fields: Any) -> Row:
    """The row of one metric."""
    return found(side({metric: a}, **fields), side({metric: b}, **fields), metric).rows[0]
