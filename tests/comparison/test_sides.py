"""What a side holds: a run folder everything, an accepted baseline its scores."""

from pathlib import Path

import pytest

from harness import runs
from harness.attribution.stations import Attribution, Station, encode
from harness.comparison.sides import ATTRIBUTIONS, of_baseline, of_run
from harness.errors import StoreError
from harness.gates.baseline import from_record
from harness.store import write_json
from tests.builders import chunk, trace
from tests.reporting.records import record
from tests.test_store import BROKEN


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A finished run."""
    made = record({"recall_at_5": 1.0}, {"recall_at_5": {"q1": 1}})
    runs.save(tmp_path, made, "key", [trace("q1", chunk())], [chunk()], "a: 1\n")
    runs.seal(tmp_path, made)
    return tmp_path


def test_a_run_has_traces_and_attributions_where_they_were_written(folder: Path) -> None:
    without = of_run("x", folder)
    write_json(folder / ATTRIBUTIONS, encode({"q1": Attribution("q1", Station.ANSWERED)}))
    known = of_run("x", folder)
    assert (list(without.traces or {}), without.attributions) == (["q1"], None)
    assert known.attributions == {"q1": Attribution("q1", Station.ANSWERED)}


def test_an_accepted_baseline_has_scores_alone() -> None:
    made = record({"recall_at_5": 1.0}, {"recall_at_5": {"q1": 1}})
    side = of_baseline("x", from_record(made))
    assert (side.kind, side.traces, side.attributions) == ("accepted baseline", None, None)
    assert side.record.scores == made.scores


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("chunks.jsonl", ""),
        ("chunks.jsonl", "[" * 100_000),
        ("chunks.jsonl", "7"),
        (ATTRIBUTIONS, '[{"question_id": "q1"}]'),
        (ATTRIBUTIONS, "7"),
        (ATTRIBUTIONS, '[{"question_id": "q1", "station": "answered", "groups": [7]}]'),
        *((ATTRIBUTIONS, text) for text in BROKEN),
    ],
)
def test_damaged_traces_and_attributions_are_told(folder: Path, name: str, text: str) -> None:
    (folder / name).write_text(text)
    with pytest.raises(StoreError, match=r"(is|are) damaged"):
        of_run("x", folder)
