"""The one way of every paid or remote call: bounded attempts, a deadline, few at once, the budget.

Retries multiply when a client, its SDK and its caller each have their own. The SDKs' are off, and only `called` tries again.
"""

import threading
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import partial
from time import monotonic, sleep
from typing import Any, Self, TypeVar

from harness.elapsed import counted_as
from harness.errors import StageError
from harness.llm.aside import Aside
from harness.spending import ExhaustedError, ledger
from harness.types import Usage

Result = TypeVar("Result")

FIRST_WAIT = 0.5
"""Seconds before the second attempt; doubled for each one after it."""
LONGEST_WAIT = 60.0
"""Seconds of the longest back-off; what a server asks for may be longer."""
GRACE = 0.25
"""Seconds after its time that an attempt is given to fail by itself."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long and how often a server is asked."""

    timeout: float = 60.0
    """Seconds for one attempt."""
    attempts: int = 4
    """Requests for one call at most: the first and its retries."""
    deadline: float = 180.0
    """Seconds for all attempts of a call together, waits included."""
    concurrency: int = 8
    """Requests of this process that are under way at one server, those that were given up included until they end."""


class Retryable(Exception):  # noqa: N818
    """An attempt failed in a way that another attempt may mend: 429, 5xx, timeout, lost connection, unreadable reply."""

    def __init__(self, message: str, retry_after: float | None = None, limited: bool = False) -> None:
        super().__init__(message)
        self.retry_after = retry_after
        self.limited = limited


def called(
    what: str,
    host: str,
    send: Callable[..., Result],
    patience: Patience,
    most: Usage,
    priced: bool = True,
) -> Result:
    """What `send` gives, tried until it answers, is refused, or the attempts or the time are used up.

    Args:
        what: names the model or the server in messages, such as `model 'openai/gpt-4o-mini'`.
        host: whose calls are counted together.
        send: makes one request: `send(seconds, held=held)`. It is given the seconds that it may take and the entry of the
            ledger, whose `took` it sets to what the request took, where that is known. It raises Retryable, or a HarnessError
            that ends the call.
        patience: how long and how often.
        most: tokens and money that one attempt takes at most.
        priced: whether the money is known.

    Raises:
        ExhaustedError: R004 when the budget is spent, or held by others until the deadline; R005 when the server refused every attempt for its rate limit.
        StageError: R006 when the last attempt failed in another way, or time is up.
    """
    with _Place(host, patience) as place:
        end = monotonic() + patience.deadline
        for attempt in range(1, patience.attempts + 1):
            try:
                place.take(end - monotonic())
                return _attempt(what, send, place, most, priced, end)
            except Retryable as error:
                failed = error
            wait = wait_before(attempt, failed.retry_after)
            late = monotonic() + wait >= end
            if late or attempt == patience.attempts:
                break
            sleep(wait)
    tries = "1 attempt" if attempt == 1 else f"{attempt} attempts"
    asked = "" if failed.retry_after is None else f" (the server asked to wait {failed.retry_after:.0f} s)"
    why = f"; deadline={patience.deadline:g} leaves no time for another" if late and attempt < patience.attempts else ""
    code, kind = ("R005", ExhaustedError) if failed.limited else ("R006", StageError)
    raise kind(f"{code} {what} failed after {tries}{asked}{why}; last error: {failed}")


def wait_before(attempt: int, asked: float | None) -> float:
    """Seconds to wait after a failed attempt (from 1): what the server asked for, never less than the back-off."""
    back_off = min(FIRST_WAIT * 2.0 ** (attempt - 1), LONGEST_WAIT)
    return max(back_off, asked or 0.0)


def seconds_asked(headers: Mapping[str, str]) -> float | None:
    """The wait a Retry-After header asks for: seconds or an HTTP date (RFC 9110, 10.2.3); None when there is none."""
    value = headers.get("retry-after") or headers.get("Retry-After") or ""
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        moment = parsedate_to_datetime(value)
    except (ValueError, TypeError):
        return None
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, (aware - datetime.now(UTC)).total_seconds())


def _attempt(what: str, send: Callable[..., Result], place: "_Place", most: Usage, priced: bool, end: float) -> Result:
    """One request, once the budget has room for it; the wait for that counts as no time of a stage."""
    with ExitStack() as entry:
        with counted_as(lambda: 0.0):
            held = entry.enter_context(ledger().request(what, most, priced, end))
        seconds = min(place.patience.timeout, end - monotonic())
        if seconds <= 0:
            held.took = Usage()
            raise Retryable("no time was left to send it")
        return _bounded(seconds, partial(send, held=held), place)


def _bounded(seconds: float, send: Callable[[float], Result], place: "_Place") -> Result:
    """What `send` gives within its time. A server that sends a byte now and then would never time out by itself."""
    task: Aside[Result] = Aside(lambda: send(seconds), place.after)
    try:
        ended = task.done.wait(seconds + GRACE)
    finally:
        place.leave(task)
    if not ended:
        raise Retryable(f"no whole reply within {seconds:.3g} s")
    return task.result()


class _Server:
    """How many requests are under way at a server."""

    def __init__(self) -> None:
        self.open = 0
        self.changed = threading.Condition()


_servers: dict[str, _Server] = {}


class _Place:
    """One of the places at a server: a call's, or that of a request which it gave up and which has not ended yet.

    The wait for one counts as no time of a stage.
    """

    def __init__(self, host: str, patience: Patience) -> None:
        self.patience = patience
        self._server = _servers.setdefault(host, _Server())
        self._held = False

    def __enter__(self) -> Self:
        """Waits as long as places become free now and then: each call that holds one has a deadline.

        Raises:
            StageError: R006 when none became free for a whole deadline.
        """
        with counted_as(lambda: 0.0), self._server.changed:
            while self._server.open >= self.patience.concurrency:
                if not self._server.changed.wait(min(self.patience.deadline, threading.TIMEOUT_MAX)):
                    raise StageError(
                        f"R006 the server did not end any of {self._server.open} requests for deadline={self.patience.deadline:g} s; "
                        f"no more than concurrency={self.patience.concurrency} may be under way"
                    )
            self._occupy()
        return self

    def __exit__(self, *_error: object) -> None:
        if self._held:
            self._free()

    def take(self, seconds: float) -> None:
        """Takes a place again, where the last one was left to a request.

        Raises:
            Retryable: when none becomes free in that time.
        """
        if self._held:
            return
        with counted_as(lambda: 0.0), self._server.changed:
            if not self._server.changed.wait_for(lambda: self._server.open < self.patience.concurrency, max(0.0, seconds)):
                raise Retryable("the requests that were given up have not ended, and hold all places at the server")
            self._occupy()

    def leave(self, task: "Aside[Any]") -> None:
        """Leaves the place to a request that has not ended."""
        with self._server.changed:
            if not task.done.is_set():
                task.abandoned, self._held = True, False

    def after(self, task: "Aside[Any]") -> None:
        """Frees the place that a request was left with."""
        with self._server.changed:
            if task.abandoned:
                self._free()

    def _occupy(self) -> None:
        self._server.open += 1
        self._held = True

    def _free(self) -> None:
        with self._server.changed:
            self._server.open -= 1
            self._server.changed.notify_all()
