"""Seconds per stage, as people read them."""

from collections.abc import Iterable
from dataclasses import dataclass

from harness.runs import latency
from harness.types import Trace


@dataclass(frozen=True, slots=True)
class Latency:
    """Seconds of one stage over the questions of a run, as if nothing had come from a cache."""

    stage: str
    """The stage; `rerank from cache` where what it took when it was computed is not known."""
    p50: str
    """Half of the questions took no longer."""
    p95: str
    """95 % of the questions took no longer."""


def latencies(traces: Iterable[Trace]) -> list[Latency]:
    """One line per stage in the order in which stages first appear."""
    return [Latency(stage, duration(ends["p50"]), duration(ends["p95"])) for stage, ends in latency(traces).items()]


def duration(seconds: float) -> str:
    """`420 µs`, `12 ms` or `3.4 s`."""
    if seconds < 0.001:
        return f"{seconds * 1e6:.0f} µs"
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:,.1f} s"
