"""Where in a ranking each piece of evidence is found: exact arithmetic on character spans.

Of each document the first k chunks cover a union of characters. A span is covered at k when that union holds at
least tau of it, an evidence group is found at k when any of its alternatives is covered. One pass gives the rank at
which every group is found, and every depth k reads from that; nothing overlapping or repeated can count twice.
"""

import sys
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from math import ceil
from typing import NamedTuple

from harness.types import Evidence, Ranking, Span

NEVER = sys.maxsize
"""The rank of what is not found."""


class Found(NamedTuple):
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
    order: list[int]
    """The ranks of all groups, rising."""

    def share(self, k: int) -> float:
        """Share of the groups that are found within the first k hits."""
        return bisect_right(self.order, k) / len(self.order)


Gaps = dict[tuple[int, Span], list[tuple[int, int]]]
"""What is still uncovered of an alternative of a group, once a part of it is covered."""


def find(evidence: tuple[Evidence, ...], ranking: Ranking, tau: float, depth: int = NEVER) -> Found:
    """Where the evidence is found within the first `depth` hits."""
    targets: dict[str, list[tuple[int, Span]]] = {}
    for group, item in enumerate(evidence):
        for span in item.alternatives:
            if span.doc_id in targets:
                targets[span.doc_id].append((group, span))
            else:
                targets[span.doc_id] = [(group, span)]
    hits = ranking.hits if depth >= len(ranking.hits) else ranking.hits[:depth]
    met = [(rank, hit.chunk.span) for rank, hit in enumerate(hits, 1) if hit.chunk.span.doc_id in targets]
    ranks, whole, shares = [NEVER] * len(evidence), [NEVER] * len(evidence), [0.0] * len(evidence)
    gains: list[tuple[int, float]] = []
    gaps: Gaps = {}
    for rank, span in met:
        gain = 0.0
        for group, wanted in targets[span.doc_id]:
            if span.start <= wanted.start < wanted.end <= span.end:
                share, alone = 1.0, True
            elif span.start < wanted.end and wanted.start < span.end:
                share, alone = _part(group, wanted, span, tau, gaps)
            else:
                continue
            if alone and whole[group] == NEVER:
                whole[group] = rank
            if share > shares[group]:
                gain += share - shares[group]
                shares[group] = share
                if share == 1.0:
                    ranks[group] = rank
        if gain:
            gains.append((rank, gain))
    return Found(evidence, ranking, tuple(ranks), tuple(whole), tuple(gains), sorted(ranks))


def _part(group: int, wanted: Span, span: Span, tau: float, gaps: Gaps) -> tuple[float, bool]:
    """Covers a part of a wanted span. Returns which share of tau is covered now, and whether this part alone is enough."""
    left = [
        gap
        for low, high in gaps.get((group, wanted), [(wanted.start, wanted.end)])
        for gap in ((low, min(high, span.start)), (max(low, span.end), high))
        if gap[0] < gap[1]
    ]
    gaps[group, wanted] = left
    need = max(1, ceil(tau * len(wanted) - 1e-9))
    covered = len(wanted) - sum(high - low for low, high in left)
    return min(1.0, covered / need), min(wanted.end, span.end) - max(wanted.start, span.start) >= need


Piece = tuple[str, int, int]
"""A span as a plain tuple: document, start, end."""


def union(spans: Iterable[Span]) -> list[Piece]:
    """The same characters as disjoint pieces, sorted."""
    joined: list[Piece] = []
    last_id, last_end = "", -1
    for doc_id, start, end in sorted([(span.doc_id, span.start, span.end) for span in spans]):
        if start >= end:
            continue
        if doc_id != last_id or start > last_end:
            joined.append((doc_id, start, end))
            last_id, last_end = doc_id, end
        elif end > last_end:
            joined[-1] = (doc_id, joined[-1][1], end)
            last_end = end
    return joined


def size(pieces: Sequence[Piece]) -> int:
    """Characters in disjoint pieces."""
    return sum([end - start for _, start, end in pieces])


def overlap(one: Sequence[Piece], other: Sequence[Piece]) -> int:
    """Characters that two lists of disjoint pieces share."""
    theirs: dict[str, list[Piece]] = {}
    for piece in other:
        theirs.setdefault(piece[0], []).append(piece)
    shared = 0
    for doc_id, start, end in one:
        for _, low, high in theirs.get(doc_id, ()):
            shared += max(0, min(end, high) - max(start, low))
    return shared


def touches(span: Span, evidence: Evidence) -> bool:
    """Whether a span shares a character with any alternative."""
    return any(
        span.doc_id == other.doc_id and span.start < other.end and other.start < span.end for other in evidence.alternatives
    )
