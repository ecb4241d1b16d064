"""What a damaged index still tells of documents deleted by hand: an index that is built anew would take them up again."""

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from harness.errors import Problem
from harness.jsonl import parse_json


def to_delete_again(folder: Path) -> tuple[Problem, ...]:
    """I002 with the documents of a damaged index that were deleted by hand, as far as its files can be read; else nothing."""
    names = sorted({*_purged(folder / "manifest.json"), *_withdrawn(folder)})
    if not names:
        return ()
    what = f"deleted by hand, as far as can be read: {len(names):,} ({', '.join(names)})"
    why = "An index that is built anew takes them up again."
    return (Problem("I002", str(folder), what, why, f"after that sync run `harness index delete {shlex.join(names)}`."),)


def _purged(manifest: Path) -> Iterator[str]:
    for record in _values(manifest, whole=True):
        stones = record.get("tombstones")
        yield from stones if isinstance(stones, dict) else ()


def _withdrawn(folder: Path) -> Iterator[str]:
    """Of the newest generation whose documents are there."""
    files = sorted(folder.glob("generation-*/documents.jsonl")) if folder.is_dir() else []
    for row in _values(files[-1], whole=False) if files else ():
        document = row.get("document")
        name = document.get("doc_id") if isinstance(document, dict) else None
        if row.get("reason") == "deleted" and isinstance(name, str):
            yield name


def _values(path: Path, whole: bool) -> Iterator[dict[str, Any]]:
    """The objects of a file, or of its lines, that can be read; the others are passed over."""
    try:
        raw = path.read_bytes()
    except (OSError, MemoryError):
        return
    for text in [raw] if whole else raw.split(b"\n"):
        try:
            value = parse_json(text.decode("utf-8", "surrogatepass"))
        except (ValueError, RecursionError, MemoryError):
            continue
        if isinstance(value, dict):
            yield value
