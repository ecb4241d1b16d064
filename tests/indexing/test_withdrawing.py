"""Deleting, restoring, purging."""

from dataclasses import replace

import pytest

from harness.corpus.duplicates import Duplicates
from harness.embedding.tfidf_svd import TfidfSvd
from harness.errors import ConfigError, CorpusError
from harness.indexing.changes import withdrawn
from harness.indexing.contents import read_contents
from harness.indexing.manifest import read_manifest
from harness.indexing.opened import open_index, over
from harness.indexing.outdated import newest_again, outdated
from harness.indexing.records import ALWAYS
from harness.indexing.sync import sync
from harness.indexing.withdrawing import delete, purge, restore
from tests.builders import document
from tests.indexing.small import TODAY, Counting, config, documents, found, pipeline, snapshot, synced


@pytest.fixture
def index(tmp_path):
    synced(tmp_path)
    return tmp_path


def test_a_deleted_document_is_found_by_no_query(index):
    result = delete(index, ["battery.md"], pipeline(), TODAY)
    assert result.done == ("battery.md",)
    for as_of in ("", "2020-01-01", TODAY, "2030-01-01"):
        assert "battery.md" not in found(open_index(index, pipeline()), "soil probe AA cells", as_of)


def test_a_deleted_document_stands_among_the_documents_as_withdrawn_on_every_day(index):
    delete(index, ["battery.md"], pipeline(), TODAY)
    days = {item.doc_id: item.deleted_at for item in open_index(index, pipeline()).documents}
    assert days == {"battery.md": ALWAYS, "range.md": "", "reset.md": ""}


def test_a_deleted_document_is_not_brought_back_by_a_sync(index):
    delete(index, ["battery.md"], pipeline(), TODAY)
    report = synced(index, documents(battery="It even changed."))
    assert report.up_to_date
    assert report.changes.held == ("battery.md",)


def test_a_restored_document_is_found_again_and_nothing_is_embedded(index):
    counting = Counting()
    delete(index, ["battery.md"], pipeline(), TODAY)
    result = restore(index, ["battery.md"], pipeline(embedder=counting), TODAY)
    assert (result.done, result.made.embedded, counting.passages) == (("battery.md",), 0, [])
    assert "battery.md" in found(open_index(index, pipeline()), "AA cells")


def test_deleting_and_restoring_leaves_what_was(index):
    before = read_manifest(index).digest
    delete(index, ["battery.md", "range.md"], pipeline(), TODAY)
    restore(index, ["range.md", "battery.md"], pipeline(), TODAY)
    assert read_manifest(index).digest == before


@pytest.mark.parametrize("verb", [delete, restore])
def test_unknown_documents_are_told_all_at_once_with_the_nearest_and_nothing_is_changed(index, verb):
    before = snapshot(index)
    with pytest.raises(ConfigError) as raised:
        verb(index, ["batery.md", "range.md", "zzz", "batery.md"], pipeline(), TODAY)
    assert [(item.code, item.where) for item in raised.value.problems] == [("I005", "batery.md"), ("I005", "zzz")]
    assert "'battery.md'" in raised.value.problems[0].fix
    assert snapshot(index) == before


def test_deleting_twice_writes_nothing(index):
    delete(index, ["battery.md"], pipeline(), TODAY)
    before = snapshot(index)
    result = delete(index, ["battery.md"], pipeline(), "2026-05-01")
    assert (result.done, result.as_before, result.made) == ((), ("battery.md",), None)
    assert snapshot(index) == before


def test_a_missing_document_that_is_deleted_by_hand_stays_away_when_its_file_comes_back(index):
    synced(index, documents(battery=""))
    assert delete(index, ["battery.md"], pipeline(), TODAY).done == ("battery.md",)
    assert synced(index).changes.held == ("battery.md",)


def test_restoring_what_is_not_withdrawn_writes_nothing(index):
    result = restore(index, ["battery.md"], pipeline(), TODAY)
    assert (result.done, result.as_before, result.made) == ((), ("battery.md",), None)


@pytest.mark.parametrize(("today", "gone"), [("2026-03-10", False), ("2026-03-11", True), ("2026-03-12", True)])
def test_purge_removes_a_document_from_the_day_on_which_its_grace_is_over(index, today, gone):
    delete(index, ["battery.md"], pipeline(), TODAY, grace=10)
    result = purge(index, pipeline(), today)
    assert result.done == (("battery.md",) if gone else ())
    assert [entry.doc_id for entry in result.entries] == ([] if gone else ["battery.md"])


def test_nothing_of_a_purged_document_is_left_in_the_folder(index):
    delete(index, ["battery.md"], pipeline(), TODAY, grace=0)
    assert any(b"18 months" in raw for raw in snapshot(index).values())
    purge(index, pipeline(), TODAY)
    assert not any(b"18 months" in raw for raw in snapshot(index).values())
    contents = read_contents(index)
    assert (len(contents.entries), len(contents.vectors)) == (2, 2)


