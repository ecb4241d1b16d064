"""`harness index sync`: brings an index up to date with a folder of documents."""

import argparse
from collections.abc import Sequence

from harness.cli.console import note, print_error, progress
from harness.cli.index import corpus
from harness.cli.index.settings import Settings, day, for_building, index_folder
from harness.cli.index.wording import count, note_passed_over, say, say_changes
from harness.cli.paid import within_budget
from harness.errors import CorpusError, Problem
from harness.indexing.contents import read_contents
from harness.indexing.learning import outgrown
from harness.indexing.manifest import need_manifest, read_manifest
from harness.indexing.sync import Report, sync


def command(arguments: argparse.Namespace) -> int:
    """Syncs and says what was done; 2 when a file could not be read, and the rest was taken up.

    Raises:
        ConfigError, CorpusError, StoreError: as `sync` does, and with every fault of the config.
    """
    folder, today = index_folder(arguments.index), day(arguments.today, "--today")
    settings = for_building(folder, arguments.overrides)
    found = corpus.read(arguments.corpus, folder)
    note_passed_over(found.passed_over)
    names = sorted(document.doc_id for document in found.documents)
    if found.undescribed.issuperset(names) and not read_manifest(folder):
        problems = (*found.problems, *corpus.held_back(names))
        raise CorpusError("No document can be taken up; no index was built.", problems)
    with progress() as bar, within_budget(settings.budget):
        report = sync(
            folder,
            found.documents,
            settings.pipeline,
            settings.config,
            today,
            bar,
            unreadable=found.unreadable,
            undescribed=found.undescribed,
            says=found.says,
            allow_missing=arguments.allow_missing,
            name=found.name,
            words=settings.words,
        )
    _tell(report, settings)
    if need_manifest(folder).learned_from:
        contents = read_contents(folder)
        if told := outgrown(contents.manifest, contents.chunks):
            say(f"  {told}")
    return _faults(report, (*found.problems, *corpus.doubts(report.changes)))


def _tell(report: Report, settings: Settings) -> None:
    changes = report.changes
    if report.up_to_date:
        say(f"up to date: {count(changes.unchanged, 'document')} unchanged, generation {report.generation}, nothing was written")
    else:
        say(f"generation {report.generation}: cut {count(report.chunks, 'chunk')}, embedded {count(report.embedded, 'text')}")
    if report.settings:
        say(f"  other settings or code: {', '.join(report.settings)}{_consequence(report)}")
    say_changes(changes)
    if not report.up_to_date:
        say(f"  unchanged: {changes.unchanged:,}")
    for line in settings.tally.lines():
        note(f"  {line}")


def _consequence(report: Report) -> str:
    return "; every document was cut anew" if {"chunker", "doc2query"} & {*report.settings} else ""


def _faults(report: Report, problems: Sequence[Problem]) -> int:
    if not problems:
        return 0
    kept = (
        f" {count(len(report.changes.unreadable), 'document')} kept the content of the index."
        if report.changes.unreadable
        else ""
    )
    print_error(CorpusError(f"{count(len(problems), 'problem')} in the corpus; the rest was taken up.{kept}", problems))
    return CorpusError.exit_code
