"""`harness golden import`: a golden set out of foreign data, checked before it is kept."""

import argparse
import re
from collections import Counter
from pathlib import Path
from shlex import quote

from harness.cli.console import note, out
from harness.corpus.formats import ROWS
from harness.corpus.loader import load_corpus, unread
from harness.corpus.rows import read as read_document_rows
from harness.errors import ConfigError, CorpusError
from harness.golden.drafts import DRAFTS
from harness.golden.find import FOLDER
from harness.golden.formats.catalog import FORMATS
from harness.golden.formats.columns import parse_columns
from harness.golden.formats.foreign import Foreign, Options, set_name, store
from harness.golden.formats.shared import counted
from harness.golden.formats.target import check_target
from harness.golden.golden_set import GoldenSet
from harness.types import Document

TABLES = ("csv", "jsonl", "huggingface")
"""Formats whose columns may have any names."""
_SHOWN = 10
"""Files named at most."""


def command(arguments: argparse.Namespace) -> int:
    """Reads the source, writes the set, and says what came of it."""
    source, documents = Path(arguments.source), Path(arguments.documents) if arguments.documents else None
    if not source.exists():
        raise ConfigError(f"{arguments.source!r} does not exist; give the file or folder to import")
    if arguments.columns and arguments.format not in TABLES:
        raise ConfigError(f"--columns is for {', '.join(TABLES)}: {arguments.format} has fields of its own")
    folder = Path(arguments.to) if arguments.to else Path(FOLDER) / set_name(source)
    check_target(folder)
    options = Options(_documents(documents), parse_columns(arguments.columns))
    foreign = FORMATS[arguments.format].read(source, options)
    golden = store(foreign, folder, documents)
    _tell(foreign, folder)
    _tell_unread(documents)
    _tell_whole(foreign)
    if golden is None:
        note("no question could be taken as it is: the set is empty until drafts are completed")
        return 0
    out().print(f"{folder}: {_summary(golden)}", soft_wrap=True, markup=False)
    out().print(f"Next: python -m harness run +experiment=bm25_only {_override(folder)} gate=none", soft_wrap=True, markup=False)
    return 0


def _override(folder: Path) -> str:
    """The word that names the set, quoted for Hydra and the shell where its path needs that."""
    plain = re.fullmatch(r"[\w./-]+", str(folder))
    return f"golden_set={folder}" if plain else quote(f'golden_set="{folder}"')


def _tell(foreign: Foreign, folder: Path) -> None:
    for text in foreign.notes:
        note(f"note: {text}")
    if foreign.drafts:
        waiting = counted(len(foreign.drafts), "question lacks evidence and waits", "questions lack evidence and wait")
        note(f"note: {waiting} in {folder / DRAFTS}: complete and move over")


def _tell_unread(documents: Path | None) -> None:
    """Says which files of the documents' folder were left out."""
    names = unread(documents) if documents is not None and documents.is_dir() else []
    if names:
        shown = ", ".join(map(repr, names[:_SHOWN])) + (", ..." if len(names) > _SHOWN else "")
        left = counted(len(names), "file is no document and was", "files are no documents and were")
        note(f"note: {left} left out: {shown}")


def _tell_whole(foreign: Foreign) -> None:
    """Says what it means for the numbers that evidence is documents without quotes."""
    places = [place for row in foreign.questions for group in row.get("evidence", ()) for place in group]
    if whole := sum("quote" not in place for place in places):
        what = counted(whole, "piece of evidence is a whole document", "pieces of evidence are whole documents")
        note(f"note: {what}: found when most of it is retrieved. For numbers as trec_eval gives them, make chunker.size so")
        note("  large that a document is one chunk.")


def _summary(golden: GoldenSet) -> str:
    answerable = sum(question.answerable for question in golden.questions)
    reasons = Counter(question.reason for question in golden.questions if question.reason)
    refused = ", ".join(f"{number} {reason}" for reason, number in sorted(reasons.items()))
    shown = f"{answerable} answerable, {len(golden.questions) - answerable} unanswerable{f' ({refused})' if refused else ''}"
    return f"{counted(len(golden.questions), 'question')} ({shown}), {counted(len(golden.documents), 'document')}"


def _documents(path: Path | None) -> tuple[Document, ...]:
    if path is None:
        return ()
    if path.is_dir():
        return load_corpus(path)
    if not path.is_file() or path.suffix.lower() != ROWS:
        raise ConfigError(f"--documents {str(path)!r} is neither a folder nor a {ROWS} file of documents; give one")
    found, problems = read_document_rows(path.name, path)
    if problems:
        raise CorpusError(f"the documents {str(path)!r} have {len(problems)} problem(s):", problems[:100])
    return tuple(found)
