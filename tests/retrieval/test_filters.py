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
