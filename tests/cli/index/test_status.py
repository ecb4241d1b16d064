"""`harness index status` as a user runs it."""

import json

import pytest


def state(index, *words):
    code, text = index("status", "--json", *words)
    return code, json.loads(text[text.index("{") : text.rindex("}") + 1])


def test_it_says_what_the_index_holds_and_how_it_was_made(built, index):
    code, text = index("status")
    assert code == 0
    for part in (
        "generation  1, changed on 2026-03-01",
        "embedder    hashing words 1-2, 512 dimensions, unit length",
        "chunker.size=512",
        "5 documents (0 withdrawn, 0 copies left out), 5 chunks (5 searched), 5 vectors",
        "remembers   embedder=hashing\n",
        "whole: every digest holds",
    ):
        assert part in text


def test_withdrawn_documents_stand_there_with_the_days_left(built, index):
    index("delete", "battery.md")
    (built / "range.md").unlink()
    index("sync", "docs", "--today", "2026-03-05")
    _, text = index("status", "--today", "2026-03-11")
    assert "withdrawn battery.md: deleted on 2026-03-01, may be purged in 20 days (2026-03-31)" in text
    assert "withdrawn range.md: missing on 2026-03-05, may be purged in 24 days (2026-04-04)" in text


def test_it_says_what_a_sync_would_change_and_changes_nothing(built, index):
    (built / "battery.md").write_text("# Battery\n\nSunlight.\n")
    (built / "clock.md").write_text("# Clock\n\nRadio.\n")
    (built / "range.md").unlink()
    index("delete", "price.md")
    code, found = state(index, "--corpus", "docs")
    assert code == 0
    assert found["sync"] == {
        "added": ["clock.md"],
        "changed": ["battery.md"],
        "missing": ["range.md"],
        "restored": [],
        "held": ["price.md"],
        "unreadable": [],
        "doubtful": [],
        "opened": [],
        "unchanged": 2,
    }
    assert state(index)[1]["generation"] == 2
    assert "a sync would leave 2 documents as they are" in index("status", "--corpus", "docs")[1]


def test_it_names_what_is_superseded_expired_and_yet_to_come(docs, index):
    (docs / "metadata.yaml").write_text(
        "battery.md: {series: s, valid_from: 2025-01-01}\nreset.md: {series: s, valid_from: 2026-01-01}\n"
        "price.md: {valid_to: 2026-02-01}\nrange.md: {valid_from: 2027-01-01}\n"
    )
    index("sync", "docs", "embedder=hashing")
    _, found = state(index)
    assert (found["superseded"], found["expired"], found["not_yet"]) == (["battery.md"], ["price.md"], ["range.md"])


@pytest.mark.parametrize("name", ["documents.jsonl", "vectors.npy"])
def test_a_damaged_file_is_named_and_the_exit_code_says_so(built, index, project, name):
    (project / "index" / "generation-000001" / name).write_bytes(b"something else")
    code, text = index("status", "--corpus", "docs")
    assert code == 4
    assert "DAMAGED" in text and "I002" in text and name in "".join(text.replace("│", "").split())


def test_a_file_of_the_corpus_that_cannot_be_read_is_told(built, index):
    (built / "battery.md").write_bytes(b"\xff\xfe\xff")
    code, text = index("status", "--corpus", "docs")
    assert code == 2
    assert "cannot be read, kept as they were: 1 (battery.md)" in text


def test_what_stands_in_brackets_is_part_of_what_it_is_counted_with(docs, index):
    (docs / "copy.md").write_text((docs / "battery.md").read_text())
    index("sync", "docs", "embedder=hashing", "duplicates=drop", "duplicates.threshold=1")
    index("delete", "range.md")
    assert "6 documents (1 withdrawn, 1 copy left out), 5 chunks (4 searched), 5 vectors" in index("status")[1]


