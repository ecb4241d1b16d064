"""What a sync would change: the documents of a folder held against those of an index."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from harness.indexing.records import Entry, same
from harness.types import Document

GRACE = 30
"""Days until a document that is gone from the folder, or deleted by hand, may be purged."""


@dataclass(frozen=True, slots=True)
class Changes:
    """doc_ids by what becomes of them, each sorted."""

    added: tuple[str, ...] = ()
    """New, or purged after they were missing."""
    changed: tuple[str, ...] = ()
    """Text or what the document says of itself is another."""
    missing: tuple[str, ...] = ()
    """Gone from the folder: withdrawn."""
    restored: tuple[str, ...] = ()
    """Back after they were missing."""
    held: tuple[str, ...] = ()
    """In the folder, but deleted by hand: they stay withdrawn until `restore`."""
    unreadable: tuple[str, ...] = ()
    """Their file is there and cannot be read: they keep what the index holds."""
    doubtful: tuple[str, ...] = ()
    """Perhaps a described document under another name: not taken up, the index keeps what it holds."""
    opened: tuple[str, ...] = ()
    """Tenant, access list and dates are gone, and nothing says that they shall be: the index keeps what it holds."""
    unchanged: int = 0
    """How many documents stay as they are."""

    def __bool__(self) -> bool:
        return bool(self.added or self.changed or self.missing or self.restored)


def says_all(_: Document) -> bool:
    """That whatever a document does not say of itself is meant so."""
    return True


def compare(
    entries: Sequence[Entry],
    tombstones: Collection[str],
    documents: Sequence[Document],
    unreadable: Collection[str] = (),
    undescribed: Collection[str] = (),
    says: Callable[[Document], bool] = says_all,
) -> Changes:
    """What becomes of each document of an index and of a folder.

    Args:
        entries: the documents of the index.
        tombstones: doc_ids that no sync brings back.
        documents: those of the folder.
        unreadable: doc_ids or sources whose file is there but cannot be read.
        undescribed: doc_ids of which nothing is said although something is said of a document that is not there. Such a one is not
            taken up where it is new, comes back with another text, or has the text of a document that is gone.
        says: whether something is said of who may see a document and when, be it that everybody may. Where nothing is, a document
            does not lose what the index keeps of it.
    """
    known = {entry.doc_id: entry for entry in entries}
    present = {document.doc_id for document in documents}
    gone = {entry.document.text for entry in entries if entry.doc_id not in present}
    names = ("added", "changed", "missing", "restored", "held", "unreadable", "doubtful", "opened", "same")
    kinds: dict[str, list[str]] = {name: [] for name in names}
    for document in documents:
        found = _kinds(document, known.get(document.doc_id), tombstones)
        if document.doc_id in undescribed and _other_text(document, found, gone):
            found = ["doubtful"]
        elif "changed" in found and _guarded(known[document.doc_id].document) and not _guarded(document) and not says(document):
            found = ["opened"]
        for kind in found:
            kinds[kind].append(document.doc_id)
    for entry in entries:
        if entry.doc_id in present or entry.deleted_at:
            continue
        there = entry.doc_id in unreadable or entry.document.source in unreadable
        kinds["unreadable" if there else "missing"].append(entry.doc_id)
    unchanged = len(kinds.pop("same"))
    return Changes(**{name: tuple(sorted(names)) for name, names in kinds.items()}, unchanged=unchanged)


def _kinds(document: Document, entry: Entry | None, tombstones: Collection[str]) -> list[str]:
    if document.doc_id in tombstones or (entry and entry.reason == "deleted"):
        return ["held"]
    if entry is None:
        return ["added"]
    changed = [] if same(entry.document, document) else ["changed"]
    return [*changed, "restored"] if entry.deleted_at else changed or ["same"]


def _guarded(document: Document) -> bool:
    """Whether not everybody finds a document on every day."""
    return any((document.tenant, document.acl, document.valid_from, document.valid_to, document.deleted_at))


def _other_text(document: Document, kinds: Sequence[str], gone: Collection[str]) -> bool:
    """Whether a document is new under its name, or has come to the text of one that is gone."""
    changed = "changed" in kinds
    return "added" in kinds or (changed and "restored" in kinds) or (changed and document.text in gone)


def applied(entries: Sequence[Entry], changes: Changes, documents: Sequence[Document], today: str) -> list[Entry]:
    """The documents of the index as they are from today on; new and changed ones are still to be cut."""
    read = {document.doc_id: document for document in documents}
    known: Mapping[str, Entry] = {entry.doc_id: entry for entry in entries}
    after = dict(known)
    for name in changes.missing:
        after[name] = withdrawn(known[name], today, GRACE, by_hand=False)
    for name in changes.restored:
        after[name] = back(known[name])
    for name in (*changes.added, *changes.changed):
        after[name] = Entry(read[name])
    return [after[name] for name in sorted(after)]


def withdrawn(entry: Entry, today: str, grace: int, by_hand: bool) -> Entry:
    """The entry as withdrawn today, to be purged after so many days."""
    start = date.fromisoformat(today)
    last = start + timedelta(days=min(grace, (date.max - start).days))
    return replace(entry, deleted_at=today, reason="deleted" if by_hand else "missing", purge_after=last.isoformat())


def back(entry: Entry) -> Entry:
    """The entry as no longer withdrawn."""
    return replace(entry, deleted_at="", reason="", purge_after="")
