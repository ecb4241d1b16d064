"""From documents to the next generation: mark copies, cut what is new, embed the texts that have no vector, publish."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from harness.embedding.fitting import fitted
from harness.errors import CorpusError, Problem
from harness.fingerprint import fingerprint
from harness.indexing.contents import Contents, sync_folder, write_generation
from harness.indexing.embedders import embed, embedded_texts, learned, of_index
from harness.indexing.learning import names_of
from harness.indexing.manifest import Manifest, write_manifest
from harness.indexing.records import Entry, encode_document
from harness.pipeline import Pipeline
from harness.protocols import Embedder, Progress, Vectors
from harness.types import Chunk


@dataclass(frozen=True, slots=True)
class Target:
    """What the next generation is made of and by."""

    entries: Sequence[Entry]
    """Documents sorted by doc_id; those without chunks are cut."""
    config: Mapping[str, Any]
    """Resolved config by slot."""
    fingerprints: Mapping[str, str]
    """By slot that cuts or marks."""
    words: tuple[str, ...]
    """Overrides that the config came from."""
    tombstones: Mapping[str, str]
    """doc_id to day of deletion of purged documents that stay away."""
    folder: str = ""
    """Name of the folder of documents."""


@dataclass(frozen=True, slots=True)
class Made:
    """A generation that is now in use."""

    generation: int
    """Its number."""
    chunks: int
    """Chunks cut for it."""
    embedded: int
    """Texts that were embedded for it."""


def unchanged_target(before: Contents, entries: Sequence[Entry]) -> Target:
    """Other documents under the settings of the index."""
    kept = before.manifest
    return Target(entries, kept.config, kept.fingerprints, kept.words, kept.tombstones, kept.folder)


def publish(
    folder: Path,
    before: Contents | None,
    target: Target,
    pipeline: Pipeline,
    today: str,
    progress: Progress,
    anew: Embedder | None = None,
) -> Made:
    """Makes the next generation and puts it in the place of the one before, in one step.

    Args:
        folder: of the index.
        before: what it holds; None for a new one.
        target: what it shall hold.
        pipeline: its duplicates, chunker, doc2query and embedder do the work.
        today: day of the change.
        progress: is told of chunking and embedding.
        anew: the embedder, which has learned, by which everything is embedded anew; without it no vector is made twice.

    Raises:
        CorpusError: I007, when a new index would hold no chunk.
        ConfigError: I001, when the embedder is not the index's.
    """
    entries, cut = _cut(_marked(target.entries, pipeline), pipeline, progress)
    chunks = [chunk for entry in entries for chunk in entry.chunks or ()]
    if before is None and not chunks:
        problem = Problem("I007", str(folder), f"{len(entries)} documents give no chunk", fix="add text, or change chunker.")
        raise CorpusError("There is nothing to index.", [problem])
    known = before if anew is None else None
    embedder = _embedder(known, entries, pipeline) if anew is None else anew
    vectors, embedded = _vectors(known, embedder, chunks, progress)
    manifest = Manifest(
        generation=before.manifest.generation + 1 if before else 1,
        embedder=embedder.identity,
        recipe=pipeline.embedder.identity,
        config=dict(target.config),
        fingerprints=dict(target.fingerprints),
        words=target.words,
        corpus=_corpus(entries),
        changed=today,
        counts=_counts(entries, chunks, vectors),
        tombstones=dict(sorted(target.tombstones.items())),
        folder=target.folder,
    )
    width, state = before.vectors.shape[1] if before else 1, learned(embedder)
    files = write_generation(folder, manifest.generation, entries, vectors, width, state)
    write_manifest(folder, replace(manifest, files=files, learned_from=_learned_from(known, entries) if state else ()))
    sync_folder(folder)
    return Made(manifest.generation, cut, embedded)


def _marked(entries: Sequence[Entry], pipeline: Pipeline) -> list[Entry]:
    """The entries with the marks of copies, as they are among the documents that are not withdrawn."""
    live = [entry.document for entry in entries if not entry.deleted_at]
    kept = {document.doc_id: document for document in pipeline.duplicates.apply(live)}
    return [entry if entry.deleted_at else _mark(entry, kept) for entry in entries]


def _mark(entry: Entry, kept: Mapping[str, Any]) -> Entry:
    document = kept.get(entry.doc_id)
    if document is None:
        return replace(entry, copy_of="", copies=(), left_out=True)
    return replace(entry, copy_of=document.copy_of, copies=tuple(document.copies), left_out=False)


def _cut(entries: Sequence[Entry], pipeline: Pipeline, progress: Progress) -> tuple[list[Entry], int]:
    """The entries with their chunks, and how many of these are new; copies that are left out are not cut."""
    new = [entry.document for entry in entries if entry.chunks is None and not entry.left_out]
    found: dict[str, list[Chunk]] = {document.doc_id: [] for document in new}
    for chunk in pipeline.chunks(new, progress) if new else ():
        found[chunk.span.doc_id].append(chunk)
    cut = [replace(entry, chunks=tuple(found[entry.doc_id])) if entry.doc_id in found else entry for entry in entries]
    return cut, sum(map(len, found.values()))


def _embedder(known: Contents | None, entries: Sequence[Entry], pipeline: Pipeline) -> Embedder:
    """The index's embedder; of a new one that learns, what it learned from the passages that are searched."""
    if known:
        return of_index(known.manifest, known.learned, pipeline.embedder)
    searched = [chunk for entry in entries if entry.searched for chunk in entry.chunks or () if chunk.searched]
    return fitted(pipeline.embedder, searched)


def _learned_from(known: Contents | None, entries: Sequence[Entry]) -> tuple[str, ...]:
    """What the embedder learned from: long ago, or the texts that are searched now."""
    if known:
        return known.manifest.learned_from
    return names_of([chunk for entry in entries if entry.searched for chunk in entry.chunks or ()])


def _vectors(
    known: Contents | None, embedder: Embedder, chunks: Sequence[Chunk], progress: Progress
) -> tuple[dict[str, Vectors], int]:
    """A vector per text of the chunks, by digest, and how many of them are new."""
    texts = embedded_texts(chunks)
    held = known.rows if known else {}
    new = {name: text for name, text in texts.items() if name not in held}
    vectors = {name: known.vectors[held[name]] for name in texts if name in held} if known else {}
    vectors |= zip(new, embed(embedder, list(new.values()), progress), strict=True)
    return vectors, len(new)


def _corpus(entries: Sequence[Entry]) -> str:
    return fingerprint([encode_document(replace(entry.document, source="")) for entry in entries if not entry.deleted_at])


def _counts(entries: Sequence[Entry], chunks: Sequence[Chunk], vectors: Mapping[str, Vectors]) -> dict[str, int]:
    deleted = sum(bool(entry.deleted_at) for entry in entries)
    searched = sum(len(entry.chunks or ()) for entry in entries if entry.searched)
    return {
        "documents": len(entries) - deleted,
        "deleted": deleted,
        "left_out": sum(entry.left_out and not entry.deleted_at for entry in entries),
        "chunks": len(chunks),
        "chunks_searched": searched,
        "vectors": len(vectors),
    }
