"""`harness run --dry-run`: what a run would send to models, without sending anything."""

from collections.abc import Sequence

from harness.build.experiment import Experiment
from harness.build.forecast import Row, forecast
from harness.cli.console import out
from harness.cli.job import asked, golden_set, read_recordings
from harness.errors import Problem
from harness.spending import Budget
from harness.types import Usage

HEADS = ("stage", "calls", "tokens in", "tokens out", "US dollars", "model")
UNKNOWN = "unknown"


def show(experiments: Sequence[Experiment], names: Sequence[str], budget: Budget, replay: bool) -> int:
    """Prints a table for each variant, and whether all of them together fit the budget."""
    rows: list[Row] = []
    lacks: dict[Problem, None] = {}
    for experiment, name in zip(experiments, names, strict=True):
        golden = golden_set(experiment)
        questions = asked(golden, experiment.settings.split)
        read_recordings(experiment)
        found = forecast(experiment, golden, questions)
        rows += found
        recorded = f", {experiment.recordings.recorded:,} completions recorded" if experiment.recordings.recorded else ""
        repeats = f" {experiment.settings.repeats} times" if experiment.settings.repeats > 1 else ""
        _say(f"{name}: {len(questions):,} questions of {golden.name}{repeats}{recorded}")
        _say(_table(found) if found else "  asks no model")
        for text in experiment.notices:
            _say(f"  note: {text}")
        lacks |= dict.fromkeys(experiment.lacks)
    _say(_verdict(rows, budget, replay))
    for problem in lacks:
        _say(f"note: {problem.where}: {problem.what.rstrip('.')}; before a run: {problem.fix}")
    return 0


def _say(text: str) -> None:
    out().print(text, markup=False, soft_wrap=True)


def _table(rows: Sequence[Row]) -> str:
    lines = [HEADS, *map(_cells, rows)]
    widths = [max(len(line[place]) for line in lines) for place in range(len(HEADS))]
    return "\n".join(
        "  "
        + "  ".join(
            cell.ljust(width) if place in (0, 5) else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def _cells(row: Row) -> tuple[str, ...]:
    counts = (
        (UNKNOWN,) * 3 if row.usage is None else (f"{row.calls:,}", f"{row.usage.input_tokens:,}", f"{row.usage.output_tokens:,}")
    )
    cost = f"{row.usage.cost:.4f}" if row.usage is not None and row.priced else UNKNOWN
    return row.stage, *counts, cost, ", ".join(row.models)


def _verdict(rows: Sequence[Row], budget: Budget, replay: bool) -> str:
    """All stages of all variants together, held against the budget."""
    if replay:
        return "With --replay nothing is sent."
    if not rows:
        return "Nothing is sent."
    total = sum((row.usage for row in rows if row.usage is not None), Usage())
    uncounted = sorted({row.stage for row in rows if row.calls is None})
    unpriced = sorted({model for row in rows if not row.priced for model in row.models})
    told = f"together at most {total.calls:,} calls, {total.input_tokens + total.output_tokens:,} tokens, ${total.cost:.4f}"
    told += f"; and calls of {', '.join(uncounted)}, whose number is unknown" if uncounted else ""
    told += f"; without the unknown price of {', '.join(unpriced)}" if unpriced else ""
    told += (
        ". Not counted: requests tried again after an error, and those that ask for a reply once more because it cannot be read. "
        "What is cached or recorded is not sent again."
    )
    if limit := budget.crossed(total):
        return f"{told}\nDoes not fit {limit}: what is left over would be errors."
    if budget == Budget():
        return f"{told}\nNo budget is set."
    return f"{told}\n{'May not fit' if uncounted else 'Fits'} the budget: {_limits(budget)}."


def _limits(budget: Budget) -> str:
    limits = {"calls": budget.calls, "tokens": budget.tokens, "cost": budget.cost}
    return ", ".join(f"budget.{name}={limit}" for name, limit in limits.items() if limit)
