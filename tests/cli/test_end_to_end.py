"""The main job as a user starts it: a process of its own, the real models, the shipped smoke set."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.project import write_project

ROOT = Path(__file__).parent.parent.parent
LIGHT = ["run", "+experiment=light", "gate=none"]


def start(folder: Path, *words: str, **environment: str) -> "subprocess.Popen[str]":
    variables = {**os.environ, "PYTHONPATH": str(ROOT), "HARNESS_CACHE_DIR": str(folder / "cache"), **environment}
    command = [sys.executable, "-m", "harness", *words]
    return subprocess.Popen(command, cwd=folder, env=variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def finish(folder: Path, *words: str, **environment: str) -> tuple[int, str]:
    process = start(folder, *words, **environment)
    text, _ = process.communicate(timeout=300)
    return process.returncode, text


def journal_lines(folder: Path) -> int:
    return sum(path.read_bytes().count(b"\n") for path in folder.glob("reports/runs/*/traces.jsonl"))


@pytest.fixture
def slow_project(tmp_path):
    """A project whose questions take a while, so that a signal can arrive between two of them."""
    write_project(tmp_path)
    plugin = "import time\nfrom harness.querying.declarative import DeclarativeHyde\n\n\nclass Slow(DeclarativeHyde):\n    def transform(self, question, queries):\n"
    (tmp_path / "slowly.py").write_text(
        plugin + "        time.sleep(0.15)\n        return super().transform(question, queries)\n"
    )
    (tmp_path / "conf" / "hyde").mkdir(parents=True)
    (tmp_path / "conf" / "hyde" / "slow.yaml").write_text("_target_: slowly.Slow\n")
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize("stop", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_run_that_is_stopped_goes_on_where_it_was_and_ends_as_if_nothing_had_been(slow_project, stop):
    words = [*LIGHT, "hyde=slow", "workers=1"]
    process = start(slow_project, *words, HARNESS_PLUGINS="slowly")
    deadline = time.monotonic() + 60
    while journal_lines(slow_project) < 4 and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(stop)
    process.communicate(timeout=30)
    assert process.returncode == {signal.SIGKILL: -9, signal.SIGTERM: 143, signal.SIGINT: 130}[stop]
    kept = journal_lines(slow_project)
    assert 4 <= kept < 27
    code, text = finish(slow_project, *words, HARNESS_PLUGINS="slowly")
    assert code == 0, text
    assert f"{kept} of 27 questions are finished" in text
    finish(slow_project, *words, "runs_dir=whole", HARNESS_PLUGINS="slowly")
    (resumed,), (whole,) = slow_project.glob("reports/runs/*/results.json"), slow_project.glob("whole/*/results.json")
    assert resumed.read_bytes() == whole.read_bytes()


@pytest.mark.slow
@pytest.mark.models
def test_the_main_job_runs_with_real_models_and_is_logged_to_mlflow(tmp_path):
    words = ["run", "+experiment=hybrid_rerank", "golden_set=smoke"]
    code, text = finish(tmp_path, *words, HARNESS_CACHE_DIR=os.environ.get("HARNESS_CACHE_DIR", str(ROOT / ".harness_cache")))
    assert code == 0, text
    (folder,) = (tmp_path / "reports" / "runs").iterdir()
    metrics = json.loads((folder / "results.json").read_text())["metrics"]
    assert metrics["recall_at_5"]["n"] == 20
    assert metrics["false_answer_rate"]["n"] == 12
    assert metrics["invented_citations"]["value"] == 0
    assert metrics["tenant_leaks"]["value"] == 0
    with sqlite3.connect(tmp_path / "mlflow.db") as database:
        logged = dict(database.execute("SELECT key, value FROM latest_metrics"))
    assert logged["recall_at_5"] == pytest.approx(metrics["recall_at_5"]["value"])


@pytest.mark.slow
@pytest.mark.models
def test_hybrid_rerank_beats_naive_on_fernhill_by_its_accepted_baselines():
    from harness.gates import baseline
    from harness.statistics.paired import sign_flip

    naive, better = (baseline.load(ROOT / "reports" / "fernhill" / f"{name}.json") for name in ("naive", "hybrid_rerank"))
    for metric in ("recall_at_5", "mrr_at_10"):
        pairs = [(naive.scores[metric][name], value) for name, value in better.scores[metric].items() if value is not None]
        worse = [old - new for old, new in pairs]
        groups = [better.groups[name] for name, value in better.scores[metric].items() if value is not None]
        assert sign_flip(worse, groups) < 0.01


def test_a_terminal_that_knows_no_arrows_does_not_turn_a_pass_into_a_regression(tmp_path):
    write_project(tmp_path)
    code, text = finish(tmp_path, *LIGHT, PYTHONIOENCODING="ascii")
    assert code == 0, text
    assert "Recall@5" in text


def test_a_fault_of_the_harness_is_not_a_regression(tmp_path):
    write_project(tmp_path)
    (tmp_path / "broken.py").write_text("class Odd:\n    def index(self, *_):\n        raise RuntimeError('boom')\n")
    (tmp_path / "conf" / "retrievers").mkdir(parents=True)
    (tmp_path / "conf" / "retrievers" / "odd.yaml").write_text("odd:\n  _target_: broken.Odd\n")
    code, text = finish(tmp_path, *LIGHT, "retrievers=odd", HARNESS_PLUGINS="broken")
    assert code == 4
    assert "boom" in text
