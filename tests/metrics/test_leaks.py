"""What an asker may not see is counted wherever it shows up, on every question."""

import pytest

from harness.metrics.catalog import default_metrics
from harness.metrics.leaks import DeletedHits, SupersededHits, TenantLeaks
from harness.retrieval.filters import visible
from harness.types import Document, State, Trace
from tests.builders import chunk, document, question, ranking, trace

NORTH, SOUTH, PUBLIC = chunk("north.md"), chunk("south.md"), chunk("public.md")
TENANTS = TenantLeaks({"north.md": "northwind", "south.md": "bluepeak", "public.md": ""})


def superseded(*documents: Document, as_of: str = "2026-06-30") -> SupersededHits:
    return SupersededHits({item.doc_id: item for item in documents}, as_of)


VERSIONS = superseded(
    document("old.md", valid_from="2024-01-01", valid_to="2025-03-01"),
    document("new.md", valid_from="2025-03-01"),
    document("public.md"),
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
    assert SupersededHits(VERSIONS.documents).score(question(), trace("q1", chunk("old.md"))).value == 0


def test_a_document_that_nobody_described_is_everybodys() -> None:
    assert TENANTS.score(question(), trace("q1", chunk("unknown.md"))).value == 0
    assert VERSIONS.score(question(), trace("q1", chunk("unknown.md"))).value == 0


SERIES = (
    document("p24", series="prices", valid_from="2024-01-01"),
    document("p25", series="prices", valid_from="2025-01-01"),
    document("p26", series="prices", valid_from="2026-01-01", tenant="acme"),
)


@pytest.mark.parametrize(
    ("persona", "day", "counted"),
    [
        ("", "2024-06-01", ["p25", "p26"]),  # they do not hold yet
        ("", "2025-06-01", ["p24", "p26"]),
        ("", "", ["p24"]),  # p26 is newer, and another tenant's: that is a tenant leak
        ("acme", "", ["p24", "p25"]),
    ],
)
def test_a_version_older_than_the_newest_that_the_asker_may_see_is_superseded(persona: str, day: str, counted: list[str]) -> None:
    metric, asked = superseded(*SERIES), question(persona=persona, as_of=day)
    assert [item.doc_id for item in SERIES if metric.score(asked, trace("q1", chunk(item.doc_id))).value] == counted


@pytest.mark.parametrize("persona", ["", "acme"])
@pytest.mark.parametrize("day", ["2023-01-01", "2024-06-01", "2025-03-01", "2026-06-30"])
def test_what_the_filter_lets_through_is_never_counted(persona: str, day: str) -> None:
    corpus = (*SERIES, document("p27", series="prices", valid_from="2026-02-01", deleted_at="2026-03-01"), document("note"))
    found = trace("q1", *(chunk(name) for name in visible(corpus, persona, day)))
    for metric in default_metrics(["reranked"], False, documents=corpus):
        if metric.kind == "invariant":
            assert metric.score(question(persona=persona, as_of=day), found).value == 0


WITHDRAWN = DeletedHits({"gone.md": "2025-03-01", "public.md": ""}, "2026-06-30")


@pytest.mark.parametrize(("as_of", "hits"), [("2025-02-28", 0), ("2025-03-01", 1), ("2025-03-02", 1), ("", 1)])
def test_a_passage_of_a_withdrawn_document_counts_from_its_day_on(as_of: str, hits: int) -> None:
    score = WITHDRAWN.score(question(as_of=as_of), trace("q1", chunk("gone.md"), PUBLIC))
    assert (score.value, score.reason) == (hits, "gone.md at bm25" if hits else "")


def test_without_a_day_what_was_ever_withdrawn_is_gone() -> None:
    assert DeletedHits({"gone.md": "2025-03-01"}).score(question(), trace("q1", chunk("gone.md"))).value == 1


@pytest.mark.parametrize("station", ["bm25", "fused", "reranked", "context"])
def test_a_withdrawn_passage_counts_at_every_station(station: str) -> None:
    gone = ranking(chunk("gone.md"))
    left = Trace("q1", retrieved={"bm25": gone}) if station == "bm25" else Trace("q1", **{station: gone})
    score = WITHDRAWN.score(question(), left)
    assert (score.value, score.reason) == (1, f"gone.md at {station}")


@pytest.mark.parametrize("asked", [question(), question(answerable=False), question(evidence=[[("a", 0, 5)]])])
def test_every_question_is_scored_even_in_a_corpus_without_dates(asked: object) -> None:
    metrics = {item.name: item for item in default_metrics(["reranked"], False)}
    for name in ("tenant_leaks", "superseded_hits", "deleted_hits"):
        score = metrics[name].score(asked, trace("q1", chunk("a")))  # type: ignore[arg-type]
        assert (score.state, score.value) == (State.SCORED, 0)


def test_the_invariants_watch_series_and_withdrawals_of_the_corpus() -> None:
    corpus = [document("old", series="s", valid_from="2024-01-01"), document("new", series="s", valid_from="2025-01-01")]
    corpus += [document("gone", deleted_at="2026-01-01")]
    metrics = {item.name: item for item in default_metrics(["reranked"], False, documents=corpus, as_of="2026-06-30")}
    found = trace("q1", *(chunk(item.doc_id) for item in corpus))
    counted = [metrics[name].score(question(), found).value for name in ("superseded_hits", "deleted_hits", "tenant_leaks")]
    assert counted == [1, 1, 0]
