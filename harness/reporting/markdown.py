"""Reports in Markdown: the run report and the leaderboard."""

from collections.abc import Iterable, Sequence

from harness.gates.baseline import Baseline
from harness.reporting.analysis import Analysis
from harness.reporting.costs import HEAD, Costs
from harness.reporting.escape import code, markdown
from harness.reporting.leaderboard import Leaderboard
from harness.reporting.names import GATE_NUMBERS, P_VALUE, change, compared_on, count, number, rule_title, verdict_words, word
from harness.reporting.outcomes import Plot
from harness.reporting.questions import Case, Confusion, Lost, Passage, by_station
from harness.reporting.slices import Cell, Slices
from harness.reporting.steps import Told
from harness.reporting.summary import Summary, summarise
from harness.reporting.tables import Matrix, Row
from harness.reporting.waterfall import Waterfall
from harness.types import Outcome, Question, RunRecord, Trace, Verdict

_MOST_CASES = 10
_MOST_FLIPPED = 20
_LONGEST = 2_000


def run_report(
    record: RunRecord,
    accepted: Baseline | None,
    verdicts: Sequence[Verdict],
    questions: Sequence[Question],
    traces: Sequence[Trace],
    analysis: Analysis = Analysis(),
) -> str:
    """The whole report of one run.

    Args:
        record: the run.
        accepted: the accepted baseline, if any.
        verdicts: what the gates found.
        questions: the golden questions that were asked.
        traces: what the system did with them.
        analysis: where evidence was lost and what the answerability signal is worth.
    """
    summary = summarise(record, accepted, verdicts, questions, traces, analysis)
    sections = (
        _head(summary),
        _section("Results", results_table(summary.results.headline, accepted is not None)),
        compared_on(verdicts, record.aggregates),
        _section("Gates", verdict_table(summary.verdicts)),
        _section("Where evidence was lost", waterfall_tables(summary.waterfall)),
        _section("After every station", _matrix(summary.stations)),
        _section("Slices", slices_table(summary.slices)),
        _section("Refusals", refusal_table(summary.confusion) if summary.confusion else ""),
        _section("What the answerability signal is worth", "\n\n".join(map(plot_table, summary.plots))),
        _section("Questions that went wrong", _cases(summary.cases)),
        _section("Latency", _latency(summary)),
        _section("Cost", _costs(summary.costs)),
        _section("Further metrics", _further(summary.results.further, accepted is not None)),
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


def _further(rows: Sequence[Row], compared: bool) -> str:
    """What is neither a leading metric nor a ranking metric, whose depths have a table of their own."""
    return _details("Answers, citations, refusals and judgements", results_table([row for row in rows if not row.deep], compared))


def refusal_table(found: Confusion) -> str:
    """Gold answerable or not, against answered or refused."""
    rows = (
        ("can be answered", str(found.answered), f"{found.over_refused} (over-refusals)"),
        ("must be refused", f"{found.falsely_answered} (false answers)", str(found.refused)),
    )
    return table(("Question", "Answered", "Refused"), rows)


def waterfall_tables(found: Waterfall) -> str:
    """How many questions are left after every station, and the same for each kind of question."""
    if not found.lines:
        return ""
    rows = [(line.label, f"{line.left:,}", f"{line.lost:,} {line.how}" if line.lost else "") for line in found.lines]
    kinds = [(markdown(kind), f"{size:,}", *(f"{cell:,}" for cell in cells)) for kind, size, cells in found.kinds]
    whole = table(("Questions", "Left", "Lost"), rows, last_left=True)
    by_kind = table(("Kind", "Questions", *found.columns), kinds) if kinds else ""
    return "\n\n".join(filter(None, (whole, found.remark, by_kind)))


def slices_table(found: Slices) -> str:
    """Metrics by slice, each with the questions scored where they are not all of the slice."""
    rows = [(markdown(name), f"{size:,}", *(_cell(cell, size) for cell in cells)) for name, size, cells in found.lines]
    return table(("Slice", "Questions", *found.columns), rows) if rows else ""


def plot_table(plot: Plot) -> str:
    """The numbers of a plot."""
    return f"**{plot.name}.** {plot.remark}\n\n{table(plot.head, plot.rows)}"


def verdict_table(verdicts: Sequence[Verdict]) -> str:
    """Every rule with its outcome, numbers and reason; then the questions whose score changed."""
    if not verdicts:
        return ""
    rows = []
    for item in verdicts:
        numbers = (number(item.expected), number(item.actual), change(item.difference, item.low, item.high), number(item.p))
        cells = (_rule(item), _outcome(item), markdown(item.reason, 300), *numbers)
        rows.append((*cells, number(item.minimum_detectable_effect), str(item.n)))
    head = ("Rule", "Verdict", "Reason", "Expected", "Actual", "Difference", P_VALUE, "Detectable", "n")
    changed = [f"- {_rule(item)}: {_flipped(item.flipped)}" for item in verdicts if item.flipped]
    told = ["", "Questions whose score changed:", "", *changed] if changed else []
    return "\n".join([table(head, rows, left=3), "", GATE_NUMBERS, *told])


def leaderboard_markdown(board: Leaderboard) -> str:
    """The leaderboard with its notes."""
    head = ("", "Variant", *board.columns)
    rows = ((row.mark, markdown(row.name), *row.cells) for row in board.rows)
    return "\n\n".join([table(head, rows, left=2), *(markdown(note, 400) for note in board.notes)])


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


def _cell(cell: Cell, size: int) -> str:
    return f"{cell.value} (n {cell.n:,})" if cell.value and cell.n != size else cell.value


def _cases(cases: Sequence[Case]) -> str:
    if not cases:
        return "None."
    parts = [f"{count(cases, 'question')}."]
    for name, found in by_station(cases).items():
        left_out = len(found) - _MOST_CASES
        more = [f"- {left_out:,} more in attribution.json and traces.jsonl"] if left_out > 0 else []
        lines = [line for case in found[:_MOST_CASES] for line in _case(case)]
        parts.append("\n".join([f"### {markdown(name)}: {count(found, 'question')}", "", *lines, *more]))
    return "\n\n".join(parts)


def _case(case: Case) -> list[str]:
    """One question as a list: what was asked and expected, what was lost and would have helped, what was shown and said."""
    faults = "; ".join(markdown(fault) for fault in case.faults)
    shown = "; ".join(f"{place} {_passage(passage)}" for place, passage in enumerate(case.passages, 1))
    lines = (
        f"What happened: {faults}",
        f"Expected: {markdown(case.expected, 100)}",
        *(_lost(item) for item in case.lost),
        *(f"{label}: {markdown(reason, 240)}" for label, reason in case.why),
        f"Would have helped: {markdown(case.remedy, 240)}" if case.remedy else "",
        *told_lines(case.steps),
        f"Shown: {shown}" if shown else "",
        f"Answer: {markdown(case.answer, 200)}" if case.answer else "",
    )
    head = f"- {code(case.question.question_id)} {markdown(case.question.text)}"
    return [head, *(f"  - {line}" for line in lines if line)]


def told_lines(steps: Told, limit: int = 480) -> list[str]:
    """What the steps did, a line a label: `Left out: hyde: ...`."""
    return [f"{label}: {'; '.join(markdown(line, limit) for line in lines)}" for label, lines in steps]


def _lost(item: Lost) -> str:
    ranks = ", ".join(f"{markdown(name)} {rank}" for name, rank in item.ranks)
    quote = f" “{markdown(item.quote, 100)}”" if item.quote else ""
    return f"{markdown(item.place)} {item.fate}, {markdown(item.spans)}{quote}: {ranks}"


def _passage(passage: Passage) -> str:
    marks = f" ({', '.join(passage.marks)})" if passage.marks else ""
    return f"{markdown(passage.heading, 60)}{marks}"


def _latency(summary: Summary) -> str:
    rows = [(markdown(item.stage), item.p50, item.p95) for item in summary.latencies]
    return table(("Stage", "p50", "p95"), rows) if rows else ""


def _costs(found: Costs) -> str:
    rows = [(markdown(row[0]), *row[1:]) for row in found.rows]
    return "\n\n".join(filter(None, (table(HEAD, rows), markdown(found.remark, 400)))) if rows else ""


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
