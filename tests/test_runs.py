"""A run's folder: unique, resumed, read back."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from harness import runs
from harness.errors import StoreError
from harness.types import Aggregate, Failure, RunRecord, Score, State, Trace
from tests.builders import chunk, trace


def record(run_id: str = "r1", **fields) -> RunRecord:
    values = {
        "run_id": run_id,
        "created": "2026-01-01T00:00:00+00:00",
        "experiment": "naive",
        "config": {"chunker": {"size": 5}},
        "overrides": ("chunker.size=5",),
        "fingerprints": {"config": "c", "golden_set": "g"},
        "environment": {"python": "3.11"},
        "statistics": {"chunks": 2},
        "scores": (Score("m", "q1", 0.25), Score("m", "q2", None, State.ERROR, "why")),
        "failures": (Failure("q2", "pipeline", "boom"),),
        "aggregates": {"m": Aggregate("m", 0.25, 1, 0.1, 0.4, errors=1)},
        "groups": {"q1": "a", "q2": "a"},
        "splits": {"q1": "test", "q2": "tune"},
        "golden_set": "smoke",
        "golden_version": 3,
    }
    return RunRecord(**{**values, **fields})


def finished(folder, **fields) -> None:
    part = chunk()
    made = record(folder.name, **fields)
    runs.save(folder, made, "key", [trace("q1", part)], [part, chunk(start=50, end=60)], "chunker: {size: 5}\n")
    runs.seal(folder, made)


def test_a_saved_run_is_read_back_whole(tmp_path):
    finished(tmp_path)
    assert runs.load(tmp_path) == record(tmp_path.name)


def test_traces_come_back_with_their_chunks(tmp_path):
    finished(tmp_path)
    assert runs.load_traces(tmp_path) == {"q1": trace("q1", chunk())}


def test_results_hold_nothing_that_varies(tmp_path):
    first, second = tmp_path / "a", tmp_path / "b"
    for folder, created in ((first, "2026-01-01"), (second, "2027-02-02")):
        folder.mkdir()
        finished(folder, created=created, environment={"python": created}, overrides=())
    assert (first / "results.json").read_bytes() == (second / "results.json").read_bytes()
    metrics = json.loads((first / "results.json").read_text())["metrics"]
    assert metrics["m"]["value"] == 0.25
    assert metrics["m"]["n"] == 1


def test_two_runs_in_one_second_have_two_folders(tmp_path):
    with ThreadPoolExecutor(8) as pool:
        folders = list(pool.map(lambda place: runs.open_run(tmp_path, "x", f"key{place}").path, range(16)))
    assert len(set(folders)) == 16


def test_an_interrupted_run_is_taken_up_again_with_what_it_finished(tmp_path):
    part = chunk()
    first = runs.open_run(tmp_path, "x", "key")
    first.keep(trace("q1", part))
    first.lock.release()
    again = runs.open_run(tmp_path, "x", "key")
    assert again.path == first.path
    assert again.finished({part.chunk_id: part}) == {"q1": trace("q1", part)}


def test_a_run_that_is_going_on_is_not_taken_up(tmp_path):
    first = runs.open_run(tmp_path, "x", "key")
    assert runs.open_run(tmp_path, "x", "key").path != first.path


def test_a_finished_run_or_one_of_another_key_is_not_taken_up(tmp_path):
    first = runs.open_run(tmp_path, "x", "key")
    first.lock.release()
    assert runs.open_run(tmp_path, "x", "other").path != first.path
    finished(first.path)
    assert runs.open_run(tmp_path, "x", "key").path != first.path


def test_a_folder_without_results_is_no_finished_run(tmp_path):
    with pytest.raises(StoreError, match="holds no finished run"):
        runs.load(tmp_path)
    with pytest.raises(StoreError, match="no finished run in"):
        runs.newest(tmp_path)


def test_the_newest_finished_run_is_found(tmp_path):
    for name in ("20260101-a", "20260202-b", "20260303-c"):
        (tmp_path / name).mkdir()
    finished(tmp_path / "20260101-a")
    finished(tmp_path / "20260202-b")
    assert runs.newest(tmp_path).name == "20260202-b"


def test_a_damaged_file_is_named(tmp_path):
    finished(tmp_path)
    (tmp_path / "run.json").write_text("{half")
    with pytest.raises(StoreError, match=r"run\.json.* is damaged"):
        runs.load(tmp_path)


def test_a_runs_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreError, match="cannot make the run folder"):
        runs.open_run(tmp_path / "file", "x", "key")


def test_latency_is_the_median_and_the_95th_percentile_per_stage():
    traces = [Trace(f"q{number}", seconds={"rerank": float(number)}) for number in range(1, 21)]
    assert runs.latency(traces) == {"rerank": {"p50": 10.0, "p95": 19.0}}


@pytest.mark.parametrize("content", ["", "{}", "[]", "{half", '{"key": "key"}'])
def test_a_foreign_or_damaged_folder_does_not_stop_a_new_run(tmp_path, content):
    (tmp_path / "20260101-other").mkdir()
    (tmp_path / "20260101-other" / "run.json").write_text(content)
    assert runs.open_run(tmp_path, "x", "key").path.name != "20260101-other"


def test_a_run_that_ended_before_its_reports_stood_is_taken_up_again(tmp_path):
    first = runs.open_run(tmp_path, "x", "key")
    runs.save(first.path, record(first.path.name), "key", [trace("q1", chunk())], [chunk()], "a: 1\n")
    first.lock.release()
    assert runs.open_run(tmp_path, "x", "key").path == first.path


@pytest.mark.parametrize(
    ("name", "content"),
    [("results.json", "[]"), ("results.json", "{}"), ("scores.jsonl", "x\n"), ("config.yaml", "["), ("run.json", "{}")],
)
def test_a_damaged_finished_run_is_told_and_not_a_traceback(tmp_path, name, content):
    finished(tmp_path)
    (tmp_path / name).write_text(content)
    with pytest.raises(StoreError, match="damaged"):
        runs.load(tmp_path)
