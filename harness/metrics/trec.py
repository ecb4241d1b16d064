"""Judgments and runs in TREC's terms, for other tools: one document is one unit, as if each were a single chunk."""

from collections.abc import Iterable, Sequence

from harness.metrics.base import HEADLINE
from harness.types import Question, Ranking, Trace

Qrels = dict[str, dict[str, int]]
"""question_id -> doc_id -> relevance."""
Run = dict[str, dict[str, float]]
"""question_id -> doc_id -> score."""


def qrels(questions: Iterable[Question]) -> Qrels:
    """Every document that holds evidence has relevance 1; questions without evidence have no judgments."""
    return {
        question.question_id: {span.doc_id: 1 for group in question.evidence for span in group.alternatives}
        for question in questions
        if question.answerable and question.evidence
    }


def run(traces: Iterable[Trace], station: str = HEADLINE) -> Run:
    """Each document with the score of its best chunk."""
    return {trace.question_id: documents(trace.stations()[station]) for trace in traces}


def documents(ranking: Ranking) -> dict[str, float]:
    """doc_id to the score of its best chunk, best first."""
    found: dict[str, float] = {}
    for hit in ranking.hits:
        found.setdefault(hit.chunk.span.doc_id, hit.score)
    return found


def qrels_lines(judgments: Qrels) -> list[str]:
    """Lines of a qrels file: `query 0 document relevance`."""
    return [f"{query} 0 {doc_id} {level}" for query, row in sorted(judgments.items()) for doc_id, level in sorted(row.items())]


def run_lines(scores: Run, tag: str) -> list[str]:
    """Lines of a run file: `query Q0 document rank score tag`; equal scores stand in the order trec_eval gives them."""
    lines: list[str] = []
    for query, row in sorted(scores.items()):
        lines += [f"{query} Q0 {doc_id} {rank} {row[doc_id]:.6f} {tag}" for rank, doc_id in enumerate(order(row), 1)]
    return lines


def order(row: dict[str, float]) -> Sequence[str]:
    """Documents as trec_eval ranks them: score descending, then document id descending."""
    return sorted(row, key=lambda doc_id: (row[doc_id], doc_id), reverse=True)
