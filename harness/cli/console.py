"""What stands on the screen while a command runs: progress on stderr, results on stdout."""

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from harness.errors import HarnessError
from harness.protocols import Progress
from harness.reporting.escape import clean

if TYPE_CHECKING:
    from rich.console import Console

_QUIET_SECONDS = 2.0
_LINE_EVERY = 10.0


def out() -> "Console":
    """The console of results; text of documents stays as it is, `:smile:` and `[red]` included."""
    return _console()


def print_json(value: Any, indent: int | None = None) -> None:
    """A value as JSON on stdout, on one line without an indent; all but ASCII is escaped, so that no text obeys the terminal."""
    out().out(json.dumps(value, allow_nan=False, indent=indent), highlight=False)


def print_error(error: HarnessError) -> None:
    """One clear block on stderr."""
    from harness.reporting.terminal import problem_block

    _console(stderr=True).print(problem_block(error))


def note(text: str) -> None:
    """A remark on stderr, without control characters that foreign text may hold."""
    print(clean(text), file=sys.stderr)


def _console(stderr: bool = False) -> "Console":
    from rich.console import Console

    return Console(stderr=stderr, highlight=False, markup=False, emoji=False)


@contextmanager
def progress() -> Iterator[Progress]:
    """A bar per step with time left; steps under two seconds show nothing.

    Where stderr is no terminal it is a line every ten seconds instead.
    """
    if not sys.stderr.isatty():
        yield _Lines()
        return
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    columns = (TextColumn("{task.description:28}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(compact=True))
    with Bars(*columns, console=_console(stderr=True), transient=True) as bars:
        yield _Bar(bars)


@dataclass
class _Bar:
    """Shows one bar, that of the step going on."""

    bars: object
    """rich.progress.Progress."""
    started: dict[str, float] = field(default_factory=dict)
    """First call by step."""
    tasks: dict[str, int] = field(default_factory=dict)
    """Visible tasks by step."""

    def __call__(self, what: str, done: int, total: int) -> None:
        from rich.progress import Progress as Bars
        from rich.progress import TaskID

        assert isinstance(self.bars, Bars)
        now = time.monotonic()
        began = self.started.setdefault(what, now)
        if what not in self.tasks and now - began > _QUIET_SECONDS:
            for other in self.tasks.values():
                self.bars.update(TaskID(other), visible=False)
            self.tasks[what] = self.bars.add_task(what, total=total)
        if what in self.tasks:
            self.bars.update(TaskID(self.tasks[what]), completed=done, total=total)


@dataclass
class _Lines:
    """A line every ten seconds, for logs."""

    started: dict[str, float] = field(default_factory=dict)
    """First call by step."""
    said: float = 0.0
    """When the last line was written."""

    def __call__(self, what: str, done: int, total: int) -> None:
        now = time.monotonic()
        began = self.started.setdefault(what, now)
        if now - max(began, self.said) < _LINE_EVERY or not done:
            return
        self.said = now
        left = (now - began) / done * (total - done)
        note(f"{what}: {done:,} of {total:,}, about {left:,.0f} s left")
