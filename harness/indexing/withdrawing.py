"""Deleting, restoring and purging documents: withdrawn first, gone for good only when the days of grace are over."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path, PurePosixPath

from harness.errors import ConfigError, Problem
from harness.indexing.building import Made, publish, unchanged_target
from harness.indexing.changes import GRACE, back, withdrawn
from harness.indexing.contents import Contents, read_contents
from harness.indexing.locking import changing
from harness.indexing.manifest import need_manifest
from harness.indexing.records import Entry
from harness.pipeline import Pipeline
from harness.protocols import Progress, silent

_ALIKE = 0.8
"""Share of letters in which a name is like the one that was meant."""


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """What became of the documents that a command named."""

    done: tuple[str, ...]
    """doc_ids that the command changed."""
    as_before: tuple[str, ...]
    """doc_ids that were already so."""
    entries: tuple[Entry, ...]
    """Every document that is withdrawn now."""
    tombstones: tuple[str, ...] = ()
    """Of a restore, those that were purged: the next sync reads them again. Of a purge, those that no sync brings back."""
    made: Made | None = None
    """The new generation; None where nothing was written."""


@dataclass(frozen=True, slots=True)
class _Change:
    """What a command makes of an index."""

    entries: Sequence[Entry]
    """Its documents afterwards."""
    done: Collection[str] = ()
    """doc_ids that are changed."""
    as_before: Collection[str] = ()
    """doc_ids that were already so."""
    added: Mapping[str, str] = field(default_factory=dict)
    """Tombstones that are set, with their days."""
    lifted: Collection[str] = ()
    """Tombstones that are taken away."""


def delete(
    folder: Path, doc_ids: Sequence[str], pipeline: Pipeline, today: str, grace: int = GRACE, progress: Progress = silent
) -> Withdrawal:
    """Withdraws documents: no query finds them, no sync brings them back, `purge` removes them after so many days.

    Raises:
        ConfigError: I004 without an index, I005 for every doc_id that it does not hold.
        StoreError: I002 damaged, I003 in use.
    """

    def change(before: Contents) -> _Change:
        wanted = _known(before, doc_ids)
        by_hand = {entry.doc_id for entry in before.entries if entry.reason == "deleted"} | {*before.manifest.tombstones}
        done = wanted - by_hand
        entries = [withdrawn(entry, today, grace, by_hand=True) if entry.doc_id in done else entry for entry in before.entries]
        return _Change(entries, done, wanted & by_hand)

    return _changed(folder, change, pipeline, today, progress)


def restore(folder: Path, doc_ids: Sequence[str], pipeline: Pipeline, today: str, progress: Progress = silent) -> Withdrawal:
    """Takes withdrawn documents back; what was purged comes back with the next sync.

    Raises:
        ConfigError: I004 without an index, I005 for every doc_id that it does not hold.
        StoreError: I002 damaged, I003 in use.
    """

    def change(before: Contents) -> _Change:
        wanted = _known(before, doc_ids)
        gone = wanted & {*before.manifest.tombstones}
        done = {entry.doc_id for entry in before.entries if entry.deleted_at and entry.doc_id in wanted}
        entries = [back(entry) if entry.doc_id in done else entry for entry in before.entries]
        return _Change(entries, done, wanted - done - gone, lifted=gone)

    return _changed(folder, change, pipeline, today, progress)


def purge(folder: Path, pipeline: Pipeline, today: str, progress: Progress = silent) -> Withdrawal:
    """Removes the withdrawn documents whose days of grace are over, with their chunks and vectors.

    The ids of those that were deleted by hand are kept, so that no sync brings them back. The cache of stage outputs lies
    elsewhere and keeps vectors under digests of their texts.

    Raises:
        ConfigError: I004 without an index.
        StoreError: I002 damaged, I003 in use.
    """

    def change(before: Contents) -> _Change:
        over = {entry.doc_id: entry for entry in before.entries if entry.deleted_at and entry.purge_after <= today}
        entries = [entry for entry in before.entries if entry.doc_id not in over]
        stones = {name: entry.deleted_at for name, entry in over.items() if entry.reason == "deleted"}
        return _Change(entries, over, added=stones)

    return _changed(folder, change, pipeline, today, progress)


def _changed(
    folder: Path, change: Callable[[Contents], _Change], pipeline: Pipeline, today: str, progress: Progress
) -> Withdrawal:
    """Makes the next generation of an index, where the change is one."""
    need_manifest(folder)
    with changing(folder):
        before = read_contents(folder)
        to = change(before)
        kept = {name: day for name, day in before.manifest.tombstones.items() if name not in to.lifted}
        target = replace(unchanged_target(before, to.entries), tombstones={**kept, **to.added})
        made = publish(folder, before, target, pipeline, today, progress) if to.done or to.lifted else None
        held = tuple(entry for entry in to.entries if entry.deleted_at)
        return Withdrawal(_sorted(to.done), _sorted(to.as_before), held, _sorted({*to.lifted, *to.added}), made)


def _known(before: Contents, doc_ids: Sequence[str]) -> set[str]:
    """The doc_ids, all of which the index holds or has purged."""
    known = dict.fromkeys((*(entry.doc_id for entry in before.entries), *before.manifest.tombstones))
    problems = [_unknown(name, known) for name in dict.fromkeys(doc_ids) if name not in known]
    if problems:
        raise ConfigError("The index holds no such document; nothing was changed.", problems)
    return {*doc_ids}


def _unknown(name: str, known: Collection[str]) -> Problem:
    near = _nearest(name, known)
    fix = f"did you mean {' or '.join(map(repr, near))}?" if near else "give its path below the corpus folder."
    return Problem("I005", name, "is no document of the index", fix=fix)


def _nearest(name: str, known: Collection[str]) -> list[str]:
    """Ids of files of that name, else the nearest id, else those of the nearest file name; at most three."""
    by_file: dict[str, list[str]] = {}
    for doc_id in known:
        by_file.setdefault(PurePosixPath(doc_id).name, []).append(doc_id)
    file = PurePosixPath(name).name
    alike = [doc_id for one in get_close_matches(file, by_file, n=1, cutoff=_ALIKE) for doc_id in by_file[one]]
    return sorted(by_file.get(file) or get_close_matches(name, known, n=1, cutoff=_ALIKE) or alike)[:3]


def _sorted(names: Collection[str]) -> tuple[str, ...]:
    return tuple(sorted(names))
