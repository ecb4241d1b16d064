"""kill -9 while an index is embedded: what was embedded is kept, the old index answers, the next sync completes."""

import signal
import sqlite3
import time
from contextlib import closing

import pytest

from tests.cli.project import write_project
from tests.cli.test_end_to_end import finish, start

SLOW = """import time
from harness.embedding.hashing import Hashing


class Slow(Hashing):
    def embed(self, texts):
        time.sleep(0.02 * len(texts))
        return super().embed(texts)
"""


@pytest.fixture
def slow_project(tmp_path):
    """A project with an embedder that takes 20 ms a text, an index of one document and a folder of 160 more."""
    write_project(tmp_path)
    (tmp_path / "slowly.py").write_text(SLOW)
    (tmp_path / "conf" / "embedder").mkdir(parents=True)
    (tmp_path / "conf" / "embedder" / "slow.yaml").write_text("_target_: slowly.Slow\n")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "old.md").write_text("# Old\n\nThe probe runs on AA cells.\n")
    code, text = index(tmp_path, "sync", "docs", "embedder=slow", "reranker=none")
    assert code == 0, text
    for number in range(160):
        (tmp_path / "docs" / f"new-{number}.md").write_text(f"# New {number}\n\nDocument number {number} on cells.\n")
    return tmp_path


def index(folder, *words):
    return finish(folder, "index", *words, HARNESS_PLUGINS="slowly")


def kept(folder):
    """Vectors in the cache."""
    try:
        with closing(sqlite3.connect(folder / "cache" / "stages.sqlite")) as store:
            return store.execute("SELECT count(*) FROM entries WHERE namespace = 'embed'").fetchone()[0]
    except sqlite3.Error:
        return 0


@pytest.mark.slow
def test_a_sync_that_is_killed_while_it_embeds_costs_nothing_twice(slow_project):
    before = (slow_project / "index" / "manifest.json").read_bytes()
    process = start(slow_project, "index", "sync", "docs", HARNESS_PLUGINS="slowly")
    deadline = time.monotonic() + 60
    while kept(slow_project) < 33 and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=30)
    assert process.returncode == -9
    saved = kept(slow_project) - 1
    assert 32 <= saved < 160
    assert (slow_project / "index" / "manifest.json").read_bytes() == before
    code, text = index(slow_project, "search", "cells", "reranker=none", "--json")
    assert (code, '"doc": "old.md"' in text, "new-" in text) == (0, True, False)
    code, text = index(slow_project, "sync", "docs")
    assert code == 0
    assert "embedded 160 texts" in text
    assert f"embed: {saved} of 160 from the cache" in text
    assert "up to date: 161 documents unchanged" in index(slow_project, "sync", "docs")[1]
