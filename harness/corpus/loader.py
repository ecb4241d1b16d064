"""Loads a folder of files as cleaned documents, or reports everything that is wrong with it at once."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from hashlib import sha256
from pathlib import Path
from typing import Any

from harness.corpus import html, markdown, pdf, plain, rows, slides, tabular
from harness.corpus.files import METADATA, list_files
from harness.corpus.metadata import describe, read_mapping
from harness.errors import CorpusError, Problem
from harness.text import normalise
from harness.types import Document

LOADERS: Mapping[str, tuple[str, Callable[[str], tuple[str, dict[str, Any]]]]] = {
    ".csv": ("text/csv", tabular.clean),
    ".htm": ("text/html", html.clean),
    ".html": ("text/html", html.clean),
    ".markdown": ("text/markdown", markdown.clean),
    ".md": ("text/markdown", markdown.clean),
    ".py": ("text/x-python", plain.clean),
    ".rst": ("text/x-rst", plain.clean),
    ".ts": ("text/x-typescript", plain.clean),
    ".tsv": ("text/tab-separated-values", tabular.clean),
    ".txt": ("text/plain", plain.clean),
}
"""MIME type and loader by suffix: normalised text in, cleaned text and what the file says of itself out."""

BINARY_LOADERS: Mapping[str, tuple[str, Callable[[bytes], str]]] = {
    ".pdf": ("application/pdf", pdf.extract),
    ".pptx": ("application/vnd.openxmlformats-officedocument.presentationml.presentation", slides.extract),
}
"""The same for files that are no text: bytes in, text out."""

ROWS = ".jsonl"
"""Suffix of files with a document a line."""
SUFFIXES = tuple(sorted((*LOADERS, *BINARY_LOADERS, ROWS)))
"""All that can be read."""

MAX_BYTES = 50_000_000
"""Larger files are refused."""


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
    files, problems = list_files(folder)
    readable = {name: path for name, path in files.items() if _is_document(path)}
    described, faults = _read_descriptions(files.get(METADATA), readable)
    problems += faults
    documents: list[Document] = []
    sound: list[Document] = []
    for name, path in readable.items():
        found, faults = _load(name, path, described.get(name, {}))
        problems += faults
        documents += found
        sound += [] if faults else found
    alike, twice = _alike(readable), _used_twice(documents)
    problems += [*map(_differ_by_case, alike), *(_in_several(name, paths) for name, paths in twice.items())]
    if not readable:
        problems.append(_nothing_readable(folder, files))
    colliding = {*twice, *(normalise(name) for names in alike for name in names)}
    kept = (document for document in sound if normalise(document.doc_id) not in colliding)
    return tuple(sorted(kept, key=lambda document: document.doc_id)), tuple(problems)


def unread(folder: Path) -> list[str]:
    """Files of a corpus folder that are no documents: of a type that is not read, or hidden."""
    files, _ = list_files(folder)
    return [name for name, path in files.items() if name != METADATA and not _is_document(path)]


def _is_document(path: Path) -> bool:
    return path.suffix.lower() in SUFFIXES and not path.name.startswith(".")


def _load(name: str, path: Path, described: Mapping[str, Any]) -> tuple[list[Document], list[Problem]]:
    suffix = path.suffix.lower()
    if suffix == ROWS:
        found, problems = rows.read(name, path)
        return found, [*problems, *([_describes_rows(name)] if described else [])]
    if (size := path.stat().st_size) > MAX_BYTES:
        what = f"{size:,} bytes (limit {MAX_BYTES:,})."
        return [], [Problem("C004", name, what, "No manual is that long.", "split the file or leave it out.")]
    mime_type, text, own, problems = _binary(name, path) if suffix in BINARY_LOADERS else _text(name, path)
    if problems:
        return [], problems
    fields, problems = describe({**own, **described} if mime_type != "text/markdown" else {**described, **own}, name)
    if not text.strip():
        problems.append(Problem("C002", name, "empty after cleaning.", "It gives no chunk.", "delete the file or fill it."))
    fields.setdefault("title", path.stem)
    digest = sha256(text.encode()).hexdigest()
    return [Document(name, text, mime_type=mime_type, source=str(path), content_hash=digest, **fields)], problems


def _text(name: str, path: Path) -> tuple[str, str, Mapping[str, Any], list[Problem]]:
    mime_type, clean = LOADERS[path.suffix.lower()]
    raw, problems = _decode(name, path.read_bytes())
    try:
        cleaned, own = clean(normalise(raw))
    except ValueError as error:
        problems = [Problem("C009", name, f"front matter: {error}.", fix="mend the lines between the two ---.")]
        return mime_type, "", {}, problems
    return mime_type, normalise(cleaned), own, problems


def _binary(name: str, path: Path) -> tuple[str, str, Mapping[str, Any], list[Problem]]:
    mime_type, extract = BINARY_LOADERS[path.suffix.lower()]
    try:
        return mime_type, normalise(extract(path.read_bytes())), {}, []
    except ValueError as error:
        problem = Problem("C010", name, f"{error}.", "Its text cannot be known.", "save it anew, or convert it to text.")
        return mime_type, "", {}, [problem]


def _decode(name: str, data: bytes) -> tuple[str, list[Problem]]:
    try:
        return data.decode("utf-8"), []
    except UnicodeDecodeError as error:
        what = f"not UTF-8 (byte 0x{data[error.start]:02X} at offset {error.start:,})."
        return "", [Problem("C008", name, what, "Its characters cannot be known.", "iconv -f latin1 -t utf-8, or what it is.")]


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
    return Problem("C009", METADATA, what, fix="give the path relative to the corpus folder.")


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


def _describes_rows(name: str) -> Problem:
    what = f"describes {name!r}, whose rows describe themselves."
    return Problem("C009", f"{METADATA} {name}", what, "It would hold for none of them.", "write metadata into each row.")


def _nothing_readable(folder: Path, files: Mapping[str, Path]) -> Problem:
    others = [name for name in files if name != METADATA]
    found = f"found {len(others)} other file(s), such as {others[0]!r}" if others else "the folder is empty"
    what = f"no readable document (looked for {' '.join(SUFFIXES)}; {found})."
    return Problem("C001", str(folder), what, fix="convert the documents to one of these types.")
