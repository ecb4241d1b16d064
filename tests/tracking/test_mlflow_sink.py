"""Runs written to a real MLflow store and read back."""

import json
import sqlite3
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from pydantic import ValidationError

from harness.errors import ConfigError, StoreError
from harness.tracking import entries
from harness.tracking.mlflow_sink import MLflow
from harness.types import Outcome, RunRecord, Verdict
from tests.reporting.records import full_verdicts, record, verdict

if TYPE_CHECKING:
    from mlflow import MlflowClient
    from mlflow.entities import Run

TABLE: dict[str, list[Any]] = {"question_id": ["q1", "q2"], "answer": ["Two years.", None], "recall_at_5": [1.0, 0.0]}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A run folder with its reports and a file that is none of MLflow's business."""
    path = tmp_path / "run"
    path.mkdir()
    for name in ("report.md", "report.html", "results.json", "config.yaml", "traces.jsonl"):
        (path / name).write_text(f"{name}\n")
    return path


def client(sink: MLflow) -> "MlflowClient":
    """The client on the sink's store."""
    return sink._client


def logged(sink: MLflow, folder: Path, run: RunRecord | None = None, verdicts: Sequence[Verdict] = (), parent: str = "") -> "Run":
    """Logs a run and reads it back."""
    run_id = sink.log_run(run or record(), verdicts, folder, TABLE, None, parent)
    return client(sink).get_run(run_id)


def test_params_metrics_and_tags_come_back(sink: MLflow, folder: Path) -> None:
    data = logged(sink, folder, verdicts=[verdict()]).data
    assert data.params["chunker.size"] == "512"
    assert data.params["fuser"] == "RRF"
    assert data.metrics == {"recall_at_5": 0.75, "gate.recall_at_5": 1.0}
    assert data.tags["harness.kind"] == "variant"
    assert data.tags["harness.verdict"] == "pass"


def test_the_run_carries_our_name_and_time(sink: MLflow, folder: Path) -> None:
    created = "2026-01-02T03:04:05+00:00"
    info = logged(sink, folder, record(created=created)).info
    assert info.run_name == "hybrid smoke a1b2c3"
    assert info.start_time == datetime.fromisoformat(created).timestamp() * 1000
    assert info.end_time is not None


@pytest.mark.parametrize(
    ("run", "verdicts", "status"),
    [
        (record(), [verdict()], "FINISHED"),
        (record(), full_verdicts(), "FINISHED"),
        (record(), [verdict(outcome=Outcome.INVALID)], "FAILED"),
        (record({"recall_at_5": None}), [], "FAILED"),
    ],
)
def test_only_an_invalid_run_has_failed(sink: MLflow, folder: Path, run: RunRecord, verdicts: list[Verdict], status: str) -> None:
    assert logged(sink, folder, run, verdicts).info.status == status


def test_more_params_and_metrics_than_one_batch_takes_are_all_logged(sink: MLflow, folder: Path) -> None:
    config = {"stage": {f"setting_{place}": place for place in range(250)}}
    means = {f"recall_at_{place}": 0.5 for place in range(1, 301)}
    data = logged(sink, folder, record(means, config=config)).data
    assert len(data.params) == 250
    assert len(data.metrics) == 300


def test_reports_are_artifacts_and_nothing_else_is(sink: MLflow, folder: Path) -> None:
    run = logged(sink, folder)
    names = {item.path for item in client(sink).list_artifacts(run.info.run_id)}
    assert names == {"report.md", "report.html", "results.json", "config.yaml", "questions.json"}
    assert run.info.artifact_uri.startswith((folder.parent / "mlruns").as_uri())


def test_the_table_of_questions_comes_back(sink: MLflow, folder: Path) -> None:
    run = logged(sink, folder)
    path = client(sink).download_artifacts(run.info.run_id, "questions.json")
    assert json.loads(Path(path).read_text()) == {
        "columns": ["question_id", "answer", "recall_at_5"],
        "data": [["q1", "Two years.", 1.0], ["q2", None, 0.0]],
    }


def test_the_golden_set_is_the_runs_input(sink: MLflow, folder: Path) -> None:
    from datasets import Dataset

    golden = Dataset.from_dict({"id": ["q1"], "evidence": [[{"doc": "a.md", "quote": "two years"}]], "answerable": [True]})
    run_id = sink.log_run(record(), (), folder, TABLE, golden)
    (given,) = client(sink).get_run(run_id).inputs.dataset_inputs
    assert (given.dataset.name, given.dataset.digest) == ("smoke", "9f3a9f3a9f3a")
    assert {tag.key: tag.value for tag in given.tags} == {"mlflow.data.context": "evaluation", "sha256": "9f3a" * 16}
    assert json.loads(given.dataset.profile)["num_rows"] == 1
    assert "evidence" in given.dataset.schema


