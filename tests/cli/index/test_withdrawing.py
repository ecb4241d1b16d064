"""`harness index delete`, `restore` and `purge` as a user runs them."""

import pytest

from tests.indexing.small import snapshot


def found(index, day="2026-03-01"):
    return "AA cells" in index("search", "cells of the soil probe", "--as-of", day)[1]


def test_a_document_is_deleted_stays_so_and_is_restored(built, index):
    code, text = index("delete", "battery.md", "--grace", "10")
    assert code == 0
    assert "withdrawn: battery.md: deleted on 2026-03-01, may be purged in 10 days (2026-03-11)" in text
    assert not found(index) and not found(index, "2020-01-01")
    assert "deleted by hand, still withdrawn although in the folder" in index("sync", "docs")[1]
    assert not found(index)
    code, text = index("restore", "battery.md")
    assert (code, "embedded 0 texts" in text, "restored: 1 (battery.md)" in text) == (0, True, True)
    assert found(index)


def test_unknown_documents_are_told_all_at_once_and_nothing_is_deleted(built, index, project):
    before = snapshot(project / "index")
    code, text = index("delete", "batery.md", "range.md", "storrage.md")
    assert code == 2
    assert "did you mean 'battery.md'?" in text and "did you mean 'storage.md'?" in text
    assert snapshot(project / "index") == before


def test_purge_says_what_it_removed_what_it_left_and_until_when(built, index):
    index("delete", "battery.md", "--grace", "0")
    (built / "range.md").unlink()
    index("sync", "docs")
    code, text = index("purge")
    assert code == 0
    assert "purged for good: 1 (battery.md)" in text
    assert "of these no sync brings back: 1 (battery.md)" in text
    assert "left: range.md: missing on 2026-03-01, may be purged in 30 days (2026-03-31)" in text
    assert "deleted by hand" in index("sync", "docs")[1]


def test_a_purged_document_that_is_restored_is_read_from_the_folder_again(built, index):
    index("delete", "battery.md", "--grace", "0")
    index("purge")
    assert "the next sync reads it from the folder again: 1 (battery.md)" in index("restore", "battery.md")[1]
    assert "added: 1 (battery.md)" in index("sync", "docs")[1]
    assert found(index)


def test_with_nothing_to_purge_nothing_is_written(built, index, project):
    before = snapshot(project / "index")
    assert index("purge") == (0, "nothing to purge\n")
    assert snapshot(project / "index") == before


@pytest.mark.parametrize("grace", ["-1", "36501"])
def test_a_grace_that_is_no_number_of_days_is_refused(built, index, grace):
    code, text = index("delete", "battery.md", "--grace", grace)
    assert (code, "I009" in text) == (2, True)


@pytest.mark.parametrize("verb", [("delete", "a.md"), ("restore", "a.md"), ("purge",), ("reembed",), ("status",)])
def test_without_an_index_every_command_says_so(project, index, verb):
    code, text = index(*verb)
    assert (code, "I004" in text) == (2, True)
    assert not (project / "index").exists()


@pytest.mark.parametrize(
    ("today", "when"), [("2026-03-10", "in 1 day (2026-03-11)"), ("2026-03-11", "now"), ("2026-03-12", "since 2026-03-11")]
)
def test_it_is_said_when_a_document_may_be_purged(built, index, today, when):
    index("delete", "battery.md", "--grace", "10")
    text = index("status", "--today", today)[1]
    assert f"withdrawn battery.md: deleted on 2026-03-01, may be purged {when}\n" in text


def test_without_grace_it_may_be_purged_now(built, index):
    assert "may be purged now" in index("delete", "battery.md", "--grace", "0")[1]


def test_when_all_was_deleted_by_hand_search_names_restore_and_no_sync(built, index):
    index("delete", *(path.name for path in built.iterdir()))
    code, text = index("search", "cells")
    assert (code, "I007" in text, "harness index restore" in text, "harness index sync" in text) == (2, True, True, False)


