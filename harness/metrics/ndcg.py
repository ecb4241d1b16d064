"""nDCG@k over newly covered evidence.

The gain of a rank is the share of evidence that its chunk newly covers, counted in groups (a group is worth 1 from
tau on), so an overlapping copy earns nothing. The ideal ranking completes one more of the m groups at each rank:
DCG = sum of 1/log2(i + 1) for i = 1 .. min(k, m). A chunk that completes several groups at once cannot beat it: the
gain summed up to rank i counts at most i, and the rest counts at the ranks that follow, as if those chunks had stood
there. Hence a ranking that could not be better scores 1 whatever the chunk size, none scores more, the ideal depends on the
question alone, and with one chunk per document the number is trec_eval's ndcg_cut.
"""

from itertools import accumulate
from math import log2
from typing import ClassVar

from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from harness.metrics.base import RankingMetric
from harness.metrics.coverage import Found

_DISCOUNT = (0.0, *(1.0 / log2(rank + 1) for rank in range(1, 10_001)))
_IDEAL = tuple(accumulate(_DISCOUNT))


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class NDCG(RankingMetric):
    """nDCG@k with the gain of newly covered evidence."""

    family: ClassVar[str] = "ndcg"
    label: ClassVar[str] = "nDCG@{k}"
    formula: ClassVar[str] = "sum over ranks i <= k of newly covered share of evidence / log2(i + 1), divided by its ideal"
    source: ClassVar[str] = "Järvelin & Kekäläinen 2002; trec_eval ndcg_cut; novelty after Clarke et al. 2008 (alpha-nDCG)"

    def value(self, found: Found) -> float:
        """DCG / ideal DCG."""
        return min(1.0, _dcg(found.gains, self.k) / _IDEAL[min(self.k, len(found.ranks))])


def _dcg(gains: tuple[tuple[int, float], ...], k: int) -> float:
    """Discounted gain of the first k ranks."""
    total = 0.0
    for rank, gain in gains:
        if rank > k:
            break
        if gain > 1.0:
            return _carried(gains, k)
        total += gain * _DISCOUNT[rank]
    return total


def _carried(gains: tuple[tuple[int, float], ...], k: int) -> float:
    """The same where a chunk completes several groups: what is gained by rank i counts at most i, the rest later."""
    total = gained = counted = 0.0
    place = 0
    for rank, gain in (*gains, (k + 1, 0.0)):
        while counted < gained and place + 1 < min(rank, k + 1):
            place += 1
            step = min(gained, place) - counted
            total, counted = total + step * _DISCOUNT[place], counted + step
        if rank > k:
            break
        place, gained = rank, gained + gain
        step = min(gained, rank) - counted
        total, counted = total + step * _DISCOUNT[rank], counted + step
    return total
