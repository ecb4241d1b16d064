"""Embedding everything anew with another embedder; the old index answers until the new one is complete."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from harness.embedding.fitting import fitted
from harness.errors import CorpusError
from harness.indexing.building import Made, publish, unchanged_target
from harness.indexing.contents import Contents, read_contents
from harness.indexing.locking import changing
from harness.indexing.manifest import need_manifest, of_slots
from harness.indexing.opened import nothing_searched
from harness.pipeline import Pipeline
from harness.protocols import Embedder, Progress, silent


def reembed(
    folder: Path,
    pipeline: Pipeline,
    config: Mapping[str, Any],
    today: str,
    progress: Progress = silent,
    *,
    words: tuple[str, ...] = (),
) -> Made | None:
    """Embeds every text of the index with the pipeline's embedder; None where it is the index's, to the last thing it learned.

    An embedder that learns, learns from the passages that are searched now.

    Raises:
        ConfigError: I004 without an index.
        CorpusError: I007, when no document is searched.
        StoreError: I002 damaged, I003 in use.
    """
    need_manifest(folder)
    with changing(folder):
        before = read_contents(folder)
        if not before.chunks:
            raise CorpusError("There is nothing to embed.", [nothing_searched(before)])
        embedder = _fitted(before, pipeline)
        if embedder.identity == before.manifest.embedder:
            return None
        settings = {**before.manifest.config, "embedder": of_slots(config)["embedder"]}
        target = replace(unchanged_target(before, before.entries), config=settings, words=words or before.manifest.words)
        return publish(folder, before, target, pipeline, today, progress, anew=embedder)


def _fitted(before: Contents, pipeline: Pipeline) -> Embedder:
    """The embedder once it has learned from the passages of the index."""
    return fitted(pipeline.embedder, [chunk for chunk in before.chunks if chunk.searched])