def test_a_delete_names_the_older_version_that_is_found_in_its_place(docs, index):
    (docs / "metadata.yaml").write_text(
        "battery.md: {series: fw, valid_from: 2025-01-01}\nreset.md: {series: fw, valid_from: 2026-01-01}\n"
    )
    index("sync", "docs", "embedder=hashing")
    assert not found(index)
    assert "battery.md is the newest of series fw again\n" in index("delete", "reset.md")[1]
    assert found(index) and found(index, "2026-02-01")
    assert "again" not in index("delete", "price.md")[1]


def test_a_search_that_finds_nothing_names_what_is_withdrawn(built, index):
    index("delete", *(path.name for path in built.iterdir() if path.name != "range.md"))
    (built / "metadata.yaml").write_text("range.md: {tenant: acme}\n")
    index("sync", "docs")
    code, text = index("search", "cells of the soil probe")
    assert (code, "no passage is found by an asker without a name" in text) == (0, True)
    assert "4 documents withdrawn, found on no day: battery.md, price.md, reset.md, storage.md" in text


def test_a_search_that_finds_nothing_where_nothing_is_withdrawn_names_nothing(docs, index):
    (docs / "metadata.yaml").write_text("".join(f"{path.name}: {{tenant: acme}}\n" for path in docs.iterdir()))
    index("sync", "docs", "embedder=hashing")
    text = index("search", "cells")[1]
    assert "no passage is found" in text and "withdrawn" not in text


def test_purging_all_names_what_can_be_restored(built, index):
    index("delete", *sorted(path.name for path in built.iterdir()), "--grace", "0")
    index("purge")
    for words in (("search", "cells"), ("reembed", "embedder=tfidf_svd")):
        code, text = index(*words)
        flat = " ".join(text.replace("│", " ").split())
        assert (code, "I007" in flat) == (2, True)
        assert "restore battery.md price.md range.md reset.md storage.md`" in flat


@pytest.mark.parametrize("verb", [("sync", "docs"), ("delete", "battery.md"), ("purge",)])
def test_the_last_of_all_days_is_a_day(built, index, verb):
    (built / "range.md").unlink()
    assert index(*verb, "--today", "9999-12-31")[0] == 0


@pytest.mark.parametrize("question", ["", "  ", "\n"])
def test_an_empty_question_is_told(built, index, question):
    code, text = index("search", question)
    assert (code, "the question is empty" in text) == (2, True)


VERBS = [("sync", "docs"), ("status",), ("search", "x"), ("delete", "a.md"), ("restore", "a.md"), ("purge",), ("reembed",)]


@pytest.mark.parametrize("verb", VERBS)
def test_a_file_in_the_place_of_an_index_is_told_and_kept(docs, index, project, verb):
    (project / "thesis").write_text("years of work")
    code, text = index(*verb, "--index", "thesis", *(["embedder=hashing"] if verb[0] == "sync" else []))
    flat = " ".join(text.replace("│", " ").split())
    assert (code, "is a file; --index needs a folder" in flat, "delete it" in flat) == (2, True, False)
    assert (project / "thesis").read_text() == "years of work"


@pytest.mark.parametrize("verb", VERBS)
def test_a_manifest_that_is_a_folder_is_told_in_the_words_of_the_system(docs, index, project, verb):
    (project / "index" / "manifest.json").mkdir(parents=True)
    code, text = index(*verb)
    flat = " ".join(text.replace("│", " ").split())
    assert (code, "Is a directory" in flat, "delete it" in flat) == (2, True, False)


def test_what_was_deleted_by_hand_is_named_when_the_index_is_damaged(built, index, project):
    index("delete", "battery.md", "price.md")
    (project / "index" / "generation-000002" / "vectors.npy").write_bytes(b"?")
    for verb in (("sync", "docs"), ("status",), ("search", "x")):
        code, text = index(*verb)
        assert code == 4
        assert "run `harness index delete battery.md price.md`" in " ".join(text.replace("│", " ").split())
