"""`harness index restore`: takes withdrawn documents back."""

import argparse

from harness.cli.console import progress
from harness.cli.index.settings import day, for_building, index_folder
from harness.cli.index.wording import say, say_kinds
from harness.cli.paid import within_budget
from harness.indexing.withdrawing import restore


def command(arguments: argparse.Namespace) -> int:
    """Restores the documents and says what was embedded for it.

    Raises:
        ConfigError: I004 without an index, I005 for every unknown document.
    """
    folder, today = index_folder(arguments.index), day(arguments.today, "--today")
    settings = for_building(folder)
    with progress() as bar, within_budget(settings.budget):
        found = restore(folder, arguments.documents, settings.pipeline, today, bar)
    if found.made:
        say(f"generation {found.made.generation}: embedded {found.made.embedded:,} texts")
    say_kinds(
        {
            "restored": found.done,
            "was not withdrawn": found.as_before,
            "was purged; the next sync reads it from the folder again": found.tombstones,
        }
    )
    return 0
