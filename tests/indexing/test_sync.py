"""Syncing an index with a corpus: only what changed is cut and embedded, and a second sync does nothing."""

import json

import numpy as np
import pytest

from harness.chunking.recursive import Recursive
from harness.corpus.duplicates import Duplicates
from harness.embedding.hashing import Hashing
from harness.errors import ConfigError, CorpusError
from harness.indexing.contents import read_contents
from harness.indexing.manifest import read_manifest
from harness.indexing.opened import open_index
from harness.indexing.sync import sync
from tests.builders import document, question
from tests.indexing.small import TODAY, Counting, config, documents, found, pipeline, snapshot, synced


def test_the_first_sync_takes_up_every_document(tmp_path):
    report = synced(tmp_path / "index")
    assert report.changes.added == ("battery.md", "range.md", "reset.md")
    assert (report.embedded, report.chunks, report.generation, report.up_to_date) == (3, 3, 1, False)


def test_a_second_sync_writes_no_byte(tmp_path):
    synced(tmp_path)
    before = snapshot(tmp_path)
    report = synced(tmp_path, today="2026-04-01")
    assert report.up_to_date
    assert (report.generation, report.embedded, report.changes.unchanged) == (1, 0, 3)
    assert snapshot(tmp_path) == before


def test_only_the_chunks_of_a_changed_document_are_embedded(tmp_path):
    counting = Counting()
    synced(tmp_path, embedder=counting)
    counting.passages.clear()
    report = synced(tmp_path, documents(battery="The soil probe runs on three AAA cells."), embedder=counting)
    assert report.changes.changed == ("battery.md",)
    assert report.embedded == 1
    assert counting.passages == ["battery.md\nThe soil probe runs on three AAA cells."]


def test_of_a_long_document_only_the_chunk_that_changed_is_embedded(tmp_path):
    words = [f"Sentence number {number} speaks of part {number}." for number in range(40)]
    stages = {"chunker": Recursive(size=30, overlap=0.0)}
    first = synced(tmp_path, [document("long.md", "\n\n".join(words), content_hash="1")], **stages)
    words[20] = words[20].replace("part", "port")
    second = synced(tmp_path, [document("long.md", "\n\n".join(words), content_hash="2")], **stages)
    assert first.embedded > 5
    assert second.embedded == 1


def test_the_same_text_in_two_documents_is_embedded_once(tmp_path):
    corpus = [document(name, "The same words.", content_hash="1") for name in ("a.md", "b.md")]
    assert synced(tmp_path, corpus).embedded == 1
    assert found(open_index(tmp_path, pipeline()), "same words") == {"a.md", "b.md"}


def test_what_a_document_says_of_itself_counts_as_a_change_that_embeds_nothing(tmp_path):
    synced(tmp_path)
    corpus = documents()
    corpus[0] = document("battery.md", corpus[0].text, title="battery.md", content_hash=corpus[0].text, acl=("sales",))
    report = synced(tmp_path, corpus)
    assert (report.changes.changed, report.embedded) == (("battery.md",), 0)
    assert "battery.md" not in found(open_index(tmp_path, pipeline()), "AA cells")
    assert "battery.md" in found(open_index(tmp_path, pipeline()), "AA cells", persona="sales")


def test_where_the_bytes_came_from_is_no_change(tmp_path):
    synced(tmp_path, [document("a.md", "Alpha.", source="/one/a.md")])
    assert synced(tmp_path, [document("a.md", "Alpha.", source="/two/a.md")]).up_to_date


def test_a_document_that_is_gone_is_withdrawn_for_thirty_days(tmp_path):
    synced(tmp_path)
    report = synced(tmp_path, documents(battery=""), today="2026-03-10")
    (entry,) = [entry for entry in read_contents(tmp_path).entries if entry.deleted_at]
    assert report.changes.missing == ("battery.md",)
    assert (entry.doc_id, entry.reason, entry.deleted_at, entry.purge_after) == (
        "battery.md",
        "missing",
        "2026-03-10",
        "2026-04-09",
    )


@pytest.mark.parametrize("as_of", ["", "2020-01-01", TODAY, "2030-01-01"])
def test_a_withdrawn_document_is_found_on_no_day(tmp_path, as_of):
    synced(tmp_path)
    synced(tmp_path, documents(battery=""))
    assert "battery.md" not in found(open_index(tmp_path, pipeline()), "soil probe AA cells", as_of)


def test_a_document_that_comes_back_is_restored_without_embedding(tmp_path):
    synced(tmp_path)
    synced(tmp_path, documents(battery=""))
    report = synced(tmp_path)
    assert (report.changes.restored, report.changes.changed, report.embedded, report.chunks) == (("battery.md",), (), 0, 0)
    assert "battery.md" in found(open_index(tmp_path, pipeline()), "AA cells")


def test_a_document_that_comes_back_changed_is_both(tmp_path):
    synced(tmp_path)
    synced(tmp_path, documents(battery=""))
    report = synced(tmp_path, documents(battery="It runs on sunlight."))
    assert (report.changes.restored, report.changes.changed, report.embedded) == (("battery.md",), ("battery.md",), 1)
    assert "battery.md" in found(open_index(tmp_path, pipeline()), "sunlight")


def test_a_document_that_cannot_be_read_keeps_what_the_index_holds(tmp_path):
    synced(tmp_path)
    report = sync(tmp_path, documents(battery=""), pipeline(), config(), TODAY, unreadable={"battery.md"})
    assert report.up_to_date
    assert (report.changes.unreadable, report.changes.missing) == (("battery.md",), ())
    assert "battery.md" in found(open_index(tmp_path, pipeline()), "AA cells")


