"""The workflow that gates pull requests: what it may do, and its gate job run end to end in a clone."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parent.parent
WORKFLOW = ROOT / ".github" / "workflows" / "rag-gate.yml"
ACTION = ROOT / "action.yml"
RERANKER = "harness/reranking/cross_encoder.py"
BASE_COMMIT = "${{ github.event.pull_request.base.sha }}"
"""What no tag or branch can stand for, whatever its name."""
SET_UP = ("Install",)
"""Steps with a script that the tests leave out: the interpreter that runs them has everything."""
MAIN_JOB = ("+experiment=hybrid_rerank", "golden_set=smoke", "tracking=none")


def steps(path: Path) -> list[dict[str, Any]]:
    """All steps of a workflow's jobs, or of an action."""
    content = yaml.safe_load(path.read_text())
    if "runs" in content:
        return list(content["runs"]["steps"])
    return [step for job in content["jobs"].values() for step in job["steps"]]


def settings(path: Path) -> dict[str, Any]:
    """A workflow; YAML reads its key `on` as true."""
    return {str(key).replace("True", "on"): value for key, value in yaml.safe_load(path.read_text()).items()}


def test_a_pull_requests_code_gets_no_secret_and_may_only_read():
    found = settings(WORKFLOW)
    assert set(found["on"]) == {"pull_request"}
    assert found["permissions"] == {"contents": "read"}
    assert "secrets." not in WORKFLOW.read_text() + ACTION.read_text()
    assert not any("permissions" in job for job in found["jobs"].values())


def test_the_base_branch_is_fetched_and_the_token_is_not_kept():
    (checkout,) = [step for step in steps(WORKFLOW) if "checkout" in step.get("uses", "")]
    assert checkout["with"] == {"fetch-depth": 0, "persist-credentials": False}


@pytest.mark.parametrize("path", [WORKFLOW, ACTION], ids=lambda path: path.name)
def test_scripts_read_what_a_pull_request_can_write_from_the_environment_only(path):
    scripts = [step["run"] for step in steps(path) if "run" in step]
    assert scripts
    assert [script for script in scripts if "${{" in script] == []


@pytest.mark.parametrize("path", [WORKFLOW, ACTION], ids=lambda path: path.name)
def test_the_base_is_named_by_its_commit_and_no_script_sees_a_name_that_a_tag_can_have_too(path):
    (gate,) = [step for step in steps(path) if step.get("name") == "Gate"]
    assert BASE_COMMIT in gate["env"].values()
    assert not re.search(r"github\.(base_ref|head_ref|ref)\b|origin/", str(gate))


def test_the_pipeline_for_gitlab_fetches_the_branch_and_not_a_tag_of_its_name():
    text = (ROOT / "docs" / "ci.md").read_text()
    assert '"refs/heads/$CI_MERGE_REQUEST_TARGET_BRANCH_NAME"' in text
    assert re.findall(r"--baseline-ref (\S+)", text)[1:] == ["FETCH_HEAD"]


@pytest.mark.parametrize("path", [WORKFLOW, ACTION], ids=lambda path: path.name)
def test_actions_are_those_of_github_pinned_by_major(path):
    used = [step["uses"] for step in steps(path) if "uses" in step]
    assert used
    assert [name for name in used if not re.fullmatch(r"actions/[a-z-]+@v\d+", name)] == []


def test_the_report_is_kept_whatever_the_verdict():
    (upload,) = [step for step in steps(WORKFLOW) if "upload-artifact" in step.get("uses", "")]
    assert upload["if"] == "always()"
    assert upload["with"]["path"] == "reports/runs/"


def test_the_documentation_names_every_input_of_the_action():
    rows = re.findall(r"^\| `([a-z-]+)` \|", (ROOT / "docs" / "ci.md").read_text(), re.MULTILINE)
    assert rows == list(yaml.safe_load(ACTION.read_text())["inputs"])


