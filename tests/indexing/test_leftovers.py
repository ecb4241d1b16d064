"""What an index removes: its own files that it no longer uses, and nothing else."""

import shutil

import pytest

from harness.errors import ConfigError, StoreError
from harness.indexing.locking import changing
from harness.indexing.manifest import read_manifest
from tests.indexing.small import documents, snapshot, synced

OLD = "generation-000001"


@pytest.fixture
def index(tmp_path):
    """An index, and beside it a copy of its files as a process leaves them that is killed before it removes them."""
    folder = tmp_path / "index"
    synced(folder)
    shutil.copytree(folder / OLD, folder.with_name("copy"))
    return folder


@pytest.fixture
def change(index):
    """A change of the index; gives the names in its folder afterwards."""

    def changed():
        synced(index, documents(battery="It runs on sunlight."))
        return {path.name for path in index.iterdir()} - {".lock", "manifest.json"}

    return changed


@pytest.mark.parametrize(
    "theirs",
    [
        "generation-one/notes.md",
        "generation-2024/report.md",
        "generation-0000001/documents.jsonl",
        "generation-000007/thesis.md",
        "generation-000007/documents.jsonl/inner.md",
        "generation-000007/deeper/documents.jsonl",
        ".generation/thesis.md",
        ".manifest.json.tmpdir/notes.md",
        ".manifest.json.1.2/notes.md",
        ".manifest.json.bak",
        ".locked",
        "generation-000007.zip",
        "documents.jsonl",
    ],
)
def test_what_the_user_keeps_in_the_folder_stays(index, theirs):
    path = index / theirs
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("mine")
    with changing(index):
        pass
    assert path.read_text() == "mine"


def test_a_link_to_a_folder_is_not_followed(index, change):
    (index / "generation-000007").symlink_to(index.with_name("copy"), target_is_directory=True)
    before = snapshot(index.with_name("copy"))
    assert change() == {"generation-000002", "generation-000007"}
    assert snapshot(index.with_name("copy")) == before


@pytest.mark.parametrize("left", ["generation-000002", "generation-000009", ".generation"])
def test_what_a_killed_process_left_is_removed_by_the_next_change(index, change, left):
    shutil.copytree(index.with_name("copy"), index / left)
    (index / ".manifest.json.123.456").write_text("{")
    assert change() == {"generation-000002"}


def test_the_next_generation_does_not_overwrite_a_file_of_the_user(index):
    (index / "generation-000002").mkdir()
    (index / "generation-000002" / "thesis.md").write_text("mine")
    before = snapshot(index)
    with pytest.raises(StoreError, match="generation-000002"):
        synced(index, documents(battery="It runs on sunlight."))
    assert snapshot(index) == before


def test_nothing_is_removed_when_a_change_fails(index):
    shutil.copytree(index.with_name("copy"), index / "generation-000009")
    before = snapshot(index)
    with pytest.raises(ValueError, match="on purpose"), changing(index):
        raise ValueError("on purpose")
    assert snapshot(index) == before


def test_an_index_that_is_damaged_keeps_the_generation_beside_it(index):
    shutil.copytree(index.with_name("copy"), index / "generation-000009")
    (index / OLD / "chunks.jsonl").write_text("")
    with pytest.raises(StoreError, match="I002"):
        synced(index, documents(battery="It runs on sunlight."))
    assert snapshot(index / "generation-000009") == snapshot(index.with_name("copy"))


def test_a_lost_manifest_loses_no_generation_and_the_way_out_is_told(index):
    kept = (index / "manifest.json").read_bytes()
    (index / "manifest.json").unlink()
    before = snapshot(index)
    with pytest.raises(ConfigError) as raised:
        synced(index)
    (problem,) = raised.value.problems
    assert (problem.code, OLD in problem.what, "another folder with --index" in problem.fix) == ("I004", True, True)
    assert snapshot(index) == before
    (index / "manifest.json").write_bytes(kept)
    assert synced(index).up_to_date


@pytest.mark.parametrize("theirs", ["generation-one", "generation-000001", "notes", ".manifest.json.tmpdir", ".locked", ".git"])
def test_no_index_is_begun_beside_what_somebody_else_keeps(tmp_path, theirs):
    (tmp_path / theirs).mkdir()
    (tmp_path / theirs / "notes.md").write_text("mine")
    with pytest.raises(ConfigError, match="I004"):
        synced(tmp_path)
    assert (tmp_path / theirs / "notes.md").read_text() == "mine"
    assert read_manifest(tmp_path) is None
