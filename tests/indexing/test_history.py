"""Which days matter to an index that is synced every so many days."""

import pytest

from harness.golden.golden_set import GoldenSet
from harness.indexing.history import History, days_between, later
from harness.indexing.timeline import Event, Timeline
from tests.builders import document

EVENTS = Timeline((Event("2026-03-02", "add", "a"), Event("2026-03-05", "add", "b"), Event("2026-03-05", "add", "c")))


def history(as_of: str = "2026-03-08") -> History:
    return History(GoldenSet("tiny", 1, (), (), "", "", as_of), EVENTS)


@pytest.mark.parametrize(
    ("every", "due", "syncs", "changing"),
    [
        (1, [f"2026-03-0{day}" for day in range(2, 9)], ["2026-03-02", "2026-03-05"], ["2026-03-02", "2026-03-05"]),
        (2, ["2026-03-03", "2026-03-05", "2026-03-07"], ["2026-03-03", "2026-03-05"], ["2026-03-02", "2026-03-03", "2026-03-05"]),
        (3, ["2026-03-04", "2026-03-07"], ["2026-03-04", "2026-03-07"], [f"2026-03-0{day}" for day in (2, 4, 5, 7)]),
        (7, ["2026-03-08"], ["2026-03-08"], ["2026-03-02", "2026-03-05", "2026-03-08"]),
        (30, [], [], ["2026-03-02", "2026-03-05"]),
        (0, [], [], ["2026-03-02", "2026-03-05"]),
    ],
    ids=["daily", "2", "3", "weekly", "longer than the history", "never"],
)
def test_a_sync_counts_when_something_is_new_since_the_one_before(
    every: int, due: list[str], syncs: list[str], changing: list[str]
) -> None:
    found = history()
    assert (found.due(every), found.syncs(every), found.changing(every)) == (due, syncs, changing)


@pytest.mark.parametrize("name", ["valid_from", "valid_to", "deleted_at"])
@pytest.mark.parametrize(
    ("day", "counts"),
    [("2026-03-01", False), ("2026-03-02", True), ("2026-03-06", True), ("2026-03-08", True), ("2026-03-09", False)],
    ids=["before the first day asked", "first day", "on no other day", "last day", "after the last day"],
)
def test_a_day_on_which_a_document_begins_or_ceases_to_hold_is_asked_at_every_cadence(name: str, day: str, counts: bool) -> None:
    dated = History(GoldenSet("tiny", 1, (), (document("a", "Text.", **{name: day}),), "", "", "2026-03-08"), EVENTS)
    for every in (1, 2, 3, 7, 30, 0):
        assert dated.changing(every) == sorted({*history().changing(every), *([day] if counts else [])})
        assert dated.syncs(every) == history().syncs(every)


@pytest.mark.parametrize(("as_of", "end"), [("2026-03-08", "2026-03-08"), ("", "2026-03-05"), ("2026-03-03", "2026-03-05")])
def test_the_last_day_is_that_of_the_card_or_of_the_last_event(as_of: str, end: str) -> None:
    assert (history(as_of).before, history(as_of).end) == ("2026-03-01", end)


def test_days_are_counted_over_the_ends_of_months() -> None:
    assert (later("2026-02-28", 1), later("2026-03-01", -1), later("2024-02-28", 1)) == ("2026-03-01", "2026-02-28", "2024-02-29")
    assert days_between("2025-12-31", "2026-03-01") == 60
