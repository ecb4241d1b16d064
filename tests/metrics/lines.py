"""Evidence and rankings in a line of text, so that a table of hand-computed values can be read.

`a:0-100 | b:0-50 & c:0-10` is (that span of a, or that of b) and that of c; `a:0-60 z:0-9` is a ranking of two chunks.
"""

from harness.metrics.base import RankingMetric
from harness.types import Chunk, Evidence, Question, Span
from tests.builders import chunk, trace


def span(text: str) -> Span:
    """`a:0-100`."""
    doc_id, _, ends = text.strip().partition(":")
    start, _, end = ends.partition("-")
    return Span(doc_id, int(start), int(end))


def asked(evidence: str) -> Question:
    """A question with that evidence."""
    groups = tuple(Evidence(tuple(map(span, group.split("|")))) for group in evidence.split("&"))
    return Question("q1", "What?", evidence=groups)


def chunks(ranking: str) -> list[Chunk]:
    """The chunks of a ranking, best first."""
    spans = [span(text) for text in ranking.split()]
    return [chunk(item.doc_id, item.start, item.end) for item in spans]


def value(metric: RankingMetric, evidence: str, ranking: str) -> float:
    """The metric on the ranking."""
    found = metric.score(asked(evidence), trace("q1", *chunks(ranking))).value
    assert found is not None
    return found
