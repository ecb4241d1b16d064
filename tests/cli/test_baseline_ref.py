"""--baseline-ref: what a branch changes of its own baseline, rules or questions is told and has no say."""

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from harness import runs
from harness.build import compose
from harness.cli import job
from harness.cli.main import main
from harness.corpus.files import corpus_digest
from harness.gates import baseline
from tests.cli.project import questions, write_golden_set, write_project

WORSE = ("retrievers=dense", "embedder.dimension=2", "depth.reranked=10")
LOOSE = "_target_: harness.gates.gate.Gate\nrules:\n  - {metric: recall_at_5, margin: 0.9, practical_floor: 0.9}\n"

Harness = Callable[..., tuple[int, str]]


def against(ref: str, *words: str) -> tuple[str, ...]:
    """A run that is held against a revision."""
    return "run", "+experiment=light", *words, "--baseline-ref", ref


def git(folder: Path, *words: str) -> str:
    """Runs git as somebody."""
    who = ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.org", "-c", "commit.gpgsign=false"]
    return subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True, text=True).stdout.strip()


def commit(folder: Path) -> None:
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "change")


@pytest.fixture(scope="module")
def accepted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository whose main has an accepted baseline."""
    folder = write_project(tmp_path_factory.mktemp("accepted"))
    (folder / ".gitignore").write_text("cache/\nreports/runs/\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("HARNESS_CACHE_DIR", str(folder / "cache"))
        job._load.cache_clear()
        main(["run", "+experiment=light"])
        main(["accept"])
    git(folder, "init", "-q", "-b", "main")
    commit(folder)
    return folder


@pytest.fixture
def branch(accepted: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Its copy, on a branch of its own, as current folder."""
    folder = shutil.copytree(accepted, tmp_path / "branch")
    git(folder, "checkout", "-q", "-b", "change")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("HARNESS_CACHE_DIR", str(folder / "cache"))
    monkeypatch.setenv("COLUMNS", "160")
    return folder


@pytest.fixture
def harness(harness: Harness) -> Harness:
    """Commands that read every file anew, as processes of their own do."""

    def call(*words: str) -> tuple[int, str]:
        job._load.cache_clear()
        compose._composed.cache_clear()
        return harness(*words)

    return call


def newest(project: Path) -> Path:
    return max((project / "reports" / "runs").glob("*/results.json"), key=lambda path: path.stat().st_mtime_ns).parent


def comment(project: Path) -> str:
    return (newest(project) / "comment.md").read_text()


def test_an_unchanged_branch_passes_without_a_notice(branch, harness):
    code, text = harness(*against("main"))
    assert code == 0, text
    assert "B004" not in text + comment(branch)


def test_a_worse_branch_is_red(branch, harness):
    code, text = harness(*against("main", *WORSE))
    assert code == 1
    assert re.search(r"Recall@5 on test.*: worse by 0\.\d+, p = ", text), text


def test_a_branch_cannot_hide_a_drop_by_accepting_it(branch, harness):
    harness("run", "+experiment=light", *WORSE)
    harness("accept", newest(branch).name)
    assert harness("run", "+experiment=light", *WORSE)[0] == 0
    code, text = harness(*against("main", *WORSE))
    assert code == 1, text
    assert "B004: accepted baseline 'reports/tiny/light.json' is not that of main (" in text
    assert "scores differ); the gate uses the copy of main" in text


def test_a_branch_cannot_pass_by_loosening_the_rules(branch, harness):
    (branch / "conf" / "gate").mkdir(parents=True)
    (branch / "conf" / "gate" / "default.yaml").write_text(LOOSE)
    assert harness("run", "+experiment=light", *WORSE)[0] == 0
    code, text = harness(*against("main", *WORSE))
    assert code == 1, text
    assert "B004: gate rules are not those of main: " in text
    assert "the gate uses those of main" in comment(branch)
    kept = yaml.safe_load((newest(branch) / "config.yaml").read_text())["gate"]["rules"]
    assert {"metric": "mrr_at_10"} in kept


def test_a_branch_cannot_pass_by_leaving_the_gate_out(branch, harness):
    experiment = branch / "experiments" / "light.yaml"
    experiment.write_text(experiment.read_text().replace("tracking: none", "tracking: none\n  - override /gate: none"))
    assert harness("run", "+experiment=light", *WORSE)[0] == 0
    code, text = harness(*against("main", *WORSE))
    assert code == 1, text


def test_gate_settings_of_the_command_line_count_on_both_sides(branch, harness):
    code, text = harness(*against("main", "gate.alpha=0.02"))
    assert code == 0
    assert "B004" not in text
    assert yaml.safe_load((newest(branch) / "config.yaml").read_text())["gate"]["alpha"] == 0.02


