"""Whole evidence: is it inside one chunk, or did the chunker cut it apart?"""

from typing import ClassVar

from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from harness.metrics.base import RankingMetric
from harness.metrics.coverage import Found


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class WholeEvidence(RankingMetric):
    """Share of the evidence groups that one retrieved chunk holds by itself: what cutting destroys."""

    family: ClassVar[str] = "whole_evidence"
    label: ClassVar[str] = "Whole evidence@{k}"
    formula: ClassVar[str] = "evidence groups of which one of the first k chunks alone covers tau / evidence groups"
    source: ClassVar[str] = "this project (golden sets, relevance on spans)"

    def value(self, found: Found) -> float:
        """Groups inside one chunk / groups."""
        return sum(rank <= self.k for rank in found.whole) / len(found.whole)
