"""`harness chunk`: look at the chunks of a file or folder before anything is indexed."""

import argparse
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from harness.build.experiment import build_pipeline
from harness.build.overrides import parse
from harness.cli.console import note, out, print_error, print_json, progress
from harness.cli.index.corpus import passed_over
from harness.cli.index.wording import note_passed_over
from harness.cli.paid import within_budget
from harness.corpus.cleaned import Dropped
from harness.corpus.loader import load_file, load_folder
from harness.corpus.reading import Loaded
from harness.errors import CorpusError
from harness.reporting.chunk_facts import Cut, as_row, written
from harness.resources import cache_dir
from harness.store import Store
from harness.types import Chunk, Document

_SLOTS = ("duplicates", "chunker", "doc2query")


def command(arguments: argparse.Namespace) -> int:
    """Prints the chunks; 2 when a file could not be read, 4 when a chunker lost text, else 0.

    Raises:
        ConfigError, CorpusError: when the config does not hold, or nothing can be read.
    """
    (overrides,) = parse(arguments.overrides)
    loaded = _read(Path(arguments.path))
    if Path(arguments.path).is_dir():
        note_passed_over(passed_over(Path(arguments.path)))
    pipeline, budget = build_pipeline(overrides, Store(cache_dir() / "stages.sqlite"), _SLOTS)
    kept = pipeline.duplicates.apply(loaded.documents)
    with progress() as bar, within_budget(budget):
        cuts = _cut(kept, pipeline.chunks(kept, bar))
    if arguments.json:
        _print_rows(cuts)
    else:
        named = {document.doc_id for document in kept}
        _print_listing(cuts, loaded.dropped, [document for document in loaded.documents if document.doc_id not in named])
    if loaded.problems:
        print_error(_unreadable(arguments.path, loaded))
    return 2 if loaded.problems else 4 if any(cut.gaps for cut in cuts) else 0


def _read(path: Path) -> Loaded:
    """The documents of a file or folder that can be read, and what is wrong with the others.

    Raises:
        CorpusError: when there is none.
    """
    loaded = load_folder(path) if path.is_dir() else load_file(path)
    if not loaded.documents:
        raise _unreadable(str(path), loaded)
    return loaded


def _unreadable(path: str, loaded: Loaded) -> CorpusError:
    rest = "the other documents are shown" if loaded.documents else "there is nothing to show"
    return CorpusError(f"{path!r} cannot be read as it stands; {rest}:", loaded.problems)


def _cut(documents: Sequence[Document], chunks: Sequence[Chunk]) -> list[Cut]:
    by_document: dict[str, list[Chunk]] = {document.doc_id: [] for document in documents}
    for chunk in chunks:
        by_document[chunk.span.doc_id].append(chunk)
    return [Cut(document, tuple(by_document[document.doc_id])) for document in documents]


def _print_rows(cuts: Sequence[Cut]) -> None:
    for cut in cuts:
        for chunk in cut.chunks:
            print_json(as_row(chunk))
        for gap in cut.gaps:
            place = cut.document.place(gap.start, gap.end)
            note(f"LOST: {cut.document.doc_id}: {written(cut.document, gap):,} characters in no chunk, {place}")


def _print_listing(cuts: Sequence[Cut], dropped: Sequence[Dropped], copies: Sequence[Document]) -> None:
    from harness.reporting.chunks import legend, listing, summary

    console, left_out = out(), defaultdict(list)
    for item in dropped:
        left_out[item.doc_id].append(item)
    console.print(legend(cuts))
    for cut in cuts:
        for part in listing(cut, left_out[cut.document.doc_id]):
            console.print(part)
    console.print(summary(cuts, dropped, copies))
