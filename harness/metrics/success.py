"""Success@k and complete@k: is anything found, is everything found?"""

from typing import ClassVar

from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from harness.metrics.base import RankingMetric
from harness.metrics.coverage import Found


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Success(RankingMetric):
    """Success@k, also called hit rate; equals trec_eval's success_k when every document is one chunk."""

    family: ClassVar[str] = "success"
    label: ClassVar[str] = "Success@{k}"
    formula: ClassVar[str] = "1 if any evidence group is found within the first k chunks, else 0"
    source: ClassVar[str] = "trec_eval success_k"

    def value(self, found: Found) -> float:
        """1 or 0."""
        return float(found.order[0] <= self.k)


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Complete(RankingMetric):
    """Complete@k: what a multi-hop question needs before it can be answered at all."""

    family: ClassVar[str] = "complete"
    label: ClassVar[str] = "Complete@{k}"
    formula: ClassVar[str] = "1 if all evidence groups are found within the first k chunks, else 0"
    source: ClassVar[str] = "all-or-nothing recall of multi-hop retrieval, Xiong et al. 2021 (MDR), arXiv 2009.12756"

    def value(self, found: Found) -> float:
        """1 or 0."""
        return float(found.order[-1] <= self.k)
