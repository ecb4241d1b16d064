"""What an index holds of a question's evidence, and who may see it."""

from collections import defaultdict
from collections.abc import Collection, Iterable

from harness.pipeline import IndexedPipeline
from harness.retrieval.filters import visible
from harness.types import Chunk, Evidence, Hit, Question, Ranking

_QUOTE = 240


class Library:
    """The chunks and documents of a system, by document."""

    def __init__(self, system: IndexedPipeline) -> None:
        self.system = system
        self.documents = {item.doc_id: item for item in system.documents}
        self._chunks: dict[str, list[Chunk]] = defaultdict(list)
        for chunk in system.chunks:
            self._chunks[chunk.span.doc_id].append(chunk)
        self._visible: dict[tuple[str, str], frozenset[str]] = {}

    def day(self, question: Question) -> str:
        """On which ISO date a question is asked."""
        return question.as_of or self.system.as_of

    def allowed(self, question: Question) -> frozenset[str]:
        """Documents that the asker may see."""
        key = question.persona, self.day(question)
        if key not in self._visible:
            self._visible[key] = visible(self.system.documents, *key)
        return self._visible[key]

    def chunks(self, evidence: Iterable[Evidence], allowed: Collection[str] | None = None) -> Ranking:
        """All chunks of the evidence's documents, or of those among them that are allowed; the order means nothing."""
        names = sorted({span.doc_id for group in evidence for span in group.alternatives})
        kept = [name for name in names if allowed is None or name in allowed]
        return Ranking.of(Hit(chunk, 0.0) for name in kept for chunk in self._chunks.get(name, ()))

    def quote(self, group: Evidence) -> str:
        """The start of the first alternative whose document is known, on one line; empty when none is."""
        for span in group.alternatives:
            if document := self.documents.get(span.doc_id):
                return " ".join(document.text[span.start : span.end].split())[:_QUOTE]
        return ""
