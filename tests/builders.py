"""Short makers of records, so that a test shows only what it is about."""

from collections.abc import Sequence

from harness.types import (
    Answer,
    Chunk,
    Document,
    Evidence,
    Hit,
    Question,
    Ranking,
    Span,
    Trace,
)


def document(doc_id: str = "a.md", text: str = "Alpha beta.", **fields: object) -> Document:
    """A document."""
    return Document(doc_id=doc_id, text=text, **fields)  # type: ignore[arg-type]


def chunk(doc_id: str = "a.md", start: int = 0, end: int = 10, text: str = "", **fields: object) -> Chunk:
    """A chunk; its text is filler of the right length unless given."""
    return Chunk(Span(doc_id, start, end), text or "x" * (end - start), **fields)  # type: ignore[arg-type]


def ranking(*chunks: Chunk) -> Ranking:
    """A ranking in the given order."""
    return Ranking.of(Hit(item, float(len(chunks) - place)) for place, item in enumerate(chunks))


def question(
    question_id: str = "q1", text: str = "What?", evidence: Sequence[Sequence[tuple[str, int, int]]] = (), **fields: object
) -> Question:
    """A question; evidence is given as groups of (doc_id, start, end) alternatives."""
    groups = tuple(Evidence(tuple(Span(*span) for span in group)) for group in evidence)
    return Question(question_id, text, evidence=groups, **fields)  # type: ignore[arg-type]


def trace(question_id: str = "q1", *chunks: Chunk, answer: Answer | None = None, shown: int = 5) -> Trace:
    """A trace in which every station has the same ranking and the context its first `shown`."""
    full = ranking(*chunks)
    return Trace(question_id, retrieved={"bm25": full}, fused=full, reranked=full, context=full.top(shown), answer=answer)
