"""The files of a corpus folder: listing without leaving the folder, and the digest of their bytes."""

import os
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from harness.errors import CorpusError, Problem

METADATA = "metadata.yaml"


def list_files(folder: Path) -> tuple[dict[str, Path], list[Problem]]:
    """Regular files by relative posix path, sorted; symbolic links that leave the folder are refused.

    Raises:
        CorpusError: when the folder does not exist.
    """
    if not folder.is_dir():
        raise CorpusError(f"the corpus folder {str(folder)!r} does not exist; give a folder with documents")
    root, files, problems = folder.resolve(), {}, []
    for path in _walk(folder):
        name = path.relative_to(folder).as_posix()
        if path.is_symlink() and not path.resolve().is_relative_to(root):
            problems.append(_leaves(name, path))
        elif path.is_file():
            files[name] = path
    return dict(sorted(files.items())), problems


def corpus_digest(folder: Path) -> str:
    """SHA-256 over path, NUL, bytes, NUL of each file, metadata.yaml included, in sorted order of relative posix paths.

    Raises:
        CorpusError: when the folder does not exist.
    """
    files, _ = list_files(folder)
    total = sha256()
    for name, path in files.items():
        total.update(name.encode("utf-8", "surrogateescape") + b"\0" + path.read_bytes() + b"\0")
    return total.hexdigest()


def _walk(folder: Path) -> Iterator[Path]:
    for place, folders, names in os.walk(folder):
        linked = [name for name in folders if (Path(place) / name).is_symlink()]
        yield from (Path(place) / name for name in [*linked, *names])


def _leaves(name: str, path: Path) -> Problem:
    what = f"{name} -> {path.readlink()} leaves the corpus folder."
    return Problem("C003", name, what, "Symbolic links out are refused.", "copy the file into the corpus or delete the link.")
