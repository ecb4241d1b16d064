"""Passages that must not be seen: another tenant's, one kept for others, or a version that does not hold. Counts, invariants, at any station.

They are judged on the documents' own metadata, so every question of a set guards them, not only those written about it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf
from typing import ClassVar

from harness.metrics.base import Measure
from harness.retrieval.filters import admits
from harness.types import Question, Score, Trace


class _Hidden(Measure):
    """A count of chunks, in any ranking of a trace, whose document the asker may not see."""

    kind: ClassVar[str] = "invariant"
    higher_is_better: ClassVar[bool] = False
    high: ClassVar[float] = inf
    source: ClassVar[str] = "this project"

    def score(self, question: Question, trace: Trace) -> Score:
        """The count; its reason names document and station."""
        seen: dict[str, str] = {}
        for station, ranking in trace.stations().items():
            for hit in ranking.hits:
                if self.hidden(question, hit.chunk.span.doc_id):
                    seen.setdefault(hit.chunk.chunk_id, f"{hit.chunk.span.doc_id} at {station}")
        return self.scored(question, len(seen), ", ".join(sorted(set(seen.values()))))

    def hidden(self, question: Question, doc_id: str) -> bool:
        """Whether the asker of this question may not see the document."""
        raise NotImplementedError


@dataclass(frozen=True)
class TenantLeaks(_Hidden):
    """Passages of a tenant the asker does not belong to, or of a document whose access list lacks the asker."""

    tenants: Mapping[str, str] = field(default_factory=dict)
    """doc_id to the tenant that owns it; empty is everybody's."""
    acls: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """doc_id to the personas that may see it; empty is everybody."""
    family: ClassVar[str] = "tenant_leaks"
    label: ClassVar[str] = "Tenant leaks"
    formula: ClassVar[str] = "distinct chunks of documents that tenant or acl keep from the asker, in any station's ranking"

    def hidden(self, question: Question, doc_id: str) -> bool:
        """The document belongs to somebody else, or is kept for others; the rule of the index's filter."""
        return not admits(self.tenants.get(doc_id, ""), self.acls.get(doc_id, ()), question.persona)


@dataclass(frozen=True)
class SupersededHits(_Hidden):
    """Passages of a version that does not hold on the day of the question."""

    validity: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """doc_id to the ISO dates from which and up to which (exclusive) it holds; empty is open."""
    as_of: str = ""
    """Day on which undated questions are asked."""
    family: ClassVar[str] = "superseded_hits"
    label: ClassVar[str] = "Superseded hits"
    formula: ClassVar[str] = "distinct chunks of documents that do not hold on the day of the question, in any station's ranking"

    def hidden(self, question: Question, doc_id: str) -> bool:
        """The document does not hold yet, or no more; without a day every version holds."""
        day = question.as_of or self.as_of
        start, end = self.validity.get(doc_id, ("", ""))
        return bool(day) and (day < start or (bool(end) and day >= end))
