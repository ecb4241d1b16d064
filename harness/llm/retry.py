"""The one place that tries a model call again, and the one that counts calls against a budget.

Retries multiply when a client, its SDK and its caller each have their own, so the SDK's are off and only this loop runs.
"""

import threading
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TypeVar

from harness.errors import StageError

Result = TypeVar("Result")

FIRST_WAIT = 0.5
"""Seconds before the second attempt; doubled for each one after it."""
LONGEST_WAIT = 120.0
"""Seconds; a server that asks for more ends the attempts."""


class Retryable(Exception):  # noqa: N818
    """An attempt failed in a way that another attempt may mend: 429, 5xx, timeout, lost connection."""

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class Budget:
    """Counts requests, those tried again included, up to a limit; 0 is no limit. Safe for several threads."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.spent = 0
        self._lock = threading.Lock()

    def spend(self, what: str) -> None:
        """Counts one request that is about to be sent.

        Raises:
            StageError: when the limit is reached; nothing is sent.
        """
        with self._lock:
            if self.limit and self.spent >= self.limit:
                raise StageError(
                    f"{what}: the budget of max_calls={self.limit} requests is spent; raise max_calls and resume the run"
                )
            self.spent += 1


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


def wait_before(attempt: int, asked: float | None) -> float:
    """Seconds to wait after a failed attempt (from 1): what the server asked for, never less than the back-off."""
    back_off = min(FIRST_WAIT * 2.0 ** (attempt - 1), LONGEST_WAIT)
    return max(back_off, asked or 0.0)


def with_retries(call: Callable[[], Result], what: str, attempts: int, sleep: Callable[[float], None] = time.sleep) -> Result:
    """What `call` gives, tried at most `attempts` times.

    Raises:
        StageError: names `what`, the attempts made and the last error.
    """
    for attempt in range(1, attempts + 1):
        try:
            return call()
        except Retryable as error:
            wait = wait_before(attempt, error.retry_after)
            if attempt == attempts or wait > LONGEST_WAIT:
                asked = "" if error.retry_after is None else f" (the server asked to wait {error.retry_after:.0f} s)"
                tries = "1 attempt" if attempt == 1 else f"{attempt} attempts"
                raise StageError(f"{what} failed after {tries}{asked}; last error: {error}") from None
            sleep(wait)
    raise StageError(f"{what}: attempts={attempts} allows no call; give at least 1")