def test_an_edited_question_is_named_and_nothing_is_compared(branch, harness):
    rows = questions()
    rows[0]["question"] = "How many months do the cells of the soil probe last?"
    write_golden_set(branch / "golden_sets" / "tiny", rows[:-1])
    code, text = harness(*against("main"))
    assert code == 4, text
    assert "golden set 'tiny' is not that of main: 1 question removed (u2), 1 question edited (q0)" in text
    assert "not comparable" in text


def test_an_edited_document_is_named(branch, harness):
    path = branch / "golden_sets" / "tiny" / "corpus" / "range.md"
    text = path.read_text()
    path.write_text(text + "\nIndoors it is less.\n")
    card = branch / "golden_sets" / "tiny" / "golden_set.yaml"
    old = next(line for line in card.read_text().splitlines() if line.startswith("corpus_sha256"))
    card.write_text(card.read_text().replace(old, f"corpus_sha256: {corpus_digest(path.parent)}"))
    code, said = harness(*against("main"))
    assert code == 4, said
    assert "1 document edited (range.md)" in said


def test_a_baseline_that_only_the_branch_has_does_not_count(branch, harness):
    git(branch, "rm", "-q", "--cached", "reports/tiny/light.json")
    git(branch, "commit", "-q", "-m", "not accepted yet")
    code, text = harness(*against("HEAD"))
    assert code == 4
    assert "is not at HEAD: it counts once it is merged" in text


def test_completions_that_only_the_branch_has_recorded_are_told(branch, harness):
    (branch / "reports" / "tiny" / "light.completions.jsonl").write_text("")
    assert "recorded completions" not in harness(*against("main"))[1]
    (branch / "reports" / "tiny" / "light.completions.jsonl").write_text("0123456789abcdef {}\n")
    code, text = harness(*against("main"))
    assert code == 0, text
    assert "recorded completions 'reports/tiny/light.completions.jsonl' are not those of main (1 line differs)" in text


@pytest.fixture
def rival(branch: Path) -> Path:
    """A second baseline on main, far below the first: with it a worse branch would pass."""
    found = baseline.load(branch / "reports" / "tiny" / "light.json")
    low = {metric: dict.fromkeys(row, 0.0) for metric, row in found.scores.items()}
    path = branch / "reports" / "tiny" / "rival.json"
    baseline.save(path, replace(found, experiment="rival", scores=low))
    git(branch, "checkout", "-q", "main")
    commit(branch)
    git(branch, "checkout", "-q", "-B", "change")
    return path


def test_a_link_to_another_baseline_is_told_and_not_followed(branch, rival, harness):
    (branch / "reports" / "tiny" / "light.json").unlink()
    (branch / "reports" / "tiny" / "light.json").symlink_to(rival.name)
    commit(branch)
    code, text = harness(*against("main", *WORSE))
    assert code == 1, text
    told = "'reports/tiny/light.json' is read through the link 'reports/tiny/light.json', which main does not have; the gate uses"
    assert told in text


@pytest.mark.parametrize("folder", ["reports", "reports/tiny"])
def test_a_link_in_place_of_a_folder_of_baselines_is_told_and_not_followed(branch, rival, harness, folder):
    (branch / folder).rename(branch / "moved")
    (branch / folder).symlink_to(branch / "moved")
    shutil.copy(next((branch / "moved").rglob("rival.json")), next((branch / "moved").rglob("light.json")))
    code, text = harness(*against("main", *WORSE))
    assert code == 1, text
    assert f"is read through the link '{folder}', which main does not have; the gate uses the copy of main" in text


def test_linked_recordings_are_told(branch, harness):
    (branch / "reports" / "tiny" / "mine.jsonl").write_text("")
    (branch / "reports" / "tiny" / "light.completions.jsonl").symlink_to("mine.jsonl")
    text = harness(*against("main"))[1]
    assert "recorded completions 'reports/tiny/light.completions.jsonl' is read through the link" in text


def test_a_linked_golden_set_is_told(branch, harness):
    (branch / "moved").mkdir()
    (branch / "golden_sets" / "tiny").rename(branch / "moved" / "tiny")
    (branch / "golden_sets" / "tiny").symlink_to("../moved/tiny")
    code, text = harness(*against("main"))
    assert code == 0, text
    assert "golden set 'tiny' is read through the link 'golden_sets/tiny', which main does not have" in text


def test_a_baseline_of_another_experiment_is_refused(branch, rival, harness):
    shutil.copy(rival, branch / "reports" / "tiny" / "light.json")
    commit(branch)
    code, text = harness(*against("change"))
    assert code == 2, text
    assert "'change:reports/tiny/light.json' is refused: it is that of experiment 'rival' on golden set 'tiny'" in text


