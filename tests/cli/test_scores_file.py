"""What a run leaves of its scores: one question a line, read back by every later command."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from harness import runs
from harness.types import State
from tests.cli.project import questions


@pytest.fixture
def folder(project: Path, harness: Callable[..., tuple[int, str]]) -> Path:
    harness("run", "+experiment=light")
    return runs.newest(project / "reports" / "runs")


def test_a_question_is_a_line_with_all_its_metrics(folder: Path) -> None:
    lines = [json.loads(line) for line in (folder / "scores.jsonl").read_text("utf-8").splitlines()]
    assert [line["question_id"] for line in lines] == [row["id"] for row in questions()]
    assert len({tuple(line["scores"]) for line in lines}) == 1
    found = {line["question_id"]: line["scores"] for line in lines}
    assert found["q1"]["recall_at_5"] == 1.0
    assert found["u0"]["recall_at_5"] == ["not_applicable", "unanswerable: there is nothing to find"]
    assert found["q1"]["faithfulness"][0] == pytest.approx(1, abs=0.5)  # beside it, who judged
    assert "lexical" in found["q1"]["faithfulness"][1]


def test_the_record_that_is_read_back_has_every_state(folder: Path) -> None:
    record = runs.load(folder)
    assert {score.state for score in record.scores} >= {State.SCORED, State.NOT_APPLICABLE}
    assert len(record.scores) == len(questions()) * len({score.metric for score in record.scores})
    scored = [score for score in record.scores if score.metric == "recall_at_5" and score.value is not None]
    assert record.aggregates["recall_at_5"].n == len(scored) == 24


def test_a_folder_of_an_earlier_version_is_told_and_not_a_traceback(
    folder: Path, harness: Callable[..., tuple[int, str]]
) -> None:
    old = json.loads((folder / "results.json").read_text())
    del old["digest"]
    (folder / "results.json").write_text(json.dumps(old))
    code, printed = harness("report", str(folder))
    assert code == 4
    assert "written by an earlier version; run the same command again" in " ".join(printed.replace("│", "").split())


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [("config.yaml", "generator:", "generator_:"), ("run.json", '"overrides":[', '"overrides":["gate=none",')],
)
def test_a_run_whose_config_was_edited_by_hand_is_neither_accepted_nor_gated(
    folder: Path, harness: Callable[..., tuple[int, str]], name: str, before: str, after: str
) -> None:
    text = (folder / name).read_text().replace('"overrides": [', '"overrides":[')
    assert before in text
    (folder / name).write_text(text.replace(before, after).replace(",]", "]"))
    for command in ("accept", "gate"):
        code, printed = harness(command, str(folder) if command == "gate" else folder.name)
        assert code == 4
        assert "run.json or config.yaml is not what the run wrote" in " ".join(printed.replace("│", "").split())
    assert not (folder.parents[1] / "tiny").exists()
