"""Traces as JSON: rankings name their chunks, whose text stands once in a file beside."""

from collections.abc import Mapping
from typing import Any

from harness.types import Answer, Assessment, Chunk, Hit, Query, Ranking, Span, Trace, Usage


def encode(trace: Trace) -> dict[str, Any]:
    """A trace as JSON types."""
    return {
        "question_id": trace.question_id,
        "queries": [_query(query) for query in trace.queries],
        "stations": {
            name: [[hit.chunk.chunk_id, hit.score] for hit in ranking.hits] for name, ranking in trace.stations().items()
        },
        "faults": {name: ranking.faults for name, ranking in trace.stations().items() if ranking.faults},
        "order": {name: list(ranking.order) for name, ranking in trace.stations().items() if ranking.order},
        "assessment": _fields(trace.assessment),
        "answer": _fields(trace.answer),
        "seconds": dict(trace.seconds),
        "usage": {stage: _fields(usage) for stage, usage in trace.usage.items()},
    }


def _query(query: Query) -> dict[str, Any]:
    """A query as JSON types; what its asker may see is not kept."""
    return {
        "text": query.text,
        "hypothetical": query.hypothetical,
        "retrievers": None if query.retrievers is None else sorted(query.retrievers),
        "kinds": None if query.kinds is None else sorted(query.kinds),
        "notes": list(query.notes),
        "fallback": query.fallback,
    }


def _read_query(record: Mapping[str, Any]) -> Query:
    retrievers, kinds = (None if record.get(name) is None else frozenset(record[name]) for name in ("retrievers", "kinds"))
    return Query(
        record["text"],
        record["hypothetical"],
        retrievers=retrievers,
        kinds=kinds,
        notes=tuple(record.get("notes", ())),
        fallback=record.get("fallback", ""),
    )


def decode(record: Mapping[str, Any], chunks: Mapping[str, Chunk]) -> Trace:
    """The trace that `encode` wrote; who asked, and what that asker may see, is not kept.

    Raises:
        KeyError: when a chunk is not in `chunks`.
    """
    stations = {
        name: Ranking(
            tuple(Hit(chunks[chunk_id], score) for chunk_id, score in hits),
            order=tuple(record.get("order", {}).get(name, ())),
            faults=record.get("faults", {}).get(name, 0),
        )
        for name, hits in record["stations"].items()
    }
    last = {name: stations.pop(name) for name in ("fused", "reranked", "context")}
    return Trace(
        question_id=record["question_id"],
        queries=tuple(_read_query(query) for query in record["queries"]),
        retrieved=stations,
        **last,
        assessment=Assessment(**record["assessment"]) if record["assessment"] else None,
        answer=_answer(record["answer"]) if record["answer"] else None,
        seconds=record["seconds"],
        usage=_usage(record),
    )


def spent(record: Mapping[str, Any]) -> Usage:
    """`Trace.spent` of what `encode` wrote, for whoever needs nothing else of it."""
    answer = _answer(record["answer"]) if record["answer"] else None
    return Trace(record["question_id"], answer=answer, usage=_usage(record)).spent


def _usage(record: Mapping[str, Any]) -> dict[str, Usage]:
    return {stage: Usage(**taken) for stage, taken in record.get("usage", {}).items()}


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
