"""Files that are not the ones that were written."""

import io
import json
import os
from pathlib import Path

import numpy as np
import pytest

from harness.embedding.hashing import Hashing
from harness.embedding.tfidf_svd import TfidfSvd
from harness.errors import StoreError
from harness.fingerprint import digest, fingerprint
from harness.indexing.contents import FILES, read_contents
from harness.indexing.manifest import read_manifest
from harness.indexing.opened import open_index
from tests.builders import document
from tests.indexing.small import documents, pipeline, synced


@pytest.fixture
def index(tmp_path):
    synced(tmp_path)
    return tmp_path


def place(index, name):
    return index / "generation-000001" / name


@pytest.mark.parametrize("name", FILES)
def test_a_changed_file_is_refused_by_its_name(index, name):
    raw = place(index, name).read_bytes()
    place(index, name).write_bytes(raw[:-1] + b"x" if raw else b"x")
    for use in (lambda: open_index(index, pipeline()), lambda: synced(index, documents(battery="New."))):
        with pytest.raises(StoreError) as raised:
            use()
        assert [problem.code for problem in raised.value.problems] == ["I002"]
        assert name in raised.value.problems[0].where


@pytest.mark.parametrize("name", FILES)
def test_a_missing_file_is_refused_by_its_name(index, name):
    place(index, name).unlink()
    with pytest.raises(StoreError, match="is missing") as raised:
        read_contents(index)
    assert name in raised.value.problems[0].where


def test_every_damaged_file_is_told(index):
    place(index, "chunks.jsonl").write_text("")
    place(index, "vectors.npy").unlink()
    with pytest.raises(StoreError) as raised:
        read_contents(index)
    assert [problem.where.rpartition("/")[2] for problem in raised.value.problems] == ["chunks.jsonl", "vectors.npy"]


def test_an_index_of_a_newer_format_is_not_read(index):
    path = index / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "format": 2, "surprise": True}))
    with pytest.raises(StoreError) as raised:
        read_manifest(index)
    (problem,) = raised.value.problems
    assert (problem.code, "format 2" in problem.what, "update" in problem.fix) == ("I002", True, True)


@pytest.mark.parametrize(
    "edit",
    [
        lambda record: {**record, "generation": 7},
        lambda record: {**record, "embedder": "another"},
        lambda record: {**record, "counts": []},
        lambda record: {name: value for name, value in record.items() if name != "files"},
        lambda record: {**record, "more": 1},
        lambda record: [record],
    ],
)
def test_an_edited_manifest_is_refused(index, edit):
    path = index / "manifest.json"
    path.write_text(json.dumps(edit(json.loads(path.read_text()))))
    with pytest.raises(StoreError, match="I002"):
        read_manifest(index)


def test_a_manifest_that_is_no_json_is_refused(index):
    (index / "manifest.json").write_bytes(b"\xff{")
    with pytest.raises(StoreError, match="I002"):
        read_manifest(index)


def test_a_pickle_among_the_vectors_is_never_opened(index):
    path = index / "manifest.json"
    np.save(place(index, "vectors.npy"), np.array([{"a": 1}], dtype=object), allow_pickle=True)
    rewrite_digest(index, path, "vectors.npy")
    with pytest.raises(StoreError, match="cannot be read"):
        read_contents(index)


def test_vectors_of_another_shape_are_refused(index):
    np.save(place(index, "vectors.npy"), np.zeros((2, 64), dtype=np.float32), allow_pickle=False)
    rewrite_digest(index, index / "manifest.json", "vectors.npy")
    with pytest.raises(StoreError, match="3 texts"):
        read_contents(index)


def test_chunks_whose_ids_are_another_version_s_are_refused(index):
    rows = place(index, "chunks.jsonl")
    first = json.loads(rows.read_text().splitlines()[0])["id"]
    rows.write_text(rows.read_text().replace(first, "0" * 12))
    rewrite_digest(index, index / "manifest.json", "chunks.jsonl")
    with pytest.raises(StoreError, match="cannot be read by this version"):
        read_contents(index)


def rewrite_digest(index, path, name):
    """Makes the manifest agree with a file, as whoever forges an index would."""
    record = json.loads(path.read_text())
    record["files"][name] = digest(place(index, name).read_bytes())
    signed = {key: value for key, value in record.items() if key not in ("digest", "format")}
    path.write_text(json.dumps({**record, "digest": fingerprint(signed)}))


def npy(shape, data=b"", kind="<f4", order="False", version=b"\x01\x00"):
    """An npy file whose header says what it likes."""
    head = f"{{'descr': '{kind}', 'fortran_order': {order}, 'shape': {shape}, }}".encode()
    head += b" " * ((-len(head) - 11) % 64) + b"\n"
    return b"\x93NUMPY" + version + len(head).to_bytes(2, "little") + head + data


