"""What a sync would change, case by case."""

from dataclasses import replace

import pytest

from harness.indexing.changes import Changes, applied, back, compare, withdrawn
from harness.indexing.records import Entry
from tests.builders import document

HELD = Entry(document("a.md", "Alpha.", source="a.md"), ())
MISSING = withdrawn(HELD, "2026-03-01", 30, by_hand=False)
DELETED = withdrawn(HELD, "2026-03-01", 30, by_hand=True)
SAME, OTHER = document("a.md", "Alpha."), document("a.md", "Beta.")


@pytest.mark.parametrize(
    ("entry", "tombstone", "file", "unreadable", "expected"),
    [
        (None, False, SAME, False, {"added"}),
        (None, True, SAME, False, {"held"}),
        (HELD, False, SAME, False, set()),
        (HELD, False, OTHER, False, {"changed"}),
        (HELD, False, None, False, {"missing"}),
        (HELD, False, None, True, {"unreadable"}),
        (MISSING, False, None, False, set()),
        (MISSING, False, None, True, set()),
        (MISSING, False, SAME, False, {"restored"}),
        (MISSING, False, OTHER, False, {"restored", "changed"}),
        (DELETED, False, None, False, set()),
        (DELETED, False, SAME, False, {"held"}),
        (DELETED, False, OTHER, False, {"held"}),
    ],
)
def test_what_becomes_of_a_document(entry, tombstone, file, unreadable, expected):
    changes = compare(
        [entry] if entry else [], ["a.md"] if tombstone else [], [file] if file else [], ["a.md"] if unreadable else []
    )
    kinds = ("added", "changed", "missing", "restored", "held", "unreadable")
    assert {kind for kind in kinds if getattr(changes, kind) == ("a.md",)} == expected
    assert bool(changes) is bool(expected & {"added", "changed", "missing", "restored"})


DESCRIBED = Entry(document("acme.md", "Acme.", tenant="acme"), ())
ACME = document("a.md", "Acme.")


@pytest.mark.parametrize(
    ("entry", "tombstone", "file", "expected"),
    [
        (None, False, ACME, {"doubtful"}),
        (None, False, SAME, {"doubtful"}),
        (None, True, ACME, {"held"}),
        (HELD, False, SAME, set()),
        (HELD, False, OTHER, {"changed"}),
        (HELD, False, ACME, {"doubtful"}),
        (MISSING, False, SAME, {"restored"}),
        (MISSING, False, OTHER, {"doubtful"}),
        (DELETED, False, ACME, {"held"}),
    ],
    ids=["new", "new of other text", "purged", "same", "edited", "overwritten", "back as it was", "back as another", "deleted"],
)
def test_what_may_be_a_described_document_under_another_name_is_not_taken_up(entry, tombstone, file, expected):
    entries = [DESCRIBED, *([entry] if entry else [])]
    changes = compare(entries, ["a.md"] if tombstone else [], [file], undescribed=["a.md"])
    kinds = ("added", "changed", "restored", "held", "doubtful")
    assert {kind for kind in kinds if getattr(changes, kind) == ("a.md",)} == expected
    assert changes.missing == ("acme.md",)
    after = {one.doc_id: one for one in applied(entries, changes, [file], "2026-03-01")}
    if "doubtful" in expected:
        assert after.get("a.md") == entry


def test_a_withdrawal_that_is_taken_back_leaves_nothing():
    assert back(MISSING) == back(DELETED) == HELD


@pytest.mark.parametrize(("grace", "last"), [(0, "2024-02-28"), (1, "2024-02-29"), (30, "2024-03-29"), (366, "2025-02-28")])
def test_days_of_grace_are_counted_by_the_calendar(grace, last):
    assert withdrawn(HELD, "2024-02-28", grace, by_hand=True).purge_after == last


def test_a_changed_document_is_still_to_be_cut_and_an_unchanged_one_keeps_its_chunks():
    changes = Changes(changed=("a.md",))
    (entry,) = applied([HELD], changes, [OTHER], "2026-03-01")
    assert (entry.document, entry.chunks) == (OTHER, None)
    assert applied([HELD], Changes(), [SAME], "2026-03-01") == [HELD]


def test_documents_come_out_sorted_by_id():
    changes = Changes(added=("b.md", "0.md"))
    after = applied([HELD], changes, [document("b.md"), document("0.md"), SAME], "2026-03-01")
    assert [entry.doc_id for entry in after] == ["0.md", "a.md", "b.md"]


def test_a_missing_document_keeps_its_chunks_for_its_return():
    (entry,) = applied([HELD], Changes(missing=("a.md",)), [], "2026-03-01")
    assert entry == replace(MISSING, chunks=())
