"""Brings an index up to date with a folder of documents; only what changed is cut and embedded."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.errors import CorpusError, Problem
from harness.indexing.building import Made, Target, publish
from harness.indexing.changes import Changes, applied, compare, says_all
from harness.indexing.contents import read_contents, without_chunks
from harness.indexing.embedders import check_identity
from harness.indexing.locking import changing
from harness.indexing.manifest import SLOTS, Manifest, of_slots, read_manifest, slot_fingerprints
from harness.indexing.records import Entry
from harness.pipeline import Pipeline
from harness.protocols import Progress, silent
from harness.types import Document

_SHOWN = 5
"""Documents named."""


@dataclass(frozen=True, slots=True)
class Report:
    """What a sync did."""

    changes: Changes
    """Documents by what became of them."""
    settings: tuple[str, ...]
    """Slots whose config or code is another than before."""
    made: Made | None
    """The new generation; None where nothing was written."""
    generation: int
    """Number of the generation in use."""

    @property
    def up_to_date(self) -> bool:
        """Whether there was nothing to do."""
        return self.made is None

    @property
    def embedded(self) -> int:
        """Texts that were embedded."""
        return self.made.embedded if self.made else 0

    @property
    def chunks(self) -> int:
        """Chunks that were cut."""
        return self.made.chunks if self.made else 0


def sync(
    folder: Path,
    documents: Sequence[Document],
    pipeline: Pipeline,
    config: Mapping[str, Any],
    today: str,
    progress: Progress = silent,
    *,
    unreadable: Collection[str] = (),
    undescribed: Collection[str] = (),
    says: Callable[[Document], bool] = says_all,
    allow_missing: bool = True,
    name: str = "",
    words: Sequence[str] = (),
) -> Report:
    """Makes an index hold these documents, as of today.

    Documents that are gone are withdrawn with `GRACE` days of grace, those that come back are restored without embedding, changed ones
    replaced. A document deleted by hand stays so. Where nothing changed no byte is written.

    Args:
        folder: of the index; made where there is none.
        documents: the whole corpus, as it was read.
        pipeline: its duplicates, chunker, doc2query and embedder make the index.
        config: resolved config of at least the slots of `SLOTS`.
        today: ISO date.
        progress: is told of chunking and embedding.
        unreadable: doc_ids or sources whose file is there but cannot be read; they keep what the index holds.
        undescribed: doc_ids that may be a described document under another name; what is new of them is not taken up.
        says: whether something is said of who may see a document and when; see `compare`.
        allow_missing: withdraw even more than half of the documents that are searched.
        name: of the folder of documents, remembered.
        words: overrides that the config came from, remembered for later commands.

    Raises:
        ConfigError: I001, when the embedder is not the index's; I004, when the folder holds something else.
        CorpusError: I007, when a new index would hold nothing; I012, when more would be withdrawn than is allowed.
        StoreError: I002 damaged, I003 in use, or the disk is full.
    """
    with changing(folder):
        before = read_contents(folder) if read_manifest(folder) else None
        if before:
            check_identity(before.manifest, pipeline.embedder)
        marks = slot_fingerprints(pipeline, config)
        entries = before.entries if before else ()
        tombstones = before.manifest.tombstones if before else {}
        changes = compare(entries, tombstones, documents, unreadable, undescribed, says)
        known = before.manifest.folder if before else ""
        if not allow_missing and (problems := too_many_missing(entries, changes, name, known)):
            raise CorpusError("Most of the documents are not there; the index is unchanged.", problems)
        settings = _settings(before.manifest, config, marks) if before else ()
        if before and not changes and not settings:
            return Report(changes, (), None, before.manifest.generation)
        if {"chunker", "doc2query"} & {*settings}:
            entries = tuple(map(without_chunks, entries))
        after = applied(entries, changes, documents, today)
        target = Target(after, of_slots(config), marks, tuple(words), tombstones, name or known)
        made = publish(folder, before, target, pipeline, today, progress)
        return Report(changes, settings, made, made.generation)


def too_many_missing(entries: Sequence[Entry], changes: Changes, name: str, known: str) -> tuple[Problem, ...]:
    """I012, when more than half of the documents that are searched would be withdrawn.

    Args:
        entries: of the index.
        changes: by a sync.
        name: of the folder that it is synced with.
        known: of the folder that it was synced with before.
    """
    searched = {entry.doc_id for entry in entries if entry.searched}
    missing = sorted(searched & {*changes.missing})
    if 2 * len(missing) <= len(searched):
        return ()
    few = ", ".join(missing[:_SHOWN]) + (", ..." if len(missing) > _SHOWN else "")
    last = f"; the index was last synced with a folder named {known!r}" if known else ""
    what = f"{len(missing)} of {len(searched)} documents that are searched are not in it ({few}){last}"
    why = "So looks another folder, or a share that is not mounted: no question would find them."
    fix = "give the folder of this index; if they are gone for good, or have new names, add --allow-missing."
    return (Problem("I012", name, what, why, fix),)


def _settings(manifest: Manifest, config: Mapping[str, Any], marks: Mapping[str, str]) -> tuple[str, ...]:
    """Slots in which the config or the code differs from those of the index."""
    return tuple(
        slot
        for slot in SLOTS
        if manifest.config.get(slot) != of_slots(config)[slot] or manifest.fingerprints.get(slot, "") != marks.get(slot, "")
    )
