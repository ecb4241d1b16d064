"""Completions that travel with an accepted baseline, so that a job without a key gets the very same ones.

A run keeps every completion it used in completions.jsonl of its folder; `harness accept` writes them, sorted by key, beside
the baseline; the runs of the same experiment read them there before they ask anyone. The key is the fingerprint of the model
and the whole request, so a changed prompt, passage or parameter is never answered by an old text. What a completion took stands
with it, so that an answer costs the same whoever replays it. Each line carries the digest of its content: a line that a crash
cut off or a hand edited is left out and counted.
"""

import threading
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from harness.errors import StoreError
from harness.store import Journal
from harness.types import Completion

NAME = "completions.jsonl"
"""The file in a run's folder."""
_COMPLETION: TypeAdapter[Completion] = TypeAdapter(Completion)


class Recordings:
    """What was recorded for an experiment, and what a run of it uses; safe for threads."""

    def __init__(self) -> None:
        self._recorded: dict[str, Completion] = {}
        self._used: dict[str, Completion] = {}
        self._journal: Journal | None = None
        self._lock = threading.Lock()

    @property
    def recorded(self) -> int:
        """How many completions were taken up."""
        return len(self._recorded)

    def read(self, path: Path) -> int:
        """Takes up a recordings file; gives the number of damaged lines, which are left out.

        Raises:
            StoreError: when the file cannot be read.
        """
        self._recorded, damaged = _read(path)
        return damaged

    def write_to(self, path: Path) -> None:
        """Keeps every used completion in this file from now on; what an interrupted run left in it is used again.

        A line that the crash cut off is taken out: its question is asked again.
        """
        with self._lock:
            before = self._used
            self._used, damaged = _read(path)
            self._journal = Journal(path)
            if damaged:
                self._journal.rewrite(_line(key, completion) for key, completion in self._used.items())
            for key, completion in before.items():
                self._write(key, completion)

    def get(self, key: str) -> Completion | None:
        """The completion of this run or of the recordings."""
        return self._used.get(key) or self._recorded.get(key)

    def use(self, key: str, completion: Completion) -> Completion:
        """Notes that a completion was used; gives the one that counts, the first under its key."""
        with self._lock:
            self._write(key, completion)
            return self._used[key]

    def _write(self, key: str, completion: Completion) -> None:
        if key in self._used:
            return
        self._used[key] = completion
        if self._journal is not None:
            self._journal.append(_line(key, completion))


def publish(used: Path, recorded: Path) -> int:
    """Writes what a run used as the recordings of its experiment; gives their number. Without any there is no file.

    Raises:
        StoreError: when a file cannot be read or written, or what the run used is not whole; nothing is then written.
    """
    completions, damaged = _read(used)
    if damaged:
        raise StoreError(
            f"{damaged} of the completions that the run kept in {str(used)!r} are damaged: a baseline must be whole; run it again"
        )
    if completions:
        Journal(recorded).rewrite(_line(key, completions[key]) for key in sorted(completions))
    else:
        recorded.unlink(missing_ok=True)
    return len(completions)


def _line(key: str, completion: Completion) -> dict[str, Any]:
    return {"key": key, **asdict(completion)}


def _read(path: Path) -> tuple[dict[str, Completion], int]:
    if not path.exists():
        return {}, 0
    try:
        whole = list(Journal(path).read())
        lines = sum(1 for line in path.read_bytes().split(b"\n") if line.strip())
        kept = {record.pop("key"): _COMPLETION.validate_python(record) for record in whole}
    except (StoreError, OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "a line of it is no completion"
        raise StoreError(
            f"cannot read the recorded completions {str(path)!r}: {reason}. Restore the file, or delete it"
        ) from error
    return kept, lines - len(whole)
