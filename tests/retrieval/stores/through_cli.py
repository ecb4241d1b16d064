"""The main job over a store by its words, on the shipped smoke set, without a model."""

import json
import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from harness.cli import job
from harness.cli.main import main

ROOT = Path(__file__).parents[3]
WORDS = ("+experiment=dense_only", "golden_set=smoke", "embedder=hashing", "judge=none", "gate=none", "tracking=none")


@cache
def with_faiss() -> dict[str, Any]:
    """What the exact search in memory gives."""
    with TemporaryDirectory() as folder:
        return on_smoke(Path(folder), "store=faiss")


def on_smoke(folder: Path, *words: str) -> dict[str, Any]:
    """Runs dense_only in an empty folder; gives Recall@5 and the leaks."""
    printed = StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(printed), redirect_stderr(printed):
        patch.chdir(folder)
        patch.setenv("HARNESS_CACHE_DIR", str(folder / "cache"))
        job._load.cache_clear()
        code = main(["run", *WORDS, *words])
    assert code == 0, printed.getvalue()
    return results(folder)


def in_a_process(folder: Path, *words: str) -> tuple[dict[str, Any], list[str]]:
    """The same in a process of its own, which must end; also what it prints to stderr but the progress."""
    variables = {**os.environ, "PYTHONPATH": str(ROOT), "HARNESS_CACHE_DIR": str(folder / "cache")}
    command = [sys.executable, "-m", "harness", "run", *WORDS, *words]
    done = subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return results(folder), [line for line in done.stderr.splitlines() if not line.startswith(("answering:", "  embed: "))]


def results(folder: Path) -> dict[str, Any]:
    """Recall@5 and the leaks of the only run in a folder."""
    (path,) = folder.glob("reports/runs/*/results.json")
    metrics = json.loads(path.read_text())["metrics"]
    leaks = {name: metrics[name]["value"] for name in metrics if "leak" in name}
    assert leaks
    return {"recall_at_5": metrics["recall_at_5"], "leaks": leaks}
