"""The sqlite store: one schema, made whole or not at all."""

import logging
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from harness.tracking import schema

PREPARE = "import sys; from harness.tracking.mlflow_sink import MLflow; MLflow(uri=sys.argv[1]).prepare()"
ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("uri", "resolved"),
    [
        ("sqlite:///mlflow.db", "sqlite:///{here}/mlflow.db"),
        ("sqlite:///runs/m.db", "sqlite:///{here}/runs/m.db"),
        ("sqlite:////data/m.db", "sqlite:////data/m.db"),
        ("sqlite:///m.db?timeout=9", "sqlite:///{here}/m.db?timeout=9"),
        ("http://127.0.0.1:5000", "http://127.0.0.1:5000"),
        ("sqlite:///:memory:", "sqlite:///:memory:"),
    ],
)
def test_a_relative_file_counts_from_the_current_folder(
    uri: str, resolved: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert schema.absolute(uri) == resolved.format(here=tmp_path.as_posix())


def test_artifacts_lie_beside_the_file_and_a_server_decides_for_itself() -> None:
    assert schema.artifact_root("sqlite:////data/m.db") == "file:///data/mlruns"
    assert schema.artifact_root("http://127.0.0.1:5000") is None


def test_telemetry_is_off_unless_the_user_says_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MLFLOW_DISABLE_TELEMETRY", raising=False)
    schema.quiet_environment()
    assert os.environ["MLFLOW_DISABLE_TELEMETRY"] == "true"
    monkeypatch.setenv("MLFLOW_HTTP_REQUEST_TIMEOUT", "7")
    schema.quiet_environment()
    assert os.environ["MLFLOW_HTTP_REQUEST_TIMEOUT"] == "7"
    assert logging.getLogger("alembic").level == logging.ERROR


def test_an_existing_file_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "mlflow.db"
    path.write_bytes(b"anything")
    schema.ensure(f"sqlite:///{path}")
    assert path.read_bytes() == b"anything"


def test_an_empty_store_is_a_whole_database(empty_store: bytes, tmp_path: Path) -> None:
    path = tmp_path / "copy.db"
    path.write_bytes(empty_store)
    with sqlite3.connect(path) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert database.execute("SELECT name FROM experiments").fetchall() == [("Default",)]
    database.close()


@pytest.mark.slow
def test_two_processes_that_start_on_no_file_both_succeed(tmp_path: Path) -> None:
    command = [sys.executable, "-c", PREPARE, f"sqlite:///{tmp_path / 'mlflow.db'}"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    running = [subprocess.Popen(command, cwd=tmp_path, env=environment, stderr=subprocess.PIPE) for _ in range(2)]
    errors = [process.communicate(timeout=120)[1].decode() for process in running]
    assert [process.returncode for process in running] == [0, 0], errors
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mlflow.db"]
    with sqlite3.connect(tmp_path / "mlflow.db") as database:
        names = database.execute("SELECT name FROM experiments ORDER BY name").fetchall()
    database.close()
    assert names == [("Default",), ("rag-harness",)]
