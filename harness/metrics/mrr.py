"""Reciprocal rank; its mean over questions is MRR."""

from typing import ClassVar

from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from harness.metrics.base import RankingMetric
from harness.metrics.coverage import Found


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class ReciprocalRank(RankingMetric):
    """RR bounded by a depth: MRR@10. Equals trec_eval's recip_rank when every document is one chunk."""

    family: ClassVar[str] = "mrr"
    label: ClassVar[str] = "MRR@{k}"
    formula: ClassVar[str] = "1 / rank of the first chunk that covers an evidence group or completes it; 0 beyond rank k"
    source: ClassVar[str] = "Voorhees 1999 (TREC-8 QA); trec_eval recip_rank; depth as in MS MARCO"

    def value(self, found: Found) -> float:
        """1 / rank, or 0."""
        first = found.order[0]
        return 1.0 / first if first <= self.k else 0.0
