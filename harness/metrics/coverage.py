"""Where in a ranking each piece of evidence is found: exact arithmetic on character spans.

Of each document the first k chunks cover a union of characters. A span is covered at k when that union holds at
least tau of it, an evidence group is found at k when any of its alternatives is covered. One pass gives the rank at
which every group is found, and every depth k reads from that; nothing overlapping or repeated can count twice.
"""

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil
from threading import local

from harness.types import Evidence, Ranking, Span

NEVER = sys.maxsize
"""The rank of what is not found."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a ranking finds of a question's evidence, for all depths at once."""

    evidence: tuple[Evidence, ...]
    """The groups looked for; never empty."""
    ranking: Ranking
    """Where they were looked for."""
    ranks: tuple[int, ...]
    """Per group, the rank (from 1) at which the union of chunks covers it; NEVER if it does not."""
    whole: tuple[int, ...]
    """Per group, the rank of the first chunk that covers it alone."""
    gains: tuple[tuple[int, float], ...]
    """(rank, newly covered share of the evidence in groups), only ranks that add something, in order."""

    def at(self, k: int) -> int:
        """Groups found within the first k hits."""
        return len([rank for rank in self.ranks if rank <= k])


class _Target:
    """One alternative of one group, with what is still uncovered of it."""

    __slots__ = ("covered", "gaps", "group", "need", "span")

    def __init__(self, group: int, span: Span, tau: float) -> None:
        self.group, self.span, self.covered = group, span, 0
        self.need = max(1, ceil(tau * len(span) - 1e-9))
        self.gaps = [(span.start, span.end)]

    def take(self, start: int, end: int) -> int:
        """Covers start:end. Returns how much of the span that chunk holds by itself."""
        alone = min(end, self.span.end) - max(start, self.span.start)
        if alone <= 0 or not self.gaps:
            return max(0, alone)
        if alone == len(self.span):
            self.gaps, self.covered = [], alone
            return alone
        self.gaps = [
            gap for low, high in self.gaps for gap in ((low, min(high, start)), (max(low, end), high)) if gap[0] < gap[1]
        ]
        self.covered = len(self.span) - sum(high - low for low, high in self.gaps)
        return alone


class _Memory(local):
    """The last question asked about in this thread."""

    key: tuple[object, object, float] = (None, None, 0.0)
    found: Found | None = None


_memory = _Memory()


def find(evidence: tuple[Evidence, ...], ranking: Ranking, tau: float) -> Found:
    """Where the evidence is found. Metrics ask about one ranking in turn, so each thread keeps its last answer."""
    last = _memory.key
    if _memory.found is None or last[0] is not evidence or last[1] is not ranking or last[2] != tau:
        _memory.found, _memory.key = _find(evidence, ranking, tau), (evidence, ranking, tau)
    return _memory.found


def _find(evidence: tuple[Evidence, ...], ranking: Ranking, tau: float) -> Found:
    targets: dict[str, list[_Target]] = {}
    for group, item in enumerate(evidence):
        for span in item.alternatives:
            targets.setdefault(span.doc_id, []).append(_Target(group, span, tau))
    ranks, whole, shares = [NEVER] * len(evidence), [NEVER] * len(evidence), [0.0] * len(evidence)
    gains: list[tuple[int, float]] = []
    spans = ((rank, hit.chunk.span) for rank, hit in enumerate(ranking.hits, 1))
    for rank, span in [(rank, span) for rank, span in spans if span.doc_id in targets]:
        gain = 0.0
        for target in targets[span.doc_id]:
            group = target.group
            if target.take(span.start, span.end) >= target.need:
                whole[group] = min(whole[group], rank)
            if target.covered >= target.need:
                ranks[group] = min(ranks[group], rank)
            reached = min(1.0, target.covered / target.need)
            gain += max(0.0, reached - shares[group])
            shares[group] = max(shares[group], reached)
        if gain:
            gains.append((rank, gain))
    return Found(evidence, ranking, tuple(ranks), tuple(whole), tuple(gains))


Piece = tuple[str, int, int]
"""A span as a plain tuple: document, start, end."""


def union(spans: Iterable[Span]) -> list[Piece]:
    """The same characters as disjoint pieces, sorted."""
    joined: list[Piece] = []
    for doc_id, start, end in sorted((span.doc_id, span.start, span.end) for span in spans if span.end > span.start):
        if joined and joined[-1][0] == doc_id and start <= joined[-1][2]:
            joined[-1] = (doc_id, joined[-1][1], max(joined[-1][2], end))
        else:
            joined.append((doc_id, start, end))
    return joined


def size(pieces: Sequence[Piece]) -> int:
    """Characters in disjoint pieces."""
    return sum(end - start for _, start, end in pieces)


def overlap(one: Sequence[Piece], other: Sequence[Piece]) -> int:
    """Characters that two lists of disjoint pieces share."""
    theirs: dict[str, list[Piece]] = {}
    for piece in other:
        theirs.setdefault(piece[0], []).append(piece)
    pairs = ((piece, match) for piece in one for match in theirs.get(piece[0], ()))
    return sum(max(0, min(piece[2], match[2]) - max(piece[1], match[1])) for piece, match in pairs)


def touches(span: Span, evidence: Evidence) -> bool:
    """Whether a span shares a character with any alternative."""
    return any(
        span.doc_id == other.doc_id and span.start < other.end and other.start < span.end for other in evidence.alternatives
    )
