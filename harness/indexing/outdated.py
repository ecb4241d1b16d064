"""Documents of an index that do not hold on a day, apart from those that were withdrawn."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from harness.indexing.records import Entry
from harness.retrieval.filters import holds, newest_of_series, withdrawn
from harness.types import Document


@dataclass(frozen=True, slots=True)
class Outdated:
    """doc_ids, each sorted."""

    superseded: tuple[str, ...]
    """A newer version of their series holds."""
    expired: tuple[str, ...]
    """Their last day is over."""
    not_yet: tuple[str, ...]
    """Their first day is to come."""
    withdrawn: tuple[tuple[str, str], ...]
    """With the day on which they say so themselves (`deleted_at`)."""


def outdated(entries: Sequence[Entry], day: str) -> Outdated:
    """What no asker finds on a day, because it does not hold then."""
    kept = [entry.shown for entry in entries if entry.searched]
    live = [item for item in kept if not withdrawn(item.deleted_at, day)]
    held = _held(kept, day)
    newest = newest_of_series(held)
    return Outdated(
        tuple(item.doc_id for item in held if item.series and newest[item.series].doc_id != item.doc_id),
        tuple(item.doc_id for item in live if item.valid_to and item.valid_to <= day),
        tuple(item.doc_id for item in live if item.valid_from > day),
        tuple((item.doc_id, item.deleted_at) for item in kept if withdrawn(item.deleted_at, day)),
    )


def newest_again(entries: Sequence[Entry], gone: Collection[str], day: str) -> dict[str, str]:
    """Series to the doc_id that is its newest on a day now that some documents were withdrawn, and was not before.

    Args:
        entries: of the index, those documents withdrawn.
        gone: doc_ids of these.
        day: ISO date.
    """
    now = newest_of_series(_held([entry.shown for entry in entries if entry.searched], day))
    were = [replace(entry, deleted_at="").shown for entry in entries if entry.searched or entry.doc_id in gone]
    before = newest_of_series(_held(were, day))
    return {name: item.doc_id for name, item in sorted(now.items()) if before[name].doc_id in gone}


def _held(documents: Sequence[Document], day: str) -> list[Document]:
    return [item for item in documents if holds(item.valid_from, item.valid_to, day) and not withdrawn(item.deleted_at, day)]
