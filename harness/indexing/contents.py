"""The files of a generation: documents, chunks and vectors, read only when their digests hold."""

import hashlib
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from io import BufferedRandom
from pathlib import Path
from typing import Any

import numpy as np

from harness.errors import Problem, StoreError
from harness.fingerprint import canonical
from harness.indexing.manifest import NAME, Manifest, damaged, generation_folder, need_manifest, read_manifest, unreadable
from harness.indexing.records import Entry, decode_entry, encode_chunk, encode_entry
from harness.indexing.salvage import to_delete_again
from harness.jsonl import parse_json
from harness.protocols import Vectors
from harness.types import Chunk, Document

DOCUMENTS, CHUNKS, TEXTS, VECTORS, LEARNED = "documents.jsonl", "chunks.jsonl", "texts.json", "vectors.npy", "learned.bin"
FILES = (DOCUMENTS, CHUNKS, TEXTS, VECTORS, LEARNED)
UNFINISHED = ".generation"
"""A generation that is being written; it gets its name when it is whole."""
_TRIES = 5
_GENERATION = re.compile(r"generation-\d{6}")
_TEMPORARY = re.compile(rf"\.{re.escape(NAME)}\.\d+\.\d+")
_HEADER = re.compile(
    rb"\x93NUMPY\x01\x00..\{'descr': '<f4', 'fortran_order': False, 'shape': \((?P<rows>\d{1,12}), (?P<width>\d{1,12})\), \} *\n",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Contents:
    """What an index holds."""

    manifest: Manifest
    """How it was made."""
    entries: tuple[Entry, ...]
    """Every document with its chunks, sorted by doc_id."""
    vectors: Vectors
    """float32[n, d], one row a distinct text that is embedded."""
    rows: Mapping[str, int]
    """Row by digest of the text."""
    learned: bytes
    """What the embedder learned; empty where it learns nothing."""

    @property
    def chunks(self) -> list[Chunk]:
        """The chunks of documents that are searched."""
        return [chunk for entry in self.entries if entry.searched for chunk in entry.chunks or ()]

    @property
    def documents(self) -> list[Document]:
        """The documents that are searched, and the deleted ones as withdrawn on every day."""
        return [entry.shown for entry in self.entries if entry.deleted_at or not entry.left_out]


def read_contents(folder: Path) -> Contents:
    """The index of a folder, all of its digests checked.

    A generation that is replaced while it is read is read again.

    Raises:
        ConfigError: I004, when there is no index.
        StoreError: I002 for every file that is missing, not the one that was written, or not readable.
    """
    manifest = need_manifest(folder)
    for _ in range(_TRIES):
        try:
            return _read(generation_folder(folder, manifest.generation), manifest)
        except StoreError:
            before, manifest = manifest, need_manifest(folder)
            if manifest.generation == before.generation:
                raise
    raise damaged(folder, f"was replaced {_TRIES} times while it was read")


def _read(place: Path, manifest: Manifest) -> Contents:
    raw: dict[str, bytes] = {}
    problems: list[Problem] = []
    for name in FILES:
        try:
            raw[name] = _checked(place / name, manifest)
        except StoreError as error:
            problems += error.problems
    if problems:
        raise StoreError("The index is damaged.", [*problems, *to_delete_again(place.parent)])
    chunks: dict[str, list[Any]] = {}
    with _readable(place / CHUNKS):
        for row in _rows(raw[CHUNKS]):
            chunks.setdefault(row["doc_id"], []).append(row)
    with _readable(place / DOCUMENTS):
        entries = tuple(decode_entry(row, chunks.get(row["document"]["doc_id"], [])) for row in _rows(raw[DOCUMENTS]))
    with _readable(place / TEXTS):
        rows = _numbered(_json(raw[TEXTS]))
    with _readable(place / VECTORS):
        vectors = _table(raw[VECTORS], len(rows))
    return Contents(manifest, entries, vectors, rows, raw[LEARNED])


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    """Whatever a file holds that was not written by this version is I002."""
    try:
        yield
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, MemoryError) as error:
        what = f"cannot be read by this version ({type(error).__name__}: {error})"
        raise damaged(path, what, path.parent.parent) from error


def _checked(path: Path, manifest: Manifest) -> bytes:
    """The bytes of a file, which have the digest that the manifest names; it is not opened a second time."""
    try:
        if not path.is_file():
            raise damaged(path, "is no file" if path.exists() else "is missing")
        raw = path.read_bytes()
    except FileNotFoundError as error:
        raise damaged(path, "is missing") from error
    except OSError as error:
        raise unreadable(path, error) from error
    except MemoryError as error:
        raise damaged(path, "cannot be read: it does not fit into memory") from error
    if hashlib.sha256(raw).hexdigest() != manifest.files.get(path.name):
        raise damaged(path, "does not have the digest that the manifest names")
    return raw


