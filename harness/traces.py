"""Traces as JSON: rankings name their chunks, whose text stands once in a file beside."""

from collections.abc import Mapping
from typing import Any

from harness.types import Answer, Assessment, Chunk, Hit, Query, Ranking, Span, Trace, Usage


def encode(trace: Trace) -> dict[str, Any]:
    """A trace as JSON types."""
    return {
        "question_id": trace.question_id,
        "queries": [{"text": query.text, "hypothetical": query.hypothetical} for query in trace.queries],
        "stations": {
            name: [[hit.chunk.chunk_id, hit.score] for hit in ranking.hits] for name, ranking in trace.stations().items()
        },
        "assessment": _fields(trace.assessment),
        "answer": _fields(trace.answer),
        "seconds": dict(trace.seconds),
    }


def decode(record: Mapping[str, Any], chunks: Mapping[str, Chunk]) -> Trace:
    """The trace that `encode` wrote; `allowed` of its queries is not kept.

    Raises:
        KeyError: when a chunk is not in `chunks`.
    """
    stations = {
        name: Ranking.of(Hit(chunks[chunk_id], score) for chunk_id, score in hits) for name, hits in record["stations"].items()
    }
    last = {name: stations.pop(name) for name in ("fused", "reranked", "context")}
    return Trace(
        question_id=record["question_id"],
        queries=tuple(Query(query["text"], query["hypothetical"]) for query in record["queries"]),
        retrieved=stations,
        **last,
        assessment=Assessment(**record["assessment"]) if record["assessment"] else None,
        answer=_answer(record["answer"]) if record["answer"] else None,
        seconds=record["seconds"],
    )


def encode_chunk(chunk: Chunk) -> dict[str, Any]:
    """A chunk as JSON types, its id first."""
    return {
        "id": chunk.chunk_id,
        "doc": chunk.span.doc_id,
        "start": chunk.span.start,
        "end": chunk.span.end,
        "title": chunk.title,
        "section_path": list(chunk.section_path),
        "position": chunk.position,
        "kind": chunk.kind,
        "version": chunk.version,
        "place": chunk.place,
        "preface": chunk.preface,
        "text": chunk.text,
    }


def decode_chunk(record: Mapping[str, Any]) -> Chunk:
    """The chunk that `encode_chunk` wrote."""
    span = Span(record["doc"], record["start"], record["end"])
    path = tuple(record["section_path"])
    return Chunk(
        span,
        record["text"],
        record["title"],
        path,
        record["position"],
        record["kind"],
        version=record["version"],
        place=record.get("place", ""),
        preface=record.get("preface", ""),
    )


def _fields(record: Answer | Assessment | Usage | None) -> dict[str, Any] | None:
    if record is None:
        return None
    values = {name: getattr(record, name) for name in record.__slots__}
    return {**values, "usage": _fields(record.usage)} if isinstance(record, Answer) else values


def _answer(values: Mapping[str, Any]) -> Answer:
    return Answer(
        text=values["text"],
        citations=tuple(values["citations"]),
        refused=values["refused"],
        refusal_reason=values["refusal_reason"],
        usage=Usage(**values["usage"]),
        actions=tuple(values["actions"]),
        draft_citations=tuple(values.get("draft_citations", ())),
    )
