"""What goes when a table goes: its client, its temporary folder, its collection elsewhere where that is not kept."""

import shutil
import time
import weakref
from collections.abc import Callable
from pathlib import Path
from tempfile import mkdtemp
from threading import Thread

from harness.errors import StageError

PATIENCE = 5.0
"""Seconds that a process that ends gives all its tables together."""

_OPEN: list[tuple[weakref.finalize, str]] = []  # type: ignore[type-arg]
_TEMPORARY: set[Path] = set()
_LEFT: list[str] = []


def goes_with(table: object, close: Callable[[], None], elsewhere: str = "") -> None:
    """Calls `close` once, when a table goes, at the latest with the process.

    Args:
        table: what is closed; `close` must not hold it.
        close: closes the client and deletes what is not kept; where that fails, it raises a StageError.
        elsewhere: names what is deleted on another machine, so that `leave` can say that it is still there.
    """
    _OPEN[:] = [(closing, name) for closing, name in _OPEN if closing.alive]
    _OPEN.append((weakref.finalize(table, _close, close, elsewhere), elsewhere))


def temporary_folder() -> Path:
    """A new folder, which `remove` or `leave` takes away."""
    folder = Path(mkdtemp(prefix="harness-store-"))
    _TEMPORARY.add(folder)
    return folder


def remove(folder: Path) -> None:
    """Deletes a temporary folder."""
    shutil.rmtree(folder, ignore_errors=True)
    _TEMPORARY.discard(folder)


def leave(patience: float = PATIENCE) -> list[str]:
    """Closes all tables that are open, at once and for so many seconds at most, and deletes all temporary folders.

    Returns:
        What could not be deleted on other machines, as a sentence each.
    """
    end = time.monotonic() + patience
    closing = [(Thread(target=close, daemon=True), name) for close, name in _OPEN if close.alive]
    for thread, _ in closing:
        thread.start()
    for thread, _ in closing:
        thread.join(max(0.0, end - time.monotonic()))
    for folder in list(_TEMPORARY):
        remove(folder)
    late = [f"{name} is still there: no answer within {patience:g} s." for thread, name in closing if name and thread.is_alive()]
    left, _LEFT[:] = [*_LEFT, *late], []
    return left


def _close(close: Callable[[], None], elsewhere: str) -> None:
    try:
        close()
    except StageError as error:
        _LEFT.append(f"{elsewhere or 'A table'} is still there: {error}.")