def test_rows_of_a_file_that_cannot_be_read_keep_what_the_index_holds(tmp_path):
    synced(tmp_path, [document("row-1", "First row.", source="faq.jsonl"), document("a.md", "Alpha.", source="a.md")])
    report = sync(tmp_path, [document("a.md", "Alpha.")], pipeline(), config(), TODAY, unreadable={"faq.jsonl"})
    assert report.changes.unreadable == ("row-1",)


def test_another_chunker_cuts_every_document_anew_and_says_so(tmp_path):
    synced(tmp_path)
    other = config(chunker={"size": 8})
    report = sync(tmp_path, documents(), pipeline(chunker=Recursive(size=8)), other, TODAY)
    assert report.settings == ("chunker",)
    assert report.chunks > 3
    assert read_manifest(tmp_path).config["chunker"] == {"size": 8}


def test_another_chunker_cuts_withdrawn_documents_too_so_that_restoring_embeds_nothing(tmp_path):
    synced(tmp_path)
    synced(tmp_path, documents(battery=""))
    stages, other = {"chunker": Recursive(size=8)}, config(chunker={"size": 8})
    sync(tmp_path, documents(battery=""), pipeline(**stages), other, TODAY)
    assert sync(tmp_path, documents(), pipeline(**stages), other, TODAY).embedded == 0


def test_another_embedder_is_refused_by_name(tmp_path):
    synced(tmp_path)
    before = snapshot(tmp_path)
    with pytest.raises(ConfigError) as raised:
        synced(tmp_path, documents(battery="New."), embedder=Hashing(128))
    (problem,) = raised.value.problems
    assert problem.code == "I001"
    assert "64 dimensions" in problem.what and "128 dimensions" in problem.what
    assert "reembed" in problem.fix
    assert snapshot(tmp_path) == before


def test_a_copy_that_is_left_out_is_searched_once_its_original_is_gone(tmp_path):
    stages = {"duplicates": Duplicates("link", threshold=1)}
    corpus = [document(name, "Twice the same.", content_hash="1") for name in ("a.md", "b.md")] + documents()
    first = synced(tmp_path, corpus, **stages)
    assert (first.chunks, first.embedded) == (4, 4)
    assert found(open_index(tmp_path, pipeline()), "twice the same") & {"a.md", "b.md"} == {"a.md"}
    assert [item.copies for item in open_index(tmp_path, pipeline()).documents if item.doc_id == "a.md"] == [("b.md",)]
    synced(tmp_path, corpus[1:], **stages)
    assert found(open_index(tmp_path, pipeline()), "twice the same") & {"a.md", "b.md"} == {"b.md"}


def test_an_empty_corpus_makes_no_index(tmp_path):
    with pytest.raises(CorpusError) as raised:
        synced(tmp_path, [])
    assert raised.value.problems[0].code == "I007"
    assert read_manifest(tmp_path) is None


def test_a_folder_that_holds_something_else_is_left_alone(tmp_path):
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(ConfigError) as raised:
        synced(tmp_path)
    assert raised.value.problems[0].code == "I004"
    assert list(snapshot(tmp_path)) == ["thesis.txt"]


def test_an_index_answers_as_one_that_is_built_in_memory(tmp_path):
    synced(tmp_path)
    on_disk, in_memory = open_index(tmp_path, pipeline()), pipeline().index(documents())
    for text in ("AA cells", "gateway", "nothing of this"):
        pairs = [
            [(hit.chunk, hit.score) for hit in system.answer(question(text=text)).fused.hits] for system in (on_disk, in_memory)
        ]
        assert pairs[0] == pairs[1]


def test_the_same_documents_give_the_same_bytes_whatever_came_before(tmp_path):
    synced(tmp_path / "straight")
    synced(tmp_path / "winding", documents(battery="Something else.", range=""))
    synced(tmp_path / "winding")
    straight, winding = (read_manifest(tmp_path / name) for name in ("straight", "winding"))
    assert straight.files == winding.files
    assert straight.digest == winding.digest
    assert (straight.generation, winding.generation) == (1, 2)


def test_the_manifest_says_how_the_index_was_made_and_what_it_holds(tmp_path):
    synced(tmp_path)
    record = json.loads((tmp_path / "manifest.json").read_text())
    assert record["embedder"] == "hashing words 1-2, 64 dimensions, unit length"
    assert record["config"]["chunker"] == {"size": 40}
    assert record["counts"] == {
        "documents": 3,
        "deleted": 0,
        "left_out": 0,
        "chunks": 3,
        "chunks_searched": 3,
        "vectors": 3,
    }
    assert {len(value) for value in (*record["files"].values(), *record["fingerprints"].values(), record["corpus"])} == {64}


def test_chunks_carry_what_people_filter_by(tmp_path):
    facts = {"author": "Ada", "updated_at": "2026-01-01", "version": "2", "tenant": "north", "acl": ("sales",)}
    synced(tmp_path, [document("a.md", "Alpha.", source="a.md", mime_type="text/markdown", **facts)])
    (row,) = map(json.loads, (tmp_path / "generation-000001" / "chunks.jsonl").read_text().splitlines())
    assert {**facts, "acl": ["sales"], "source": "a.md", "mime_type": "text/markdown"}.items() <= row["payload"].items()
    assert row["chunk"]["place"] == "line 1"


def test_vectors_are_float32_rows_in_the_order_of_the_digests(tmp_path):
    synced(tmp_path)
    place = tmp_path / "generation-000001"
    vectors, digests = np.load(place / "vectors.npy", allow_pickle=False), json.loads((place / "texts.json").read_text())
    assert (vectors.dtype, vectors.shape, digests) == (np.float32, (3, 64), sorted(digests))
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1)
