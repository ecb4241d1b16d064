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
