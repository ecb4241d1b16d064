"""Interleaved timing: each round runs every contender once, and the medians of CPU time are compared."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import median


@dataclass(frozen=True, slots=True)
class Row:
    """One case against one rival."""

    case: str
    """What is timed."""
    rival: str
    """What people would use in its place, or the budget."""
    times: float
    """The rival's CPU time / ours."""
    bar: float | None
    """What it must reach; None where nothing was promised."""
    size: str
    """How much of it."""
    seconds: float
    """Our CPU seconds, median."""
    rival_seconds: float
    """The rival's CPU seconds, median, or the budget."""


def against(
    case: str, rival: str, ours: Callable[[], object], theirs: Callable[[], object], bar: float | None, size: str, rounds: int = 5
) -> Row:
    """Times a case and its rival side by side."""
    spent = medians({"ours": ours, "theirs": theirs}, rounds)
    return Row(case, rival, spent["theirs"] / spent["ours"], bar, size, spent["ours"], spent["theirs"])


def within(case: str, budget: float, ours: Callable[[], object], bar: float | None, size: str) -> Row:
    """Times a case against a budget of seconds."""
    spent = medians({"ours": ours})["ours"]
    return Row(case, "the budget", budget / spent, bar, size, spent, budget)


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
