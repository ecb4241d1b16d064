"""Where an import or export is written: beside its place first, then moved there in one step, so that it is whole or not there."""

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import mkdtemp

from harness.errors import ConfigError, StoreError
from harness.golden.golden_set import CORPUS, QUESTIONS
from harness.text import names_a_file

_OCCUPIED = (errno.EEXIST, errno.ENOTEMPTY, errno.ENOTDIR, errno.EISDIR)


def check_target(folder: Path) -> None:
    """Raises unless the folder can take a new golden set.

    Raises:
        ConfigError: for a folder that is in use, lies in the corpus of a set or whose name cannot be that of a set.
    """
    if folder.is_symlink() or (folder.exists() and (not folder.is_dir() or any(folder.iterdir()))):
        raise ConfigError(f"{str(folder)!r} exists already; give another folder with --to, or delete it")
    if folder.resolve() == Path.cwd():
        raise ConfigError(f"{str(folder)!r} is the current folder, which cannot be replaced; give a new folder with --to")
    if not names_a_file(folder.resolve().name):
        raise ConfigError(f"a golden set cannot be called {folder.name!r}: use letters, digits, '.', '_' and '-'")
    check_outside_corpora(folder)


def check_outside_corpora(target: Path) -> None:
    """Raises when a path lies in the corpus of a golden set, which would become another corpus.

    Raises:
        ConfigError: with the set.
    """
    whole = target.resolve()
    for folder in (whole, *whole.parents):
        if folder.name == CORPUS and (folder.parent / QUESTIONS).is_file():
            raise ConfigError(
                f"{str(target)!r} lies inside the corpus of the golden set {str(folder.parent)!r}, whose documents "
                "it would become; give another path with --to"
            )


@contextmanager
def all_or_nothing(target: Path) -> Iterator[Path]:
    """A path of the same name to write to, in a hidden folder beside the target; it is moved there when all went well.

    The target does not exist or is an empty folder. A killed process leaves the hidden folder at most, an error nothing, new
    folders above included.

    Raises:
        ConfigError: when the target was made by somebody else meanwhile; it stays as it is.
        StoreError: when the disk is full or the path cannot be written.
    """
    whole = target.resolve()
    new = [parent for parent in whole.parents if not parent.exists()]
    try:
        whole.parent.mkdir(parents=True, exist_ok=True)
        hidden = Path(mkdtemp(prefix=f".{whole.name[:50]}.{os.getpid()}.", dir=whole.parent))
        try:
            yield hidden / whole.name
            _move(hidden / whole.name, whole, target)
        except StoreError as error:
            raise StoreError(str(error).replace(str(hidden / whole.name), str(target))) from error
        finally:
            shutil.rmtree(hidden, ignore_errors=True)
    except OSError as error:
        raise StoreError(f"cannot write {str(target)!r}: {error}; nothing was kept") from error
    finally:
        for parent in new:
            with suppress(OSError):
                parent.rmdir()


def _move(written: Path, whole: Path, target: Path) -> None:
    """Renames; a folder takes the place of nothing and of an empty folder only, a file that of nothing."""
    try:
        if written.is_file() and whole.exists():
            raise FileExistsError(errno.EEXIST, "it exists")
        written.rename(whole)
    except OSError as error:
        if error.errno not in _OCCUPIED:
            raise
        raise ConfigError(f"{str(target)!r} exists by now and was left as it is; give another path with --to") from error