def words_of_action(tmp_path: Path, **inputs: str) -> tuple[list[str], str]:
    """What the action's gate step runs, one word a line, and the name of its artifact."""
    (step,) = [step for step in steps(ACTION) if step.get("name") == "Gate"]
    python = tmp_path / "rag-harness" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text('#!/bin/bash\nprintf "%s\\n" "$@" > "$RUNNER_TEMP/words"\n')
    python.chmod(0o755)
    given = {"EXPERIMENT": "x", "GOLDEN_SET": "", "OVERRIDES": "", "BASELINE_REF": "", "BASE_COMMIT": "", **inputs}
    assert set(given) == set(step["env"]) - {"ACTION"}
    variables = {
        **os.environ,
        **given,
        "ACTION": "/action",
        "RUNNER_TEMP": str(tmp_path),
        "GITHUB_OUTPUT": str(tmp_path / "output"),
    }
    subprocess.run(["bash", "-c", step["run"]], env=variables, cwd=tmp_path, check=True)
    return (tmp_path / "words").read_text().splitlines(), (tmp_path / "output").read_text().strip()


def test_the_action_holds_a_pull_request_against_its_base_commit(tmp_path):
    inputs = {"EXPERIMENT": "a/b", "GOLDEN_SET": "faq", "OVERRIDES": "gate.strict=true\n--replay\nworkers=4\n"}
    words, artifact = words_of_action(tmp_path, **inputs, BASE_COMMIT="5" * 40)
    overrides = ["+experiment=a/b", "golden_set=faq", "gate.strict=true", "workers=4"]
    assert words == ["-P", "-m", "harness", "run", *overrides, "--replay", f"--baseline-ref={'5' * 40}"]
    assert artifact == "artifact=rag-gate-a-b"


def test_the_action_without_a_pull_request_gates_against_what_is_checked_out(tmp_path):
    assert words_of_action(tmp_path)[0] == ["-P", "-m", "harness", "run", "+experiment=x"]


def test_a_revision_of_ones_own_goes_before_the_base_commit(tmp_path):
    words, _ = words_of_action(tmp_path, BASELINE_REF="v1.2", BASE_COMMIT="5" * 40)
    assert words[-1] == "--baseline-ref=v1.2"


@pytest.mark.parametrize(
    "name", ["$(touch owned)", "`touch owned`", "x; touch owned", "x' && touch owned '", '"; touch owned; "']
)
def test_inputs_of_the_action_are_words_and_never_commands(tmp_path, name):
    words, artifact = words_of_action(tmp_path, EXPERIMENT=name, GOLDEN_SET=name, OVERRIDES=name, BASELINE_REF=name)
    assert words[4:] == [f"+experiment={name}", f"golden_set={name}", name, f"--baseline-ref={name}"]
    assert re.fullmatch(r"artifact=rag-gate-[\w.-]*", artifact)
    assert not (tmp_path / "owned").exists()


@dataclass(frozen=True)
class PullRequest:
    """A clone of a repository on a branch of its own."""

    folder: Path
    """Its working tree."""
    environment: Mapping[str, str]
    """Of every command."""

    def change(self, path: str, old: str, new: str) -> None:
        """Edits a file; the old text must be there."""
        file = self.folder / path
        text = file.read_text()
        assert old in text
        file.write_text(text.replace(old, new))

    def harness(self, *words: str) -> None:
        """Runs a command of the harness that must succeed."""
        command(self.folder, self.environment, sys.executable, "-m", "harness", *words)

    def gate(self) -> tuple[int, str]:
        """Commits, then runs the scripts of the gate job as the runner does; its exit code and all that was printed."""
        git(self.folder, "add", "-A")
        git(self.folder, "commit", "-q", "-m", "change")
        printed = ""
        for step in steps(WORKFLOW):
            if "run" not in step or step["name"] in SET_UP:
                continue
            base = git(self.folder, "rev-parse", "refs/remotes/origin/main").strip()
            given = {name: text.replace(BASE_COMMIT, base) for name, text in step.get("env", {}).items()}
            done = subprocess.run(
                ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
                cwd=self.folder, env={**self.environment, **given}, capture_output=True, text=True, timeout=1800, check=False,
            )  # fmt: skip
            printed += done.stdout + done.stderr
            if done.returncode:
                return done.returncode, printed
        return 0, printed

    @property
    def summary(self) -> str:
        """The job summary."""
        return Path(self.environment["GITHUB_STEP_SUMMARY"]).read_text()


