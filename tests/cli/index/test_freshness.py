"""`harness index freshness`: a corpus of three short documents, its history replayed, every count worked out by hand.

Ten days are asked, 21 to 30 June; every index is built on the 20th. Each question finds the document that shares words with it;
`battery` finds range.md too.

    21  battery.md: 12 months become 18     battery is asked on ten days
    23  range.md is withdrawn               range on six: 21, 22 and from the 27th on
    25  storage.md is added                 storage on six, from the 25th on
    27  range.md is restored
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness.cli.index import freshness
from tests.cli import project as made

Harness = Callable[..., tuple[int, str]]

DOCUMENTS = {
    "battery.md": "Battery lasts 18 months.\n",
    "range.md": "Gateway reaches 400 metres.\n",
    "storage.md": "Storage needs 5 degrees.\n",
}
ASKED = {
    "battery": ("battery lasts beside gateway", "battery.md", "lasts 18 months"),
    "range": ("gateway reaches", "range.md", "reaches 400 metres"),
    "storage": ("storage needs", "storage.md", "needs 5 degrees"),
}
EVENTS: list[dict[str, object]] = [
    {"date": "2026-06-21", "action": "change", "doc": "battery.md", "was": {"18 months": "12 months"}},
    {"date": "2026-06-23", "action": "withdraw", "doc": "range.md"},
    {"date": "2026-06-25", "action": "add", "doc": "storage.md"},
    {"date": "2026-06-27", "action": "restore", "doc": "range.md"},
]
LIGHT = ("embedder=hashing", "retrievers=bm25")


@pytest.fixture
def dated(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The golden set `dated` with its history."""
    monkeypatch.setattr(made, "DOCUMENTS", DOCUMENTS)
    rows: list[dict[str, object]] = [
        {"id": name, "question": text, "answerable": True, "group": name, "evidence": [[{"doc": doc, "quote": quote}]]}
        for name, (text, doc, quote) in ASKED.items()
    ]
    folder = made.write_golden_set(project / "golden_sets" / "dated", rows)
    (folder / "timeline.jsonl").write_text("".join(json.dumps(event) + "\n" for event in EVENTS))
    return folder


def measured(harness: Harness, every: str, *words: str) -> dict[str, Any]:
    code, printed = harness("index", "freshness", "dated", *LIGHT, *words, "--every", every, "--to", "fresh.json")
    assert code == 0, printed
    found: dict[str, Any] = json.loads(Path("fresh.json").read_text())
    return found


EXPECTED: dict[int, dict[str, Any]] = {
    # synced on each day before it is asked: never stale
    1: {"syncs": 10, "embedded": 2, "hits": (0, 0), "stale": (0, 0, 0), "recall": (1, 1, 1)},
    # 23, 26, 29: battery is old on 21 and 22; range is missed on 27 and 28, storage on 25
    3: {"syncs": 3, "embedded": 2, "hits": (2, 0), "stale": (2 / 10, 0, 0), "recall": (8 / 10, 4 / 6, 5 / 6)},
    # 27: battery is old on six days, and finds withdrawn range.md on four of them; storage is missed on 25 and 26
    7: {"syncs": 1, "embedded": 2, "hits": (6, 4), "stale": (6 / 10, 0, 0), "recall": (4 / 10, 1, 4 / 6)},
    # never: battery is old on all ten days, storage is never found
    0: {"syncs": 0, "embedded": 0, "hits": (10, 4), "stale": (1, 0, 0), "recall": (0, 1, 0)},
}
"""By cadence the superseded and deleted hits; share of stale days and Recall@5 of battery, range and storage."""


def test_what_was_stale_is_counted_day_by_day(dated: Path, harness: Harness) -> None:
    found = measured(harness, "1,3,7")
    assert [row["every"] for row in found["cadences"]] == list(EXPECTED)
    for row, wanted in zip(found["cadences"], EXPECTED.values(), strict=True):
        assert (row["syncs"], row["embedded"]) == (wanted["syncs"], wanted["embedded"])
        assert (row["built"], row["question_days"], row["stale"]["n"], row["recall"]["n"]) == (2, 22, 3, 3)
        assert (row["superseded_hits"], row["deleted_hits"]) == wanted["hits"]
        assert row["stale"]["value"] == pytest.approx(sum(wanted["stale"]) / 3)
        assert row["recall"]["value"] == pytest.approx(sum(wanted["recall"]) / 3)


def test_each_day_says_for_how_many_it_stands(dated: Path, harness: Harness) -> None:
    weekly, never = measured(harness, "7")["cadences"]
    days = [(day["date"], day["days"], day["synced"], day["asked"], day["deleted_hits"]) for day in weekly["days"]]
    assert days == [
        ("2026-06-21", 2, "2026-06-20", 2, 0),
        ("2026-06-23", 2, "2026-06-20", 1, 1),
        ("2026-06-25", 2, "2026-06-20", 2, 1),
        ("2026-06-27", 4, "2026-06-27", 3, 0),
    ]
    assert [day["superseded_hits"] for day in weekly["days"]] == [1, 1, 1, 0]
    assert sum(day["days"] for day in never["days"]) == 10