@pytest.mark.parametrize("space", ["tags", "heads"])
def test_a_tag_or_branch_named_over_the_base_branch_is_refused(branch, harness, space):
    git(branch, "update-ref", "refs/remotes/origin/main", "main")
    assert harness(*against("origin/main"))[0] == 0
    git(branch, "update-ref", f"refs/{space}/origin/main", "change")
    code, text = harness(*against("origin/main"))
    assert code == 2
    assert f"means 'refs/{space}/origin/main' and 'refs/remotes/origin/main'" in re.sub(r"\s+", " ", text)
    assert harness(*against("refs/remotes/origin/main"))[0] == 0


def test_a_deleted_baseline_is_read_from_the_revision(branch, harness):
    (branch / "reports" / "tiny" / "light.json").unlink()
    code, text = harness(*against("main"))
    assert code == 0, text
    assert "is not in the working tree; the gate uses the copy of main" in text


def test_an_experiment_that_the_revision_does_not_know_is_an_error(branch, harness):
    (branch / "experiments" / "new.yaml").write_text((branch / "experiments" / "light.yaml").read_text())
    code, text = harness("run", "+experiment=new", "--baseline-ref", "main")
    assert code == 2
    assert "experiment 'new' is not at 'main'" in text


def test_another_golden_set_than_that_of_the_revision_is_told(branch, harness):
    write_golden_set(branch / "golden_sets" / "other")
    experiment = branch / "experiments" / "light.yaml"
    experiment.write_text(experiment.read_text().replace("golden_set: tiny", "golden_set: other"))
    code, text = harness(*against("main"))
    assert code == 4
    assert "golden set 'other' is asked, at main the experiment asks 'tiny'" in text


def test_a_finished_run_is_held_against_the_revision_too(branch, harness):
    harness("run", "+experiment=light", *WORSE)
    harness("accept", newest(branch).name)
    assert harness("gate", newest(branch).name)[0] == 0
    code, text = harness("gate", newest(branch).name, "--baseline-ref", "main")
    assert code == 1, text
    assert "the gate uses the copy of main" in text


def test_a_run_without_a_gate_is_held_against_the_rules_of_the_revision(branch, harness):
    harness("run", "+experiment=light", *WORSE, "gate=none")
    assert harness("gate", newest(branch).name)[0] == 2
    folder = newest(branch)
    content = {name: value for name, value in json.loads((folder / "run.json").read_text()).items() if name != "digest"}
    runs.write_varying(folder, {**content, "overrides": [word for word in content["overrides"] if word != "gate=none"]})
    code, text = harness("gate", newest(branch).name, "--baseline-ref", "main")
    assert code == 1, text
    assert "B004: gate rules are not those of main" in text


def test_a_folder_below_the_top_of_the_repository_is_found(branch, harness, monkeypatch):
    moved = branch / "evaluation"
    moved.mkdir()
    for part in ("experiments", "golden_sets", "reports"):
        (branch / part).rename(moved / part)
    commit(branch)
    monkeypatch.chdir(moved)
    code, text = harness(*against("change"))
    assert code == 0, text
    assert "B004" not in text


def test_variables_of_a_git_hook_lead_nowhere_else(branch, harness, monkeypatch):
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    assert harness(*against("main"))[0] == 0


def test_the_job_summary_of_github_is_the_comment(branch, harness, monkeypatch, tmp_path_factory):
    summary = tmp_path_factory.mktemp("github") / "summary.md"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    (branch / "reports" / "tiny" / "light.json").write_text("{}")
    harness(*against("main"))
    assert summary.read_text() == comment(branch)
    assert "**Changed by this branch**" in summary.read_text()


def test_a_damaged_baseline_at_the_revision_is_refused(branch, harness):
    path = branch / "reports" / "tiny" / "light.json"
    content = json.loads(path.read_text())
    content["baseline"]["scores"]["recall_at_5"]["q0"] = 0.0
    path.write_text(json.dumps(content))
    commit(branch)
    code, text = harness(*against("change"))
    assert code == 2
    assert "'change:reports/tiny/light.json' is refused" in text


@pytest.mark.parametrize("ref", ["origin/main", "no-such", "main..change", "--output=x", "-x", "main x", "v1:conf"])
def test_what_is_no_revision_is_refused_in_one_block(branch, harness, ref):
    code, text = harness("run", "+experiment=light", f"--baseline-ref={ref}")
    assert code == 2, text
    assert "B005" in text
    assert "Traceback" not in text
    assert len(list((branch / "reports" / "runs").iterdir())) == 1


def test_outside_a_repository_it_is_refused(project, harness):
    code, text = harness(*against("main"))
    assert code == 2
    assert "no git repository" in text


def test_without_git_it_is_refused(branch, harness, monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    code, text = harness(*against("main"))
    assert code == 2
    assert "git, which is not installed" in text


@pytest.mark.parametrize("words", [("chunker.size=128,256", "-m"), ("--cfg",)])
def test_it_goes_with_a_single_run_only(branch, harness, words):
    code, text = harness(*against("main", *words))
    assert code == 2
    assert "only a single run" in text
