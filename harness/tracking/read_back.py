"""A run that was logged to MLflow, as a record again: its scores and results are artifacts of the run."""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from harness import runs
from harness.errors import Problem, StoreError
from harness.reporting.configs import shown
from harness.store import write_json
from harness.tracking import schema
from harness.types import RunRecord

if TYPE_CHECKING:
    from mlflow import MlflowClient
    from mlflow.entities import Run

ARTIFACTS = ("results.json", "scores.jsonl", "config.yaml")
"""What a record is read from."""
_LATENCY = "latency/"
_ABSENT = "RESOURCE_DOES_NOT_EXIST"


def read_back(uri: str, mlflow_id: str) -> RunRecord | None:
    """The record of a logged run; None when the store, or the run in it, does not exist. Traces are not logged.

    Args:
        uri: tracking store.
        mlflow_id: MLflow's own id of the run, 32 hex digits.

    Raises:
        StoreError: M002, when the run holds no results, such as the parent of a sweep, or the store cannot be read.
    """
    absolute = schema.absolute(uri)
    if schema.is_file(absolute) and not _file(absolute).exists():
        return None
    schema.quiet_environment()
    from mlflow import MlflowClient
    from mlflow.exceptions import MlflowException
    from sqlalchemy.exc import SQLAlchemyError

    try:
        with schema.quiet(), TemporaryDirectory(prefix="harness-mlflow-") as scratch:
            client = MlflowClient(tracking_uri=absolute)
            return _record(client, client.get_run(mlflow_id), Path(scratch))
    except (MlflowException, SQLAlchemyError, OSError) as error:
        if getattr(error, "error_code", "") == _ABSENT:
            return None
        raise _unreadable(absolute, mlflow_id, shown(str(error).strip().partition("\n")[0][:300])) from error


def _record(client: "MlflowClient", run: "Run", folder: Path) -> RunRecord:
    name, tags = run.info.run_id, run.data.tags
    present = {item.path for item in client.list_artifacts(name)}
    if missing := [artifact for artifact in ARTIFACTS if artifact not in present]:
        kind = "it is the parent of a sweep; name one of its runs" if tags.get("harness.kind") == "sweep" else ""
        lacking = f"the run has no {', '.join(missing)}"
        raise _unreadable("", name, f"{lacking}: {kind}" if kind else lacking)
    for artifact in ARTIFACTS:
        client.download_artifacts(name, artifact, str(folder))
    varying = {
        "run_id": tags.get("harness.run_id", name),
        "created": datetime.fromtimestamp(run.info.start_time / 1000, UTC).isoformat(timespec="seconds"),
        "overrides": [],
        "environment": {"git_revision": tags.get("harness.git_revision", "")},
        "latency": _latency(run.data.metrics),
    }
    write_json(folder / "run.json", varying)
    return runs.load(folder)


def _latency(metrics: Mapping[str, float]) -> dict[str, dict[str, float]]:
    """`latency/rerank_p95` as stage and end."""
    found: dict[str, dict[str, float]] = {}
    for name, value in metrics.items():
        if name.startswith(_LATENCY):
            stage, _, end = name.removeprefix(_LATENCY).rpartition("_")
            found.setdefault(stage, {})[end] = value
    return found


def _file(uri: str) -> Path:
    return Path(uri.removeprefix("sqlite:///").partition("?")[0])


def _unreadable(uri: str, mlflow_id: str, why: str) -> StoreError:
    where = f"MLflow run {mlflow_id}" + (f" at {shown(uri)}" if uri else "")
    fix = "compare its run folder or an accepted baseline instead."
    return StoreError("a logged run cannot be read back", [Problem("M002", where, f"{why}.", "", fix)])
