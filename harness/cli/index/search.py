"""`harness index search`: the passages that an index gives for a question."""

import argparse
from collections.abc import Mapping, Sequence
from typing import Any

from harness.cli.console import note, print_json, progress
from harness.cli.index.settings import day, for_asking, index_folder
from harness.cli.index.wording import count, listed, say
from harness.cli.paid import within_budget
from harness.errors import ConfigError, Problem
from harness.indexing.opened import open_index
from harness.indexing.records import ALWAYS
from harness.reporting.escape import clean, one_line
from harness.types import Document, Hit, Question

_LINES, _LETTERS = 6, 600
"""Shown of a passage; `--json` gives all of it."""


def command(arguments: argparse.Namespace) -> int:
    """Prints the passages, best first; only of documents that hold on the day and that the asker may see.

    Raises:
        ConfigError: I001 with another embedder, I004 without an index, I006 with other settings than the index's, I009 without a question.
    """
    if not arguments.question.strip():
        problem = Problem("I009", "QUESTION", "the question is empty", fix="ask something.")
        raise ConfigError("There is nothing to ask.", [problem])
    folder, as_of = index_folder(arguments.index), day(arguments.as_of, "--as-of")
    settings = for_asking(folder, arguments.overrides)
    with progress() as bar, within_budget(settings.budget):
        system = open_index(folder, settings.pipeline, as_of, bar)
        trace = system.answer(Question("search", arguments.question, persona=arguments.persona, as_of=as_of))
    documents = {document.doc_id: document for document in system.documents}
    for rank, hit in enumerate(trace.context.hits, 1):
        row = _row(rank, hit, documents[hit.chunk.span.doc_id])
        if arguments.json:
            print_json(row)
        else:
            _show(row)
    if not trace.context.hits:
        asker = f"by {arguments.persona!r}" if arguments.persona else "by an asker without a name"
        note(f"no passage is found {asker} on {as_of}{_withdrawn(system.documents)}")
    return 0


def _withdrawn(documents: Sequence[Document]) -> str:
    """The documents of the index that no question finds, as a possible reason."""
    names = [document.doc_id for document in documents if document.deleted_at == ALWAYS]
    if not names:
        return ""
    return f"; {count(len(names), 'document')} withdrawn, found on no day: {listed(names)} (`harness index status` says why)"


def _row(rank: int, hit: Hit, document: Document) -> dict[str, Any]:
    chunk = hit.chunk
    return {
        "rank": rank,
        "score": round(hit.score, 6),
        "id": chunk.chunk_id,
        "doc": chunk.span.doc_id,
        "title": document.title,
        "source": document.source,
        "place": chunk.place,
        "section_path": list(chunk.section_path),
        "version": document.version,
        "updated_at": document.updated_at,
        "also_in": list(document.copies),
        "text": chunk.text,
    }


def _show(row: Mapping[str, Any]) -> None:
    section = " > ".join(row["section_path"])
    parts = (
        row["doc"],
        row["place"],
        section,
        f"version {row['version']}" if row["version"] else "",
        f"score {row['score']:.4f}",
    )
    say(f"{row['rank']}. {'  '.join(one_line(part) for part in parts if part)}")
    if row["also_in"]:
        say(f"   also in {', '.join(map(one_line, row['also_in']))}")
    for line in excerpt(clean(row["text"])).splitlines():
        say(f"   {line}")
    say("")


def excerpt(text: str) -> str:
    """The first lines of a passage; an ellipsis where there is more."""
    whole = text.strip()
    shown = "\n".join(whole.splitlines()[:_LINES])
    if len(shown) > _LETTERS:
        shown = shown[:_LETTERS].rpartition(" ")[0] or shown[:_LETTERS]
    return shown if shown == whole else f"{shown.rstrip()} …"