def _rows(raw: bytes) -> Iterator[Any]:
    return (_json(line) for line in raw.split(b"\n") if line)


def _json(raw: bytes) -> Any:
    """The value of what `_line` wrote; text may hold lone surrogates."""
    return parse_json(raw.decode("utf-8", "surrogatepass"))


def _numbered(names: Any) -> dict[str, int]:
    """Row by digest of the text."""
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise ValueError("is no list of digests")
    return {name: row for row, name in enumerate(names)}


def _table(raw: bytes, rows: int) -> Vectors:
    """The vectors of an npy file, float32[rows, d], over its very bytes; only the header that `np.save` writes is taken."""
    head = _HEADER.match(raw)
    if not head:
        raise ValueError("is no npy file of float32[n, d]")
    height, width = int(head["rows"]), int(head["width"])
    if len(raw) - head.end() != height * width * 4 or height != rows:
        raise ValueError(f"names float32[{height}, {width}] for {len(raw) - head.end()} bytes and {rows} texts")
    vectors = np.frombuffer(raw, "<f4", offset=head.end()).reshape(height, width)
    if not np.isfinite(vectors).all():
        raise ValueError("holds numbers that are not finite")
    return vectors


def write_generation(
    folder: Path, generation: int, entries: Iterable[Entry], vectors: Mapping[str, Vectors], width: int, learned: bytes
) -> dict[str, str]:
    """Writes the files of a generation to the disk and gives their digests; no reader sees them yet.

    Args:
        folder: of the index.
        generation: its number.
        entries: sorted by doc_id.
        vectors: float32[d] by digest of the text.
        width: d, where there is no vector.
        learned: what the embedder learned.

    Raises:
        StoreError: when the disk is full or cannot be written.
    """
    place, half, kept, names = generation_folder(folder, generation), folder / UNFINISHED, tuple(entries), sorted(vectors)
    table = np.stack([vectors[name] for name in names]) if names else np.empty((0, width), dtype=np.float32)
    writers: dict[str, Callable[[BufferedRandom], object]] = {
        DOCUMENTS: lambda file: file.writelines(_line(encode_entry(entry)) for entry in kept),
        CHUNKS: lambda file: file.writelines(_line(encode_chunk(chunk, entry)) for entry in kept for chunk in entry.chunks or ()),
        TEXTS: lambda file: file.write(_line(names)),
        VECTORS: lambda file: np.save(file, np.ascontiguousarray(table, dtype=np.float32), allow_pickle=False),
        LEARNED: lambda file: file.write(learned),
    }
    try:
        for leftover in (half, place):
            _remove(leftover)
        half.mkdir(parents=True)
        digests = {name: _write(half / name, writers[name]) for name in FILES}
        sync_folder(half)
        half.rename(place)
        sync_folder(folder)
    except OSError as error:
        with suppress(OSError):
            _remove(half)
        what = f"{error.strerror} ({str(error.filename2 or error.filename or folder)!r})"
        raise StoreError(f"cannot write the index {str(folder)!r}: {what}; the old one is untouched") from error
    return digests


def _line(value: Any) -> bytes:
    return canonical(value).encode("utf-8", "surrogatepass") + b"\n"


def _write(path: Path, write: Callable[[BufferedRandom], object]) -> str:
    with path.open("w+b") as file:
        write(file)
        file.flush()
        os.fsync(file.fileno())
        file.seek(0)
        return hashlib.file_digest(file, "sha256").hexdigest()


def sync_folder(folder: Path) -> None:
    """Makes the names in a folder survive a power cut, where the system can."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def remove_leftovers(folder: Path) -> None:
    """Removes every generation but the one in use, and what a killed process left half written.

    Only what an index writes is removed, file by file; nothing at all where no manifest says which generation is in use.
    """
    manifest = read_manifest(folder)
    if manifest is None:
        return
    used = generation_folder(folder, manifest.generation)
    with suppress(OSError):
        for path in sorted(folder.iterdir()):
            if path != used:
                _remove(path)


def _remove(path: Path) -> None:
    """Removes what an index wrote; anything else stays."""
    if is_temporary(path):
        path.unlink()
    elif path.name == UNFINISHED or is_generation(path):
        files = list(path.iterdir()) if path.is_dir() and not path.is_symlink() else None
        if files is not None and all(file.name in FILES and file.is_file() for file in files):
            for file in files:
                file.unlink()
            path.rmdir()


def is_temporary(path: Path) -> bool:
    """Whether a path is a manifest that was not written to its end."""
    return bool(_TEMPORARY.fullmatch(path.name)) and path.is_file()


def is_generation(path: Path) -> bool:
    """Whether a path is called as the files of a generation are."""
    return bool(_GENERATION.fullmatch(path.name))


def without_chunks(entry: Entry) -> Entry:
    """The entry as one that is still to be cut."""
    return replace(entry, chunks=None)