def test_a_vector_that_another_document_needs_outlives_a_purge(tmp_path):
    synced(tmp_path, [document(name, "The same words.") for name in ("a.md", "b.md")])
    delete(tmp_path, ["a.md"], pipeline(), TODAY, grace=0)
    purge(tmp_path, pipeline(), TODAY)
    assert found(open_index(tmp_path, pipeline()), "same words") == {"b.md"}


def test_a_document_deleted_by_hand_stays_away_after_its_purge_until_it_is_restored(index):
    delete(index, ["battery.md"], pipeline(), TODAY, grace=0)
    purge(index, pipeline(), TODAY)
    assert synced(index).changes.held == ("battery.md",)
    assert restore(index, ["battery.md"], pipeline(), TODAY).tombstones == ("battery.md",)
    report = synced(index)
    assert (report.changes.added, report.embedded) == (("battery.md",), 1)


def test_a_missing_document_that_was_purged_comes_back_as_a_new_one(index):
    synced(index, documents(battery=""))
    assert purge(index, pipeline(), "2026-12-01").tombstones == ()
    assert synced(index).changes.added == ("battery.md",)


def ways_back(contents):
    """What is said of an index without a searched document, and the commands that bring documents back."""
    with pytest.raises(CorpusError) as raised:
        over(contents, pipeline())
    (problem,) = raised.value.problems
    assert problem.code == "I007"
    return problem.what, [word for word in ("restore", "sync") if f"harness index {word}" in problem.fix]


@pytest.mark.parametrize(("by_hand", "ways"), [(3, ["restore"]), (0, ["sync"]), (1, ["restore", "sync"])])
def test_an_index_without_a_searched_document_names_the_way_back(index, by_hand, ways):
    contents = read_contents(index)
    gone = [withdrawn(entry, TODAY, 30, by_hand=place < by_hand) for place, entry in enumerate(contents.entries)]
    what, found = ways_back(replace(contents, entries=tuple(gone)))
    assert ("3 are withdrawn, 0 deleted by hand and purged" in what, found) == (True, ways)


def test_an_index_of_which_all_was_purged_names_the_way_back(index):
    delete(index, ["battery.md", "range.md", "reset.md"], pipeline(), TODAY, grace=0)
    purge(index, pipeline(), TODAY)
    what, found = ways_back(read_contents(index))
    assert ("0 are withdrawn, 3 deleted by hand and purged" in what, found) == (True, ["restore", "sync"])
    with pytest.raises(CorpusError, match=r"harness index restore battery\.md range\.md reset\.md`, then"):
        open_index(index, pipeline())


def test_statistics_count_the_documents_that_can_be_asked(index):
    delete(index, ["battery.md"], pipeline(), TODAY)
    assert open_index(index, pipeline()).statistics["documents"] == 2


def test_statistics_count_a_document_that_will_be_withdrawn_by_its_own_date(tmp_path):
    synced(tmp_path, [*documents(), document("old.md", "Old words.", deleted_at="2020-01-01")])
    assert open_index(tmp_path, pipeline()).statistics["documents"] == 4


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("manuals/vallve.md", "'manuals/valve.md'"),
        ("valve.md", "'manuals/valve.md'"),
        ("docs/manuals/valve.md", "'manuals/valve.md'"),
        ("/home/me/docs/vallve.md", "'manuals/valve.md'"),
        ("notes.md", "'a/notes.md' or 'b/notes.md'"),
        ("pump.md", ""),
        ("value.pdf", ""),
    ],
)
def test_the_nearest_document_is_looked_for_by_path_and_by_file_name(tmp_path, name, near):
    synced(tmp_path, [document(doc_id, f"Words of {doc_id}.") for doc_id in ("manuals/valve.md", "a/notes.md", "b/notes.md")])
    with pytest.raises(ConfigError) as raised:
        delete(tmp_path, [name], pipeline(), TODAY)
    assert raised.value.problems[0].fix == (f"did you mean {near}?" if near else "give its path below the corpus folder.")


def test_deleting_the_original_makes_its_copy_searched(tmp_path):
    stages = {"duplicates": Duplicates("drop", threshold=1)}
    synced(tmp_path, [document(name, "Twice the same.") for name in ("a.md", "b.md")], **stages)
    delete(tmp_path, ["a.md"], pipeline(**stages), TODAY)
    assert found(open_index(tmp_path, pipeline(**stages)), "twice") == {"b.md"}
    restore(tmp_path, ["a.md"], pipeline(**stages), TODAY)
    assert found(open_index(tmp_path, pipeline(**stages)), "twice") == {"a.md"}


@pytest.mark.parametrize("verb", [lambda *given: delete(*given, TODAY), lambda *given: restore(*given, TODAY)])
def test_a_folder_without_an_index_is_told_and_not_made(tmp_path, verb):
    with pytest.raises(ConfigError) as raised:
        verb(tmp_path / "none", ["a.md"], pipeline())
    assert raised.value.problems[0].code == "I004"
    assert not (tmp_path / "none").exists()


FEES = [
    document("v1.md", "The fee is 10 EUR.", series="fee", valid_from="2026-01-01"),
    document("v2.md", "The fee is 12 EUR.", series="fee", valid_from="2026-02-01"),
    document("other.md", "The probe runs on cells."),
]


