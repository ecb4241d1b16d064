"""`harness golden export`: a golden set in a foreign format, and what that format cannot hold."""

import argparse
from pathlib import Path

from harness.cli.console import note, out
from harness.errors import ConfigError
from harness.golden.find import find
from harness.golden.formats.catalog import FORMATS
from harness.golden.formats.shared import counted
from harness.golden.formats.target import all_or_nothing, check_outside_corpora
from harness.golden.golden_set import QUESTIONS, load
from harness.jsonl import read_rows
from harness.resources import roots


def command(arguments: argparse.Namespace) -> int:
    """Loads the set with all its checks and writes it."""
    folder, target = find(arguments.set, roots()), Path(arguments.to)
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise ConfigError(f"{arguments.to!r} exists already; give another path, or delete it")
    check_outside_corpora(target)
    golden = load(folder)
    rows, _ = read_rows(folder / QUESTIONS)
    with all_or_nothing(target) as place:
        lost = FORMATS[arguments.format].write([row.fields for row in rows], golden, place)
    for text in lost:
        note(f"not held by {arguments.format}: {text}")
    questions = f"{counted(len(golden.questions), 'question')} of {golden.name} version {golden.version}"
    out().print(f"{target}: {questions}", soft_wrap=True, markup=False)
    return 0
