"""An index on disk as the system that answers: stored vectors, the model only for what is asked."""

import shlex
from dataclasses import replace
from pathlib import Path

from harness.errors import CorpusError, Problem
from harness.indexing.contents import Contents, read_contents
from harness.indexing.embedders import StoredEmbedder, of_index
from harness.pipeline import IndexedPipeline, Pipeline
from harness.protocols import Progress, silent

_SHOWN = 10
"""Documents named."""


def open_index(folder: Path, pipeline: Pipeline, as_of: str = "", progress: Progress = silent) -> IndexedPipeline:
    """The system over an index.

    Withdrawn documents stand among its documents as withdrawn on every day; none of their chunks is in any retriever.

    Args:
        folder: of the index.
        pipeline: retrievers and everything after them; its embedder must be the index's.
        as_of: day on which undated questions are asked.
        progress: is told of indexing.

    Raises:
        ConfigError: I001, when the embedder is not the index's; I004, when there is no index.
        CorpusError: I007, when every document is withdrawn.
        StoreError: I002, when the index is damaged.
    """
    return over(read_contents(folder), pipeline, as_of, progress)


def over(contents: Contents, pipeline: Pipeline, as_of: str = "", progress: Progress = silent) -> IndexedPipeline:
    """The system over what was read of an index; see `open_index`."""
    embedder = of_index(contents.manifest, contents.learned, pipeline.embedder)
    if not contents.chunks:
        raise CorpusError("There is nothing to ask.", [nothing_searched(contents)])
    stored = StoredEmbedder(contents.vectors, contents.rows, embedder)
    system = replace(pipeline, embedder=stored).over(contents.documents, contents.chunks, as_of, progress)
    stored.answer()
    return system


def nothing_searched(contents: Contents) -> Problem:
    """I007, that no document is searched, with the way back of those that there were."""
    withdrawn = [entry for entry in contents.entries if entry.deleted_at]
    purged = contents.manifest.tombstones
    by_hand = [entry.doc_id for entry in withdrawn if entry.reason == "deleted"] or sorted(purged)
    named = shlex.join(by_hand[:_SHOWN]) + (" ..." if len(by_hand) > _SHOWN else "")
    restore, sync = f"run `harness index restore {named}`", "run `harness index sync CORPUS`"
    ways = {"deleted": f"{restore} for what was deleted by hand", "missing": f"put the missing files back and {sync}"}
    fix = "; ".join(way for reason, way in ways.items() if any(entry.reason == reason for entry in withdrawn))
    fix = fix or (f"{restore}, then {sync}" if purged else sync)
    what = f"no document is searched; {len(withdrawn)} are withdrawn, {len(purged)} deleted by hand and purged"
    return Problem("I007", "index", what, fix=f"{fix}.")
