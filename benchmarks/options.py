"""Every keyless option of chunker, doc2query, duplicates and embedder, measured on fernhill.

    python -m benchmarks.options --json benchmarks/records/options.json    measures, writes the record and docs/options.md
    python -m benchmarks.options                                           writes docs/options.md from the record

Retrieval only: BM25 and dense fused by rank, no reranker, the test split. The options are those of conf/; one at a time differs
from the default. Differences are paired by question (sign-flip test, two-sided), p adjusted by Holm over all rows and metrics.

A measurement that was interrupted is taken up by the same command: embeddings come from the cache, with the seconds that they
took. To time everything anew set HARNESS_CACHE_DIR to an empty folder. What a conf file's comment says is read when the page is
written.
"""

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks.options_page import RECORD, write_page
from benchmarks.paired import DRAWS, numbers
from benchmarks.paired import versus as between
from harness.build.compose import compose
from harness.build.experiment import build
from harness.build.overrides import parse
from harness.build.sources import groups
from harness.cli.console import progress
from harness.elapsed import measured
from harness.evaluation import aggregate, ask, score
from harness.golden.golden_set import GoldenSet, load
from harness.golden.slices import labels
from harness.golden.unreachable import cut
from harness.metrics.recall import Recall, RecallAtBudget
from harness.metrics.whole import WholeEvidence
from harness.pipeline import IndexedPipeline
from harness.resources import cache_dir, shipped_root
from harness.statistics.multiplicity import holm
from harness.store import Store, write_json
from harness.text import count_tokens
from harness.types import RunRecord, Trace

DEFAULTS = {"chunker": "markdown", "doc2query": "none", "duplicates": "keep", "embedder": "bge_small"}
"""What every other option is held against, and what stands in the groups that a row does not change."""
REST = (
    *("retrievers=hybrid", "fuser=rrf", "history=none", "reranker=none", "answerability=never"),
    *(f"{slot}=none" for slot in ("generator", "verification", "judge", "gate", "tracking")),
)
GOLDEN, SPLIT = "fernhill", "test"
SHOWN, BUDGET = 5, 1_000
METRICS = (f"recall_at_{SHOWN}", f"whole_evidence_at_{SHOWN}", f"recall_at_budget_{BUDGET}")
ANTI = "fixed"
"""The chunker to beat."""
SAME_BUDGET = "fixed, same budget"
TABLES = "kind:table"
_CLOSE = 0.02
"""Share by which the tokens shown by `fixed, same budget` may differ from the default's before another size is tried."""
_TRIES = 8
_MODELS = ("harness.llm.", "litellm", "sentence_transformers")
"""What stands in the config of an option that asks a model which is not shipped."""


@dataclass(frozen=True)
class Measured:
    """One row."""

    group: str
    """Config group."""
    option: str
    """Its option."""
    words: tuple[str, ...]
    """What else was set."""
    record: RunRecord
    """Its scores."""
    facts: Mapping[str, Any]
    """Chunks, entries, tokens, seconds, evidence of tables."""


@dataclass(frozen=True)
class Study:
    """What all rows share."""

    golden: GoldenSet
    """The questions."""
    split: str
    """Those that are asked."""
    store: Store
    """Where embeddings are kept."""
    defaults: Mapping[str, str]
    """Option by group."""

    def options(self, group: str) -> list[str]:
        """Options of a group, the default first."""
        return sorted(groups()[group], key=lambda name: (name != self.defaults[group], name))

    def asks_a_model(self, group: str, option: str) -> bool:
        """Whether an option needs a model which is not shipped."""
        config = str(compose(parse([*self._chosen(group, option), *REST])[0])[group])
        return any(name in config for name in _MODELS)

    def measure(self, group: str, option: str, *words: str) -> Measured:
        """Builds the index and asks all questions."""
        pipeline = build(parse([*self._chosen(group, option), *REST, *words])[0], self.store).pipeline
        questions, tau = self.golden.asked(self.split), self.golden.coverage
        with progress() as bar:
            with measured() as took:
                system = pipeline.index(self.golden.documents, self.golden.as_of, bar)
            answers = ask(system, questions, {}, lambda _: None, progress=bar)
        metrics = [Recall(SHOWN, tau=tau), WholeEvidence(SHOWN, tau=tau), RecallAtBudget(BUDGET, tau=tau)]
        marks = {question.question_id: question.group or question.question_id for question in questions}
        scores = score(questions, answers, metrics)
        record = RunRecord(
            run_id=f"{group}={option} {' '.join(words)}",
            created="",
            experiment=option,
            config={},
            overrides=words,
            fingerprints={"golden_set": self.golden.digest, "corpus": self.golden.corpus_digest},
            environment={},
            statistics=system.statistics,
            scores=scores,
            failures=answers.failures,
            aggregates=aggregate(scores, marks),
            groups=marks,
            splits={question.question_id: question.split for question in questions},
            labels={question.question_id: labels(question, self.golden.languages) for question in questions},
            golden_set=self.golden.name,
            golden_version=self.golden.version,
        )
        seconds = took.seconds if took.known else None
        facts = {**_sizes(system, list(answers.traces.values())), "build_seconds": seconds, "tables": self._tables(system)}
        return Measured(group, option, words, record, facts)

    def _chosen(self, group: str, option: str) -> list[str]:
        return [f"{name}={value}" for name, value in {**self.defaults, group: option}.items()]

    def _tables(self, system: IndexedPipeline) -> dict[str, int]:
        """What the chunker leaves of the evidence of all table questions of the set, before any retrieval."""
        asked = [item for item in self.golden.questions if TABLES in labels(item, self.golden.languages)]
        found = cut(replace(self.golden, questions=tuple(asked)), system.chunks)
        whole = found.pieces - len(found.split) - len(found.unreachable)
        return {"pieces": found.pieces, "whole": whole, "unreachable": len(found.unreachable)}


