"""Work in a thread of its own that nobody has to wait for, not even the end of the process."""

import threading
from collections.abc import Callable
from types import TracebackType
from typing import Generic, Self, TypeVar

Result = TypeVar("Result")


class Aside(Generic[Result]):
    """Work under way: whoever waits for it can be interrupted, and the process can end before it does."""

    def __init__(self, work: Callable[[], Result], after: Callable[["Aside[Result]"], None] = lambda _: None) -> None:
        """Starts the work.

        Args:
            work: what is done.
            after: called in the thread, with this, once the work has ended.
        """
        self.done = threading.Event()
        self.abandoned = False
        self._error: BaseException | None = None
        self._result: Result

        def run() -> None:
            with self:
                self._result = work()
            after(self)

        threading.Thread(target=run, name="aside", daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _kind: type[BaseException] | None, error: BaseException | None, _trace: TracebackType | None) -> bool:
        self._error = error
        self.done.set()
        return True

    def result(self) -> Result:
        """What the work came to, waited for; raises what it raised."""
        self.done.wait()
        if self._error is not None:
            raise self._error
        return self._result
