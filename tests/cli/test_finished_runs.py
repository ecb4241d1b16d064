"""`report`, `accept` and `gate` on runs that are finished, by name, by path, or simply the newest."""

import json
import shutil
from argparse import Namespace

import pytest

from harness.cli import job
from harness.cli.job import accepted_baseline
from harness.cli.main import main
from harness.cli.report import folder_of
from harness.errors import ConfigError, StoreError
from harness.gates import baseline
from harness.runs import load
from tests.cli.project import write_project


def named(folder, run=""):
    return folder_of(Namespace(runs_dir=str(folder), run=run))


@pytest.fixture
def runs_dir(tmp_path, monkeypatch):
    """Two finished runs and one that was interrupted, later than both."""
    monkeypatch.chdir(tmp_path)
    for name in ("20260101-a", "20260102-b", "20260103-c"):
        (tmp_path / "runs" / name).mkdir(parents=True)
    for name in ("20260101-a", "20260102-b"):
        (tmp_path / "runs" / name / "results.json").write_text("{}")
    return tmp_path / "runs"


def test_without_a_name_it_is_the_newest_finished_run(runs_dir):
    assert named(runs_dir).name == "20260102-b"


@pytest.mark.parametrize("run", ["20260101-a", "runs/20260101-a", "./runs/20260101-a/"])
def test_a_run_is_found_by_its_name_and_by_its_path(runs_dir, run):
    assert named(runs_dir, run).resolve() == runs_dir / "20260101-a"


def test_a_run_that_is_not_there_is_named_with_where_it_was_looked_for(runs_dir):
    with pytest.raises(ConfigError, match=r"no run folder 'nope', neither as a path nor in '.*runs'"):
        named(runs_dir, "nope")


def test_where_nothing_has_finished_it_says_how_to_start(tmp_path):
    with pytest.raises(StoreError, match=r"no finished run in .*; start one with `python -m harness run"):
        named(tmp_path)


def test_an_interrupted_run_is_no_result(project, harness):
    harness("run", "+experiment=light", "gate=none")
    (folder,) = (project / "reports" / "runs").iterdir()
    (folder / "results.json").unlink()
    for command in ("report", "accept", "gate"):
        code, text = harness(command, folder.name)
        assert code == 4
        assert "holds no finished run" in " ".join(text.replace("│", " ").split())


@pytest.fixture(scope="module")
def one_run(tmp_path_factory):
    """The reports of a project after one run under the default gate; made once."""
    folder = write_project(tmp_path_factory.mktemp("made"))
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(folder)
        patched.setenv("HARNESS_CACHE_DIR", str(folder / "cache"))
        job._load.cache_clear()
        main(["run", "+experiment=light"])
    return folder / "reports"


@pytest.fixture
def finished(project, one_run):
    """The folder of a finished run in a project of its own."""
    shutil.copytree(one_run, project / "reports")
    (folder,) = (project / "reports" / "runs").iterdir()
    return folder


def test_accept_writes_the_baseline_and_its_page_and_says_what_to_do_with_them(project, harness, finished):
    code, text = harness("accept", finished.name)
    page = (project / "reports" / "tiny" / "light.md").read_text()
    kept = baseline.load(project / "reports" / "tiny" / "light.json")
    assert code == 0
    assert f"Accepted {finished.name} as " in text
    assert "Commit it with the change that it belongs to." in text
    assert kept == baseline.from_record(load(finished))
    assert page == baseline.render(kept)


def test_accept_shows_what_changes_before_it_says_that_it_is_done(harness, finished):
    first, second = (harness("accept")[1] for _ in range(2))
    assert all(text.index("Recall@5") < text.index(f"Accepted {finished.name}") for text in (first, second))
    assert "Difference" not in first
    assert "Difference" in second


def test_accepting_the_same_run_twice_gives_the_same_bytes(project, harness, finished):
    files = [project / "reports" / "tiny" / f"light.{kind}" for kind in ("json", "md")]
    harness("accept")
    before = [file.read_bytes() for file in files]
    harness("accept")
    assert [file.read_bytes() for file in files] == before


def test_the_gate_says_the_same_as_the_run_did_and_writes_nothing(project, harness, finished):
    harness("accept")
    before = {path: path.read_bytes() for path in project.rglob("*") if path.is_file() and ".lock" not in path.name}
    code, text = harness("gate", finished.name)
    assert code == 0
    assert "pass" in text
    assert {path: path.read_bytes() for path in before} == before


def test_a_gate_without_a_baseline_does_not_pass_and_names_the_remedy(harness, finished):
    code, text = harness("gate")
    assert code == 4
    assert f"python -m harness accept {finished.name}" in text


def test_a_run_without_rules_cannot_be_gated_afterwards(project, harness):
    harness("run", "+experiment=light", "gate=none")
    code, text = harness("gate")
    assert code == 2
    assert "run it again with gate=default" in " ".join(text.replace("│", " ").split())


def test_report_shows_the_table_and_never_fails_on_what_it_says(project, harness, finished):
    code, text = harness("report", str(finished))
    assert code == 0
    assert "light on tiny v1" in text
    assert f"Run     reports/runs/{finished.name}" in text


def test_runs_and_baselines_may_lie_elsewhere(project, harness, finished):
    shutil.move(project / "reports" / "runs", project / "archive")
    words = ("--runs-dir", "archive", "--reports-dir", "accepted")
    assert harness("accept", *words)[0] == 0
    assert (project / "accepted" / "tiny" / "light.json").exists()
    assert harness("gate", *words)[0] == 0
    assert harness("report", *words)[0] == 0


def test_the_users_baseline_comes_before_a_shipped_one(project, harness, finished, monkeypatch):
    harness("accept")
    shipped = project / "shipped"
    shutil.copytree(project / "reports" / "tiny", shipped / "reports" / "tiny")
    monkeypatch.setattr("harness.cli.job.roots", lambda: [shipped])
    record = load(finished)
    other = json.loads((shipped / "reports" / "tiny" / "light.json").read_text())
    assert accepted_baseline(project / "reports", record).run_id == other["baseline"]["run_id"] == finished.name
    (project / "reports" / "tiny" / "light.json").write_text("damaged")
    with pytest.raises(Exception, match=r"reports/tiny/light\.json.*not JSON"):
        accepted_baseline(project / "reports", record)
    shutil.rmtree(project / "reports" / "tiny")
    assert accepted_baseline(project / "reports", record).experiment == "light"


@pytest.mark.parametrize("part", ["questions.jsonl", "corpus/battery.md"])
def test_a_gate_on_a_run_of_a_golden_set_that_changed_since_is_invalid(project, harness, part):
    harness("run", "+experiment=light")
    harness("accept")
    harness("run", "+experiment=light")
    assert harness("gate")[0] == 0
    path = next((project / "golden_sets").glob("*")) / part
    path.write_text(path.read_text() + "\n")
    code, text = harness("gate")
    assert code == 4
    assert "has changed since run" in text
