"""Passages that must not be seen: another tenant's, one kept for others, a version that does not hold, a withdrawn document.

Counts, invariants, at any station. They are judged on the documents' own metadata, so every question of a set guards them, not only those written about it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import inf
from typing import ClassVar

from harness.metrics.base import Measure
from harness.retrieval.filters import admits, age, holds, newest_of_series, sees, withdrawn
from harness.types import Document, Question, Score, Trace


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
    """Passages of a version that does not hold on the day of the question, or of one older than its series' newest."""

    documents: Mapping[str, Document] = field(default_factory=dict)
    """By doc_id what says from when to when each holds and to which series it belongs."""
    as_of: str = ""
    """Day on which undated questions are asked."""
    family: ClassVar[str] = "superseded_hits"
    label: ClassVar[str] = "Superseded hits"
    formula: ClassVar[str] = (
        "distinct chunks of documents that do not hold that day or have a newer one of their series, in any station's ranking"
    )

    def hidden(self, question: Question, doc_id: str) -> bool:
        """The document does not hold yet, or no more, or a newer one of its series does; without a day every version holds."""
        document = self.documents.get(doc_id)
        if document is None:
            return False
        day = question.as_of or self.as_of
        newest = self._newest(question.persona, day).get(document.series, document)
        return not holds(document.valid_from, document.valid_to, day) or age(document) < age(newest)

    def _newest(self, persona: str, day: str) -> dict[str, Document]:
        """The newest document of each series that an asker may see on a day."""
        if (persona, day) not in self._known:
            self._known[persona, day] = newest_of_series(item for item in self._in_series if sees(item, persona, day))
        return self._known[persona, day]

    @cached_property
    def _in_series(self) -> tuple[Document, ...]:
        return tuple(item for item in self.documents.values() if item.series)

    @cached_property
    def _known(self) -> dict[tuple[str, str], dict[str, Document]]:
        return {}


@dataclass(frozen=True)
class DeletedHits(_Hidden):
    """Passages of a document that was withdrawn on or before the day of the question."""

    withdrawals: Mapping[str, str] = field(default_factory=dict)
    """doc_id to the ISO date from which it is withdrawn; empty is not."""
    as_of: str = ""
    """Day on which undated questions are asked."""
    family: ClassVar[str] = "deleted_hits"
    label: ClassVar[str] = "Deleted hits"
    formula: ClassVar[str] = (
        "distinct chunks of documents withdrawn on or before the day of the question, in any station's ranking"
    )

    def hidden(self, question: Question, doc_id: str) -> bool:
        """The document is withdrawn on the day; without a day, it ever was."""
        return withdrawn(self.withdrawals.get(doc_id, ""), question.as_of or self.as_of)