def test_an_index_without_overrides_says_so(docs, index, project):
    (project / "conf").mkdir()
    (project / "conf" / "embedder").mkdir()
    (project / "conf" / "embedder" / "bge_small.yaml").write_text("_target_: harness.embedding.hashing.Hashing\n")
    assert index("sync", "docs", "reranker=none")[0] == 0
    assert "remembers   no overrides\n" in index("status")[1]


def test_documents_hidden_by_their_own_date_are_named_with_it(docs, index):
    (docs / "metadata.yaml").write_text(
        "battery.md: {deleted_at: 2026-02-01}\nprice.md: {deleted_at: 2026-02-01}\n"
        "range.md: {deleted_at: 2026-03-01}\nreset.md: {deleted_at: 2026-03-02}\n"
    )
    index("sync", "docs", "embedder=hashing")
    _, text = index("status")
    assert "withdrawn by its own deleted_at on 2026-02-01: 2 (battery.md, price.md)" in text
    assert "withdrawn by its own deleted_at on 2026-03-01: 1 (range.md)" in text
    assert "2026-03-02" not in text
    assert state(index)[1]["withdrawn_by_own_date"][-1] == {"doc": "range.md", "deleted_at": "2026-03-01"}


def test_a_sync_that_is_looked_at_and_one_that_is_done_speak_alike(built, index):
    index("delete", "price.md")
    (built / "battery.md").write_text("# Battery\n\nSunlight.\n")
    (built / "clock.md").write_text("# Clock\n\nRadio.\n")
    (built / "range.md").unlink()
    (built / "reset.md").write_bytes(b"\xff")
    (built / "metadata.yaml").write_text("clock.md: {title: Clock}\ngone.md: {tenant: x}\n")
    (built / "sun.md").write_text("# Sun\n\nSun.\n")
    looked, done = (index(*words)[1] for words in (("status", "--corpus", "docs"), ("sync", "docs")))
    kinds = ("added: 1 (clock.md)", "changed: 1 (battery.md)", "missing, withdrawn: 1 (range.md)", "by hand, still withdrawn")
    for kind in (*kinds, "cannot be read, kept as they were: 1 (reset.md)", "under another name: 1 (sun.md)"):
        (one,) = [line for line in looked.splitlines() if kind in line]
        assert one in done.splitlines()
    assert "I011" in looked and "I011" in done


def test_json_is_ascii_and_names_stand_as_they_are(docs, index):
    (docs / "a:smile:\u202eé.md").write_text("# Odd\n\nName.\n")
    index("sync", "docs", "embedder=hashing")
    index("delete", "a:smile:\u202eé.md")
    assert "withdrawn a:smile:é.md" in index("status")[1]
    _, text = index("status", "--json")
    assert text.isascii()
    assert json.loads(text)["withdrawn"][0]["doc"] == "a:smile:\u202eé.md"


def test_it_says_by_which_folder_the_index_was_made(built, index):
    assert "corpus      docs\n" in index("status")[1]
    assert state(index)[1]["folder"] == "docs"


def test_a_folder_that_a_sync_would_refuse_is_told_as_the_sync_does(built, index, project):
    (project / "other").mkdir()
    (project / "other" / "x.md").write_text("# X\n\nX.\n")
    code, text = index("status", "--corpus", "other")
    assert (code, "I012" in text) == (2, True)


def test_it_says_from_how_many_texts_the_embedder_learned(docs, index):
    index("sync", "docs", "embedder=tfidf_svd")
    assert "learned from" not in index("status")[1]
    (docs / "clock.md").write_text("# Clock\n\nIt is set by radio.\n")
    told = "the embedder learned from 5 of 6 texts; `harness index reembed` learns anew"
    assert told in index("sync", "docs")[1] and told in index("sync", "docs")[1] and told in index("status")[1]
    assert state(index)[1]["embedder_learned"] == told
    assert index("reembed")[0] == 0
    assert "learned from" not in index("status")[1] + index("sync", "docs")[1]
