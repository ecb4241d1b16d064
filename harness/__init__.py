"""An evaluation-first benchmarking harness for retrieval-augmented generation.

A config names a pipeline, a golden set asks it questions, metrics score each question's trace, statistics turn scores
into verdicts, and everything else only shows those verdicts. Imports go one way (held by import-linter):

    types, errors < text, fingerprint, jsonl, shapes < terms < store, resources, protocols, traces < local_models
    < llm and the stage families (corpus, chunking, embedding, retrieval, querying, fusion, reranking, context,
      answerability, generation; none imports another) < cache < pipeline
    < golden, metrics, judging, statistics < evaluation, runs < gates < reporting, tracking < build < cli
"""

from harness.errors import ConfigError, CorpusError, GateError, GoldenSetError, HarnessError, StageError, StoreError
from harness.types import (
    Answer,
    Chunk,
    Document,
    Evidence,
    Hit,
    Query,
    Question,
    Ranking,
    RunRecord,
    Score,
    Span,
    Trace,
    Verdict,
)

__all__ = [
    "Answer",
    "Chunk",
    "ConfigError",
    "CorpusError",
    "Document",
    "Evidence",
    "GateError",
    "GoldenSetError",
    "HarnessError",
    "Hit",
    "Query",
    "Question",
    "Ranking",
    "RunRecord",
    "Score",
    "Span",
    "StageError",
    "StoreError",
    "Trace",
    "Verdict",
]
