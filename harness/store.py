"""Durable bytes: atomic files, an append-only journal and a content-addressed store.

Results are cached at the expensive call, under the fingerprint of everything that can change its output, not as
stage files under a variant's name. Two variants that differ late then share all that came before, an interrupted
run loses nothing, and a changed model can never be served its predecessor's numbers.
"""

import errno
import json
import os
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

from harness.errors import StoreError
from harness.fingerprint import digest, plain
from harness.jsonl import JsonError, parse_json

_CREATE = """CREATE TABLE IF NOT EXISTS entries
    (namespace TEXT, key TEXT, digest TEXT, value BLOB, PRIMARY KEY (namespace, key)) WITHOUT ROWID"""
_INSERT = "INSERT OR REPLACE INTO entries VALUES (?, ?, ?, ?)"
_SELECT = "SELECT key, digest, value FROM entries WHERE namespace = ? AND key IN"


def write_atomic(path: Path, data: bytes | str) -> None:
    """Replaces a file in one step: a reader sees the old bytes or the new ones, never a part.

    A file that is there keeps its permissions; of a symbolic link it is the target that is replaced.

    Raises:
        StoreError: when the disk is full, the file is read-only or the folder cannot be written.
    """
    raw = data.encode() if isinstance(data, str) else data
    path = path.resolve() if path.is_symlink() else path
    temporary = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        mode = path.stat().st_mode & 0o7777 if path.exists() else None
        if mode is not None and not mode & 0o222:
            raise PermissionError(errno.EACCES, "it is read-only")
        with temporary.open("wb") as file:
            file.write(raw)
            file.flush()
            os.fsync(file.fileno())
            if mode is not None:
                os.fchmod(file.fileno(), mode)
        temporary.replace(path)
    except OSError as error:
        with suppress(OSError):
            temporary.unlink()
        raise StoreError(
            f"cannot write {str(path)!r} ({len(raw):,} bytes): {error.strerror}; the old file is untouched"
        ) from error


def write_json(path: Path, value: Any) -> None:
    """Writes a value as sorted, indented JSON with a final newline, atomically."""
    write_atomic(path, json.dumps(value, sort_keys=True, indent=2, ensure_ascii=False, allow_nan=False) + "\n")


class Journal:
    """A file of JSON lines, each with the digest of its content; append is one write, so a kill loses nothing.

    A line cut off by a crash fails its digest and is left out by `read`.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._whole = False

    def append(self, record: Any) -> None:
        """Adds one record; it survives the process from the moment this returns."""
        line = _line(record)
        with self._lock:
            line = line if self._whole else self._started(line)
            handle = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
            try:
                self._whole = os.write(handle, line) == len(line)
            finally:
                os.close(handle)
            if not self._whole:
                raise StoreError(f"disk full while writing {str(self.path)!r}; finished questions are safe, run again")

    def _started(self, line: bytes) -> bytes:
        """The line, on a new one where the file ends inside a line that a crash cut off."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        if not self.path.exists() or not self.path.stat().st_size:
            return line
        with self.path.open("rb") as file:
            file.seek(-1, os.SEEK_END)
            return line if file.read(1) == b"\n" else b"\n" + line

    def rewrite(self, records: Iterable[Any]) -> None:
        """Replaces the journal by the given records, atomically."""
        write_atomic(self.path, b"".join(map(_line, records)))

    def read(self) -> Iterator[Any]:
        """The whole records, oldest first.

        Raises:
            StoreError: when the file or a line whose digest holds cannot be read; names file and line.
        """
        if not self.path.exists():
            return
        try:
            lines = self.path.read_bytes().split(b"\n")
        except OSError as error:
            raise StoreError(f"cannot read {str(self.path)!r}: {error.strerror}") from error
        for number, line in enumerate(lines, 1):
            mark, _, body = line.partition(b" ")
            if mark.decode("ascii", "replace") == digest(body)[:16]:
                yield self._record(number, body)

    def _record(self, number: int, body: bytes) -> Any:
        try:
            return parse_json(body)
        except JsonError as error:
            raise StoreError(f"line {number} of {str(self.path)!r} is damaged: {error}") from error


_encode = json.JSONEncoder(sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False, default=plain).encode


def _line(record: Any) -> bytes:
    body = _encode(record).encode()
    return digest(body)[:16].encode() + b" " + body + b"\n"


class Store:
    """A content-addressed store in one sqlite file: (namespace, key) to bytes, checked by digest on the way out.

    Safe for several threads and several processes; an entry that fails its digest is dropped and made anew.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._makers: WeakValueDictionary[str, threading.RLock] = WeakValueDictionary()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(path, check_same_thread=False, timeout=60, isolation_level=None)
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=NORMAL")
            self._db.execute(_CREATE)
        except (sqlite3.Error, OSError) as error:
            raise StoreError(f"cannot open the cache {str(path)!r}: {error}. Delete the file to start afresh.") from error

    def get(self, namespace: str, key: str) -> bytes | None:
        """The bytes under a key, or None."""
        return self.get_many(namespace, [key]).get(key)

    def get_many(self, namespace: str, keys: Sequence[str]) -> dict[str, bytes]:
        """The entries that exist and pass their digest."""
        found: dict[str, bytes] = {}
        for start in range(0, len(keys), 500):
            part = list(keys[start : start + 500])
            marks = ",".join("?" * len(part))
            with self._lock, self._reading():
                rows = self._db.execute(f"{_SELECT} ({marks})", [namespace, *part]).fetchall()
            found |= {key: value for key, mark, value in rows if digest(value) == mark}
        return found

    @contextmanager
    def _reading(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise StoreError(f"cannot read the cache {str(self.path)!r}: {error}. Delete the file to start afresh.") from error

    def put(self, namespace: str, key: str, value: bytes) -> None:
        """Keeps bytes under a key."""
        self.put_many(namespace, {key: value})

    def put_many(self, namespace: str, entries: dict[str, bytes]) -> None:
        """Keeps several entries in one transaction.

        Raises:
            StoreError: when the disk is full; what was kept before stays readable.
        """
        rows = [(namespace, key, digest(value), value) for key, value in entries.items()]
        with self._writing() as cursor:
            cursor.executemany(_INSERT, rows)

    def put_first(self, namespace: str, key: str, value: bytes) -> bytes:
        """Keeps bytes under a key that has none; gives those that it has from now on, whoever came first.

        Raises:
            StoreError: when the disk is full.
        """
        with self._writing() as cursor:
            for _, mark, kept in cursor.execute(f"{_SELECT} (?)", [namespace, key]).fetchall():
                if digest(kept) == mark:
                    return bytes(kept)
            cursor.execute(_INSERT, (namespace, key, digest(value), value))
        return value

    def maker(self, key: str) -> threading.RLock:
        """A lock for who makes the entry of a key, so that no two threads make it: the others wait, and find it."""
        with self._lock:
            return self._makers.setdefault(key, threading.RLock())

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Cursor]:
        """One transaction."""
        try:
            with self._lock, closing(self._db.cursor()) as cursor:
                cursor.execute("BEGIN IMMEDIATE")
                try:
                    yield cursor
                    cursor.execute("COMMIT")
                except sqlite3.Error:
                    self._db.rollback()
                    raise
        except sqlite3.Error as error:
            raise StoreError(f"cannot write to the cache {str(self.path)!r}: {error}; what it held before is safe") from error

    def close(self) -> None:
        """Closes the file."""
        with self._lock:
            self._db.close()
