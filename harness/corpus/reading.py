"""One file as documents, or what is wrong with it; a file that cannot be read never ends in an exception."""

from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

from harness.corpus import rows
from harness.corpus.cleaned import Cleaned, Dropped, Places
from harness.corpus.files import METADATA
from harness.corpus.formats import BINARY_FORMATS, ROWS, ROWS_TYPE, SUFFIXES, TEXT_FORMATS
from harness.corpus.metadata import describe
from harness.errors import Problem
from harness.text import normalise
from harness.types import Document

MAX_BYTES = 50_000_000
"""Larger files are refused."""

_AS_UTF8 = "save it as UTF-8, e.g. iconv -f latin1 -t utf-8 FILE."


@dataclass(frozen=True, slots=True)
class Loaded:
    """What came of a file or a folder."""

    documents: tuple[Document, ...] = ()
    """Those of files without a fault."""
    problems: tuple[Problem, ...] = ()
    """Every fault of the others."""
    dropped: tuple[Dropped, ...] = ()
    """What cleaning left out of the documents."""


def is_document(path: Path) -> bool:
    """Whether a file is of a type that is read, and not hidden."""
    return path.suffix.lower() in SUFFIXES and not path.name.startswith(".")


def read_file(name: str, path: Path, described: Mapping[str, Any]) -> Loaded:
    """The documents of one file of a readable type; `described` is what metadata.yaml says of it."""
    try:
        if path.suffix.lower() == ROWS:
            return _read_rows(name, path, described)
        return _read_document(name, path, described)
    except OSError as error:
        what = f"cannot be read: {error.strerror or type(error).__name__}."
        return _refused("C010", name, what, "Its text cannot be known.", "make the file readable.")


def _read_rows(name: str, path: Path, described: Mapping[str, Any]) -> Loaded:
    if rows.holds_data(path):
        if problems := _too_large(name, path) or rows.faults_of_data(name, path):
            return Loaded(problems=tuple(problems))
        return _document(name, path, ROWS_TYPE, Cleaned(normalise(path.read_bytes().decode("utf-8"))), described)
    found, problems = rows.read(name, path)
    return Loaded(tuple(found), (*problems, *([_describes_rows(name)] if described else [])))


def _read_document(name: str, path: Path, described: Mapping[str, Any]) -> Loaded:
    if problems := _too_large(name, path):
        return Loaded(problems=tuple(problems))
    return (_binary if path.suffix.lower() in BINARY_FORMATS else _text)(name, path, described)


def _too_large(name: str, path: Path) -> list[Problem]:
    if (size := path.stat().st_size) <= MAX_BYTES:
        return []
    what = f"{size:,} bytes (limit {MAX_BYTES:,})."
    return [Problem("C004", name, what, "No manual is that long.", "split the file or leave it out.")]


def _text(name: str, path: Path, described: Mapping[str, Any]) -> Loaded:
    mime_type, clean = TEXT_FORMATS[path.suffix.lower()]
    data = path.read_bytes()
    try:
        cleaned = clean(normalise(data.decode("utf-8")))
    except UnicodeDecodeError as error:
        what = f"not UTF-8 (byte 0x{data[error.start]:02X} at offset {error.start:,})."
        return _refused("C008", name, what, "Its characters cannot be known.", _remedy(data))
    except ValueError as error:
        if mime_type == "text/markdown":
            return _refused("C009", name, f"front matter: {error}.", fix="mend the lines between the two ---.")
        return _refused("C010", name, f"{error}.", "It would be cut at wrong places.", "mend or split it, or name it .txt.")
    return _document(name, path, mime_type, cleaned, described)


def _remedy(data: bytes) -> str:
    """How bytes that are no UTF-8 become it."""
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return "save it as UTF-8: iconv -f utf-16 -t utf-8 FILE."
    return "it is no text: leave it out of the folder." if b"\0" in data else _AS_UTF8


def _binary(name: str, path: Path, described: Mapping[str, Any]) -> Loaded:
    mime_type, extract = BINARY_FORMATS[path.suffix.lower()]
    try:
        cleaned = extract(path.read_bytes())
    except ValueError as error:
        return _refused("C010", name, f"{error}.", "Its text cannot be known.", "save it anew, or convert it to text.")
    return _document(name, path, mime_type, cleaned, described)


def _document(name: str, path: Path, mime_type: str, cleaned: Cleaned, described: Mapping[str, Any]) -> Loaded:
    text, places = _normalised(cleaned.text, cleaned.places)
    of_itself, front_matter = cleaned.fields, mime_type == "text/markdown"
    fields, problems = describe({**described, **of_itself} if front_matter else {**of_itself, **described}, name)
    if not text.strip():
        problems.append(Problem("C002", name, "empty after cleaning.", "It gives no chunk.", "delete the file or fill it."))
    fields.setdefault("title", path.stem)
    digest = sha256(text.encode()).hexdigest()
    document = Document(
        name, text, mime_type=mime_type, source=str(path), content_hash=digest, unit=cleaned.unit, places=places, **fields
    )
    dropped = tuple(replace(piece, doc_id=name) for piece in cleaned.dropped)
    return Loaded((document,), tuple(problems), dropped)


def _normalised(text: str, places: Places) -> tuple[str, Places]:
    """The text as every document has it, and its places moved along."""
    whole = normalise(text)
    if whole == text or not places:
        return whole, places
    edges = [0, *(offset for offset, _ in places), len(text)]
    moved, at = [], 0
    for (start, end), (_, number) in zip(pairwise(edges), ((0, 0), *places), strict=True):
        moved.append((at, number))
        at += len(normalise(f"\n{text[start:end]}")) - 1
    return whole, tuple(moved[1:])


def _refused(code: str, name: str, what: str, why: str = "", fix: str = "") -> Loaded:
    return Loaded(problems=(Problem(code, name, what, why, fix),))


def _describes_rows(name: str) -> Problem:
    what = f"describes {name!r}, whose rows describe themselves."
    return Problem("C009", f"{METADATA} {name}", what, "It would hold for none of them.", "write metadata into each row.")