def command(folder: Path, environment: Mapping[str, str], *words: str) -> str:
    """What a command that must succeed prints."""
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, timeout=1800, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def git(folder: Path, *words: str) -> str:
    """Runs git as somebody."""
    who = ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.org", "-c", "commit.gpgsign=false"]
    return command(folder, os.environ, "git", *who, *words)


def variables(folder: Path) -> dict[str, str]:
    """As on a runner: this interpreter is `python`, and nothing of the outer checkout is on the path."""
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "GITHUB_STEP_SUMMARY")}
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return {**kept, "PATH": path, "HARNESS_CACHE_DIR": str(folder / "cache"), "COLUMNS": "160", "CI": "true"}


@pytest.fixture(scope="module")
def origin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with what is in this one, whose main has an accepted baseline of the smoke set."""
    if not (ROOT / ".git").exists():
        pytest.skip("needs a git checkout")
    shared = tmp_path_factory.mktemp("workflow")
    folder = shared / "origin"
    for name in command(ROOT, os.environ, "git", "ls-files", "-z", "-co", "--exclude-standard").split("\0"):
        if name and (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    here = PullRequest(folder, variables(shared))
    here.harness("run", *MAIN_JOB, "gate=none")
    here.harness("accept")
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "main")
    return folder


@pytest.fixture
def pull_request(origin: Path, tmp_path: Path) -> PullRequest:
    """A branch in a clone of its own; caches are shared."""
    git(tmp_path, "clone", "-q", str(origin), "clone")
    git(tmp_path / "clone", "checkout", "-q", "-b", "change")
    summary = {"GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"), "GITHUB_BASE_REF": "main"}
    return PullRequest(tmp_path / "clone", {**variables(origin.parent), **summary})


def break_reranker(pull_request: PullRequest) -> None:
    pull_request.change(RERANKER, "return [_score(", "return [1 - _score(")


@pytest.mark.slow
@pytest.mark.models
def test_a_pull_request_that_breaks_the_reranker_is_red_and_says_why(pull_request):
    break_reranker(pull_request)
    code, text = pull_request.gate()
    assert code == 1, text
    assert re.search(r"Recall@5 on test.*: worse by 0\.\d+, p = ", text)
    assert pull_request.summary.startswith("### ✗ regressed")
    assert "B004" not in text


@pytest.mark.slow
@pytest.mark.models
def test_a_pull_request_that_renames_a_local_variable_is_green(pull_request):
    pull_request.change(RERANKER, "asked", "wanted")
    code, text = pull_request.gate()
    assert code == 0, text
    assert pull_request.summary.startswith("### ✓ pass")


@pytest.mark.slow
@pytest.mark.models
def test_a_pull_request_cannot_hide_a_drop_in_its_own_baseline_or_rules(pull_request):
    break_reranker(pull_request)
    pull_request.harness("run", *MAIN_JOB, "gate=none")
    pull_request.harness("accept")
    pull_request.change("conf/gate/default.yaml", "{metric: recall_at_5}", "{metric: recall_at_5, practical_floor: 0.9}")
    code, text = pull_request.gate()
    assert code == 1, text
    for told in (text, pull_request.summary.replace("\\_", "_").replace("&#8203;", "")):
        assert re.search(
            r"accepted baseline 'reports/smoke/hybrid_rerank.json' is not that of [0-9a-f]{12} \([\d,]+ scores differ", told
        )
        assert re.search(r"gate rules are not those of [0-9a-f]{12}: .*practical_floor", told)


@pytest.mark.slow
@pytest.mark.models
def test_a_pull_request_that_edits_a_question_cannot_be_compared(pull_request):
    folder = "golden_sets/smoke"
    before = (pull_request.folder / folder / "questions.jsonl").read_bytes()
    pull_request.change(f"{folder}/questions.jsonl", "Below which airflow", "Under which airflow")
    after = (pull_request.folder / folder / "questions.jsonl").read_bytes()
    pull_request.change(f"{folder}/golden_set.yaml", sha256(before).hexdigest(), sha256(after).hexdigest())
    code, text = pull_request.gate()
    assert code == 4, text
    assert re.search(r"golden set 'smoke' is not that of [0-9a-f]{12}: 1 question edited \(sm-001\)", text)
    assert "not comparable" in text
