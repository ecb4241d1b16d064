"""Interleaved timing: each round runs every contender once, and the medians of CPU time are compared."""

import time
from collections.abc import Callable, Mapping
from statistics import median


def medians(contenders: Mapping[str, Callable[[], object]], rounds: int = 5) -> dict[str, float]:
    """Median CPU seconds of each contender over interleaved rounds, after one round of warming up."""
    spent: dict[str, list[float]] = {name: [] for name in contenders}
    for place in range(rounds + 1):
        for name, call in contenders.items():
            start = time.process_time()
            call()
            if place:
                spent[name].append(time.process_time() - start)
    return {name: median(values) for name, values in spent.items()}