def test_a_document_that_begins_to_hold_between_two_changes_is_asked_about_from_then_on(dated: Path, harness: Harness) -> None:
    (dated / "corpus" / "metadata.yaml").write_text("battery.md: {valid_from: 2026-06-24}\n")
    assert harness("golden", "check", "dated", "--fix")[0] == 0
    for row in measured(harness, "1,3,7,30")["cadences"]:  # battery from the 24th on, range on six days, storage on six
        assert (row["question_days"], sum(day["days"] for day in row["days"])) == (7 + 6 + 6, 10)


def test_the_table_shows_every_cadence_with_its_counts(dated: Path, harness: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    code, printed = harness("index", "freshness", "dated", *LIGHT, "--every", "1,7")
    lines = {line.split("  ")[0].strip(): line.split() for line in printed.splitlines()}
    assert code == 0
    assert "dated v1, 2026-06-21 to 2026-06-30: 4 changes of the corpus" in printed
    assert "Each of 3 questions" in printed.replace("\n", " ") and "22 times in all" in printed.replace("\n", " ")
    assert lines["every day"][2:] == ["10", "2", "0", "0", "0.000", "1.000"]
    assert lines["every 7 days"][3:] == ["1", "2", "6", "4", "0.200", "0.689"]
    assert lines["never"][1:] == ["0", "0", "10", "4", "0.333", "0.333"]
    assert "…" not in printed


def test_the_same_history_gives_the_same_bytes(dated: Path, harness: Harness) -> None:
    measured(harness, "30")
    first = Path("fresh.json").read_bytes()
    measured(harness, "30")
    assert Path("fresh.json").read_bytes() == first
    assert not Path("index").exists()  # where the user's own index would be


def test_a_reranker_is_used_only_where_it_is_named(dated: Path, harness: Harness) -> None:
    """A chunk of a withdrawn document stays withdrawn whatever orders the passages."""
    rows = measured(harness, "7", "reranker=lexical")["cadences"]
    assert [(row["superseded_hits"], row["deleted_hits"]) for row in rows] == [(6, 4), (10, 4)]


@pytest.mark.parametrize("every", ["", "0", "-1", "1,x", "1.5", "7,7", "7,07", "99999"])
def test_a_cadence_that_is_none_is_refused(dated: Path, harness: Harness, every: str) -> None:
    code, printed = harness("index", "freshness", "dated", f"--every={every}")
    assert (code, "H006" in printed, "Traceback" in printed) == (2, True, False)


def test_a_set_without_a_history_is_refused(project: Path, harness: Harness) -> None:
    code, printed = harness("index", "freshness", "tiny")
    assert code == 2 and "has no timeline.jsonl" in printed.replace("\n", " ")


def test_every_fault_of_a_history_is_told_in_one_block(dated: Path, harness: Harness) -> None:
    faults = [{**EVENTS[0], "doc": "batery.md"}, {"date": "soon", "action": "add", "doc": "range.md"}]
    (dated / "timeline.jsonl").write_text("".join(json.dumps(fault) + "\n" for fault in faults))
    code, printed = harness("index", "freshness", "dated")
    assert code == 2 and {"H001", "H002"} <= set(printed.replace("[", " ").replace("]", " ").split())


def test_a_question_with_a_day_of_its_own_is_asked_where_its_evidence_held_on_that_day(project, harness, monkeypatch):
    old = {"old.md": "---\nvalid_to: 2026-06-01\n---\nTariff costs nine.\n", "range.md": "Gateway reaches 400 metres.\n"}
    monkeypatch.setattr(made, "DOCUMENTS", old)
    row = {"question": "tariff costs", "answerable": True, "evidence": [[{"doc": "old.md", "quote": "costs nine"}]]}
    rows: list[dict[str, object]] = [{**row, "id": "then", "group": "then", "as_of": "2026-05-01"}]
    folder = made.write_golden_set(project / "golden_sets" / "dated", rows)
    (folder / "timeline.jsonl").write_text('{"date": "2026-06-21", "action": "add", "doc": "range.md"}\n')
    (daily, _) = measured(harness, "1")["cadences"]
    assert (daily["question_days"], daily["recall"]["n"], daily["recall"]["value"]) == (10, 1, 1.0)


@pytest.mark.parametrize(
    ("place", "what"), [("golden_sets", "is a folder"), ("golden_sets/dated/golden_set.yaml/x.json", "lies below")]
)
def test_a_file_that_cannot_be_written_is_told_before_the_replay(dated, harness, monkeypatch, place, what):
    monkeypatch.setattr(freshness, "measure", lambda *_: pytest.fail("replayed"))
    code, text = harness("index", "freshness", "dated", *LIGHT, "--to", place)
    assert (code, "H007" in text, what in " ".join(text.replace("│", " ").split())) == (2, True, True)
