"""A comparison in Markdown."""

from collections.abc import Iterable

from harness.reporting.comparison import Case, Line, Refusals, View
from harness.reporting.comparison_passages import Column, Passage
from harness.reporting.escape import code, markdown
from harness.reporting.markdown import table, told_lines
from harness.reporting.names import count

MOST = 100
"""Questions shown of each direction."""


def comparison_markdown(view: View) -> str:
    """The whole comparison: what is compared, metrics, flipped refusals, then the questions that changed."""
    parts = [
        f"# {markdown(view.name)}",
        table(("", "A", "B"), _pairs(view.facts), left=3),
        "\n".join(f"- {markdown(note, 600)}" for note in view.notes),
        _section("Settings that differ", table(("Setting", "A", "B"), _settings(view), left=3) if view.settings else ""),
        _section("Metrics", _metrics(view.lines)),
        _section("Further metrics, p adjusted by Benjamini-Hochberg", _metrics(view.further)) if view.further else "",
        _section("Refusals that flipped", "\n".join(_refusals(view.refusals))),
        _section("Questions that changed", f"{view.tally}."),
        *(_cases(view, name) for name in ("worse", "better", "mixed")),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _section(name: str, content: str) -> str:
    return f"## {name}\n\n{content}" if content else ""


def _pairs(rows: Iterable[tuple[str, str, str]]) -> list[tuple[str, str, str]]:
    return [(markdown(label), markdown(then, 300), markdown(now, 300)) for label, then, now in rows]


def _settings(view: View) -> list[tuple[str, str, str]]:
    return [(code(name), code(then), code(now)) for name, then, now in view.settings]


def _metrics(lines: Iterable[Line]) -> str:
    head = ("Metric", "A", "B", "B − A (95 % interval)", "p", "n", "better, worse, equal", "")
    rows = [
        (markdown(line.title), line.a, line.b, markdown(line.difference, 300), markdown(line.p), line.n, line.tally, line.verdict)
        for line in lines
        if not line.idle
    ]
    return table(head, rows, last_left=True)


def _refusals(groups: Iterable[Refusals]) -> Iterable[str]:
    for group in groups:
        names = ", ".join(code(name) for name, _ in group.questions)
        verdict = f" ({group.verdict})" if group.verdict else ""
        yield f"- {group.heading}{verdict}: {len(group.questions)}{f': {names}' if names else ''}"


def _cases(view: View, direction: str) -> str:
    cases = view.of(direction)
    if not cases:
        return ""
    left_out = len(cases) - MOST
    more = [f"- {left_out:,} more in the JSON"] if left_out > 0 else []
    lines = [line for case in cases[:MOST] for line in _case(case)]
    return "\n".join([f"### {direction.capitalize()}: {count(cases, 'question')}", "", *lines, *more])


def _case(case: Case) -> Iterable[str]:
    yield f"- {code(case.question_id)} {markdown(case.text)}"
    if case.expected:
        yield f"  - Expected: {markdown(case.expected, 100)}"
    yield f"  - Changed: {'; '.join(f'{markdown(name)} {then} → {now}' for name, then, now in case.values)}"
    yield f"  - Evidence: {markdown(case.where)}"
    if case.shown is None:
        return
    if case.shown.tally:
        yield f"  - {case.shown.tally}"
    for side, column in (("A", case.shown.a), ("B", case.shown.b)):
        if column:
            yield f"  - Shown by {side}: {_passages(column)}"
            if column.answer is not None:
                yield f"  - Answer of {side}: {markdown(column.answer, 200)}"
            if column.steps:
                yield f"  - Steps of {side}: {'; '.join(told_lines(column.steps, 240))}"


def _passages(column: Column) -> str:
    return "; ".join(f"{item.rank} {markdown(item.heading, 60)}{_marks(item)}" for item in column.passages) or "nothing"


def _marks(item: Passage) -> str:
    marks = [*(["evidence"] if item.evidence else []), *(["cited"] if item.cited else []), *([] if item.other else ["only here"])]
    return f" ({', '.join(marks)})" if marks else ""
