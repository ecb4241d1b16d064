"""What a foreign format holds, in our fields, and how it becomes a golden set on disk: whole and sound, or not at all."""

import json
import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from harness.corpus.files import METADATA, list_files
from harness.corpus.formats import ROWS as ROWS_SUFFIX
from harness.corpus.formats import SUFFIXES
from harness.corpus.loader import load_corpus
from harness.corpus.rows import SHAPE
from harness.errors import ConfigError, GoldenSetError, HarnessError, Problem
from harness.golden.drafts import DRAFTS, write_drafts
from harness.golden.formats.target import all_or_nothing, check_target
from harness.golden.golden_set import CORPUS, QUESTIONS, GoldenSet, load
from harness.golden.schema import SHAPES
from harness.golden.writing import json_line, write_card, write_questions, write_schemas
from harness.shapes import mismatches
from harness.store import write_atomic
from harness.types import Document

ROWS = "corpus.jsonl"
"""File inside corpus/ that holds imported documents, one a line."""

_LINE = re.compile(rf"^({re.escape(QUESTIONS)}|{re.escape(ROWS)}):(\d+)")
_SHOWN = 100


@dataclass(frozen=True, slots=True)
class Foreign:
    """Questions and documents of a foreign source."""

    questions: Sequence[Mapping[str, Any]]
    """Fields of questions.jsonl."""
    documents: Sequence[Mapping[str, Any]] = ()
    """Rows of corpus.jsonl: _id, title, text, metadata; empty where the format has none."""
    drafts: Sequence[Mapping[str, Any]] = ()
    """Questions that lack what a golden question needs, such as evidence."""
    notes: Sequence[str] = ()
    """What was changed or left out on the way."""
    purpose: str = ""
    """Where it comes from."""


@dataclass(frozen=True, slots=True)
class Options:
    """What a reader may be told beside the source."""

    documents: Sequence[Document] = ()
    """The corpus, where the format has none."""
    columns: Mapping[str, str] = field(default_factory=dict)
    """Our field -> the source's column, for tables."""


def store(foreign: Foreign, folder: Path, documents: Path | None = None) -> GoldenSet | None:
    """Writes a golden set into a folder that does not exist or is empty, and loads it; None when all became drafts.

    `documents` is a corpus folder, or a file of JSON lines, for formats that hold none.

    Raises:
        ConfigError: for a folder that cannot take a set (see `check_target`), and for documents that are missing, given
            twice or around the folder.
        GoldenSetError: when the result is not sound, with all faults.
        StoreError: when the disk is full or the folder cannot be written.

    It is written and checked beside the folder and then moved there: whatever happens, there is no half of a set.
    """
    check_target(folder)
    _check_documents(foreign, folder, documents)
    _check_shapes(foreign)
    golden = None
    with all_or_nothing(folder) as place:
        try:
            _write(foreign, place, documents)
            if foreign.questions:
                golden = load(place)
            else:
                load_corpus(place / CORPUS)
        except HarnessError as error:
            raise _retold(error, foreign) from error
    return _moved(golden, place, folder) if golden else None


def _moved(golden: GoldenSet, old: Path, new: Path) -> GoldenSet:
    """The set after its folder was moved."""
    moved = [replace(document, source=str(new / Path(document.source).relative_to(old))) for document in golden.documents]
    return replace(golden, documents=tuple(moved))


def set_name(source: Path) -> str:
    """Name of the set made of a source: that of its folder, or of its file without suffix."""
    name = source.resolve().name if source.is_dir() else source.resolve().stem
    return re.sub(r"[^\w.-]+", "-", name).strip("-.")[:100] or "imported"


def _check_documents(foreign: Foreign, folder: Path, documents: Path | None) -> None:
    if documents is None:
        if not foreign.documents:
            raise ConfigError("this source holds no documents: name their folder with --documents")
        return
    if foreign.documents:
        raise ConfigError("this source holds its documents already: leave out --documents")
    if not documents.is_dir() and not (documents.is_file() and documents.suffix.lower() == ROWS_SUFFIX):
        raise ConfigError(f"--documents {str(documents)!r} is neither a folder nor a {ROWS_SUFFIX} file of documents")
    if documents.is_dir() and folder.resolve().is_relative_to(documents.resolve()):
        raise ConfigError(f"{str(folder)!r} lies inside the documents {str(documents)!r}; give another folder with --to")


def _check_shapes(foreign: Foreign) -> None:
    """Every field has its type: what is written below is then plain JSON."""
    rows = (*foreign.questions, *foreign.drafts)
    if not rows:
        problem = Problem("G001", "source", "holds no questions.", "An empty set would pass every gate.", "add questions.")
        raise GoldenSetError("there is nothing to import:", [problem])
    problems = [
        fault.at(f"question {row.get('id')!r}")
        for row in rows
        for fault in mismatches(dict(row), SHAPES)
        if _matters(row, fault.code)
    ]
    problems += [
        fault.at(f"document {row.get('_id')!r}")
        for row in foreign.documents
        for fault in mismatches(dict(row), SHAPE)
        if fault.code != "G004"
    ]
    if problems:
        raise _unsound(problems)


def _matters(row: Mapping[str, Any], code: str) -> bool:
    """A draft may lack fields, not hold wrong ones."""
    return code != "G005" or bool(row.get("evidence"))


def _unsound(problems: Sequence[Problem]) -> GoldenSetError:
    more = f", the first {_SHOWN} are shown" if len(problems) > _SHOWN else ""
    what = f"what was read makes no sound golden set ({len(problems)} problem(s){more}); nothing was kept:"
    return GoldenSetError(what, problems[:_SHOWN])


def _retold(error: HarnessError, foreign: Foreign) -> HarnessError:
    """The error with ids in place of the lines of files that are gone again."""
    if not error.problems:
        return error
    named = {QUESTIONS: [f"question {row.get('id')!r}" for row in foreign.questions]}
    named[ROWS] = [f"document {row['_id']!r}" for row in foreign.documents]

    def told(problem: Problem) -> Problem:
        found = _LINE.match(problem.where)
        if found is None or int(found[2]) > len(named[found[1]]):
            return problem
        return replace(problem, where=named[found[1]][int(found[2]) - 1] + problem.where[found.end() :])

    return _unsound([told(problem) for problem in error.problems])


def _write(foreign: Foreign, folder: Path, documents: Path | None) -> None:
    corpus = folder / CORPUS
    if documents is not None:
        _copy(documents, corpus)
    if foreign.documents:
        write_atomic(corpus / ROWS, "".join(f"{json_line(_plain(row))}\n" for row in foreign.documents))
    if foreign.drafts:
        write_drafts(folder / DRAFTS, foreign.drafts)
    write_questions(folder, foreign.questions)
    write_schemas(folder)
    if foreign.questions:
        write_card(folder, {"purpose": foreign.purpose})


def _copy(documents: Path, corpus: Path) -> None:
    """Copies the files that a corpus reads, no others."""
    corpus.mkdir(parents=True)
    files = list_files(documents)[0] if documents.is_dir() else {ROWS: documents}
    for name, path in files.items():
        if name == METADATA or (path.suffix.lower() in SUFFIXES and not path.name.startswith(".")):
            (corpus / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, corpus / name)


def _plain(row: Mapping[str, Any]) -> dict[str, Any]:
    """A document's row of our fields only; dates and numbers that JSON does not have become text."""
    kept = {name.removesuffix("?"): row[name.removesuffix("?")] for name in SHAPE if name.removesuffix("?") in row}
    plain: dict[str, Any] = json.loads(json.dumps(kept, default=str), parse_constant=str)
    return plain
