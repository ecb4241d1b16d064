"""A run's folder: unique, resumed, read back."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from harness import runs
from harness.errors import StoreError
from harness.types import Aggregate, Failure, RunRecord, Score, State, Trace
from tests.builders import chunk, trace
from tests.test_store import BROKEN


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


@pytest.mark.parametrize(
    ("name", "edit"),
    [
        ("config.yaml", lambda text: text.replace("5", "6")),
        ("config.yaml", lambda text: text + "\n"),
        ("run.json", lambda text: text.replace("chunker.size=5", "chunker.size=6")),
        ("run.json", lambda text: text.replace("3.11", "3.12")),
        ("run.json", lambda text: json.dumps({key: item for key, item in json.loads(text).items() if key != "digest"})),
    ],
)
def test_a_config_or_an_override_edited_by_hand_is_no_longer_the_runs_own(tmp_path, name, edit):
    finished(tmp_path)
    before = (tmp_path / name).read_text()
    (tmp_path / name).write_text(edit(before))
    assert (tmp_path / name).read_text() != before
    with pytest.raises(StoreError, match=r"run\.json or config\.yaml is not what the run wrote"):
        runs.load(tmp_path)


def test_results_stay_the_same_bytes_wherever_and_whenever_the_run_was(tmp_path):
    first, second = tmp_path / "a", tmp_path / "b"
    for folder in (first, second):
        folder.mkdir()
        made = record(folder.name, overrides=(f"runs_dir={folder}",))
        runs.save(folder, made, "key", [], [], f"runs_dir: {folder}\n")
        runs.seal(folder, made)
    assert (first / "results.json").read_bytes() == (second / "results.json").read_bytes()


def test_a_run_of_an_earlier_version_says_to_run_again(tmp_path):
    finished(tmp_path)
    old = json.loads((tmp_path / "results.json").read_text())
    del old["digest"]
    (tmp_path / "results.json").write_text(json.dumps(old))
    with pytest.raises(StoreError, match="written by an earlier version; run the same command again"):
        runs.load(tmp_path)


def test_line_marks_of_unicode_inside_a_passage_end_no_line(tmp_path):
    part = chunk(text="first\u2028second\x85third")
    made = record(tmp_path.name, scores=(Score("m", "q\u2028", 0.5, reason="a\x85b"),))
    runs.save(tmp_path, made, "key", [trace("q1", part)], [part], "a: 1\n")
    runs.seal(tmp_path, made)
    assert runs.load(tmp_path).scores == made.scores
    assert runs.load_traces(tmp_path) == {"q1": trace("q1", part)}


def test_scores_stand_one_question_a_line(tmp_path):
    finished(tmp_path)
    assert (tmp_path / "scores.jsonl").read_text().splitlines() == [
        '{"question_id":"q1","scores":{"m":0.25}}',
        '{"question_id":"q2","scores":{"m":["error","why"]}}',
    ]


@pytest.mark.parametrize("name", ["results.json", "run.json", "scores.jsonl"])
@pytest.mark.parametrize("text", BROKEN)
def test_whatever_stands_in_a_file_of_a_finished_run_it_is_told(tmp_path, name, text):
    finished(tmp_path)
    (tmp_path / name).write_text(text)
    with pytest.raises(StoreError, match="is damaged"):
        runs.load(tmp_path)


@pytest.mark.parametrize("text", BROKEN)
def test_another_run_starts_beside_a_folder_that_cannot_be_read(tmp_path, text):
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "run.json").write_text(text)
    folder = runs.open_run(tmp_path, "new", "key")
    assert folder.path.name != "broken" and (folder.path / "run.json").exists()
    folder.lock.release()


@pytest.mark.parametrize(
    "line", [7, [1], {"repeat": 0}, {"question_id": "q1", "answer": 3}, {"question_id": "q1", "retrieved": [7]}]
)
def test_a_changed_line_of_an_interrupted_run_is_told(tmp_path, line):
    folder = runs.open_run(tmp_path, "x", "key")
    folder.journal.append(line)
    with pytest.raises(StoreError, match=r"traces\.jsonl' is damaged .*delete its folder and run again"):
        folder.finished({})
    folder.lock.release()
