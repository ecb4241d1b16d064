"""A folder of documents as an index takes it up: what can be read, and what keeps the content that the index holds."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from harness.cli.index.wording import count, listed
from harness.corpus.files import METADATA, list_files
from harness.corpus.formats import ROWS, TEXT_FORMATS
from harness.corpus.loader import read_corpus, unread
from harness.corpus.metadata import read_mapping
from harness.corpus.reading import is_document
from harness.errors import ConfigError, CorpusError, Problem
from harness.indexing.changes import Changes
from harness.text import normalise
from harness.types import Document

_GUARDS = frozenset({"tenant", "acl", "valid_from", "valid_to", "deleted_at"})
"""Fields that say who may see a document, and when."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """What a folder gives."""

    documents: tuple[Document, ...]
    """Documents without a fault; their `source` is the path below the folder, so that an index is the same wherever it lies."""
    problems: tuple[Problem, ...]
    """Every fault of the others."""
    unreadable: frozenset[str]
    """Names of files and documents that are there and cannot be taken up."""
    undescribed: frozenset[str]
    """doc_ids without an entry in metadata.yaml, where an entry there describes no document; else empty."""
    passed_over: tuple[str, ...]
    """Files of types that are not read; hidden ones are not named."""
    folder: Path
    """Where they lie."""

    @property
    def name(self) -> str:
        """Of the folder, the same on every machine."""
        return self.folder.resolve().name

    def says(self, document: Document) -> bool:
        """Whether something is said of who may see a document and when, be it `acl: []`; a row says all of itself."""
        path = self.folder / document.source
        if path.suffix.lower() == ROWS and document.doc_id != document.source:
            return True
        fields = {**_entries(self.folder).get(document.source, {}), **_front_matter(path)}
        return not _GUARDS.isdisjoint(fields)


def read(corpus: str, index: Path) -> Corpus:
    """The documents of a folder.

    A document whose entry in metadata.yaml is faulty is not taken up: without it, it might be shown to anyone, on any day. So might
    a renamed one whose entry still has its old name.

    Raises:
        ConfigError: I008, when the index lies inside the folder.
        CorpusError: when nothing can be read, or not what metadata.yaml says of the documents.
    """
    folder = folder_of(corpus, index)
    documents, problems = read_corpus(folder)
    misdescribed = _misdescribed(problems)
    found = [_below(document, folder) for document in documents]
    sound = tuple(document for document in found if misdescribed.isdisjoint((document.doc_id, document.source)))
    if not sound or _damaged(folder):
        raise CorpusError(f"the corpus {str(folder)!r} cannot be taken up; the index is unchanged:", problems)
    unreadable = misdescribed | _left(folder, sound, problems)
    return Corpus(sound, problems, unreadable, _undescribed(folder, sound), passed_over(folder), folder)


def folder_of(corpus: str, index: Path) -> Path:
    """The folder that is to be indexed, absolute.

    Raises:
        ConfigError: I008, when the index lies inside it.
        CorpusError: when there is no such folder.
    """
    folder = Path(corpus).absolute()
    if folder.is_file():
        raise CorpusError(f"the corpus {str(folder)!r} is a file; give the folder that holds it")
    if not folder.is_dir():
        raise CorpusError(f"the corpus folder {str(folder)!r} does not exist; give a folder with documents")
    if index.resolve().is_relative_to(folder.resolve()):
        what = f"lies inside the corpus folder {str(folder)!r}"
        problem = Problem("I008", str(index), what, "It would be read as documents.", "name another folder with --index.")
        raise ConfigError("The index cannot lie there.", [problem])
    return folder


def passed_over(folder: Path) -> tuple[str, ...]:
    """Files of a folder that are of a type that is not read; hidden ones are not named."""
    return tuple(name for name in unread(folder) if not any(part.startswith(".") for part in name.split("/")))


def held_back(doc_ids: Sequence[str]) -> tuple[Problem, ...]:
    """I011 for the documents that a sync does not take up as long as an entry of metadata.yaml describes none."""
    if not doc_ids:
        return ()
    what = f"{count(len(doc_ids), 'document')} without an entry held back: {listed(doc_ids)}"
    why = "One may be the document of an entry that describes none now, renamed: everybody would find it."
    return (Problem("I011", METADATA, what, why, "rename the entry with its file, or take it out, then sync again."),)


def doubts(changes: Changes) -> tuple[Problem, ...]:
    """I011 and I013 for the documents that a sync does not take up although they can be read."""
    if not changes.opened:
        return held_back(changes.doubtful)
    what = f"now open to everybody: {len(changes.opened):,} ({listed(changes.opened)}); held back, the index keeps what it holds"
    why = "The index knows a tenant, acl or dates of it, and nothing is said of them any more."
    fix = "give it an entry again, such as {tenant: ...}; if everybody may find it, write {acl: []}."
    return (*held_back(changes.doubtful), Problem("I013", METADATA, what, why, fix))


def _undescribed(folder: Path, documents: Iterable[Document]) -> frozenset[str]:
    """Documents without an entry, where an entry describes no document."""
    files, _ = list_files(folder)
    described = _entries(folder)
    if all(name in files and is_document(files[name]) for name in described):
        return frozenset()
    return frozenset(document.doc_id for document in documents if document.source not in described)


def _misdescribed(problems: Sequence[Problem]) -> frozenset[str]:
    """Documents whose entry in metadata.yaml is faulty."""
    return frozenset(item.where.removeprefix(f"{METADATA} ") for item in problems if item.where.startswith(f"{METADATA} "))


def _damaged(folder: Path) -> bool:
    try:
        _entries(folder)
    except (ValueError, OSError):
        return True
    return False


def _entries(folder: Path) -> dict[str, Any]:
    """What metadata.yaml says, by name of the file."""
    path = folder / METADATA
    return read_mapping(path.read_text(encoding="utf-8")) if path.is_file() else {}


def _front_matter(path: Path) -> Mapping[str, Any]:
    mime_type, clean = TEXT_FORMATS.get(path.suffix.lower(), ("", None))
    return clean(normalise(path.read_text(encoding="utf-8"))).fields if clean and mime_type == "text/markdown" else {}


def _left(folder: Path, documents: Sequence[Document], problems: Sequence[Problem]) -> frozenset[str]:
    """Files that gave no document, and whatever a problem names."""
    files, _ = list_files(folder)
    return (frozenset(files) - {document.source for document in documents}) | {problem.where for problem in problems}


def _below(document: Document, folder: Path) -> Document:
    path = Path(document.source)
    return replace(document, source=path.relative_to(folder).as_posix()) if path.is_relative_to(folder) else document
