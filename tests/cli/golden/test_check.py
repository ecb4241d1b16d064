"""`harness golden check` through the command line."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from harness.gates import baseline
from harness.golden.golden_set import load
from tests.cli.project import questions, write_golden_set
from tests.golden.broken import ALL, Broken
from tests.golden.folders import FILTER, lines, row, write
from tests.golden.public import ROOT

Harness = Callable[..., tuple[int, str]]


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> subprocess.CompletedProcess[str]:
    """One `golden check` over all broken sets, in a process of its own."""
    folder = tmp_path_factory.mktemp("user")
    for broken in ALL:
        broken.build(folder / "golden_sets")
    words = [sys.executable, "-m", "harness", "golden", "check"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "80"}
    return subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=120)


def _line(printed: str, broken: Broken) -> str:
    """The line that tells of a fault."""
    level = "warning" if broken.warning else "error"
    head = f"{level}[{broken.code}] golden_sets/{broken.name}/{broken.where} — "
    found = [text.strip() for text in printed.splitlines() if text.strip().startswith(head)]
    told = [text for text in printed.splitlines() if f"golden_sets/{broken.name}/" in text]
    assert found, f"{head} is not among:\n" + "\n".join(told)
    return found[0].removeprefix(head)


class TestAFolderOfBrokenSets:
    def test_it_ends_in_exit_code_2_without_a_traceback(self, checked: subprocess.CompletedProcess[str]) -> None:
        assert len(ALL) >= 45
        assert checked.returncode == 2, checked.stderr
        assert "Traceback" not in checked.stdout + checked.stderr

    def test_every_set_has_a_name_of_its_own(self) -> None:
        assert len({broken.name for broken in ALL}) == len(ALL)

    def test_every_set_is_looked_at(self, checked: subprocess.CompletedProcess[str]) -> None:
        faulty = sum(not broken.warning for broken in ALL)
        summary = checked.stdout.splitlines()[-1]
        assert summary.startswith(f"{len(ALL)} golden sets: {len(ALL) - faulty} clean, {faulty} with ")

    @pytest.mark.parametrize("broken", ALL, ids=lambda broken: broken.name)
    def test_the_fault_is_told_with_file_line_field_and_remedy(
        self, checked: subprocess.CompletedProcess[str], broken: Broken
    ) -> None:
        what, remedy = _line(checked.stdout, broken).split(" Fix: ", 1)
        assert broken.says in what
        assert broken.fix in remedy

    def test_every_error_has_a_remedy(self, checked: subprocess.CompletedProcess[str]) -> None:
        errors = [line for line in checked.stdout.splitlines() if line.strip().startswith(("error[", "warning["))]
        assert [line for line in errors if " Fix: " not in line] == []


@pytest.fixture
def user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with golden_sets/kb, as current folder."""
    monkeypatch.chdir(tmp_path)
    write_golden_set(tmp_path / "golden_sets" / "kb")
    return tmp_path


def test_a_clean_set_is_one_line_with_what_it_holds(user: Path, harness: Harness) -> None:
    code, text = harness("golden", "check", "kb")
    digest = load(user / "golden_sets" / "kb").digest[:12]
    assert text.splitlines()[0] == (
        f"kb: version 1, 27 questions (24 answerable, 3 unanswerable), 5 documents, digest {digest}, clean"
    )
    assert code == 0


def test_warnings_and_notes_stand_under_headings_and_change_no_exit_code(user: Path, harness: Harness) -> None:
    rows = [{**question, "evidence": [[{"doc": "price.md"}]]} if question["id"] == "q4" else question for question in questions()]
    folder = write_golden_set(user / "golden_sets" / "kb", rows)
    (folder / "drafts.jsonl").write_text('{"question": "a"}\n{"question": "b"}\n')
    code, text = harness("golden", "check")
    assert code == 0
    assert "  2 warnings, without effect on the exit code:\n    warning[G025]" in text
    assert "  2 notes:\n    1 of 24 pieces of evidence are whole documents: they have no quote\n    2 drafts wait" in text
    assert text.endswith("1 golden set: all clean; 2 warnings, 2 notes.\n")


