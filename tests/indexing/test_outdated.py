"""Which documents do not hold on a day."""

import pytest

from harness.indexing.outdated import outdated
from harness.indexing.records import Entry
from harness.retrieval.filters import visible
from tests.builders import document

ENTRIES = [
    Entry(document("always.md")),
    Entry(document("v1.md", series="fw", valid_from="2025-01-01")),
    Entry(document("v2.md", series="fw", valid_from="2026-01-01")),
    Entry(document("price.md", valid_from="2025-01-01", valid_to="2026-02-01")),
    Entry(document("gone.md", series="fw", valid_from="2026-01-15"), deleted_at="2026-01-20", reason="deleted"),
    Entry(document("hidden.md", series="fw", valid_from="2026-01-20", deleted_at="2026-01-25")),
    Entry(document("copy.md", series="fw", valid_from="2026-01-15"), left_out=True),
]


@pytest.mark.parametrize(
    ("day", "superseded", "expired", "not_yet", "withdrawn"),
    [
        ("2024-12-31", (), (), ("v1.md", "v2.md", "price.md", "hidden.md"), ()),
        ("2025-12-31", (), (), ("v2.md", "hidden.md"), ()),
        ("2026-01-24", ("v1.md", "v2.md"), (), (), ()),
        ("2026-01-25", ("v1.md",), (), (), (("hidden.md", "2026-01-25"),)),
        ("2026-02-01", ("v1.md",), ("price.md",), (), (("hidden.md", "2026-01-25"),)),
    ],
)
def test_by_day(day, superseded, expired, not_yet, withdrawn):
    found = outdated(ENTRIES, day)
    assert (found.superseded, found.expired, found.not_yet, found.withdrawn) == (superseded, expired, not_yet, withdrawn)


@pytest.mark.parametrize("day", ["2024-12-31", "2025-12-31", "2026-01-24", "2026-01-25", "2026-02-01"])
def test_what_is_outdated_and_what_an_asker_sees_are_all_documents_that_are_searched(day):
    found = outdated(ENTRIES, day)
    hidden = {*found.superseded, *found.expired, *found.not_yet, *(name for name, _ in found.withdrawn)}
    searched = {entry.doc_id for entry in ENTRIES if entry.searched}
    shown = [entry.shown for entry in ENTRIES if not entry.left_out]
    assert visible(shown, "", day) == searched - hidden
