"""Seconds as if nothing had come from a cache.

The variants of a sweep share work: what one computed, the next is given, so wall time tells who came first and not who is
faster. Here a cached call counts as what its outputs took when they were computed. Each thread has its own account; a question
stays in one.
"""

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter

CACHED = " from cache"
"""Ending of the name of a stage whose seconds are not those of computing it."""


@dataclass(slots=True)
class Elapsed:
    """What a block took; filled in at its end."""

    seconds: float = 0.0
    """As if computed; the wall time of what is not known."""
    known: bool = True
    """False when an output came from a cache that does not say what it took."""


class _Account(threading.local):
    """What this thread has to add to its wall clock."""

    blocks = 0
    credit = 0.0
    unknown = 0


_account = _Account()


@contextmanager
def measured() -> Iterator[Elapsed]:
    """Times a block; blocks may stand in one another."""
    elapsed, start, unknown = Elapsed(), _now(), _account.unknown
    _account.blocks += 1
    try:
        yield elapsed
    finally:
        _account.blocks -= 1
        elapsed.seconds = _now() - start
        elapsed.known = _account.unknown == unknown


@contextmanager
def counted_as(seconds: Callable[[], float | None]) -> Iterator[None]:
    """Lets a block count as so many seconds, whatever it takes itself; None where that is not known.

    The seconds are asked for after the block, and only where someone measures.
    """
    start = _now()
    yield
    if not _account.blocks:
        return
    cost = seconds()
    if cost is None:
        _account.unknown += 1
    else:
        _account.credit += cost - (_now() - start)


def timed(stages: Iterable[str]) -> bool:
    """Whether the seconds of all these stages are those of computing them."""
    return not any(stage.endswith(CACHED) for stage in stages)


def _now() -> float:
    return perf_counter() + _account.credit
