"""The questions of a finished run with what the stations found, as examples to choose a refusal rule on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from harness import runs
from harness.answerability.calibrated import STEPS, Calibrated, identity_of, retrieval_of
from harness.answerability.signals import available, read
from harness.build.finished import stage_of
from harness.errors import ConfigError
from harness.golden.find import find
from harness.golden.golden_set import GoldenSet, load
from harness.metrics.signals import Pairs
from harness.resources import roots
from harness.statistics.clusters import Floats
from harness.types import RunRecord, Trace


@dataclass(frozen=True)
class Examples:
    """Questions of one split with their signals."""

    pairs: Pairs
    """Questions with their traces."""
    values: Mapping[str, Floats]
    """float64[n] by signal."""

    @property
    def answerable(self) -> NDArray[np.bool_]:
        """bool[n]: the label."""
        return np.array([question.answerable for question, _ in self.pairs], dtype=bool)

    @property
    def groups(self) -> list[str]:
        """Cluster of each question."""
        return [question.group for question, _ in self.pairs]


@dataclass(frozen=True)
class Finished:
    """A finished run, read for calibration."""

    record: RunRecord
    """The run."""
    golden: GoldenSet
    """What it asked."""
    tune: Examples
    """For choosing."""
    test: Examples
    """For the claim."""
    left_out: int
    """Questions without a trace."""
    source: Calibrated
    """Where a rule chosen here comes from; its numbers are filled in later."""


def examples(pairs: Pairs) -> Examples:
    """The questions with every signal that their stations give.

    Raises:
        ConfigError: when a signal is no finite number.
    """
    names = available(pairs[0][1].stations()) if pairs else []
    rows = [read(names, trace.queries[0], trace.stations()) for _, trace in pairs]
    values = {name: np.array([row[name] for row in rows], dtype=float) for name in names}
    if bad := [name for name, column in values.items() if not np.isfinite(column).all()]:
        raise ConfigError(f"{', '.join(bad)} is no finite number on some question: a station's scores are broken")
    return Examples(pairs, values)


def read_run(folder: Path) -> Finished:
    """A run and its questions.

    Raises:
        ConfigError: when the golden set is no longer what the run asked.
        StoreError: when the folder holds no finished run.
    """
    record = runs.load(folder)
    golden = load(find(record.config["golden_set"], roots()))
    if golden.digest != record.fingerprints["golden_set"]:
        raise ConfigError(f"golden set {golden.name!r} has changed since run {record.run_id!r}; run the same command again")
    traces = runs.load_traces(folder)
    asked = [item for item in golden.questions if item.question_id in record.splits]
    pairs = [(item, traces[item.question_id]) for item in asked if item.question_id in traces]
    tune, test = (examples([pair for pair in pairs if pair[0].split == split]) for split in ("tune", "test"))
    return Finished(record, golden, tune, test, len(asked) - len(pairs), _source(record, golden, tune.pairs))


def _source(record: RunRecord, golden: GoldenSet, tune: Sequence[tuple[object, Trace]]) -> Calibrated:
    return Calibrated(
        run=f"{record.experiment} {record.fingerprints['config'][:16]}",
        golden_set=f"{golden.name} v{golden.version}",
        questions=golden.digest,
        reranker=identity_of(stage_of(record.config, "reranker")),
        embedder=identity_of(stage_of(record.config, "embedder")),
        retrieval=retrieval_of({slot: stage_of(record.config, slot) for slot in ("retrievers", *STEPS)}),
        n=max(1, len(tune)),
        auroc=None,
    )
