"""`harness index delete`: withdraws documents until they are restored or purged."""

import argparse

from harness.cli.console import progress
from harness.cli.index.settings import day, for_building, index_folder
from harness.cli.index.wording import say, say_kinds, until
from harness.cli.paid import within_budget
from harness.errors import ConfigError, Problem
from harness.indexing.contents import read_contents
from harness.indexing.outdated import newest_again
from harness.indexing.withdrawing import delete
from harness.reporting.escape import one_line


def command(arguments: argparse.Namespace) -> int:
    """Withdraws the documents, says until when they can be restored, and which older versions are found in their place.

    Raises:
        ConfigError: I004 without an index, I005 for every unknown document, I009 for a day or a grace that is none.
    """
    folder, today = index_folder(arguments.index), day(arguments.today, "--today")
    if not 0 <= arguments.grace <= 36_500:
        problem = Problem("I009", "--grace", f"{arguments.grace} days", fix="write a number from 0 to 36500.")
        raise ConfigError("The days of grace cannot be counted.", [problem])
    settings = for_building(folder)
    with progress() as bar, within_budget(settings.budget):
        found = delete(folder, arguments.documents, settings.pipeline, today, arguments.grace, bar)
    for entry in found.entries:
        if entry.doc_id in found.done:
            say(f"withdrawn: {entry.doc_id}: {until(entry, today)}")
    say_kinds({"withdrawn by hand before": found.as_before})
    if any(entry.document.series for entry in found.entries if entry.doc_id in found.done):
        for series, name in newest_again(read_contents(folder).entries, found.done, today).items():
            say(f"  {one_line(name)} is the newest of series {one_line(series)} again")
    return 0
