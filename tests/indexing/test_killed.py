"""kill -9 at any moment: the old index answers until the new one is complete, and the next sync puts everything right."""

import subprocess
import sys
from pathlib import Path

import pytest

from harness.indexing.contents import read_contents
from harness.indexing.manifest import read_manifest
from harness.indexing.opened import open_index
from tests.indexing import killed
from tests.indexing.small import found, pipeline, synced

ROOT = Path(__file__).parent.parent.parent
QUESTIONS = ("AA cells", "sunlight", "gateway", "radio clock")


def answers(folder: Path) -> list[set[str]]:
    system = open_index(folder, pipeline())
    return [found(system, text) for text in QUESTIONS]


def kill_at_every_step(folder: Path, act: str) -> list[Path]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.indexing.killed", str(folder), act], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return [folder.with_name(f"killed-{step}") for step in range(int(done.stdout))]


@pytest.mark.parametrize("act", ["change", "withdraw"])
def test_a_killed_change_leaves_the_old_index_or_the_new_one_and_the_next_one_completes(tmp_path, act):
    old, new = tmp_path / "old", tmp_path / "new"
    for folder in (old, new):
        synced(folder)
    again = getattr(killed, act)
    again(new)
    before, after, complete = answers(old), answers(new), read_manifest(new)
    copies = kill_at_every_step(old, act)
    assert len(copies) > 12
    seen = [answers(copy) for copy in copies]
    assert seen[0] == before
    assert seen[-1] == after
    assert all(item in (before, after) for item in seen)
    for copy in copies:
        again(copy)
        assert read_manifest(copy).files == complete.files
        assert read_contents(copy).manifest == read_manifest(copy)
        assert sorted(path.name for path in copy.iterdir()) == sorted(path.name for path in new.iterdir())


def test_a_killed_first_sync_leaves_no_index_and_the_next_one_completes(tmp_path):
    synced(tmp_path / "whole")
    half = tmp_path / "half"
    (half / ".generation").mkdir(parents=True)
    (half / ".generation" / "documents.jsonl").write_text('{"document"')
    (half / ".manifest.json.123.456").write_text("{")
    assert read_manifest(half) is None
    synced(half)
    assert read_manifest(half).digest == read_manifest(tmp_path / "whole").digest
    assert sorted(path.name for path in half.iterdir()) == [".lock", "generation-000001", "manifest.json"]
