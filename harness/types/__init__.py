"""The records that travel between stages: frozen, no I/O.

Truth is a span of a cleaned document, never a chunk id. Chunk size is a knob that people sweep, and
a label on a chunk id dies with the first re-chunking. A quote keeps its place in the document, so one golden
set judges every chunker: a chunk is relevant when its span covers the quote.
"""

from harness.types.questions import Evidence, Nugget, Question, Turn
from harness.types.results import Aggregate, Failure, Outcome, RunRecord, Score, State, Support, Verdict
from harness.types.text import Chunk, Document, Origin, Span
from harness.types.trace import Answer, Assessment, Completion, Filter, Hit, Query, Ranking, Request, Trace, Usage

__all__ = [
    "Aggregate",
    "Answer",
    "Assessment",
    "Chunk",
    "Completion",
    "Document",
    "Evidence",
    "Failure",
    "Filter",
    "Hit",
    "Nugget",
    "Origin",
    "Outcome",
    "Query",
    "Question",
    "Ranking",
    "Request",
    "RunRecord",
    "Score",
    "Span",
    "State",
    "Support",
    "Trace",
    "Turn",
    "Usage",
    "Verdict",
]
