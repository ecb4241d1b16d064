"""`harness index status`: what an index holds, what is withdrawn, whether it is whole, what a sync would change."""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from harness.cli.console import print_error, print_json
from harness.cli.index import corpus
from harness.cli.index.settings import day, index_folder
from harness.cli.index.wording import count, passed_over, say, say_changes, say_kinds, until
from harness.errors import CorpusError, Problem, StoreError
from harness.indexing.changes import Changes, compare
from harness.indexing.contents import read_contents
from harness.indexing.learning import outgrown
from harness.indexing.manifest import Manifest, need_manifest
from harness.indexing.outdated import outdated
from harness.indexing.records import Entry
from harness.indexing.sync import too_many_missing
from harness.reporting.configs import flatten


def command(arguments: argparse.Namespace) -> int:
    """Prints the state; 4 when a file is damaged, 2 when a document of the corpus cannot be read.

    Raises:
        ConfigError: I004 without an index.
        StoreError: I002 when the manifest itself is damaged.
    """
    folder, today = index_folder(arguments.index), day(arguments.today, "--today")
    manifest = need_manifest(folder)
    entries, problems = _entries(folder)
    state = _state(folder, manifest, entries, problems, today)
    state["embedder_learned"] = outgrown(manifest, [chunk for entry in entries if entry.searched for chunk in entry.chunks or ()])
    unread = _add_corpus(state, arguments.corpus, folder, manifest, entries) if arguments.corpus and not problems else ()
    if arguments.json:
        print_json(state, indent=2)
    else:
        _show(state, entries, today)
    if problems:
        print_error(StoreError("The index is damaged.", problems))
        return StoreError.exit_code
    if unread:
        print_error(CorpusError("A sync would not take up the folder as it is.", unread))
        return CorpusError.exit_code
    return 0


def _entries(folder: Path) -> tuple[Sequence[Entry], Sequence[Problem]]:
    """The documents of an index; or what is wrong with its files."""
    try:
        return read_contents(folder).entries, ()
    except StoreError as error:
        return (), error.problems


def _state(folder: Path, manifest: Manifest, entries: Sequence[Entry], problems: Sequence[Problem], today: str) -> dict[str, Any]:
    old = outdated(entries, today)
    return {
        "index": str(folder),
        "generation": manifest.generation,
        "changed": manifest.changed,
        "embedder": manifest.embedder,
        "config": flatten(manifest.config),
        "overrides": list(manifest.words),
        "folder": manifest.folder,
        "corpus": manifest.corpus,
        "digest": manifest.digest,
        "counts": dict(manifest.counts),
        "whole": not problems,
        "withdrawn": [
            {"doc": entry.doc_id, "reason": entry.reason, "deleted_at": entry.deleted_at, "purge_after": entry.purge_after}
            for entry in entries
            if entry.deleted_at
        ],
        "purged_by_hand": sorted(manifest.tombstones),
        "superseded": list(old.superseded),
        "expired": list(old.expired),
        "not_yet": list(old.not_yet),
        "withdrawn_by_own_date": [{"doc": name, "deleted_at": day} for name, day in old.withdrawn],
    }


def _add_corpus(
    state: dict[str, Any], path: str, folder: Path, manifest: Manifest, entries: Sequence[Entry]
) -> tuple[Problem, ...]:
    """Adds what a sync with a folder would change; gives what cannot be read there."""
    found = corpus.read(path, folder)
    changes = compare(entries, manifest.tombstones, found.documents, found.unreadable, found.undescribed, found.says)
    state["sync"] = asdict(changes)
    state["passed_over"] = list(found.passed_over)
    refused = too_many_missing(entries, changes, found.name, manifest.folder)
    return (*found.problems, *refused, *corpus.doubts(changes))


def _show(state: dict[str, Any], entries: Sequence[Entry], today: str) -> None:
    say(f"index       {state['index']}")
    say(f"generation  {state['generation']}, changed on {state['changed']}")
    say(f"corpus      {state['folder'] or 'not known'}")
    say(f"embedder    {state['embedder']}")
    if state["embedder_learned"] and state["whole"]:
        say(f"            {state['embedder_learned']}")
    settings = ", ".join(f"{name}={value}" for name, value in state["config"].items())
    say(f"config      {settings}")
    say(f"remembers   {' '.join(state['overrides']) or 'no overrides'}")
    say(f"holds       {_held(state['counts'])}")
    say(f"files       {'whole: every digest holds' if state['whole'] else 'DAMAGED'}")
    for entry in entries:
        if entry.deleted_at:
            say(f"  withdrawn {entry.doc_id}: {until(entry, today)}")
    say_kinds(
        {
            "purged, no sync brings them back": state["purged_by_hand"],
            f"superseded by a newer version on {today}": state["superseded"],
            f"no longer valid on {today}": state["expired"],
            f"not valid before a day after {today}": state["not_yet"],
            **_by_own_date(state["withdrawn_by_own_date"]),
        }
    )
    if "sync" in state:
        changes = Changes(**state["sync"])
        say(f"a sync would leave {count(changes.unchanged, 'document')} as they are")
        say_changes(changes)
        if state["passed_over"]:
            say(f"  {passed_over(state['passed_over'])}")


def _held(counts: Mapping[str, int]) -> str:
    """`8 documents (1 withdrawn, 0 copies left out), 23 chunks (20 searched), 23 vectors`; what stands in brackets is part of it."""
    copies = f"{counts['left_out']:,} {'copy' if counts['left_out'] == 1 else 'copies'} left out"
    documents = f"{count(counts['documents'] + counts['deleted'], 'document')} ({counts['deleted']:,} withdrawn, {copies})"
    chunks = f"{count(counts['chunks'], 'chunk')} ({counts['chunks_searched']:,} searched)"
    return f"{documents}, {chunks}, {count(counts['vectors'], 'vector')}"


def _by_own_date(rows: Sequence[Mapping[str, str]]) -> dict[str, Sequence[str]]:
    ordered = sorted(rows, key=itemgetter("deleted_at", "doc"))
    return {
        f"withdrawn by its own deleted_at on {day}": [row["doc"] for row in group]
        for day, group in groupby(ordered, itemgetter("deleted_at"))
    }
