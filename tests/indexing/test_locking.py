"""Two processes on one index."""

import subprocess
import sys
import time

import pytest
from filelock import FileLock

from harness.errors import StoreError
from harness.indexing import contents
from harness.indexing.locking import changing
from harness.indexing.opened import open_index
from harness.indexing.withdrawing import delete, purge, restore
from tests.indexing.small import TODAY, documents, found, pipeline, snapshot, synced

HOLD = """
import sys
from filelock import FileLock
with FileLock(sys.argv[1]):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def busy(tmp_path):
    """An index that another process is changing."""
    synced(tmp_path)
    command = [sys.executable, "-c", HOLD, str(tmp_path / ".lock")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout.readline() == "held\n"
        yield tmp_path
        other.stdin.close()


@pytest.mark.parametrize(
    "change",
    [
        lambda index: synced(index, documents(battery="New.")),
        lambda index: delete(index, ["battery.md"], pipeline(), TODAY),
        lambda index: restore(index, ["battery.md"], pipeline(), TODAY),
        lambda index: purge(index, pipeline(), TODAY),
    ],
)
def test_the_second_is_told_and_changes_nothing(busy, change):
    before = snapshot(busy)
    with pytest.raises(StoreError) as raised:
        change(busy)
    assert raised.value.problems[0].code == "I003"
    assert snapshot(busy) == before


def test_the_second_does_not_wait(busy, monkeypatch):
    monkeypatch.setattr(time, "sleep", lambda _: pytest.fail("waited"))
    with pytest.raises(StoreError, match="I003"), changing(busy):
        pass


def test_searching_goes_on_meanwhile(busy):
    assert "battery.md" in found(open_index(busy, pipeline()), "AA cells")


def test_the_lock_is_free_after_an_error(tmp_path):
    with pytest.raises(ValueError, match="on purpose"), changing(tmp_path):
        raise ValueError("on purpose")
    with FileLock(tmp_path / ".lock", timeout=0):
        pass


def test_a_folder_that_cannot_be_written_is_told(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot write"):
        synced(tmp_path / "file" / "index")


def test_a_reader_whose_generation_is_replaced_reads_the_next_one(tmp_path, monkeypatch):
    synced(tmp_path)
    stale = contents.need_manifest(tmp_path)
    synced(tmp_path, documents(battery="It runs on sunlight."))
    real, given = contents.need_manifest, [stale]
    monkeypatch.setattr(contents, "need_manifest", lambda folder: given.pop() if given else real(folder))
    assert contents.read_contents(tmp_path).manifest.generation == 2
