"""A comparison for the terminal: the table of metrics and the questions that changed most."""

from collections.abc import Iterable

from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from harness.reporting.comparison import View
from harness.reporting.escape import clean, one_line
from harness.reporting.names import count
from harness.reporting.terminal import Fitting

MOST = 10
"""Questions and settings shown."""
_STYLES = {"better": "green", "worse": "red", "mixed": "yellow"}
_LESS_AND_LESS = ((), ("alone",), ("alone", "ends"), ("alone", "ends", "+ − ="))


def comparison_table(view: View) -> RenderableType:
    """The short form; a narrow terminal is shown fewer columns, never a cut number."""
    found = view.found
    head = [f"A  {found.a.name} ({found.a.kind})", f"B  {found.b.name} ({found.b.kind})"]
    parts: list[RenderableType] = [_text(line) for line in head]
    parts += [_text(line) for line in _settings(view)]
    parts.append(Fitting(*(_metrics(view, less) for less in _LESS_AND_LESS)))
    parts += [_text(f"{name}: {why}", "yellow") for name, why in _problems(view)]
    parts += [_text(note, "dim") for note in view.notes]
    parts.append(Text())
    parts.append(_text(f"{view.tally}.", "bold"))
    if view.cases:
        parts.append(_cases(view))
    parts += [_text(line) for line in _refusals(view)]
    return Group(*parts)


def _settings(view: View) -> list[str]:
    """`   reranker none → Lexical`, up to ten."""
    lines = [f"   {name} {one_line(then, 60)} → {one_line(now, 60)}" for name, then, now in view.settings[:MOST]]
    left_out = len(view.settings) - MOST
    return [*lines, f"   and {count(left_out, 'more setting')}"] if left_out > 0 else lines


def _problems(view: View) -> list[tuple[str, str]]:
    """Reasons with the metrics that they keep from being compared."""
    names: dict[str, list[str]] = {}
    for line in view.lines:
        if line.problem:
            names.setdefault(line.difference, []).append(line.title)
    return [(", ".join(titles), why) for why, titles in names.items()]


def _metrics(view: View, less: Iterable[str]) -> Table:
    heads = ("Metric", "A", "B", "B − A", "p", "n", "+ − =", "")
    shown = [head for head in heads if head not in less]
    table = Table(box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for head in shown:
        left = head in ("Metric", "")
        table.add_column(head, justify="left" if left else "right", no_wrap=not left)
    for line in (item for item in view.lines if not item.idle):
        difference = "≠" if line.problem else line.difference.partition(" ")[0] if "ends" in less else line.difference
        n = line.n.partition(" ")[0] if "alone" in less else line.n
        cells = dict(zip(heads, (line.title, line.a, line.b, difference, line.p, n, line.tally, line.verdict), strict=True))
        table.add_row(*(_text(cells[head], _STYLES.get(line.verdict, "")) for head in shown))
    return table


def _cases(view: View) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for head in ("Question", "", "Changed", "Evidence"):
        table.add_column(head)
    for case in view.cases[:MOST]:
        direction = _text(case.direction, _STYLES[case.direction])
        asked = f"{case.question_id} {one_line(case.text, 60)}"
        table.add_row(_text(asked), direction, _text(case.headline), _text(case.where))
    return table


def _refusals(view: View) -> Iterable[str]:
    for group in view.refusals:
        if group.questions:
            names = ", ".join(name for name, _ in group.questions[:MOST])
            more = f" and {len(group.questions) - MOST} more" if len(group.questions) > MOST else ""
            yield f"{group.heading} ({group.verdict}): {len(group.questions)}: {names}{more}"


def _text(value: str, style: str = "") -> Text:
    return Text(clean(value), style)
