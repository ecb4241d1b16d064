"""Loads a file, or a folder of files, as cleaned documents, and reports everything that is wrong with it at once.

The same bytes give the same text. All text becomes NFC with Unix line ends and no byte-order mark; beyond that:

    type            kept as                                     left out
    --------------  ------------------------------------------  ------------------------------------------------------------
    .md .markdown   it is                                       front matter (it becomes metadata)
    .html .htm      Markdown: headings, lists, tables, <pre>    markup; head, script, style, nav, footer, template; comments
    .rst            it is                                       nothing
    .txt, code      it is                                       nothing
    .csv .tsv       it is                                       nothing
    .json           it is, once it is known to be JSON          nothing
    .yaml .toml     it is                                       nothing; metadata.yaml of the corpus is no document
    .jsonl          documents: the text of each row             all but _id, title, text and metadata of a row
    .jsonl          other rows: one document, as it is          nothing
    .pdf            pages; lines joined to paragraphs           pages without text, pictures, hyphens of cut words
    .pptx           Markdown: a section a slide, with notes     hidden slides, pictures, embedded objects
    .docx           Markdown: headings, lists, tables           headers, footers, notes, comments, pictures, embedded files,
                                                                hidden and struck-out text

A file is refused beyond 50,000,000 bytes; HTML beyond 10,000,000 characters, 1,000,000 tags, or 10,000 characters after a tag or
comment that is never closed; JSON and rows of data beyond 20,000,000 characters; what .html, .pptx and .docx would come to beyond
20,000,000 characters; tables and charts of a .pptx or .docx beyond 1,000,000 cells. Lists nested deeper than 20 levels stand as
if at that level.

`Dropped` tells what that came to for a document. What stands where in the original is kept in `Document.places`.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from harness.corpus.cleaned import Dropped
from harness.corpus.files import METADATA, list_files
from harness.corpus.formats import ROWS, SUFFIXES
from harness.corpus.metadata import read_mapping
from harness.corpus.reading import Loaded, is_document, read_file
from harness.errors import CorpusError, Problem
from harness.text import normalise
from harness.types import Document


def load_corpus(folder: Path) -> tuple[Document, ...]:
    """The documents of a folder, sorted by doc_id: the relative posix path, or the `_id` of a row in a .jsonl file.

    Raises:
        CorpusError: with every fault: links that leave the folder, bytes that are not UTF-8, empty documents,
            bad metadata, ids that differ only by case, no readable document.
    """
    documents, problems = read_corpus(folder)
    if problems:
        raise CorpusError(f"the corpus {str(folder)!r} has {len(problems)} problem(s):", problems)
    return documents


def read_corpus(folder: Path) -> tuple[tuple[Document, ...], tuple[Problem, ...]]:
    """The documents of files without a fault, sorted by doc_id, and every fault of the others.

    Documents whose ids collide are left out, all of them.

    Raises:
        CorpusError: when the folder does not exist.
    """
    loaded = load_folder(folder)
    return loaded.documents, loaded.problems


def load_folder(folder: Path) -> Loaded:
    """What `read_corpus` gives, and what cleaning left out of these documents.

    Raises:
        CorpusError: when the folder does not exist.
    """
    files, problems = list_files(folder)
    readable = {name: path for name, path in files.items() if name != METADATA and is_document(path)}
    described, faults = _read_descriptions(files.get(METADATA), readable)
    problems += faults
    loaded = [read_file(name, path, described.get(name, {})) for name, path in readable.items()]
    problems += [problem for one in loaded for problem in one.problems]
    alike, twice = _alike(readable), _used_twice(document for one in loaded for document in one.documents)
    problems += [*map(_differ_by_case, alike), *(_in_several(name, paths) for name, paths in twice.items())]
    if not readable:
        problems.append(_nothing_readable(folder, files))
    colliding = {*twice, *(normalise(name) for names in alike for name in names)}
    sound = [document for one in loaded if not one.problems for document in one.documents]
    kept = sorted((one for one in sound if normalise(one.doc_id) not in colliding), key=lambda document: document.doc_id)
    return Loaded(tuple(kept), tuple(problems), tuple(_of({one.doc_id for one in kept}, loaded)))


def _of(names: Collection[str], loaded: Iterable[Loaded]) -> Iterator[Dropped]:
    return (piece for one in loaded for piece in one.dropped if piece.doc_id in names)


def load_file(path: Path) -> Loaded:
    """The documents of one file, by its name; a metadata.yaml beside it is not looked at.

    Raises:
        CorpusError: when there is no such file.
    """
    if not path.is_file():
        raise CorpusError(f"the document {str(path)!r} does not exist or is no file; give a file of a readable type")
    if not is_document(path):
        what = f"is of a type that is not read, or hidden (read are {' '.join(SUFFIXES)})."
        return Loaded(problems=(Problem("C001", path.name, what, fix="convert it to one of these types."),))
    loaded = read_file(path.name, path, {})
    return loaded if not loaded.problems else replace(loaded, documents=())


def unread(folder: Path) -> list[str]:
    """Files of a corpus folder that are no documents: of a type that is not read, or hidden."""
    files, _ = list_files(folder)
    return [name for name, path in files.items() if name != METADATA and not is_document(path)]


def _read_descriptions(path: Path | None, known: Iterable[str]) -> tuple[dict[str, dict[str, Any]], list[Problem]]:
    if path is None:
        return {}, []
    try:
        entries = read_mapping(path.read_text(encoding="utf-8"))
    except ValueError as error:
        return {}, [Problem("C009", METADATA, f"{error}.", fix="write path: {title: ..., version: ...} per document.")]
    problems = [_not_a_mapping(name) for name, entry in entries.items() if not isinstance(entry, dict)]
    problems += [_unknown_path(str(name), known) for name in entries if name not in known]
    return {name: entry for name, entry in entries.items() if isinstance(entry, dict)}, problems


def _not_a_mapping(name: str) -> Problem:
    return Problem(
        "C009", f"{METADATA} {name}", "needs fields such as title and version.", fix="write {title: ..., version: ...}."
    )


def _unknown_path(name: str, known: Iterable[str]) -> Problem:
    near = get_close_matches(name, list(known), 1)
    what = f"describes {name!r}, which is no document here{f'; closest: {near[0]!r}' if near else ''}."
    fix = "take the entry out, or rename it with its file; paths are relative to the corpus folder."
    return Problem("C009", METADATA, what, fix=fix)


def _alike(names: Iterable[str]) -> list[list[str]]:
    """Names that differ only by case or form."""
    by_fold = defaultdict(list)
    for name in names:
        by_fold[normalise(name).casefold()].append(name)
    return [same for same in by_fold.values() if len(same) > 1]


def _differ_by_case(names: Sequence[str]) -> Problem:
    what = f"ids differ only by case or form: {', '.join(map(repr, names))}."
    return Problem("C005", names[0], what, "They are one file on a case-insensitive file system.", "rename one.")


def _used_twice(documents: Iterable[Document]) -> dict[str, list[str]]:
    """Ids of rows that are those of another file or of a row in another file, and these files."""
    by_name = defaultdict(list)
    for document in documents:
        by_name[normalise(document.doc_id)].append(Path(document.source).name)
    return {
        name: files for name, files in by_name.items() if len(files) > 1 and any(file.lower().endswith(ROWS) for file in files)
    }


def _in_several(name: str, files: Sequence[str]) -> Problem:
    what = f"the id {name!r} stands in several files: {', '.join(map(repr, files))}."
    return Problem("C005", name, what, "Evidence names documents by id.", "rename one, or keep one file.")


def _nothing_readable(folder: Path, files: Mapping[str, Path]) -> Problem:
    others = [name for name in files if name != METADATA]
    found = f"found {len(others)} other file(s), such as {others[0]!r}" if others else "the folder is empty"
    what = f"no readable document (looked for {' '.join(SUFFIXES)}; {found})."
    return Problem("C001", str(folder), what, fix="convert the documents to one of these types.")
