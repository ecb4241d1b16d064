"""A run that was logged comes back as the record that it was."""

from pathlib import Path

import pytest

from harness import runs
from harness.errors import StoreError
from harness.tracking.mlflow_sink import MLflow
from harness.tracking.read_back import read_back
from harness.types import RunRecord
from tests.builders import chunk, trace
from tests.reporting.records import record


def written(folder: Path) -> RunRecord:
    """A finished run in the folder."""
    latency = {"rerank_lexical": {"p50": 0.25, "p95": 0.5}}
    made = record({"recall_at_5": 0.5}, {"recall_at_5": {"q1": 1, "q2": 0}}, latency=latency, run_id=folder.name)
    folder.mkdir()
    runs.save(folder, made, "key", [trace("q1", chunk())], [chunk()], "fuser: {k: 60}\n")
    runs.seal(folder, made)
    return made


def test_scores_aggregates_and_config_come_back(sink: MLflow, tmp_path: Path) -> None:
    made = written(tmp_path / "20261130-a-1")
    mlflow_id = sink.log_run(made, (), tmp_path / "20261130-a-1", {}, None)
    got = read_back(sink.uri, mlflow_id)
    assert got is not None
    assert (got.run_id, got.experiment, got.golden_set) == ("20261130-a-1", "hybrid", "smoke")
    assert (got.scores, got.aggregates, got.config) == (made.scores, made.aggregates, {"fuser": {"k": 60}})
    assert (got.environment["git_revision"], got.latency) == ("abc123def4567890", made.latency)
    assert got.created == made.created


@pytest.mark.parametrize("store", ["mlflow.db", "absent.db"])
def test_a_run_or_a_store_that_does_not_exist_is_none_and_nothing_is_made(sink: MLflow, tmp_path: Path, store: str) -> None:
    before = sorted(tmp_path.iterdir())
    assert read_back(f"sqlite:///{tmp_path / store}", "0" * 32) is None
    assert sorted(tmp_path.iterdir()) == before


def test_the_parent_of_a_sweep_has_no_results_of_its_own(sink: MLflow) -> None:
    parent = sink.start_parent("sweep")
    with pytest.raises(StoreError, match="it is the parent of a sweep; name one of its runs"):
        read_back(sink.uri, parent)


def test_a_run_whose_artifacts_were_changed_is_refused(sink: MLflow, tmp_path: Path) -> None:
    made = written(tmp_path / "run")
    (tmp_path / "run" / "scores.jsonl").write_text('{"question_id":"q1","scores":{"recall_at_5":0.9}}\n')
    mlflow_id = sink.log_run(made, (), tmp_path / "run", {}, None)
    with pytest.raises(StoreError, match=r"is not what the run wrote"):
        read_back(sink.uri, mlflow_id)


def test_a_file_that_is_no_store_is_told(tmp_path: Path) -> None:
    (tmp_path / "notes.db").write_text("not a database, but long enough to be looked at as one" * 20)
    with pytest.raises(StoreError, match="M002"):
        read_back(f"sqlite:///{tmp_path / 'notes.db'}", "0" * 32)


def test_the_leaderboard_of_a_sweep_is_an_artifact_of_its_parent(sink: MLflow, tmp_path: Path) -> None:
    parent = sink.start_parent("sweep")
    sink.finish_parent(parent)
    for name in ("leaderboard.html", "leaderboard.md"):
        (tmp_path / name).write_text(name)
    sink.log_files(parent, [tmp_path / "leaderboard.html", tmp_path / "leaderboard.md"])
    assert [item.path for item in sink._client.list_artifacts(parent)] == ["leaderboard.html", "leaderboard.md"]


def test_a_file_that_cannot_be_logged_is_one_store_error(sink: MLflow, tmp_path: Path) -> None:
    parent = sink.start_parent("sweep")
    with pytest.raises(StoreError, match="MLflow logging failed"):
        sink.log_files(parent, [tmp_path / "nothing.html"])
