"""`harness index purge`: removes withdrawn documents whose days of grace are over."""

import argparse

from harness.cli.console import progress
from harness.cli.index.settings import day, for_building, index_folder
from harness.cli.index.wording import say, say_kinds, until
from harness.cli.paid import within_budget
from harness.indexing.withdrawing import purge


def command(arguments: argparse.Namespace) -> int:
    """Purges, and says what stays and until when.

    Raises:
        ConfigError: I004 without an index.
    """
    folder, today = index_folder(arguments.index), day(arguments.today, "--today")
    settings = for_building(folder)
    with progress() as bar, within_budget(settings.budget):
        found = purge(folder, settings.pipeline, today, bar)
    if not found.done:
        say("nothing to purge")
    say_kinds({"purged for good": found.done, "of these no sync brings back": found.tombstones})
    for entry in found.entries:
        say(f"  left: {entry.doc_id}: {until(entry, today)}")
    if found.done:
        say("  vectors may still lie in the cache of stage outputs (HARNESS_CACHE_DIR); delete it to forget those too")
    return 0
