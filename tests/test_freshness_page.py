"""docs/index.md is what the freshness record says, the record is of what stands here, and what the page prints can be typed."""

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from benchmarks.freshness import PAGE, RECORD, cadences, rendered, what_was_replayed
from harness.build.compose import compose
from harness.build.overrides import parse
from harness.cli.main import parser
from harness.golden.golden_set import load
from harness.indexing.manifest import of_slots
from harness.indexing.timeline_file import TIMELINE, load_timeline
from harness.resources import shipped_root

FOUND = json.loads(RECORD.read_text("utf-8"))
ROWS = FOUND["cadences"]
NAMES = [str(row["every"]) for row in ROWS]


def test_the_page_is_rendered_from_the_record() -> None:
    assert PAGE.read_text("utf-8") == rendered()


def test_the_record_is_of_the_golden_set_and_its_history_as_they_stand() -> None:
    folder = shipped_root() / "golden_sets" / FOUND["golden_set"]
    golden = load(folder)
    timeline = load_timeline(folder / TIMELINE, golden.documents)
    assert (FOUND["golden_version"], FOUND["events"]) == (golden.version, len(timeline.events))
    assert (FOUND["start"], FOUND["end"]) == (timeline.days[0], golden.as_of)


def test_the_record_is_of_the_default_index() -> None:
    assert of_slots(FOUND["config"]) == of_slots(compose([]))


def test_the_cadences_that_the_page_speaks_of_are_measured() -> None:
    assert [row["every"] for row in ROWS] == [1, 7, 30, 0]


@pytest.mark.parametrize("row", ROWS, ids=NAMES)
def test_counts_over_all_days_are_those_of_the_days(row: dict[str, Any]) -> None:
    for total, of_a_day in (
        ("question_days", "asked"),
        ("superseded_hits", "superseded_hits"),
        ("deleted_hits", "deleted_hits"),
    ):
        assert row[total] == sum(day["days"] * day[of_a_day] for day in row["days"])


@pytest.mark.parametrize("row", ROWS, ids=NAMES)
def test_every_cadence_goes_through_the_same_days(row: dict[str, Any]) -> None:
    assert sum(day["days"] for day in row["days"]) == sum(day["days"] for day in ROWS[0]["days"])
    assert (row["built"], row["stale"]["n"], row["recall"]["n"]) == (ROWS[0]["built"], *[ROWS[0]["stale"]["n"]] * 2)


def test_every_cadence_is_asked_the_same_questions_on_the_same_days() -> None:
    assert len({row["question_days"] for row in ROWS}) == 1


def test_an_index_that_is_synced_every_day_is_never_stale() -> None:
    first = ROWS[0]
    assert (first["every"], first["superseded_hits"], first["deleted_hits"], first["stale"]["value"]) == (1, 0, 0, 0.0)


def test_an_index_that_is_synced_less_often_shows_more_outdated_passages() -> None:
    stale = [row["stale"]["value"] for row in ROWS]
    assert stale == sorted(stale)
    assert len(set(stale)) == len(stale)


def record(every: int, value: float | None) -> dict[str, Any]:
    """A replay of one cadence."""
    mean = {"value": value, "low": value and value - 0.02, "high": value and value + 0.02, "n": 1 if value else 0}
    counts = {"syncs": 4, "built": 1200, "embedded": 9, "question_days": 12_000, "superseded_hits": 1_500, "deleted_hits": 3}
    config = {"chunker": {"_target_": "harness.chunking.recursive.Recursive", "size": 512}, "doc2query": {}}
    head = {"golden_set": "g", "golden_version": 2, "start": "2026-01-01", "end": "2026-02-01", "events": 5, "config": config}
    return {**head, "cadences": [{"every": every, **counts, "stale": mean, "recall": mean}]}


@pytest.mark.parametrize(
    ("every", "value", "row"),
    [
        (1, 0.5, "| every day | 4 | 9 | 12,000 | 1,500 | 3 | 50.0% (48.0% to 52.0%), n = 1 | 0.500 (0.480 to 0.520), n = 1 |"),
        (7, 0.5, "| every 7 days | 4 | 9 | 12,000 | 1,500 | 3 | 50.0% (48.0% to 52.0%), n = 1 | 0.500 (0.480 to 0.520), n = 1 |"),
        (0, None, "| never | 4 | 9 | 12,000 | 1,500 | 3 | not measured, n = 0 | not measured, n = 0 |"),
    ],
)
def test_a_cadence_is_a_row(every: int, value: float | None, row: str) -> None:
    assert cadences(record(every, value)).splitlines()[2] == row


def test_what_was_replayed_is_said_with_the_options_of_the_index() -> None:
    assert what_was_replayed(record(1, 0.5)) == (
        "g v2, 2026-01-01 to 2026-02-01, 5 changes of the corpus, 1 questions. Index: `chunker` Recursive, `doc2query` none; "
        "1,200 texts embedded by the first build."
    )


def commands(path: Path, *names: str) -> list[str]:
    """The lines of a page's code blocks that call these commands of the harness, without what a `#` says of them."""
    starts = tuple(f"python -m harness {name} " for name in names)
    blocks = path.read_text("utf-8").split("```")[1::2]
    return [line.partition(" #")[0].strip() for block in blocks for line in block.splitlines() if line.startswith(starts)]


README = PAGE.parents[1] / "README.md"
PRINTED = [*commands(PAGE, "chunk", "index", "run"), *commands(README, "chunk", "index")]


def test_both_pages_print_commands() -> None:
    assert len(PRINTED) > 15
    assert any("index purge" in line for line in PRINTED)


@pytest.mark.parametrize("line", PRINTED)
def test_a_printed_command_is_one_that_the_harness_takes(line: str) -> None:
    arguments = parser().parse_args(shlex.split(line)[3:])
    assert compose(parse(getattr(arguments, "overrides", []))[0])
