"""A small corpus, a pipeline without a model, and an index of both."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness.answerability.never import NeverRefuse
from harness.chunking.recursive import Recursive
from harness.context import TopPassages
from harness.corpus.duplicates import Duplicates
from harness.embedding.hashing import Hashing
from harness.fusion import ReciprocalRankFusion
from harness.indexing.sync import Report, sync
from harness.pipeline import Depth, IndexedPipeline, Pipeline
from harness.protocols import Embedder, Vectors
from harness.reranking.none import NoReranker
from harness.retrieval.dense import Dense
from harness.retrieval.sparse import BM25
from harness.types import Document
from tests.builders import document, question

TODAY = "2026-03-01"
TEXTS = {
    "battery.md": "The soil probe runs on two AA cells. The cells last 18 months.",
    "range.md": "The gateway reaches sensors up to 400 metres away.",
    "reset.md": "Hold the button for ten seconds to reset the gateway.",
}


def documents(**changed: str) -> list[Document]:
    """The corpus; `battery="..."` gives battery.md another text, an empty one takes it away."""
    texts = {**TEXTS, **{f"{name}.md": text for name, text in changed.items()}}
    return [document(name, text, title=name, content_hash=text) for name, text in sorted(texts.items()) if text]


@dataclass
class Counting:
    """Hashed words, and every passage that was asked for."""

    inner: Embedder = field(default_factory=lambda: Hashing(64))
    """Embeds."""
    passages: list[str] = field(default_factory=list)
    """Passages in the order in which they were embedded."""

    @property
    def identity(self) -> str:
        """The inner one's."""
        return self.inner.identity

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors of passages."""
        self.passages += texts
        return self.inner.embed(texts)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of queries, not counted."""
        return self.inner.embed_queries(texts)


def pipeline(**changes: Any) -> Pipeline:
    """Both channels over hashed words; everything else does nothing."""
    stages: dict[str, Any] = {
        "chunker": Recursive(size=40),
        "embedder": Hashing(64),
        "retrievers": {"bm25": BM25(), "dense": Dense()},
        "fuser": ReciprocalRankFusion(),
        "reranker": NoReranker(),
        "context": TopPassages(),
        "answerability": NeverRefuse(),
        "duplicates": Duplicates(threshold=1),
        "depth": Depth(50, 50, 50),
    }
    return Pipeline(**{**stages, **changes})


def config(**changes: Any) -> dict[str, Any]:
    """A resolved config of the slots that an index depends on."""
    return {"chunker": {"size": 40}, "embedder": {"dimension": 64}, "duplicates": {"policy": "keep"}, **changes}


def synced(folder: Path, corpus: Sequence[Document] | None = None, today: str = TODAY, **stages: Any) -> Report:
    """A sync with the small pipeline."""
    return sync(folder, documents() if corpus is None else corpus, pipeline(**stages), config(), today)


def found(system: IndexedPipeline, text: str, as_of: str = TODAY, persona: str = "") -> set[str]:
    """Documents that any station of the pipeline gives for a question."""
    trace = system.answer(question(text=text, as_of=as_of, persona=persona))
    return {hit.chunk.span.doc_id for ranking in trace.stations().values() for hit in ranking.hits}


def snapshot(folder: Path) -> dict[str, bytes]:
    """Every file below a folder with its bytes."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
