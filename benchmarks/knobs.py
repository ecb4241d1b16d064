"""Every keyless knob behind the chunks, measured on fernhill: what each does to hybrid_rerank, one at a time.

    python -m benchmarks.knobs --json benchmarks/records/knobs.json    measures, writes the record and docs/knobs.md
    python -m benchmarks.knobs                                         writes docs/knobs.md from the record

Whole runs of the test split, judge included. Differences are paired by question (sign-flip test, two-sided), p adjusted by Holm
over all rows and metrics. Interrupted, the same command goes on: finished questions, embeddings and reranked pairs are kept.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import gettempdir
from typing import Any

from benchmarks.knobs_page import RECORD, write_page
from benchmarks.paired import DRAWS, numbers, versus
from harness.build.experiment import build
from harness.build.overrides import parse
from harness.cli.console import progress
from harness.cli.job import run
from harness.resources import cache_dir
from harness.statistics.multiplicity import holm
from harness.store import Store, write_json
from harness.types import RunRecord

EXPERIMENT, GOLDEN, SPLIT = "hybrid_rerank", "fernhill", "test"
JUDGED = (
    *("fused/recall_at_5", "recall_at_5", "complete_at_5"),
    *("citation_correctness", "faithfulness", "over_refusal_rate", "false_answer_rate"),
)
"""Metrics whose differences to the default are tested."""
SHOWN = (*JUDGED, "refusal_f1")
"""Metrics of the page."""
KNOBS: dict[str, tuple[str, ...]] = {
    "sparse": (
        "retrievers.bm25.tokenizer=words",
        "retrievers.bm25.tokenizer=plain",
        "retrievers.bm25.variant=plus",
        "retrievers.bm25.variant=l",
        "retrievers.bm25.k1=0.9 retrievers.bm25.b=0.4",
        "retrievers.bm25.k1=2 retrievers.bm25.b=0.9",
        "retrievers.bm25.engine=rank_bm25",
    ),
    "channels": ("retrievers=bm25", "retrievers=dense"),
    "store": ("store=faiss_hnsw", "store=faiss_ivf", "store=faiss_fp16", "store=faiss_sq8"),
    "fusion": (
        *("fuser.k=10", "fuser.k=200", "fuser=weighted", "fuser=weighted fuser.normalise=z"),
        *("fuser=weighted fuser.weights={dense: 2}", "depth.channels={bm25: 20}"),
    ),
    "depth": ("depth.reranked=10", "depth.reranked=30", "depth.shown=3", "depth.shown=8"),
    "queries": (*("history=none", "history=concatenate", "rewrite=glossary", "subqueries=rules", "hyde=on", "route=rules"),),
    "reranking": ("reranker=none answerability=never", "reranker=lexical", "reranker=mmr"),
    "context": (
        *("context.near_duplicate=0.5", "context.near_duplicate=1", "context.max_tokens=500", "context.order=both_ends"),
        "context.tokenizer=openai/gpt-4o-mini",
    ),
    "answerability": (
        "answerability=never",
        "answerability.minimum=0.1",
        "answerability.minimum=0.9",
        "answerability=margin",
        "answerability=classifier",
    ),
    "generation": (
        "generator.max_sentences=1",
        "generator.max_sentences=4",
        "generator.skip_planted=false",
        "verification=none",
        "verification=refuse",
        "verification=claims",
    ),
}
"""By group the words that differ from the default, as people write them."""


@dataclass(frozen=True)
class Row:
    """One variant."""

    group: str
    """Of KNOBS; empty is the default."""
    words: str
    """What differs."""
    record: RunRecord
    """Its scores."""


def measure(group: str, words: str, store: Store, made: dict[str, Any]) -> Row:
    """Runs one variant."""
    fixed = (f"+experiment={EXPERIMENT}", f"golden_set={GOLDEN}", f"split={SPLIT}", "tracking=none", "gate=none")
    folder = f"runs_dir={Path(gettempdir()) / 'harness-knobs'}"
    experiment = build(parse([*fixed, folder, *split(words)])[0], store, made)
    with progress() as bar:
        record = run(experiment, bar).record
    shown = " ".join(f"{name}={record.aggregates[name].value or 0:.3f}" for name in SHOWN if name in record.aggregates)
    print(f"{words or 'default':45} {shown}", flush=True)
    return Row(group, words, record)


def split(words: str) -> list[str]:
    """Overrides of one line; blanks inside braces belong to their word."""
    parts: list[str] = []
    for word in words.split():
        if parts and parts[-1].count("{") > parts[-1].count("}"):
            parts[-1] += f" {word}"
        else:
            parts.append(word)
    return parts


def measure_all() -> dict[str, Any]:
    """The record of all knobs."""
    store, made = Store(cache_dir() / "stages.sqlite"), {}
    default = measure("", "", store, made)
    return as_json(default, [measure(group, words, store, made) for group, lines in KNOBS.items() for words in lines])


def as_json(default: Row, rows: Sequence[Row]) -> dict[str, Any]:
    """The record that docs/knobs.md comes from."""
    held = [versus(default.record, row.record, [name for name in JUDGED if name in row.record.aggregates]) for row in rows]
    judged = [item for found in held for item in found.values()]
    for item, adjusted in zip(judged, holm([item["p"] for item in judged]), strict=True):
        item["holm"] = adjusted
    record = default.record
    return {
        "golden_set": record.golden_set,
        "version": record.golden_version,
        "corpus": record.fingerprints["corpus"],
        "experiment": EXPERIMENT,
        "split": SPLIT,
        "questions": len(record.splits),
        "draws": DRAWS,
        "judged": len(judged),
        "default": _row(default),
        "rows": [{**_row(row), "versus_default": found} for row, found in zip(rows, held, strict=True)],
    }


def _row(row: Row) -> dict[str, Any]:
    aggregates = row.record.aggregates
    invariants = ("tenant_leaks", "superseded_hits", "deleted_hits", "invented_citations")
    return {
        "group": row.group,
        "words": row.words,
        "metrics": {name: numbers(aggregates[name]) for name in SHOWN if name in aggregates},
        "invariants": {name: aggregates[name].value for name in invariants if name in aggregates},
        "statistics": {name: value for name, value in row.record.statistics.items() if name.endswith("_of_own_vectors")},
        "failures": len(row.record.failures),
    }


def main() -> None:
    """Measures when a record is asked for; writes the page, unless the record is put elsewhere than where the page reads it."""
    reader = argparse.ArgumentParser(description="Measured effect of every keyless knob.")
    reader.add_argument("--json", default="", metavar="FILE", help="measure, and write the record there")
    arguments = reader.parse_args()
    if arguments.json:
        write_json(Path(arguments.json), measure_all())
    if not arguments.json or Path(arguments.json).resolve() == RECORD.resolve():
        write_page()


if __name__ == "__main__":
    main()
