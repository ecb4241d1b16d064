"""`harness compare A B` from the command line, on runs, accepted baselines and what is neither."""

import json
import shutil
from pathlib import Path

import pytest

from harness.cli import job
from harness.gates import baseline
from tests.cli.project import questions, write_golden_set, write_project

SWEEP = ["run", "+experiment=light", "gate=none"]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A project with two finished runs, the second with one retriever, one passage and a higher threshold, and one accepted baseline."""
    from harness.cli.main import main

    folder = write_project(tmp_path_factory.mktemp("compared"))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("HARNESS_CACHE_DIR", str(folder / "cache"))
        job._load.cache_clear()
        assert main([*SWEEP, "reranker=lexical"]) == 0
        assert main(["accept"]) == 0
        assert main([*SWEEP, "retrievers=dense", "reranker=lexical", "depth.shown=1", "answerability.minimum=0.8"]) == 0
    return folder


@pytest.fixture
def names(made, tmp_path, monkeypatch):
    """The two runs, in a copy of the project that is the current folder."""
    shutil.copytree(made, tmp_path / "mine")
    monkeypatch.chdir(tmp_path / "mine")
    monkeypatch.setenv("COLUMNS", "160")
    job._load.cache_clear()
    return sorted(path.parent.name for path in Path("reports/runs").glob("*/results.json"))


def test_two_runs_are_compared_and_nothing_is_gated(names, harness):
    code, text = harness("compare", *names)
    assert code == 0, text
    assert "Recall@5 ↑" in text
    assert "retrievers.bm25 BM25 → (not set)" in text
    assert "27 questions compared, paired by id" in text
    assert "answered by A, refused by B; can be answered (B is wrong)" in text
    assert "How long do the cells of the soil probe last?" in text


def test_a_run_is_compared_with_an_accepted_baseline_under_both_its_names(names, harness):
    for name in ("light", "tiny/light"):
        code, text = harness("compare", name, names[1])
        assert code == 0, text
        assert f"A  {name} (accepted baseline)" in text
        assert "A (accepted baseline) keeps no traces" in text


def test_a_run_can_be_given_by_its_path(names, harness):
    code, text = harness("compare", f"reports/runs/{names[0]}", f"./reports/runs/{names[0]}/")
    assert code == 0, text
    assert "0 questions better, 0 worse, 27 unchanged" in text
    assert f"A and B are one run ({names[0]}), compared with itself." in text


@pytest.mark.parametrize(
    ("ending", "parts"),
    [
        ("md", ["# NAME", "## Refusals that flipped", "- Shown by A: 1 ", "  - Answer of B: "]),
        (
            "html",
            ["<title>NAME on tiny</title>", '<div class="sides">', "only in A", '<span class="mark">evidence</span>'],
        ),
    ],
)
def test_the_whole_comparison_is_written(names, harness, ending, parts):
    code, text = harness("compare", *names, "--to", f"out/it.{ending}")
    assert code == 0, text
    assert f"Written out/it.{ending}" in text
    parts = [part.replace("NAME", " → ".join(names)) for part in parts]
    written = Path(f"out/it.{ending}").read_text()
    assert [part for part in parts if part not in written] == []


def test_the_json_holds_the_numbers_of_the_two_records(names, harness):
    assert harness("compare", *names, "--to", "it.json")[0] == 0
    got = json.loads(Path("it.json").read_text())
    means = [
        json.loads(Path("reports/runs", name, "results.json").read_text())["metrics"]["over_refusal_rate"]["value"]
        for name in names
    ]
    (row,) = [row for row in got["metrics"] if row["metric"] == "over_refusal_rate"]
    assert [row["a"], row["b"]] == pytest.approx(means, abs=1e-6)
    assert row["wins"] + row["losses"] + row["ties"] == row["n"] == 24
    assert [side["run_id"] for side in (got["a"], got["b"])] == names


def test_the_same_comparison_writes_the_same_bytes(names, harness):
    for ending in ("html", "md", "json"):
        for name in ("one", "two"):
            harness("compare", *names, "--to", f"{name}.{ending}")
        assert Path(f"one.{ending}").read_bytes() == Path(f"two.{ending}").read_bytes()


def test_a_slice_compares_its_questions_only(names, harness):
    code, text = harness("compare", *names, "--slice", "kind:unanswerable")
    assert code == 0, text
    assert "3 questions in kind:unanswerable compared" in text


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["light", "ligth"], ["'ligth' is no run in", "did you mean 'tiny/light'?"]),
        (["nope", "neither"], ["'nope' is no run", "'neither' is no run", "known: "]),
        (["light", ""], ["(empty)"]),
        (["light", "x" * 300], ["is no run in"]),
        (["light", "judges/lexical"], ["'judges/lexical' is no run in"]),
        (["light", "0" * 32], ["the MLflow store 'sqlite:///mlflow.db' has no such run", "--uri"]),
        (["light", "light", "--slice", "kind:factiod"], ["neither run knows 'kind:factiod'", "'kind:factoid'"]),
        (["light", "light", "--to", "it.pdf"], ["--to it.pdf", ".html, .md, .json"]),
    ],
)
def test_what_cannot_be_found_is_one_block_with_the_nearest_names(names, harness, words, told):
    code, text = harness("compare", *words)
    assert code == 2, text
    flat = " ".join(text.replace("│", " ").split())
    assert [part for part in told if part not in flat] == []
    assert "Traceback" not in text


def test_a_name_accepted_on_several_golden_sets_is_ambiguous(names, harness):
    shutil.copytree("reports/tiny", "reports/other")
    code, text = harness("compare", "light", "light")
    assert code == 2
    assert text.count("name one: other/light, tiny/light.") == 2


def test_an_ambiguous_name_is_that_of_the_golden_set_of_the_other_side(names, harness):
    shutil.copytree("reports/tiny", "reports/other")
    for pair in (("light", names[1]), (names[1], "light"), ("light", "tiny/light")):
        code, text = harness("compare", *pair)
        assert code == 0, text
        assert "light (accepted baseline)" in text and "27 questions compared" in text


def test_an_ambiguous_name_stays_so_beside_a_run_of_a_third_golden_set(names, harness):
    shutil.move("reports/tiny", "reports/other")
    shutil.copytree("reports/other", "reports/third")
    code, text = harness("compare", "light", names[0])
    assert code == 2
    assert "name one: other/light, third/light." in text


def test_a_record_of_calibrated_judges_is_no_baseline(names, harness):
    Path("reports/judges").mkdir()
    Path("reports/judges/light.json").write_text("{}")
    assert harness("compare", "light", names[0])[0] == 0


def test_an_unfinished_run_is_told(names, harness):
    Path("reports/runs", names[0], "results.json").unlink()
    code, text = harness("compare", *names)
    assert code == 4
    assert "holds no finished run" in text


def test_edited_questions_are_left_out_with_their_number(names, harness):
    rows = questions()
    rows[0]["question"] = "For how many months do the cells of the probe last?"
    write_golden_set(Path("golden_sets/tiny"), rows)
    job._load.cache_clear()
    assert harness(*SWEEP)[0] == 0
    code, text = harness("compare", names[0], max(path.name for path in Path("reports/runs").iterdir()))
    assert code == 0, text
    assert "Only the 26 questions unedited in both are compared; left out: 1 edited (q0)." in text


def test_when_nothing_is_shared_nothing_is_compared_and_nothing_is_written(names, harness):
    path = Path("reports/tiny/light.json")
    kept = baseline.load(path)
    asked = dict.fromkeys(kept.contents["questions"], "edited")
    edited = {"contents": {**kept.contents, "questions": asked}, "fingerprints": {**kept.fingerprints, "golden_set": "other"}}
    baseline.save(path, baseline.Baseline(**{**{name: getattr(kept, name) for name in kept.__dataclass_fields__}, **edited}))
    code, text = harness("compare", "light", names[0], "--to", "it.html")
    assert code == 4
    assert "nothing can be compared: no question is known to be the same in both: 27 edited" in text
    assert not Path("it.html").exists()


def test_without_the_golden_set_questions_are_named_by_their_ids(names, harness):
    shutil.rmtree("golden_sets")
    code, text = harness("compare", *names)
    assert code == 0, text
    assert "text unknown" in text


def test_a_run_logged_to_mlflow_is_compared_by_its_id(names, harness):
    assert harness(*SWEEP, "tracking=mlflow")[0] == 0
    from mlflow import MlflowClient

    client = MlflowClient("sqlite:///mlflow.db")
    (run,) = client.search_runs([client.get_experiment_by_name("rag-harness").experiment_id])
    code, text = harness("compare", "light", run.info.run_id)
    assert code == 0, text
    assert f"B  {run.info.run_id} (MLflow run)" in text
    assert "27 questions compared" in text


def test_a_sweep_writes_its_leaderboard_beside_the_runs(names, harness):
    code, text = harness("run", "-m", "+experiment=light", "retrievers=bm25,dense", "runs_dir=swept")
    assert code == 0, text
    (page,) = Path("swept").glob("leaderboard-*.html")
    assert f"Leaderboard  {page}" in text
    assert "light retrievers=bm25" in page.read_text()
    assert "light retrievers=bm25" in page.with_suffix(".md").read_text()
    assert "◆" in text
