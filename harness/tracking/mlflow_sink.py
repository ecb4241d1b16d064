"""MLflow sink: params, metrics, verdicts, the golden set as dataset input, the per-question table and the reports.

Runs are written through MlflowClient in batches. No fluent state, no autologging, no signal handlers: a harness run
never depends on MLflow, and a failure here is one StoreError that the caller may show and go on.
"""

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from harness.errors import ConfigError, Problem, StoreError
from harness.reporting.configs import shown
from harness.tracking import entries, schema
from harness.types import Outcome, RunRecord, Verdict

if TYPE_CHECKING:
    from datasets import Dataset
    from mlflow import MlflowClient

ARTIFACTS = (
    "report.md",
    "report.html",
    "results.json",
    "config.yaml",
    "scores.jsonl",
    "attribution.json",
    "gate.json",
    "junit.xml",
)
"""Files of a run folder that are copied to MLflow, where they exist."""

QUESTIONS_TABLE = "questions.json"
"""Artifact name of the per-question table; `mlflow.load_table` joins it over several runs."""

_BATCH = 100


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class MLflow:
    """Logs finished runs to an MLflow tracking store."""

    uri: str = "sqlite:///mlflow.db"
    """Tracking URI; a relative sqlite path counts from the current folder."""
    experiment: str = "rag-harness"
    """MLflow experiment."""
    required: bool = False
    """Whether a run that cannot be logged is an error (exit 4) rather than a warning."""

    def __post_init__(self) -> None:
        if urlsplit(self.uri).password:
            raise ConfigError(
                "tracking.uri holds a password, which would be written to disk; "
                "give the bare URI and set MLFLOW_TRACKING_USERNAME and MLFLOW_TRACKING_PASSWORD"
            )

    def prepare(self) -> None:
        """Makes store and experiment if they do not exist; call it once before runs start in parallel.

        Raises:
            StoreError: M001, when the store cannot be used.
        """
        with self._errors():
            _ = self._experiment_id

    def log_run(
        self,
        record: RunRecord,
        verdicts: Sequence[Verdict],
        folder: Path,
        questions_table: Mapping[str, list[Any]],
        golden_dataset: "Dataset | None",
        parent_run_id: str = "",
    ) -> str:
        """Logs one finished run and returns its MLflow run id.

        Args:
            record: the run.
            verdicts: what the gates found.
            folder: the run's folder; `ARTIFACTS` are copied from it.
            questions_table: one list per column, one row per question.
            golden_dataset: the golden questions as a Hugging Face dataset, logged as the run's input.
            parent_run_id: MLflow run id of the sweep it belongs to.

        Raises:
            StoreError: M001; results stay in the run folder.
        """
        parent = {"mlflow.parentRunId": parent_run_id} if parent_run_id else {}
        with self._errors(folder):
            run_id = self._create(
                entries.run_name(record), {**entries.tags(record, verdicts), **parent}, _started(record.created)
            )
            status = "FAILED"
            try:
                self._log_batches(run_id, entries.params(record), entries.metrics(record, verdicts), {})
                self._log_dataset(run_id, record, golden_dataset)
                self._log_files(run_id, folder, questions_table)
                status = _status(record, verdicts)
            finally:
                self._client.set_terminated(run_id, status)
        return run_id

    def start_parent(self, name: str, tags: Mapping[str, str] | None = None) -> str:
        """Opens the run under which a sweep's variants are folded, and returns its MLflow run id.

        Raises:
            StoreError: M001.
        """
        with self._errors():
            return self._create(name, entries.sweep_tags(name, tags or {}))

    def finish_parent(self, run_id: str, status: str = "FINISHED") -> None:
        """Closes a sweep: FINISHED, or KILLED when a signal ended it.

        Raises:
            StoreError: M001.
        """
        with self._errors():
            self._client.set_terminated(run_id, status)

    def log_files(self, run_id: str, paths: Sequence[Path]) -> None:
        """Adds files to a run, such as the leaderboard to the parent of a sweep.

        Raises:
            StoreError: M001.
        """
        with self._errors():
            for path in paths:
                self._client.log_artifact(run_id, str(path))

    @cached_property
    def _client(self) -> "MlflowClient":
        from mlflow import MlflowClient

        uri = schema.absolute(self.uri)
        schema.ensure(uri)
        return MlflowClient(tracking_uri=uri)

    @cached_property
    def _experiment_id(self) -> str:
        from mlflow.exceptions import MlflowException

        found = self._client.get_experiment_by_name(self.experiment)
        if found is not None:
            return str(found.experiment_id)
        try:
            root = schema.artifact_root(schema.absolute(self.uri))
            return self._client.create_experiment(self.experiment, artifact_location=root)
        except MlflowException:
            found = self._client.get_experiment_by_name(self.experiment)
            if found is None:
                raise
            return str(found.experiment_id)

    def _create(self, name: str, tags: Mapping[str, str], started: int | None = None) -> str:
        run = self._client.create_run(self._experiment_id, started, dict(tags), name)
        return str(run.info.run_id)

    def _log_batches(self, run_id: str, params: Mapping[str, str], metrics: Mapping[str, float], tags: Mapping[str, str]) -> None:
        from mlflow.entities import Metric, Param, RunTag

        now = _now()
        settings = [Param(name, text) for name, text in params.items()]
        numbers = [Metric(name, value, now, 0) for name, value in metrics.items()]
        labels = [RunTag(name, text) for name, text in tags.items()]
        self._client.log_batch(run_id, numbers, settings[:_BATCH], labels)
        for start in range(_BATCH, len(settings), _BATCH):
            self._client.log_batch(run_id, params=settings[start : start + _BATCH])

    def _log_dataset(self, run_id: str, record: RunRecord, golden: "Dataset | None") -> None:
        if golden is None:
            return
        from mlflow.data.code_dataset_source import CodeDatasetSource
        from mlflow.data.huggingface_dataset import from_huggingface
        from mlflow.entities import Dataset, DatasetInput, InputTag

        digest = record.fingerprints.get("golden_set", "")
        source = CodeDatasetSource({"golden_set": record.golden_set, "version": str(record.golden_version), "sha256": digest})
        described = from_huggingface(golden, source=source, name=record.golden_set or "golden_set", digest=digest[:12] or None)
        marks = [InputTag("mlflow.data.context", "evaluation"), InputTag("sha256", digest)]
        self._client.log_inputs(run_id, [DatasetInput(Dataset(**described.to_dict()), marks)])

    def _log_files(self, run_id: str, folder: Path, questions_table: Mapping[str, list[Any]]) -> None:
        if questions_table:
            self._client.log_table(run_id, dict(questions_table), QUESTIONS_TABLE)
        for name in ARTIFACTS:
            if (folder / name).is_file():
                self._client.log_artifact(run_id, str(folder / name))

    @contextmanager
    def _errors(self, folder: Path | None = None) -> Iterator[None]:
        schema.quiet_environment()
        from mlflow.exceptions import MlflowException
        from sqlalchemy.exc import SQLAlchemyError

        try:
            with schema.quiet():
                yield
        except (MlflowException, SQLAlchemyError, OSError, ImportError) as error:
            raise StoreError("MLflow logging failed", [self._problem(error, folder)]) from error

    def _problem(self, error: Exception, folder: Path | None) -> Problem:
        where = shown(schema.absolute(self.uri))
        safe = f"Results are in {(folder / 'results.json').as_posix()}; only logging is missing." if folder else ""
        return Problem("M001", f"MLflow at {where}", f"{_reason(error)}.", safe, _advice(error))


def _status(record: RunRecord, verdicts: Sequence[Verdict]) -> str:
    scored = any(aggregate.n for aggregate in record.aggregates.values())
    invalid = any(verdict.outcome is Outcome.INVALID and not verdict.advisory for verdict in verdicts)
    return "FINISHED" if scored and not invalid else "FAILED"


def _now() -> int:
    return int(time.time() * 1000)


def _started(created: str) -> int:
    return min(_now(), int(datetime.fromisoformat(created).timestamp() * 1000))


def _reason(error: Exception) -> str:
    text = str(error)
    if text.startswith("{"):
        text = str(json.loads(text).get("message", text))
    first = next((line for line in text.splitlines() if line.strip()), type(error).__name__)
    return shown(first.strip().rstrip("."))[:300]


def _advice(error: Exception) -> str:
    text = str(error)
    if "out-of-date database schema" in text or "Can't locate revision" in text:
        return "use another file with tracking.uri=sqlite:///new.db, or `mlflow db upgrade` after a backup."
    if "locked" in text:
        return "close the program that holds the file, then run again."
    return "check tracking.uri, or turn logging off with tracking=none."