@pytest.mark.parametrize(
    ("name", "raw"),
    [
        ("vectors.npy", b""),
        ("vectors.npy", b"\x93NUMPY"),
        ("vectors.npy", npy("(3, 2000000000000)")),
        ("vectors.npy", npy(f"(3, {'9' * 30})")),
        ("vectors.npy", npy("(3, 64)", bytes(3 * 64 * 4 - 1))),
        ("vectors.npy", npy("(3, 64)", bytes(3 * 64 * 4 + 1))),
        ("vectors.npy", npy("(3, 64)", bytes(3 * 64 * 8), kind="<f8")),
        ("vectors.npy", npy("(3, 64)", bytes(3 * 64 * 4), order="True")),
        ("vectors.npy", npy("(192,)", bytes(3 * 64 * 4))),
        ("vectors.npy", npy("(3, 64)", np.full(192, np.nan, dtype="<f4").tobytes())),
        ("vectors.npy", b"PK\x03\x04"),
        ("vectors.npy", npy("(" * 3000 + ")" * 3000)),
        ("texts.json", b"[" * 200_000),
        ("texts.json", b""),
        ("texts.json", b'{"a": 1}'),
        ("texts.json", b"[1, 2, 3]"),
        ("texts.json", b"[[], [], []]"),
        ("texts.json", b"\xff"),
        ("texts.json", b"[NaN]"),
        ("chunks.jsonl", b"[" * 200_000),
        ("chunks.jsonl", b"1\n"),
        ("chunks.jsonl", b"{}\n"),
        ("chunks.jsonl", b'{"doc_id": []}\n'),
        ("documents.jsonl", b"[]\n"),
        ("documents.jsonl", b'{"document": {"doc_id": {}}}\n'),
        ("documents.jsonl", b'{"document": null}\n'),
        ("documents.jsonl", b'{"document": ' * 100_000),
    ],
)
def test_a_forged_file_is_one_clear_problem(index, name, raw):
    place(index, name).write_bytes(raw)
    rewrite_digest(index, index / "manifest.json", name)
    with pytest.raises(StoreError) as raised:
        read_contents(index)
    (problem,) = raised.value.problems
    assert (problem.code, problem.where.endswith(name)) == ("I002", True)
    assert len(problem.what) < 400


@pytest.mark.parametrize(
    ("name", "edit"),
    [
        ("documents.jsonl", lambda row: row["document"].update(text=5)),
        ("documents.jsonl", lambda row: row["document"].update(acl="staff")),
        ("documents.jsonl", lambda row: row["document"].update(acl=[["staff"]])),
        ("documents.jsonl", lambda row: row["document"].update(metadata=[])),
        ("documents.jsonl", lambda row: row["document"].update(surprise=1)),
        ("documents.jsonl", lambda row: row.update(deleted_at="yesterday")),
        ("documents.jsonl", lambda row: row.update(deleted_at="2026-03-01", purge_after="", reason="deleted")),
        ("documents.jsonl", lambda row: row.update(reason="theft")),
        ("documents.jsonl", lambda row: row.update(left_out="no")),
        ("documents.jsonl", lambda row: row["document"].update(text="")),
        ("chunks.jsonl", lambda row: row.update(start="0")),
        ("chunks.jsonl", lambda row: row.update(start=-1)),
        ("chunks.jsonl", lambda row: row["chunk"].update(text=None)),
        ("chunks.jsonl", lambda row: row["chunk"].update(questions=[7])),
        ("chunks.jsonl", lambda row: row["chunk"].update(searched=1)),
        ("chunks.jsonl", lambda row: row["chunk"].update(parent="nobody")),
    ],
)
def test_a_field_of_another_type_or_range_is_told_when_it_is_read_not_when_it_is_used(index, name, edit):
    first, *others = place(index, name).read_text().splitlines()
    row = json.loads(first)
    edit(row)
    place(index, name).write_text("\n".join([json.dumps(row), *others, ""]))
    rewrite_digest(index, index / "manifest.json", name)
    with pytest.raises(StoreError, match=r"I002.*cannot be read by this version"):
        read_contents(index)


def test_text_with_a_lone_surrogate_comes_back(tmp_path):
    synced(tmp_path, [document("battery.md", "AA cells \ud800 and more.")])
    assert read_contents(tmp_path).entries[0].document.text == "AA cells \ud800 and more."


def test_a_file_that_is_none_is_refused_before_it_is_opened(index):
    place(index, "learned.bin").unlink()
    os.mkfifo(place(index, "learned.bin"))
    with pytest.raises(StoreError, match=r"I002.*is no file"):
        read_contents(index)


def test_the_bytes_that_were_checked_are_the_bytes_that_are_used(index, monkeypatch):
    opened = []
    real = io.open
    monkeypatch.setattr(io, "open", lambda path, *given, **named: opened.append(Path(path).name) or real(path, *given, **named))
    read_contents(index)
    assert {name: opened.count(name) for name in FILES} == dict.fromkeys(FILES, 1)


@pytest.mark.parametrize("raw", [b"x", b"PK\x05\x06" + bytes(18), b"PK\x03\x04" + bytes(60)])
@pytest.mark.parametrize("embedder", [Hashing(64), TfidfSvd(dimension=8)])
def test_what_an_embedder_cannot_have_learned_is_refused(tmp_path, raw, embedder):
    synced(tmp_path, embedder=embedder)
    place(tmp_path, "learned.bin").write_bytes(raw)
    rewrite_digest(tmp_path, tmp_path / "manifest.json", "learned.bin")
    with pytest.raises(StoreError, match=r"I002.*learned\.bin"):
        open_index(tmp_path, pipeline(embedder=embedder))


@pytest.mark.parametrize("slots", [{}, {"chunker": 1}, {"chunker": []}])
def test_a_signed_manifest_whose_config_is_none_is_refused(index, slots):
    path = index / "manifest.json"
    record = json.loads(path.read_text())
    path.write_text(json.dumps({**record, "config": {**({} if not slots else record["config"]), **slots}}))
    rewrite_digest(index, path, "learned.bin")
    with pytest.raises(StoreError, match="I002"):
        read_manifest(index)
