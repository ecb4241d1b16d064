"""Reports in Markdown: the run report, the leaderboard, and the short summary for a pull request."""

from collections.abc import Iterable, Sequence

from harness.gates.baseline import Baseline
from harness.reporting.configs import changed_settings
from harness.reporting.escape import code, markdown
from harness.reporting.leaderboard import Leaderboard
from harness.reporting.names import change, compared_on, count, number, rule_title, verdict_words, word
from harness.reporting.questions import Case, Confusion, losses
from harness.reporting.summary import Summary, summarise
from harness.reporting.tables import Matrix, Row
from harness.types import Outcome, Question, RunRecord, Trace, Verdict

_MOST_CASES = 50
_MOST_FLIPPED = 20
_LONGEST = 2_000


def run_report(
    record: RunRecord,
    accepted: Baseline | None,
    verdicts: Sequence[Verdict],
    questions: Sequence[Question],
    traces: Sequence[Trace],
) -> str:
    """The whole report of one run.

    Args:
        record: the run.
        accepted: the accepted baseline, if any.
        verdicts: what the gates found.
        questions: the golden questions that were asked.
        traces: what the system did with them.
    """
    summary = summarise(record, accepted, verdicts, questions, traces)
    sections = (
        _head(summary),
        _section("Results", results_table(summary.results.headline, accepted is not None)),
        compared_on(verdicts, record.aggregates),
        _section("After every station", _matrix(summary.stations)),
        _section("Refusals", refusal_table(summary.confusion) if summary.confusion else ""),
        _section("Gates", verdict_table(summary.verdicts)),
        _section("Questions that went wrong", _cases(summary.cases)),
        _section("Latency", _latency(summary)),
        _section("All depths", _details("Ranking metrics by depth", _matrix(summary.depths))),
        _section("Configuration", _settings(summary)),
    )
    return "\n\n".join(section for section in sections if section) + "\n"


def table(head: Sequence[str], rows: Iterable[Sequence[str]], left: int = 1, last_left: bool = False) -> str:
    """A Markdown table of ready cells; the first `left` columns are text, the others are set right, or the last is not."""
    rule = ["---" if place < left else "---:" for place in range(len(head))]
    rule[-1] = "---" if last_left else rule[-1]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, rule, *rows))


def results_table(rows: Sequence[Row], compared: bool) -> str:
    """Metrics with interval and denominator; with a baseline also the accepted value, difference and verdict."""
    head = ["Metric", "Value", "95 % interval", "n", *(["Accepted", "Difference"] if compared else [])]
    gated = any(row.outcome for row in rows)
    lines = []
    for row in rows:
        cells = [markdown(row.title), row.value, row.interval, row.n]
        cells += [row.accepted, row.difference] if compared else []
        lines.append([*cells, *([_outcome(row.verdict)] if gated else [])])
    return table([*head, *(["Verdict"] if gated else [])], lines, last_left=gated) if lines else ""


def refusal_table(found: Confusion) -> str:
    """Gold answerable or not, against answered or refused."""
    rows = (
        ("can be answered", str(found.answered), f"{found.over_refused} (over-refusals)"),
        ("must be refused", f"{found.falsely_answered} (false answers)", str(found.refused)),
    )
    return table(("Question", "Answered", "Refused"), rows)


def verdict_table(verdicts: Sequence[Verdict]) -> str:
    """Every rule with its outcome, numbers and reason; then the questions whose score changed."""
    if not verdicts:
        return ""
    rows = []
    for item in verdicts:
        numbers = (number(item.expected), number(item.actual), change(item.difference, item.low, item.high), number(item.p))
        cells = (_rule(item), _outcome(item), markdown(item.reason, 300), *numbers)
        rows.append((*cells, number(item.minimum_detectable_effect), str(item.n)))
    head = ("Rule", "Verdict", "Reason", "Expected", "Actual", "Difference", "p", "Detectable", "n")
    changed = [f"- {_rule(item)}: {_flipped(item.flipped)}" for item in verdicts if item.flipped]
    return "\n".join([table(head, rows, left=3), *(["", "Questions whose score changed:", "", *changed] if changed else [])])