def _sizes(system: IndexedPipeline, traces: Sequence[Trace]) -> dict[str, Any]:
    shown = [sum(count_tokens(hit.chunk.indexed_text) for hit in trace.reranked.top(SHOWN).hits) for trace in traces]
    kept = {name: int(system.statistics[name]) for name in ("documents", "chunks", "entries")}
    return {**kept, "tokens_shown": sum(shown) / len(shown)}


def measure_all(study: Study) -> dict[str, Any]:
    """The record of all rows, the default of each group first."""
    rows: list[Measured] = []
    skipped = []
    for group in study.defaults:
        for option in study.options(group):
            if study.asks_a_model(group, option):
                skipped.append((group, option))
            elif rows and option == study.defaults[group]:
                rows.append(replace(rows[0], group=group, option=option))
            else:
                rows.append(_told(study.measure(group, option)))
    anti = next(row for row in rows if row.option == ANTI)
    equal = same_budget(
        rows[0].facts["tokens_shown"], anti, lambda size: _told(study.measure("chunker", ANTI, f"chunker.size={size}"))
    )
    rows.insert(rows.index(anti) + 1, equal)
    return as_json(study, rows, skipped)


def same_budget(target: float, start: Measured, at: Callable[[int], Measured]) -> Measured:
    """`fixed` at the size at which it shows `target` tokens: the tokens shown grow with the size of a chunk."""
    size, found = 1_000, start
    for _ in range(_TRIES):
        ratio = target / found.facts["tokens_shown"]
        if abs(ratio - 1) <= _CLOSE:
            break
        size = max(10, round(size * ratio / 10) * 10)
        found = at(size)
    return replace(found, option=SAME_BUDGET)


def versus(base: Measured, other: Measured, where: str = "all") -> dict[str, dict[str, Any]]:
    """By metric the paired difference other - base."""
    return between(base.record, other.record, METRICS, where)


def as_json(study: Study, rows: Sequence[Measured], skipped: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """The record that docs/options.md comes from."""
    held = {place: versus(rows[0], row) for place, row in enumerate(rows) if study.defaults[row.group] != row.option}
    judged = [item for found in held.values() for item in found.values()]
    for item, adjusted in zip(judged, holm([item["p"] for item in judged]), strict=True):
        item["holm"] = adjusted
    anti = next(row for row in rows if row.option == ANTI)
    equal = next(row for row in rows if row.option == SAME_BUDGET)
    return {
        "golden_set": study.golden.name,
        "version": study.golden.version,
        "corpus": study.golden.corpus_digest,
        "split": study.split,
        "questions": len(study.golden.asked(study.split)),
        "draws": DRAWS,
        "judged": len(judged),
        "defaults": dict(study.defaults),
        "rows": [
            {**_row(row, anti, equal), "default": place not in held, "versus_default": held.get(place)}
            for place, row in enumerate(rows)
        ],
        "not_measured": [{"group": group, "option": option} for group, option in skipped],
    }


def _row(row: Measured, anti: Measured, equal: Measured) -> dict[str, Any]:
    seconds, usual = row.facts["build_seconds"], anti.facts["build_seconds"]
    inside = [item for item in row.record.scores if TABLES in row.record.labels[item.question_id]]
    tables = aggregate(inside, row.record.groups)
    return {
        "group": row.group,
        "option": row.option,
        "words": list(row.words),
        **row.facts,
        "times_fixed": seconds / usual if seconds and usual else None,
        "metrics": {name: numbers(row.record.aggregates[name]) for name in METRICS},
        "table_metrics": {name: numbers(tables[name]) for name in METRICS},
        "tables_versus_fixed": versus(anti, row, TABLES),
        "versus_same_budget": versus(equal, row),
    }


def _told(row: Measured) -> Measured:
    values = " ".join(f"{row.record.aggregates[name].value or 0:.3f}" for name in METRICS)
    sizes = f"{row.facts['tokens_shown']:6,.0f} tokens {row.facts['chunks']:6,} chunks"
    print(f"{row.record.run_id:45} {values} {sizes} {row.facts['build_seconds'] or 0:7.1f} s", flush=True)
    return row


def main() -> None:
    """Measures when a record is asked for; writes the page, unless the record is put elsewhere than where the page reads it."""
    reader = argparse.ArgumentParser(description="Measured results of every keyless option.")
    reader.add_argument("--json", default="", metavar="FILE", help="measure, and write the record there")
    arguments = reader.parse_args()
    if arguments.json:
        golden = load(shipped_root() / "golden_sets" / GOLDEN)
        write_json(Path(arguments.json), measure_all(Study(golden, SPLIT, Store(cache_dir() / "stages.sqlite"), DEFAULTS)))
    if not arguments.json or Path(arguments.json).resolve() == RECORD.resolve():
        write_page()


if __name__ == "__main__":
    main()
