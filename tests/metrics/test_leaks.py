"""What an asker may not see is counted wherever it shows up, on every question."""

import pytest

from harness.metrics.leaks import SupersededHits, TenantLeaks
from harness.types import Trace
from tests.builders import chunk, question, ranking, trace

NORTH, SOUTH, PUBLIC = chunk("north.md"), chunk("south.md"), chunk("public.md")
TENANTS = TenantLeaks({"north.md": "northwind", "south.md": "bluepeak", "public.md": ""})
VERSIONS = SupersededHits(
    {"old.md": ("2024-01-01", "2025-03-01"), "new.md": ("2025-03-01", ""), "public.md": ("", "")}, "2026-06-30"
)


@pytest.mark.parametrize(("persona", "leaks"), [("northwind", 1), ("bluepeak", 1), ("", 2), ("stranger", 2)])
def test_another_tenants_passage_is_a_leak(persona: str, leaks: int) -> None:
    assert TENANTS.score(question(persona=persona), trace("q1", NORTH, SOUTH, PUBLIC)).value == leaks


@pytest.mark.parametrize(
    ("persona", "leaks"),
    [("northwind", 1), ("ann", 1), ("bluepeak", 2), ("", 2)],  # tenant and list must both admit
)
def test_a_passage_kept_for_others_is_a_leak_too(persona: str, leaks: int) -> None:
    kept = TenantLeaks({"north.md": "northwind"}, {"north.md": ("northwind",), "board.md": ("ann", "zoe"), "public.md": ()})
    assert kept.score(question(persona=persona), trace("q1", NORTH, chunk("board.md"), PUBLIC)).value == leaks


def test_a_document_of_a_tenant_whose_list_names_others_is_nobodys() -> None:
    kept = TenantLeaks({"north.md": "northwind"}, {"north.md": ("ann",)})
    assert [kept.score(question(persona=name), trace("q1", NORTH)).value for name in ("northwind", "ann", "")] == [1, 1, 1]


def test_a_leak_is_counted_once_and_its_first_station_is_named() -> None:
    left = Trace("q1", retrieved={"bm25": ranking(PUBLIC, NORTH)}, fused=ranking(NORTH), reranked=ranking(PUBLIC))
    score = TENANTS.score(question(), left)
    assert (score.value, score.reason) == (1, "north.md at bm25")


def test_two_passages_of_one_hidden_document_are_two_leaks() -> None:
    assert TENANTS.score(question(), trace("q1", NORTH, chunk("north.md", 20, 30))).value == 2


@pytest.mark.parametrize(
    ("as_of", "old", "new"),
    [("", 1, 0), ("2025-03-01", 1, 0), ("2025-02-28", 0, 1), ("2023-12-31", 1, 1)],
)
def test_a_version_that_does_not_hold_on_the_day_is_superseded(as_of: str, old: int, new: int) -> None:
    asked = question(as_of=as_of)
    found = [VERSIONS.score(asked, trace("q1", chunk(name), PUBLIC)).value for name in ("old.md", "new.md")]
    assert found == [old, new]


def test_without_a_day_every_version_holds() -> None:
    assert SupersededHits(VERSIONS.validity).score(question(), trace("q1", chunk("old.md"))).value == 0


def test_a_document_that_nobody_described_is_everybodys() -> None:
    assert TENANTS.score(question(), trace("q1", chunk("unknown.md"))).value == 0
    assert VERSIONS.score(question(), trace("q1", chunk("unknown.md"))).value == 0
