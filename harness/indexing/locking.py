"""One process at a time changes an index; readers need no lock."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from harness.errors import ConfigError, Problem, StoreError
from harness.indexing.contents import UNFINISHED, is_generation, is_temporary, remove_leftovers
from harness.indexing.manifest import NAME
from harness.indexing.salvage import to_delete_again

_LOCK = ".lock"


@contextmanager
def changing(folder: Path) -> Iterator[None]:
    """While it lasts nobody else changes the index; when it ends without an error, what is no longer used is removed.

    Raises:
        ConfigError: I004, when the folder holds something else than an index, or generations without a manifest.
        StoreError: I003, when another process changes it; or when the folder cannot be made.
    """
    from filelock import FileLock, Timeout

    _check_folder(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock(folder / _LOCK)
        lock.acquire(timeout=0)
    except Timeout as error:
        what = "another process is changing this index"
        fix = "wait until it has ended; searching goes on meanwhile."
        raise StoreError("The index is in use.", [Problem("I003", str(folder), what, fix=fix)]) from error
    except OSError as error:
        raise StoreError(f"cannot write to the index folder {str(folder)!r}: {error.strerror}") from error
    try:
        _check_manifest(folder)
        yield
        remove_leftovers(folder)
    finally:
        lock.release()


def _check_folder(folder: Path) -> None:
    """That a folder without an index holds nothing of anybody's."""
    if (folder / NAME).exists() or not folder.exists():
        return
    others = sorted(path.name for path in folder.iterdir() if not _own(path)) if folder.is_dir() else []
    if others or not folder.is_dir():
        what = f"is no index and holds {others[0]!r}" if others else "is a file"
        fix = "give a new or empty folder with --index."
        raise ConfigError("There is no index.", [Problem("I004", str(folder), what, "Nothing of it is overwritten.", fix)])


def _own(path: Path) -> bool:
    return path.name in (_LOCK, UNFINISHED) or is_generation(path) or is_temporary(path)


def _check_manifest(folder: Path) -> None:
    """That no generation has lost the manifest which says that it is whole."""
    lost = [] if (folder / NAME).exists() else sorted(path.name for path in folder.iterdir() if is_generation(path))
    if lost:
        what = f"holds {lost[0]!r} but no {NAME}, which would say whether it is whole"
        fix = (
            f"take {NAME} back from a copy; or give another folder with --index and sync anew, embeddings in the cache are not "
            "paid again, and delete this one by hand."
        )
        problem = Problem("I004", str(folder), what, "Nothing of it is overwritten.", fix)
        raise ConfigError("There is no index.", [problem, *to_delete_again(folder)])