def test_variants_are_folded_under_their_sweep(sink: MLflow, folder: Path) -> None:
    parent = sink.start_parent("sweep of two", {"harness.variants": "2"})
    children = [logged(sink, folder, parent=parent).info.run_id for _ in range(2)]
    sink.finish_parent(parent)
    run = client(sink).get_run(parent)
    found = client(sink).search_runs([run.info.experiment_id], f"tags.mlflow.parentRunId = '{parent}'")
    assert {item.info.run_id for item in found} == set(children)
    assert (run.info.run_name, run.info.status, run.data.tags["harness.kind"]) == ("sweep of two", "FINISHED", "sweep")


def test_a_sweep_that_a_signal_ended_says_so(sink: MLflow) -> None:
    parent = sink.start_parent("sweep")
    sink.finish_parent(parent, "KILLED")
    assert client(sink).get_run(parent).info.status == "KILLED"


def test_variants_are_found_by_tag_and_sorted_by_metric(sink: MLflow, folder: Path) -> None:
    for mean in (0.5, 0.9, 0.7):
        logged(sink, folder, record({"recall_at_5": mean}))
    experiment = client(sink).get_experiment_by_name("rag-harness")
    found = client(sink).search_runs(
        [experiment.experiment_id], "tags.`harness.kind` = 'variant'", order_by=["metrics.recall_at_5 DESC"]
    )
    assert [run.data.metrics["recall_at_5"] for run in found] == [0.9, 0.7, 0.5]


def test_no_global_state_of_mlflow_changes(sink: MLflow, folder: Path) -> None:
    import signal

    import mlflow

    before = (signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT), mlflow.get_tracking_uri())
    logged(sink, folder)
    after = (signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT), mlflow.get_tracking_uri())
    assert (after, mlflow.active_run()) == (before, None)


def test_no_secret_reaches_the_store(sink: MLflow, folder: Path) -> None:
    logged(sink, folder, record(overrides=("generator.api_key=sk-CANARY-123456",)))
    written = [path.read_bytes() for path in folder.parent.rglob("*") if path.is_file()]
    assert written
    assert not any(b"CANARY" in content for content in written)


def test_a_store_of_another_mlflow_is_told_with_its_remedy(sink: MLflow, folder: Path) -> None:
    with sqlite3.connect(sink.uri.removeprefix("sqlite:///")) as database:
        database.execute("UPDATE alembic_version SET version_num = '39d1c3be5f05'")
    database.close()
    with pytest.raises(StoreError) as found:
        sink.log_run(record(), (), folder, TABLE, None)
    (problem,) = found.value.problems
    assert problem.code == "M001"
    assert "39d1c3be5f05" in problem.what
    assert problem.why == f"Results are in {folder.as_posix()}/results.json; only logging is missing."
    assert "tracking.uri=sqlite:///new.db" in problem.fix


@pytest.mark.slow
def test_a_locked_store_is_told_and_not_waited_for_without_end(sink: MLflow, folder: Path) -> None:
    sink.prepare()
    other = sqlite3.connect(sink.uri.removeprefix("sqlite:///"), isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    try:
        with pytest.raises(StoreError, match="locked"):
            sink.log_run(record(), (), folder, TABLE, None)
    finally:
        other.close()


def test_a_file_that_is_no_database_is_told(tmp_path: Path) -> None:
    (tmp_path / "mlflow.db").write_text("not a database, " * 100)
    with pytest.raises(StoreError, match="M001"):
        MLflow(uri=f"sqlite:///{tmp_path / 'mlflow.db'}").prepare()


def test_a_password_in_the_uri_is_refused_and_not_repeated() -> None:
    with pytest.raises(ConfigError) as found:
        MLflow(uri="http://me:hunter2@127.0.0.1:9")
    assert "hunter2" not in str(found.value)
    assert "MLFLOW_TRACKING_PASSWORD" in str(found.value)


def test_a_driver_that_is_not_installed_is_told_with_a_way_out() -> None:
    with pytest.raises(StoreError) as found:
        MLflow(uri="postgresql://127.0.0.1/x").prepare()
    assert "tracking=none" in str(found.value)


def test_a_run_that_breaks_off_is_marked_failed(sink: MLflow, folder: Path) -> None:
    (folder.parent / "mlruns").write_text("a file where artifacts should go")
    with pytest.raises(StoreError, match="M001"):
        sink.log_run(record(), (), folder, TABLE, None)
    experiment = client(sink).get_experiment_by_name("rag-harness")
    assert [run.info.status for run in client(sink).search_runs([experiment.experiment_id])] == ["FAILED"]


def test_a_mistyped_field_is_named() -> None:
    with pytest.raises(ValidationError, match="experimnt"):
        MLflow(experimnt="x")  # type: ignore[call-arg]


def test_seconds_per_stage_are_metrics() -> None:
    timed = record(latency={"rerank": {"p50": 0.25, "p95": 0.5}})
    found = entries.metrics(timed, ())
    assert (found["latency/rerank_p50"], found["latency/rerank_p95"]) == (0.25, 0.5)
