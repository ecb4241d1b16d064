"""How much of what was retrieved is evidence, and how much of it is a repetition."""

from typing import ClassVar

from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from harness.metrics.base import RankingMetric
from harness.metrics.coverage import Found, Piece, overlap, size, union

_SOURCE = "Smith & Troynikov 2024, Evaluating Chunking Strategies for Retrieval (Chroma)"


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class SpanPrecision(RankingMetric):
    """Share of the retrieved characters that are evidence."""

    family: ClassVar[str] = "span_precision"
    label: ClassVar[str] = "Span precision@{k}"
    formula: ClassVar[str] = "evidence characters in the union of the first k chunks / characters of that union"
    source: ClassVar[str] = _SOURCE

    def value(self, found: Found) -> float:
        """Evidence characters / characters; 0 for an empty ranking."""
        chunks = retrieved(found, self.k)
        return overlap(chunks, wanted(found)) / size(chunks) if chunks else 0.0


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class SpanIoU(RankingMetric):
    """Characters that are both retrieved and evidence, of those that are either."""

    family: ClassVar[str] = "span_iou"
    label: ClassVar[str] = "Span IoU@{k}"
    formula: ClassVar[str] = "characters in both the union of the first k chunks and of the evidence / characters in either"
    source: ClassVar[str] = _SOURCE

    def value(self, found: Found) -> float:
        """Intersection over union."""
        chunks, evidence = retrieved(found, self.k), wanted(found)
        both = overlap(chunks, evidence)
        either = size(chunks) + size(evidence) - both
        return both / either if either else 0.0


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Redundancy(RankingMetric):
    """Share of the retrieved characters that were retrieved before."""

    family: ClassVar[str] = "redundancy"
    label: ClassVar[str] = "Redundancy@{k}"
    formula: ClassVar[str] = "1 - characters of the union of the first k chunks / sum of their lengths"
    source: ClassVar[str] = _SOURCE
    higher_is_better: ClassVar[bool] = False

    def value(self, found: Found) -> float:
        """0 when no character repeats."""
        lengths = sum(len(hit.chunk.span) for hit in found.ranking.hits[: self.k])
        return 1.0 - size(retrieved(found, self.k)) / lengths if lengths else 0.0


def retrieved(found: Found, k: int) -> list[Piece]:
    """The union of the first k chunks."""
    return union([hit.chunk.span for hit in found.ranking.hits[:k]])


def wanted(found: Found) -> list[Piece]:
    """The union of all evidence, every alternative of it."""
    return union([span for group in found.evidence for span in group.alternatives])
