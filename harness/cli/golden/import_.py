"""`harness golden import`: a golden set out of foreign data, checked before it is kept."""

import argparse
import re
from collections import Counter
from pathlib import Path
from shlex import quote

from harness.cli.console import note, out
from harness.corpus.loader import ROWS, load_corpus
from harness.corpus.rows import read as read_document_rows
from harness.errors import ConfigError, CorpusError
from harness.golden.drafts import DRAFTS
from harness.golden.find import FOLDER
from harness.golden.formats.catalog import FORMATS
from harness.golden.formats.columns import parse_columns
from harness.golden.formats.foreign import Foreign, Options, check_target, set_name, store
from harness.golden.golden_set import GoldenSet
from harness.types import Document

TABLES = ("csv", "jsonl", "huggingface")
"""Formats whose columns may have any names."""


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
        note(f"note: {len(foreign.drafts)} questions lack evidence and wait in {folder / DRAFTS}: complete them, move them over")


def _summary(golden: GoldenSet) -> str:
    answerable = sum(question.answerable for question in golden.questions)
    reasons = Counter(question.reason for question in golden.questions if question.reason)
    refused = ", ".join(f"{number} {reason}" for reason, number in sorted(reasons.items()))
    shown = f"{answerable} answerable, {len(golden.questions) - answerable} unanswerable{f' ({refused})' if refused else ''}"
    return f"{len(golden.questions)} questions ({shown}), {len(golden.documents)} documents"


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
