"""What two runs showed and said for one question, side by side."""

from collections.abc import Collection
from dataclasses import dataclass

from harness.comparison.result import RunComparison
from harness.comparison.sides import Side
from harness.generation.citations import cited_ids
from harness.metrics.coverage import touches
from harness.reporting.steps import Told, told
from harness.types import Question, Trace


@dataclass(frozen=True, slots=True)
class Passage:
    """One passage of a context."""

    rank: int
    """Its place, from 1."""
    chunk_id: str
    """Its id."""
    heading: str
    """Document and section."""
    text: str
    """Its text."""
    evidence: bool
    """Whether it holds evidence of the question, as far as that is known."""
    cited: bool
    """Whether the answer cites it."""
    other: int
    """Its place in the other run's context; 0 where it is not."""


@dataclass(frozen=True, slots=True)
class Column:
    """One run's context and answer."""

    passages: tuple[Passage, ...]
    """Best first."""
    answer: str | None
    """What was said; None when generation was off."""
    refused: bool
    """Whether that is a refusal."""
    steps: Told = ()
    """What the query steps, the reranking model and verification did."""


@dataclass(frozen=True, slots=True)
class Shown:
    """Both runs; a side without traces is None."""

    a: Column | None
    """Before."""
    b: Column | None
    """After."""

    @property
    def tally(self) -> str:
        """`3 passages in both, 2 only in A, 2 only in B`; empty when a side is unknown."""
        if self.a is None or self.b is None:
            return ""
        both = sum(bool(passage.other) for passage in self.a.passages)
        only = [sum(not passage.other for passage in side.passages) for side in (self.a, self.b)]
        return f"{both} {'passage' if both == 1 else 'passages'} in both, {only[0]} only in A, {only[1]} only in B"


def shown(found: RunComparison, question_id: str, question: Question | None) -> Shown | None:
    """Contexts and answers of a question; None where neither side has its trace."""
    traces = [_trace(side, question_id) for side in (found.a, found.b)]
    if traces == [None, None]:
        return None
    ids = [tuple(hit.chunk.chunk_id for hit in trace.context.hits) if trace else () for trace in traces]
    columns = [_column(traces[side], ids[1 - side], question) for side in (0, 1)]
    return Shown(columns[0], columns[1])


def _trace(side: Side, question_id: str) -> Trace | None:
    return (side.traces or {}).get(question_id)


def _column(trace: Trace | None, other: Collection[str], question: Question | None) -> Column | None:
    if trace is None:
        return None
    places = {chunk_id: place for place, chunk_id in enumerate(other, 1)}
    cited = cited_ids(trace.answer.text) if trace.answer else ()
    passages = tuple(
        Passage(
            rank=rank,
            chunk_id=hit.chunk.chunk_id,
            heading=" > ".join((hit.chunk.span.doc_id, *hit.chunk.section_path)),
            text=hit.chunk.text,
            evidence=any(touches(hit.chunk.span, group) for group in question.evidence) if question else False,
            cited=hit.chunk.chunk_id in cited,
            other=places.get(hit.chunk.chunk_id, 0),
        )
        for rank, hit in enumerate(trace.context.hits, 1)
    )
    answer = trace.answer
    return Column(
        passages, answer.text if answer else None, bool(answer and answer.refused), told(trace, question.text if question else "")
    )
