"""What a variant's chunks leave of the evidence: whole in one chunk, split over several, or covered by no set of them."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from harness.errors import Problem
from harness.golden.golden_set import GoldenSet
from harness.types import Chunk, Span


@dataclass(frozen=True, slots=True)
class Cut:
    """What a chunker does to the evidence, piece by piece."""

    pieces: int
    """Things that must be found."""
    split: tuple[str, ...]
    """`question evidence[n]` of pieces that no single chunk holds, but several do."""
    unreachable: tuple[str, ...]
    """Pieces that all chunks together do not hold."""


def unreachable(
    golden_set: GoldenSet, chunks: Sequence[Chunk], coverage: float, held: Collection[str] | None = None
) -> list[Problem]:
    """One warning (G033) per evidence of which all chunks together cover less than `coverage` of every alternative.

    `held` are the doc_ids of an index on disk; None where the chunks were cut from the golden corpus.
    """
    spans: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for chunk in chunks:
        spans[chunk.span.doc_id].append((chunk.span.start, chunk.span.end))
    merged = {doc_id: _union(found) for doc_id, found in spans.items()}
    return [
        _problem(f"{question.question_id} evidence[{number}]", evidence.alternatives, held)
        for question in golden_set.questions
        for number, evidence in enumerate(question.evidence)
        if all(covered_share(span, merged) < coverage for span in evidence.alternatives)
    ]


def cut(golden: GoldenSet, chunks: Sequence[Chunk]) -> Cut:
    """Which pieces of evidence a chunker leaves whole, splits or destroys, at the set's coverage."""
    alone: dict[str, list[Span]] = defaultdict(list)
    for chunk in chunks:
        alone[chunk.span.doc_id].append(chunk.span)
    gone = tuple(problem.where for problem in unreachable(golden, chunks, golden.coverage))
    pieces = {
        f"{question.question_id} evidence[{number}]": evidence.alternatives
        for question in golden.questions
        for number, evidence in enumerate(question.evidence)
    }
    parted = [
        place
        for place, spans in pieces.items()
        if place not in gone and not any(_in_one(span, alone[span.doc_id], golden.coverage) for span in spans)
    ]
    return Cut(len(pieces), tuple(parted), gone)


def _in_one(span: Span, chunks: Iterable[Span], coverage: float) -> bool:
    """Whether one chunk alone covers a span; `chunks` are those of its document."""
    needed = coverage * len(span) - 1e-9
    return any(min(span.end, chunk.end) - max(span.start, chunk.start) >= needed for chunk in chunks)


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


def _problem(where: str, spans: Sequence[Span], held: Collection[str] | None) -> Problem:
    what = f"no set of chunks covers {' or '.join(f'{span.doc_id!r} {span.start}-{span.end}' for span in spans)}."
    fix = "use another chunker."
    if held is not None and not any(span.doc_id in held for span in spans):
        what = f"the index does not hold {' or '.join(dict.fromkeys(repr(span.doc_id) for span in spans))}."
        fix = "sync the index with the golden corpus, or restore what was deleted by hand."
    return Problem("G033", where, what, "No retriever can find it.", fix)