def leaderboard_markdown(board: Leaderboard) -> str:
    """The leaderboard with its notes."""
    head = ("", "Variant", *board.columns)
    rows = ((row.mark, markdown(row.name), *row.cells) for row in board.rows)
    return "\n\n".join([table(head, rows, left=2), *(markdown(note, 400) for note in board.notes)])


def step_summary(record: RunRecord, accepted: Baseline | None, verdicts: Sequence[Verdict]) -> str:
    """The GitHub step summary or pull request comment: verdict, headline table, rules, changed questions."""
    summary = summarise(record, accepted, verdicts, (), ())
    parts = (
        f"### {verdict_words(verdicts)}",
        f"{markdown(record.experiment)} on {markdown(record.golden_set)} v{record.golden_version}, run {code(record.run_id)}",
        results_table(summary.results.headline, accepted is not None),
        compared_on(verdicts, record.aggregates),
        *(markdown(line, _LONGEST) for line in changed_settings(record, accepted).splitlines()),
        _details("Gate rules", verdict_table(summary.verdicts)),
        _details("After every station", _matrix(summary.stations)),
    )
    return "\n\n".join(part for part in parts if part) + "\n"


def _head(summary: Summary) -> str:
    record = summary.record
    lines = [f"# {markdown(record.experiment)} on {markdown(record.golden_set)} v{record.golden_version}", ""]
    lines += [f"**{verdict_words(summary.verdicts)}**", ""]
    lines += [f"- {label}: {markdown(text, _LONGEST)}" for label, text in summary.facts]
    if summary.overrides:
        lines.append(f"- Overrides: {', '.join(code(override) for override in summary.overrides)}")
    return "\n".join(lines)


def _matrix(content: Matrix) -> str:
    rows = [[markdown(name), *cells] for name, cells in content.lines]
    return table(["Metric", *(markdown(name) for name in content.columns)], rows) if rows else ""


def _cases(cases: Sequence[Case]) -> str:
    if not cases:
        return "None."
    lost = ", ".join(f"{size} at {station}" for station, size in losses(cases).items())
    lines = [f"{count(cases, 'question')}." + (f" Evidence lost: {lost}." if lost else ""), ""]
    rows = [
        (code(item.question.question_id), markdown(item.question.text), markdown(item.expected, 100),
         markdown("; ".join(item.faults)), markdown(item.answer, 200))
        for item in cases[:_MOST_CASES]
    ]  # fmt: skip
    lines.append(table(("Id", "Question", "Expected", "What happened", "Answer"), rows, left=5))
    left_out = len(cases) - _MOST_CASES
    return "\n".join([*lines, *(["", f"{left_out} more in scores.jsonl and traces.jsonl."] if left_out > 0 else [])])


def _latency(summary: Summary) -> str:
    rows = [(markdown(item.stage), item.p50, item.p95) for item in summary.latencies]
    return table(("Stage", "p50", "p95"), rows) if rows else ""


def _settings(summary: Summary) -> str:
    rows = [(code(name), code(text)) for name, text in summary.settings]
    return _details(count(rows, "setting"), table(("Setting", "Value"), rows, left=2)) if rows else ""


def _section(name: str, content: str) -> str:
    return f"## {name}\n\n{content}" if content else ""


def _details(name: str, content: str) -> str:
    return f"<details><summary>{name}</summary>\n\n{content}\n\n</details>" if content else ""


def _rule(verdict: Verdict) -> str:
    return markdown(rule_title(verdict))


def _outcome(verdict: Verdict | None) -> str:
    if verdict is None:
        return ""
    words = word(verdict.outcome)
    strong = words if verdict.outcome in (Outcome.PASS, Outcome.INCONCLUSIVE) else f"**{words}**"
    return f"{strong} (advisory)" if verdict.advisory else strong


def _flipped(names: Sequence[str]) -> str:
    shown = ", ".join(code(name) for name in names[:_MOST_FLIPPED])
    return f"{shown} and {len(names) - _MOST_FLIPPED} more" if len(names) > _MOST_FLIPPED else shown
