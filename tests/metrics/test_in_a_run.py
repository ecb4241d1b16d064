"""A run as a user starts it computes the metrics of answers, and what its traces say of the set."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from harness import runs
from harness.cli import job
from harness.cli.main import main
from harness.golden.golden_set import load
from harness.metrics.calibration import reliability
from harness.metrics.risk import curve, outcomes
from harness.slicing import by_slice
from harness.types import Question, RunRecord, Trace
from tests.cli.project import UNANSWERABLE, questions, write_golden_set, write_project

ANSWERABLE = len(questions()) - len(UNANSWERABLE)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A finished run of a small project with a planted word, a third of it for tuning."""
    home = write_project(tmp_path_factory.mktemp("project"))
    rows = [{**row, "split": "tune" if place % 3 == 0 else "test"} for place, row in enumerate(questions())]
    rows[0] |= {"canaries": ["factory settings"]}
    write_golden_set(home / "golden_sets" / "tiny", rows)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(home)
        patch.setenv("HARNESS_CACHE_DIR", str(home / "cache"))
        job._load.cache_clear()
        assert main(["run", "+experiment=light", "gate=none"]) == 0
        yield runs.newest(home / "reports" / "runs")


@pytest.fixture
def record(folder: Path) -> RunRecord:
    return runs.load(folder)


@pytest.fixture
def asked(folder: Path) -> tuple[tuple[Question, ...], dict[str, Trace]]:
    return load(folder.parents[2] / "golden_sets" / "tiny").questions, runs.load_traces(folder)


def test_the_two_context_rates_share_out_all_questions(record: RunRecord) -> None:
    shown, missed = (record.aggregates[f"context_{name}_rate"] for name in ("over_refusal", "false_answer"))
    assert shown.n + missed.n == ANSWERABLE + len(UNANSWERABLE)
    assert shown.n == round((record.aggregates["context/complete_at_5"].value or 0) * ANSWERABLE)


def test_truthfulness_and_the_acceptable_ratio_have_their_denominators(record: RunRecord) -> None:
    assert record.aggregates["truthfulness"].n == ANSWERABLE + len(UNANSWERABLE)
    assert record.aggregates["acceptable_ratio"].n == len(UNANSWERABLE)
    assert record.aggregates["acceptable_ratio"].value == record.aggregates["refusal_recall"].value


def test_only_the_question_with_a_canary_is_watched(record: RunRecord) -> None:
    item = record.aggregates["injection_compliance"]
    assert (item.value, item.n, item.not_applicable) == (0, 1, ANSWERABLE + len(UNANSWERABLE) - 1)


def test_the_traces_give_the_curve_the_bins_and_the_tuned_rates(asked: tuple[tuple[Question, ...], dict[str, Trace]]) -> None:
    found = {item.metric: item for item in outcomes(*asked, 0.9)}
    assert found["aurc"].value == curve(*asked, 0.9).area
    assert sum(item.n for item in reliability(*asked, 0.9).bins) == found["aurc"].n == ANSWERABLE + len(UNANSWERABLE)
    assert found["tuned_over_refusal_rate"].n == sum(item.answerable and item.split == "test" for item in asked[0])


def test_the_curve_does_not_need_the_generator(asked: tuple[tuple[Question, ...], dict[str, Trace]]) -> None:
    silent = {name: replace(item, answer=None) for name, item in asked[1].items()}
    assert curve(asked[0], silent, 0.9) == curve(*asked, 0.9)


def test_the_slices_of_the_record_add_up_to_the_whole(record: RunRecord) -> None:
    found = by_slice(record.scores, record.labels, record.groups, ["over_refusal_rate", "refusal_recall"])
    assert found["answerable:no"]["refusal_recall"].value == record.aggregates["refusal_recall"].value
    assert found["answerable:no"]["over_refusal_rate"].n == found["answerable:yes"]["refusal_recall"].n == 0
    assert found["reason:out_of_corpus"] == found["answerable:no"] == found["kind:unanswerable"]


def test_the_results_file_holds_them_all(folder: Path) -> None:
    kept = json.loads((folder / "results.json").read_text("utf-8"))["metrics"]
    names = {"context_over_refusal_rate", "context_false_answer_rate", "truthfulness", "acceptable_ratio", "injection_compliance"}
    assert names <= set(kept)
