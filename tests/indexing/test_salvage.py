"""What is said of documents deleted by hand when an index is damaged, and of folders that cannot be read at all."""

import pytest

from harness.errors import ConfigError, StoreError
from harness.indexing.contents import read_contents
from harness.indexing.manifest import read_manifest
from harness.indexing.withdrawing import delete, purge
from tests.indexing.small import TODAY, documents, pipeline, snapshot, synced


@pytest.fixture
def index(tmp_path):
    """battery.md was deleted and purged, range.md deleted; files of generation 4."""
    synced(tmp_path)
    delete(tmp_path, ["battery.md"], pipeline(), TODAY, grace=0)
    purge(tmp_path, pipeline(), TODAY)
    delete(tmp_path, ["range.md"], pipeline(), TODAY)
    return tmp_path


def spoil(path):
    path.write_bytes(path.read_bytes().replace(b"reset", b"RESET") if path.suffix == ".jsonl" else b"?")


def told(use):
    with pytest.raises((StoreError, ConfigError)) as raised:
        use()
    return raised.value.problems


@pytest.mark.parametrize("name", ["documents.jsonl", "chunks.jsonl", "texts.json", "vectors.npy", "learned.bin"])
def test_a_damaged_index_names_what_was_deleted_by_hand(index, name):
    spoil(index / "generation-000004" / name)
    *_, last = told(lambda: read_contents(index))
    assert last.code == "I002"
    assert "harness index delete battery.md range.md`" in last.fix


@pytest.mark.parametrize("spoiled", ["?", "[]", '{"tombstones": 5}', "{" * 100_000])
def test_without_its_manifest_the_documents_still_tell(index, spoiled):
    (index / "manifest.json").write_text(spoiled)
    first, last = told(lambda: read_manifest(index))
    assert "must be deleted again" in first.fix
    assert "harness index delete range.md`" in last.fix


def test_with_a_lost_manifest_a_sync_names_them(index):
    (index / "manifest.json").unlink()
    *_, last = told(lambda: synced(index))
    assert "harness index delete range.md`" in last.fix


def test_without_its_documents_the_manifest_still_tells(index):
    (index / "generation-000004" / "documents.jsonl").unlink()
    *_, last = told(lambda: read_contents(index))
    assert "harness index delete battery.md`" in last.fix


@pytest.mark.parametrize(
    "row", [b"[]", b"5", b"\xff", b'{"reason": "deleted"}', b'{"reason": "deleted", "document": {"doc_id": 5}}']
)
def test_lines_that_cannot_be_read_are_passed_over(index, row):
    path = index / "generation-000004" / "documents.jsonl"
    path.write_bytes(row + b"\n" + path.read_bytes())
    *_, last = told(lambda: read_contents(index))
    assert "harness index delete battery.md range.md`" in last.fix


def test_where_nothing_was_deleted_by_hand_nothing_is_named(tmp_path):
    synced(tmp_path)
    synced(tmp_path, documents(battery=""))
    spoil(tmp_path / "generation-000002" / "vectors.npy")
    assert len(told(lambda: read_contents(tmp_path))) == 1


def test_a_file_in_the_place_of_the_index_is_called_so(tmp_path):
    (tmp_path / "index").write_text("years of work")
    (problem,) = told(lambda: read_manifest(tmp_path / "index"))
    assert (problem.code, problem.what) == ("I004", "is a file; --index needs a folder")
    assert "delete" not in problem.fix


def test_what_the_system_does_not_let_be_read_is_told_in_its_words_and_not_to_be_deleted(index):
    before = snapshot(index)
    (index / "manifest.json").rename(index / "kept.json")
    (index / "manifest.json").mkdir()
    with pytest.raises(ConfigError) as raised:
        read_manifest(index)
    (problem,) = raised.value.problems
    assert (problem.code, "Is a directory" in problem.what, "delete" in problem.fix) == ("I004", True, False)
    assert (index / "kept.json").read_bytes() == before["manifest.json"]


@pytest.mark.parametrize("error", [PermissionError(13, "Permission denied"), OSError(5, "Input/output error")])
@pytest.mark.parametrize("name", ["manifest.json", "vectors.npy"])
def test_a_file_that_cannot_be_read_is_not_called_damaged(index, monkeypatch, error, name):
    from pathlib import Path

    real = Path.read_bytes

    def refuse(path):
        if path.name == name:
            raise error
        return real(path)

    monkeypatch.setattr(Path, "read_bytes", refuse)
    (problem,) = told(lambda: read_contents(index))
    assert (problem.code, error.strerror in problem.what, "delete" in problem.fix) == ("I004", True, False)
