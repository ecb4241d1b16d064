"""An order of hits that scores cannot say."""

from collections.abc import Sequence
from math import inf, nextafter

from harness.types import Hit, Ranking

LEAST = 1e-12
"""Lower scores are raised to it: below it there is room for an order."""


def descending(hits: Sequence[Hit], faults: int = 0) -> Ranking:
    """The hits in this order: a score that is not below the one before is lowered by the least that a float can say.

    Scores below 1e-12 count as 1e-12, so that hits of score 0 keep their order too.
    """
    kept: list[Hit] = []
    for hit in hits:
        highest = nextafter(kept[-1].score, 0.0) if kept else inf
        kept.append(Hit(hit.chunk, min(max(hit.score, LEAST), highest)))
    return Ranking(tuple(kept), faults=faults)
