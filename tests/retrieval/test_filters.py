import pytest

from harness.retrieval.filters import admits, sees, visible
from tests.builders import document

PUBLIC = document("public")
ACME = document("acme", tenant="acme")
OLD = document("old", valid_to="2025-01-01")
NEW = document("new", valid_from="2025-01-01")
YEAR = document("year", valid_from="2024-01-01", valid_to="2025-01-01")
ALL = [PUBLIC, ACME, OLD, NEW, YEAR]


@pytest.mark.parametrize(
    ("tenant", "seen"), [("acme", {"public", "acme"}), ("other", {"public"}), ("", {"public"}), ("Acme", {"public"})]
)
def test_a_document_is_everybodys_or_its_tenants(tenant: str, seen: set[str]) -> None:
    assert visible([PUBLIC, ACME], tenant, "") == seen


@pytest.mark.parametrize(
    ("as_of", "seen"),
    [
        ("2023-12-31", {"public", "old"}),
        ("2024-01-01", {"public", "old", "year"}),
        ("2024-12-31", {"public", "old", "year"}),
        ("2025-01-01", {"public", "new"}),
        ("", {"public", "old", "new", "year"}),
    ],
    ids=["before", "first day", "last day", "the day it ends", "no date"],
)
def test_a_document_holds_from_its_first_day_up_to_but_not_on_its_last(as_of: str, seen: set[str]) -> None:
    assert visible([PUBLIC, OLD, NEW, YEAR], "", as_of) == seen


def test_tenant_and_date_must_both_allow() -> None:
    expired = document("expired", tenant="acme", valid_to="2020-01-01")
    assert visible([expired], "acme", "2024-01-01") == frozenset()
    assert visible([expired], "acme", "2019-12-31") == {"expired"}


def test_nothing_is_visible_in_an_empty_corpus() -> None:
    assert visible([], "acme", "2025-01-01") == frozenset()


@pytest.mark.parametrize(("persona", "seen"), [("ann", True), ("zoe", True), ("bob", False), ("Ann", False), ("", False)])
def test_a_document_with_an_access_list_is_only_theirs_who_stand_in_it(persona: str, seen: bool) -> None:
    assert sees(document("board", acl=("ann", "zoe")), persona, "") is seen


def test_an_asker_without_a_name_does_not_stand_in_any_list() -> None:
    assert not sees(document("board", acl=("",)), "", "")


@pytest.mark.parametrize(
    ("acl", "persona", "seen"),
    [(("acme",), "acme", True), (("ann",), "acme", False), (("ann",), "ann", False), ((), "acme", True)],
)
def test_tenant_and_access_list_must_both_admit(acl: tuple[str, ...], persona: str, seen: bool) -> None:
    assert admits("acme", acl, persona) is seen


def test_an_access_list_does_not_make_a_document_hold_longer() -> None:
    expired = document("expired", acl=("ann",), valid_to="2020-01-01")
    assert [visible([expired], "ann", day) for day in ("2019-12-31", "2020-01-01")] == [{"expired"}, frozenset()]


SERIES = [
    document("p24", series="prices", valid_from="2024-01-01"),
    document("p25", series="prices", valid_from="2025-01-01"),
    document("p26", series="prices", valid_from="2026-01-01", tenant="acme"),
    document("note"),
]


@pytest.mark.parametrize(
    ("tenant", "as_of", "seen"),
    [
        ("", "2023-12-31", {"note"}),
        ("", "2024-06-01", {"p24", "note"}),
        ("", "2025-01-01", {"p25", "note"}),
        ("acme", "2026-06-01", {"p26", "note"}),
        ("", "2026-06-01", {"p25", "note"}),  # the newest is another tenant's: the newest that the asker may see holds
        ("other", "2026-06-01", {"p25", "note"}),
        ("acme", "", {"p26", "note"}),
        ("", "", {"p25", "note"}),
    ],
)
def test_of_a_series_only_the_newest_that_the_asker_may_see_holds(tenant: str, as_of: str, seen: set[str]) -> None:
    assert visible(SERIES, tenant, as_of) == seen


@pytest.mark.parametrize(
    ("as_of", "seen"), [("2025-02-28", {"new"}), ("2025-03-01", {"old"}), ("2025-03-02", {"old"}), ("", {"old"})]
)
def test_from_the_day_on_which_the_newest_is_withdrawn_the_one_before_holds_again(as_of: str, seen: set[str]) -> None:
    old = document("old", series="s", valid_from="2024-01-01")
    new = document("new", series="s", valid_from="2025-01-01", deleted_at="2025-03-01")
    assert visible([old, new], "", as_of) == seen


def test_a_newest_version_that_has_ended_gives_way_to_one_that_has_not() -> None:
    trial = document("trial", series="s", valid_from="2025-01-01", valid_to="2025-02-01")
    usual = document("usual", series="s", valid_from="2024-01-01")
    assert [visible([trial, usual], "", day) for day in ("2025-01-31", "2025-02-01")] == [{"trial"}, {"usual"}]


@pytest.mark.parametrize(
    ("fields", "newest"),
    [
        ([{"valid_from": "2025-01-01"}, {"valid_from": "2024-01-01", "updated_at": "2026-01-01"}], "d0"),
        ([{"updated_at": "2025-02-01"}, {"updated_at": "2025-01-01"}], "d0"),
        ([{}, {}], "d1"),
    ],
    ids=["by valid_from", "then by updated_at", "then by doc_id"],
)
def test_equals_in_a_series_are_told_apart(fields: list[dict[str, str]], newest: str) -> None:
    series = [document(f"d{place}", series="s", **item) for place, item in enumerate(fields)]
    assert visible(series, "", "2026-06-01") == visible(series[::-1], "", "2026-06-01") == {newest}


def test_a_withdrawn_document_without_a_series_is_gone_from_that_day_on() -> None:
    gone = document("gone", deleted_at="2025-03-01")
    assert [visible([gone], "", day) for day in ("2025-02-28", "2025-03-01", "")] == [{"gone"}, frozenset(), frozenset()]
