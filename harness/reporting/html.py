"""The run report as one HTML page: no script, nothing loaded from anywhere, every text escaped."""

from collections.abc import Mapping, Sequence
from functools import cache
from math import isinf
from typing import TYPE_CHECKING

from harness.gates.baseline import Baseline
from harness.reporting.escape import clean, one_line
from harness.reporting.names import about, compared_on, count, number, rule_title, signed, verdict_words, word
from harness.reporting.questions import losses
from harness.reporting.summary import summarise
from harness.reporting.tables import Row
from harness.types import Question, RunRecord, Trace, Verdict

if TYPE_CHECKING:
    from jinja2 import Environment


def run_report(
    record: RunRecord,
    accepted: Baseline | None,
    verdicts: Sequence[Verdict],
    questions: Sequence[Question],
    traces: Sequence[Trace],
) -> str:
    """The whole report of one run as HTML; the arguments are those of `markdown.run_report`."""
    summary = summarise(record, accepted, verdicts, questions, traces)
    page = _environment().get_template("run.html.j2")
    return page.render(
        summary=summary,
        record=record,
        compared=accepted is not None,
        gated=bool(verdicts),
        verdict=verdict_words(verdicts),
        remark=compared_on(verdicts, record.aggregates),
        losses=losses(summary.cases),
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


def share(text: str) -> float:
    """A table's number as a percentage of 1, for the bar behind it; 0 where there is none."""
    try:
        return round(100 * min(1.0, max(0.0, float(text))), 1)
    except ValueError:
        return 0.0


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, PackageLoader, StrictUndefined

    made = Environment(
        loader=PackageLoader("harness.reporting"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters.update(clean=clean, one_line=one_line, number=number, signed=signed, word=word, count=count, share=share)
    made.globals.update(bar=bar, rule_title=rule_title)
    return made
