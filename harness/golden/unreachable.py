"""Evidence that no set of a variant's chunks covers: cleaning or cutting has destroyed it, so no retriever can find it."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from harness.errors import Problem
from harness.golden.golden_set import GoldenSet
from harness.types import Chunk, Span


def unreachable(golden_set: GoldenSet, chunks: Sequence[Chunk], coverage: float) -> list[Problem]:
    """One warning (G033) per evidence of which all chunks together cover less than `coverage` of every alternative."""
    spans: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for chunk in chunks:
        spans[chunk.span.doc_id].append((chunk.span.start, chunk.span.end))
    merged = {doc_id: _union(found) for doc_id, found in spans.items()}
    return [
        _problem(question.question_id, number, evidence.alternatives)
        for question in golden_set.questions
        for number, evidence in enumerate(question.evidence)
        if all(covered_share(span, merged) < coverage for span in evidence.alternatives)
    ]


def covered_share(span: Span, merged: Mapping[str, Sequence[tuple[int, int]]]) -> float:
    """Share of a span's characters inside disjoint stretches of its document, 0 to 1."""
    inside = (min(span.end, end) - max(span.start, start) for start, end in merged.get(span.doc_id, ()))
    return sum(length for length in inside if length > 0) / len(span) if len(span) else 1.0


def _union(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _problem(question_id: str, number: int, spans: Sequence[Span]) -> Problem:
    places = " or ".join(f"{span.doc_id!r} {span.start}-{span.end}" for span in spans)
    what = f"no set of chunks covers {places}."
    return Problem("G033", f"{question_id} evidence[{number}]", what, "No retriever can find it.", "use another chunker.")