@pytest.mark.parametrize("by_hand", [True, False])
@pytest.mark.parametrize(
    ("day", "expected"), [("", {"v1.md"}), ("2026-01-15", {"v1.md"}), ("2026-03-09", {"v1.md"}), ("2026-03-10", {"v1.md"})]
)
def test_of_a_series_whose_newest_is_withdrawn_the_one_before_is_found_on_every_day(tmp_path, by_hand, day, expected):
    synced(tmp_path, FEES)
    if by_hand:
        delete(tmp_path, ["v2.md"], pipeline(), "2026-03-10")
    else:
        synced(tmp_path, [FEES[0], FEES[2]], today="2026-03-10")
    assert found(open_index(tmp_path, pipeline()), "fee EUR", day) - {"other.md"} == expected
    assert not outdated(read_contents(tmp_path).entries, day or TODAY).superseded


def test_a_document_s_own_day_of_withdrawal_holds_from_that_day_on_only(tmp_path):
    synced(tmp_path, [FEES[0], replace(FEES[1], deleted_at="2026-03-10"), FEES[2]])
    system = open_index(tmp_path, pipeline())
    days = ("2026-03-09", "2026-03-10")
    assert [found(system, "fee EUR", day) - {"other.md"} for day in days] == [{"v2.md"}, {"v1.md"}]


@pytest.mark.parametrize(
    ("gone", "day", "expected"),
    [
        (["v2.md"], "2026-03-10", {"fee": "v1.md"}),
        (["v1.md"], "2026-03-10", {}),
        (["v1.md", "v2.md"], "2026-03-10", {}),
        (["v2.md"], "2026-01-15", {}),
        (["other.md"], "2026-03-10", {}),
    ],
)
def test_what_its_going_brings_back(tmp_path, gone, day, expected):
    synced(tmp_path, FEES)
    delete(tmp_path, gone, pipeline(), day)
    assert newest_again(read_contents(tmp_path).entries, gone, day) == expected


@pytest.mark.parametrize("grace", [0, 30, 36_500])
@pytest.mark.parametrize("today", ["9999-12-31", "9999-12-02", "9950-01-01"])
def test_grace_ends_on_the_last_of_all_days(index, today, grace):
    (entry,) = delete(index, ["battery.md"], pipeline(), today, grace).entries
    assert today <= entry.purge_after <= "9999-12-31"
    assert len(synced(index, documents(battery="", range=""), today=today).changes.missing) == 1


def test_an_embedder_that_learned_stays_when_a_sync_finds_nothing_searched(tmp_path):
    stages = {"embedder": TfidfSvd(dimension=8)}
    synced(tmp_path, **stages)
    before = read_manifest(tmp_path)
    delete(tmp_path, ["battery.md", "range.md", "reset.md"], pipeline(**stages), TODAY)
    report = synced(tmp_path, [document("new.md", "Entirely other words.")], **stages)
    after = read_manifest(tmp_path)
    assert (report.embedded, after.embedder, after.files["learned.bin"]) == (1, before.embedder, before.files["learned.bin"])
    assert after.learned_from == before.learned_from


def test_the_corpus_of_an_index_is_that_of_the_documents_that_are_not_withdrawn(index, tmp_path_factory):
    without = tmp_path_factory.mktemp("without")
    synced(without, documents(battery=""))
    delete(index, ["battery.md"], pipeline(), TODAY)
    assert read_manifest(index).corpus == read_manifest(without).corpus


@pytest.mark.parametrize("left", [0, 1, 2, 3])
def test_more_than_half_is_withdrawn_only_when_that_is_allowed(index, left):
    corpus, before = [*documents()[:left], document("new.md", "New.")], snapshot(index)
    refused = 3 - left > 1.5
    if refused:
        with pytest.raises(CorpusError, match=rf"I012.*{3 - left} of 3 documents that are searched") as raised:
            sync(index, corpus, pipeline(), config(), TODAY, allow_missing=False, name="docs")
        assert "--allow-missing" in raised.value.problems[0].fix
        assert snapshot(index) == before
    report = sync(index, corpus, pipeline(), config(), TODAY, allow_missing=refused, name="docs")
    assert (len(report.changes.missing), read_manifest(index).folder) == (3 - left, "docs")


def test_documents_withdrawn_before_do_not_count_as_missing(index):
    delete(index, ["battery.md", "range.md"], pipeline(), TODAY)
    assert sync(index, documents(battery="", range=""), pipeline(), config(), TODAY, allow_missing=False).up_to_date


def test_the_name_of_the_folder_changes_no_digest(tmp_path):
    for place, name in (("a", "docs"), ("b", "manuals")):
        sync(tmp_path / place, documents(), pipeline(), config(), TODAY, name=name)
    a, b = (read_manifest(tmp_path / place) for place in "ab")
    assert (a.folder, b.folder, a.digest) == ("docs", "manuals", b.digest)
    delete(tmp_path / "a", ["battery.md"], pipeline(), TODAY)
    assert read_manifest(tmp_path / "a").folder == "docs"