def test_a_set_that_does_not_exist_does_not_stop_the_others(user: Path, harness: Harness) -> None:
    code, text = harness("golden", "check", "kbb", "kb")
    assert code == 2
    assert "error[G001] kbb — golden set 'kbb' not found; did you mean 'kb'?" in text
    assert "kb: version 1" in text


def test_without_sets_of_ones_own_the_shipped_ones_are_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, harness: Harness
) -> None:
    monkeypatch.chdir(tmp_path)
    code, text = harness("golden", "check")
    assert code == 0, text
    assert "fernhill: version " in text
    assert "smoke: version " in text


def test_a_path_is_as_good_as_a_name(user: Path, harness: Harness) -> None:
    folder = write(user / "elsewhere" / "mine")
    assert harness("golden", "check", str(folder))[0] == 0


def test_fix_tells_each_change_and_ends_clean(user: Path, harness: Harness) -> None:
    write(user / "golden_sets" / "kb", lines(row(id=7), row(id="b", question="Who?", evidence=[[FILTER, FILTER]])))
    code, text = harness("golden", "check", "kb", "--fix")
    assert code == 0, text
    assert 'fixed golden_sets/kb/questions.jsonl:1 id: 7 -> "7"\n' in text
    assert 'fixed golden_sets/kb/questions.jsonl:2 evidence[0][1]: {"doc": "aq.md"' in text
    assert "fixed golden_sets/kb/golden_set.yaml version: 1 -> 2\n" in text
    assert "kb: version 2, 2 questions" in text
    assert harness("golden", "check", "kb")[0] == 0


def test_what_a_person_has_to_decide_stays_an_error_and_is_said_to_stay(user: Path, harness: Harness) -> None:
    folder = write(user / "golden_sets" / "kb", lines(row(tag=["a"])))
    before = (folder / "questions.jsonl").read_bytes()
    code, text = harness("golden", "check", "kb", "--fix")
    assert code == 2
    assert "nothing mended; what has more than one remedy is left to a person" in text
    assert "questions.jsonl:1 tag is left as it is: names of fields are not guessed" in text
    assert (folder / "questions.jsonl").read_bytes() == before


def test_a_read_only_set_is_left_as_it_is(user: Path, harness: Harness) -> None:
    folder = write(user / "golden_sets" / "kb", lines(row(id=7)))
    path = folder / "questions.jsonl"
    before = path.read_bytes()
    path.chmod(0o444)
    code, text = harness("golden", "check", "kb", "--fix")
    assert code == 2
    assert "questions.jsonl' is read-only; nothing is written" in text
    assert path.read_bytes() == before


def test_questions_are_left_as_they_are_when_the_card_cannot_be_written(user: Path, harness: Harness) -> None:
    folder = write(user / "golden_sets" / "kb", lines(row(id=7)))
    (folder / "golden_set.yaml").chmod(0o444)
    code, text = harness("golden", "check", "kb", "--fix")
    assert code == 2
    assert "fixed" not in text
    assert "golden_set.yaml' is read-only; nothing is written" in text
    assert (folder / "questions.jsonl").read_bytes() == lines(row(id=7))


def test_questions_in_another_encoding_are_left_as_they_are(user: Path, harness: Harness) -> None:
    folder = write(user / "golden_sets" / "kb")
    data = lines(row()).decode().replace("\n", " \r\n").encode("utf-16")
    (folder / "questions.jsonl").write_bytes(data)
    code, text = harness("golden", "check", "kb", "--fix")
    assert code == 2
    assert "fixed" not in text
    assert "error[G016] golden_sets/kb/questions.jsonl:1 — not UTF-8" in text
    assert (folder / "questions.jsonl").read_bytes() == data


