"""`harness golden split`: divides a set into tune and test so that nothing leaks from one into the other."""

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from harness.cli.console import note, out
from harness.errors import HarnessError
from harness.golden.card import NAME
from harness.golden.find import find
from harness.golden.golden_set import QUESTIONS, load
from harness.golden.schema import SPLITS
from harness.golden.splitting import ALL, Division, Tally, divide, tally
from harness.golden.writing import must_be_writable, renew_card, rewrite_lines
from harness.reporting.escape import clean
from harness.reporting.names import count
from harness.resources import roots
from harness.store import write_atomic
from harness.types import Question

if TYPE_CHECKING:
    from rich.table import Table


def command(arguments: argparse.Namespace) -> int:
    """Loads the set with all its checks, shows the division, and writes it if asked to."""
    folder = find(arguments.set, roots())
    golden = load(folder)
    division = divide(golden, arguments.test_share)
    before = tally(golden.questions, {question.question_id: question.split for question in golden.questions})
    after = tally(golden.questions, division.splits)
    head = f"{golden.name} v{golden.version}: {count(golden.questions, 'question')} in {count(division.units, 'unit')}"
    explained = " (groups, those with near-copies of each other or shared evidence joined)"
    out().print(clean(head + explained), soft_wrap=True, markup=False)
    out().print(_table(before, after))
    for line in _remarks(golden.questions, division, arguments.test_share):
        out().print(clean(line), soft_wrap=True, markup=False)
    if not division.changed:
        out().print("Nothing to write.", markup=False)
    elif arguments.write:
        _write(folder, {name: division.splits[name] for name in division.changed})
    else:
        out().print("Nothing is written; --write does it.", markup=False)
    return 0


def _write(folder: Path, splits: Mapping[str, str]) -> None:
    """Sets `split` of the questions that change side and renews the card: both, or neither."""
    path = folder / QUESTIONS
    must_be_writable(path, folder / NAME)
    before = path.read_bytes()
    rewrite_lines(folder, {name: {"split": side} for name, side in splits.items()})
    try:
        changes = renew_card(folder)
    except HarnessError:
        write_atomic(path, before)
        raise
    out().print(f"Written: {path}; card: {'; '.join(changes)}", soft_wrap=True, markup=False)
    note("note: accepted baselines of this set no longer compare; run and accept anew")


def _remarks(questions: tuple[Question, ...], division: Division, share: float) -> list[str]:
    test = sum(side == "test" for side in division.splits.values())
    size = f"test gets {test:,} of {count(questions, 'question')} ({test / len(questions):.3f}, asked for {share:g})"
    if division.kept:
        return [f"The present division stays: nothing leaks, and it is balanced nearly as well as can be; {size}."]
    counted = tally(questions, division.splits)
    one_sided = [name for name, sides in counted.items() if sum(sides.values()) > 1 and not all(sides.values())]
    lines = [f"{count(division.changed, 'question')} {'changes' if len(division.changed) == 1 else 'change'} side; {size}."]
    if one_sided:
        lines.append(f"On one side only, for they stand in too few groups: {', '.join(one_sided)}.")
    return lines


def _table(before: Tally, after: Tally) -> "Table":
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for head in ("Kind", "n", "tune\nbefore", "test\nbefore", "tune\nafter", "test\nafter"):
        table.add_column(head, justify="left" if head == "Kind" else "right", no_wrap=True, vertical="bottom")
    for name in (*(name for name in after if name != ALL), ALL):
        if name == ALL:
            table.add_section()
        numbers = [counted[name][side] for counted in (before, after) for side in SPLITS]
        table.add_row(name or "all", f"{sum(after[name].values()):,}", *(f"{n:,}" if n else "–" for n in numbers))
    return table
