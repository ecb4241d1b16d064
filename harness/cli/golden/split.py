"""`harness golden split`: divides a set into tune and test so that nothing leaks from one into the other."""

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from harness.cli.console import note, out
from harness.golden.find import find
from harness.golden.golden_set import QUESTIONS, load
from harness.golden.schema import SPLITS
from harness.golden.splitting import ALL, Division, Tally, divide, tally
from harness.golden.writing import renew_card, write_questions
from harness.jsonl import read_rows
from harness.reporting.escape import clean
from harness.reporting.names import count
from harness.resources import roots
from harness.types import Question

if TYPE_CHECKING:
    from rich.table import Table


def command(arguments: argparse.Namespace) -> int:
    """Loads the set with all its checks, shows the division, and writes it if asked to."""
    folder = find(arguments.set, roots())
    golden = load(folder)
    division = divide(golden.questions, arguments.test_share)
    before = tally(golden.questions, {question.question_id: question.split for question in golden.questions})
    after = tally(golden.questions, division.splits)
    head = f"{golden.name} v{golden.version}: {count(golden.questions, 'question')} in {count(division.units, 'unit')}"
    explained = " (groups, those with near-copies of each other joined)"
    out().print(clean(head + explained), soft_wrap=True, markup=False)
    out().print(_table(before, after))
    for line in _remarks(golden.questions, division, arguments.test_share):
        out().print(clean(line), soft_wrap=True, markup=False)
    if not division.changed:
        out().print("Nothing to write.", markup=False)
    elif arguments.write:
        _write(folder, division.splits)
    else:
        out().print("Nothing is written; --write does it.", markup=False)
    return 0


def _write(folder: Path, splits: Mapping[str, str]) -> None:
    rows, _ = read_rows(folder / QUESTIONS)
    write_questions(folder, [{**row.fields, **_split_of(row.fields["id"], splits)} for row in rows])
    changes = renew_card(folder)
    load(folder)
    out().print(f"Written: {folder / QUESTIONS}; card: {'; '.join(changes)}", soft_wrap=True, markup=False)
    note("note: accepted baselines of this set no longer compare; run and accept anew")


def _split_of(name: str, splits: Mapping[str, str]) -> dict[str, str]:
    """The field to write; retired questions are on no side and keep what they have."""
    return {"split": splits[name]} if name in splits else {}


def _remarks(questions: tuple[Question, ...], division: Division, share: float) -> list[str]:
    test = sum(side == "test" for side in division.splits.values())
    size = f"test gets {test:,} of {count(questions, 'question')} ({test / len(questions):.3f}, asked for {share:g})"
    if division.kept:
        return [f"The present division stays: nothing straddles, and it is balanced at least as well; {size}."]
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
