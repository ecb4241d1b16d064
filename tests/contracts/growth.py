"""How the work of a stage grows with the length of a text, in processor seconds of this thread: other load does not count."""

import time
from collections.abc import Callable

LEAST = 0.02
"""Seconds below which a measurement says nothing."""


def growth(work: Callable[[str], object], text: str) -> float:
    """Seconds for a text over seconds for its first quarter: 4 where work grows with the length, 16 with its square.

    The smaller of two measurements is taken of each.
    """
    quarter, whole = (min(_seconds(work, part) for _ in range(2)) for part in (text[: len(text) // 4], text))
    return whole / max(quarter, LEAST)


def _seconds(work: Callable[[str], object], text: str) -> float:
    begun = time.thread_time()
    work(text)
    return time.thread_time() - begun
