"""The run report as one HTML page: no script, nothing loaded from anywhere, every text escaped."""

from collections.abc import Mapping, Sequence
from math import isinf

from harness.gates.baseline import Baseline
from harness.reporting.analysis import Analysis
from harness.reporting.costs import HEAD
from harness.reporting.names import about, compared_on, rule_title, verdict_words
from harness.reporting.pages import page
from harness.reporting.questions import by_station
from harness.reporting.summary import summarise
from harness.reporting.tables import Row
from harness.types import Question, RunRecord, Trace, Verdict


def run_report(
    record: RunRecord,
    accepted: Baseline | None,
    verdicts: Sequence[Verdict],
    questions: Sequence[Question],
    traces: Sequence[Trace],
    analysis: Analysis = Analysis(),
) -> str:
    """The whole report of one run as HTML; the arguments are those of `markdown.run_report`."""
    summary = summarise(record, accepted, verdicts, questions, traces, analysis)
    return page(
        "run.html.j2",
        summary=summary,
        bar=bar,
        rule_title=rule_title,
        record=record,
        compared=accepted is not None,
        gated=bool(verdicts),
        verdict=verdict_words(verdicts),
        remark=compared_on(verdicts, record.aggregates),
        grouped=by_station(summary.cases),
        cost_head=HEAD,
    )


def bar(row: Row) -> Mapping[str, float] | None:
    """Where value, interval and accepted value lie on a scale from 0 to 100; None when there is nothing to draw."""
    value = row.aggregate.value
    if value is None:
        return None
    known = (value, row.aggregate.low, row.aggregate.high, row.baseline.value if row.baseline else None)
    facts, ends = about(row.metric), [end for end in known if end is not None]
    low, high = min(facts.low, *ends), max(1.0 if isinf(facts.high) else facts.high, *ends)
    places = zip(("value", "low", "high", "accepted"), known, strict=True)
    return {name: round(100 * (end - low) / ((high - low) or 1.0), 2) for name, end in places if end is not None}