def test_a_set_imported_as_drafts_alone_is_finished_with_the_tool(user: Path, harness: Harness) -> None:
    (user / "questions.csv").write_text("id,question\nc1,How far does the gateway reach?\n")
    assert (
        harness("golden", "import", "csv", "questions.csv", "--to", "golden_sets/new", "--documents", "golden_sets/kb/corpus")[0]
        == 0
    )
    folder = user / "golden_sets" / "new"
    assert not (folder / "golden_set.yaml").exists()
    code, text = harness("golden", "check", "new", "--fix")
    assert (code, (folder / "golden_set.yaml").exists()) == (2, False), text
    draft = json.loads((folder / "drafts.jsonl").read_text())
    reviewed = {**draft, "evidence": [[{"doc": "range.md", "quote": "up to 400 metres"}]], "kind": "factoid", "answerable": True}
    (folder / "questions.jsonl").write_text(json.dumps({**reviewed, "split": "test"}) + "\n")
    (folder / "drafts.jsonl").unlink()
    code, text = harness("golden", "check", "new", "--fix")
    assert code == 0, text
    assert "fixed golden_sets/new/golden_set.yaml: missing -> written, name new, version 1, " in text
    assert "new: version 1, 1 question (1 answerable, 0 unanswerable), 5 documents" in text


def test_a_set_whose_folder_has_a_name_that_no_set_may_have_keeps_its_error(user: Path, harness: Harness) -> None:
    folder = write(user / "golden_sets" / "two words")
    (folder / "golden_set.yaml").unlink()
    code, text = harness("golden", "check", "two words", "--fix")
    assert code == 2
    assert "error[G030] golden_sets/two words/golden_set.yaml — is missing." in text


@pytest.mark.parametrize("digests", ["", "questions_sha256:\ncorpus_sha256:\n", 'questions_sha256: ""\ncorpus_sha256: ""\n'])
def test_a_new_card_without_digests_gets_them_and_stays_version_1(user: Path, harness: Harness, digests: str) -> None:
    folder = write(user / "golden_sets" / "kb")
    (folder / "golden_set.yaml").write_text(f"name: kb\nversion: 1\n{digests}")
    code, text = harness("golden", "check", "kb", "--fix")
    assert code == 0, text
    assert "kb: version 1, 1 question " in text


class TestAcceptedBaselines:
    @pytest.fixture
    def edited(self, user: Path) -> Path:
        """A set whose accepted baseline names its version, but other questions."""
        return next(broken for broken in ALL if broken.code == "G036").build(user / "golden_sets")

    def test_an_edit_under_the_measured_version_is_mended_by_raising_it(self, edited: Path, harness: Harness) -> None:
        code, text = harness("golden", "check", edited.name, "--fix")
        assert code == 0, text
        assert "golden_set.yaml version: 1 -> 2" in text

    def test_a_baseline_of_an_older_version_is_no_fault(self, edited: Path, harness: Harness) -> None:
        write(edited, card={"version": 2})
        assert harness("golden", "check", edited.name)[0] == 0

    def test_a_renewed_card_does_not_take_a_version_that_was_measured(self, edited: Path, harness: Harness) -> None:
        path = edited.parent.parent / "reports" / edited.name / "light.json"
        baseline.save(path, replace(baseline.load(path), golden_version=2))
        write(edited, card={"version": 1, "questions_sha256": "0" * 64})
        code, text = harness("golden", "check", edited.name, "--fix")
        assert code == 0, text
        assert f"{edited.name}: version 3, " in text

    @pytest.mark.parametrize("unknown", [("golden_set",), ("golden_set", "corpus")])
    def test_a_baseline_that_does_not_know_what_it_was_measured_on_is_no_fault(
        self, edited: Path, harness: Harness, unknown: tuple[str, ...]
    ) -> None:
        path = edited.parent.parent / "reports" / edited.name / "light.json"
        accepted = baseline.load(path)
        marks = {name: "" if name in unknown else value for name, value in accepted.fingerprints.items()}
        now = {"corpus": load(edited).corpus_digest} if "corpus" not in unknown else {}
        baseline.save(path, replace(accepted, fingerprints={**marks, **now, "golden_set": ""}))
        code, text = harness("golden", "check", edited.name)
        assert code == 0, text
        assert "G036" not in text

    def test_a_baseline_that_cannot_be_read_is_noted(self, edited: Path, harness: Harness) -> None:
        path = edited.parent.parent / "reports" / edited.name / "light.json"
        path.write_text(json.dumps({"format": 1}))
        code, text = harness("golden", "check", edited.name)
        assert code == 0
        assert "light.json' is refused" in text

    def test_reports_of_another_set_of_the_same_name_do_not_count(self, edited: Path, harness: Harness) -> None:
        other = write(edited.parent.parent / "other" / edited.name)
        assert harness("golden", "check", str(other))[0] == 0
