"""`harness golden diff` through the command line."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.golden.writing import renew_card
from tests.golden.test_revision import git

Harness = Callable[..., tuple[int, str]]


@pytest.fixture
def newer(project: Path) -> Path:
    """A copy of golden_sets/tiny: q1 edited, q2 retired, u2 removed, q99 added, a line put into battery.md; card not renewed."""
    folder = project / "newer" / "tiny"
    shutil.copytree(project / "golden_sets" / "tiny", folder)
    rows = [json.loads(line) for line in (folder / "questions.jsonl").read_text().splitlines() if '"u2"' not in line]
    rows[1]["question"] = "What does the soil probe run on in winter?"
    rows[2]["retired"] = True
    rows.append({**rows[3], "id": "q99"})
    (folder / "questions.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    battery = folder / "corpus" / "battery.md"
    battery.write_text(battery.read_text().replace("# Battery\n", "# Battery\n\nNew.\n"))
    return folder


def test_everything_that_changed_is_told(newer: Path, harness: Harness) -> None:
    renew_card(newer)
    code, printed = harness("golden", "diff", "tiny", str(newer))
    assert code == 0
    for text in (
        "tiny v1 → tiny v2",
        "Questions  1 added, 1 removed, 1 retired, 1 edited, 8 with moved evidence",
        "+ q99  factoid test  'How do I reset the gateway to factory settings?'",
        "- u2  unanswerable test  'Which paint fits a violin?'",
        "× q2  factoid test",
        "~ q1  question: 'What does the soil probe run on?' → 'What does the soil probe run on in winter?'",
        "↷ q0  evidence[0][0] battery.md 48 → battery.md 54",
        "Documents  1 edited",
        "~ battery.md  6 characters changed, 0.970 alike",
        "Baselines  none accepted for tiny",
    ):
        assert text in printed
    assert "does not load" not in printed


def test_a_change_under_the_same_version_is_an_error(newer: Path, harness: Harness) -> None:
    code, printed = harness("golden", "diff", "tiny", str(newer))
    assert code == 2
    assert "The new version does not load (2 problems); its rows are compared as written:" in printed
    assert "G026 golden_set.yaml questions_sha256" in printed
    assert "the contents changed, but the version is still 1" in printed


def test_a_set_beside_itself_is_unchanged(project: Path, harness: Harness) -> None:
    code, printed = harness("golden", "diff", "tiny", "golden_sets/tiny")
    assert code == 0
    assert "Questions  unchanged" in printed
    assert "Documents  unchanged" in printed


def test_a_version_that_fell_is_an_error(newer: Path, harness: Harness) -> None:
    renew_card(newer)
    code, printed = harness("golden", "diff", str(newer), "tiny")
    assert code == 2
    assert "the version fell from 2 to 1" in printed


def test_a_revision_of_git_is_compared_with_what_is_on_disk(project: Path, newer: Path, harness: Harness) -> None:
    git(project, "init", "-q", "-b", "main")
    git(project, "add", "golden_sets")
    git(project, "commit", "-q", "-m", "first")
    shutil.copy(newer / "questions.jsonl", project / "golden_sets" / "tiny" / "questions.jsonl")
    renew_card(project / "golden_sets" / "tiny")
    code, printed = harness("golden", "diff", "tiny@HEAD", "tiny")
    assert code == 0
    assert "tiny v1 → tiny v2" in printed
    assert "1 added, 1 removed, 1 retired, 1 edited" in printed
    assert "Documents  unchanged" in printed
    git(project, "add", "golden_sets")
    git(project, "commit", "-q", "-m", "second")
    assert harness("golden", "diff", "tiny@HEAD~1", "golden_sets/tiny@main")[0] == 0


def test_inside_a_hook_of_another_repository_the_right_one_is_asked(
    project: Path, tmp_path: Path, harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(project, "init", "-q", "-b", "main")
    git(project, "add", "golden_sets")
    git(project, "commit", "-q", "-m", "first")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "another" / ".git"))
    code, printed = harness("golden", "diff", "tiny@HEAD", "tiny")
    assert code == 0
    assert "Questions  unchanged" in printed


@pytest.fixture
def committed(project: Path) -> Path:
    """The project in git, then its set edited: q1 asks something else, card renewed."""
    git(project, "init", "-q", "-b", "main")
    git(project, "add", "golden_sets")
    git(project, "commit", "-q", "-m", "first")
    folder = project / "golden_sets" / "tiny"
    text = (folder / "questions.jsonl").read_text()
    (folder / "questions.jsonl").write_text(text.replace("What does the soil probe run on?", "Which cells?", 1))
    renew_card(folder)
    return project


@pytest.mark.parametrize("become", ["renamed", "deleted"])
@pytest.mark.parametrize(
    ("place", "spec"),
    [
        (".", "tiny"),
        (".", "golden_sets/tiny"),
        (".", "./golden_sets/../golden_sets/tiny"),
        (".", "golden_sets/gone/../tiny"),
        (".", "{project}/golden_sets/tiny"),
        ("golden_sets", "tiny"),
        ("experiments", "../golden_sets/tiny"),
    ],
)
def test_a_set_that_is_gone_from_disk_is_found_in_git_by_name_and_by_path(
    committed: Path, harness: Harness, monkeypatch: pytest.MonkeyPatch, become: str, place: str, spec: str
) -> None:
    kept = committed / ("golden_sets/small" if become == "renamed" else "kept/tiny")
    kept.parent.mkdir(exist_ok=True)
    (committed / "golden_sets" / "tiny").rename(kept)
    (committed / "golden_sets").mkdir(exist_ok=True)
    monkeypatch.chdir(committed / place)
    code, printed = harness("golden", "diff", f"{spec.format(project=committed)}@HEAD", str(kept))
    assert code == 0, printed
    assert "tiny v1 → tiny v2" in printed
    assert "Questions  1 edited" in printed


def test_a_set_that_never_was_is_told_with_the_place_where_it_was_looked_for(committed: Path, harness: Harness) -> None:
    for spec, place in (("golden_sets/m@HEAD", "golden_sets/m"), ("m@HEAD", "golden_sets/m"), ("sub/m@HEAD", "sub/m")):
        code, printed = harness("golden", "diff", spec, "tiny")
        assert code == 2
        assert f"has no golden set in '{place}'" in " ".join(printed.replace("│", " ").split())


@pytest.mark.parametrize("spec", ["a@b", "golden_sets/a@b", "tiny@HEAD"])
def test_a_set_with_an_at_sign_in_its_name_comes_before_a_revision(committed: Path, harness: Harness, spec: str) -> None:
    shutil.copytree(committed / "golden_sets" / "tiny", committed / "golden_sets" / spec.rpartition("/")[2])
    code, printed = harness("golden", "diff", spec, "tiny")
    assert code == 0
    assert "tiny v2 → tiny v2" in printed
    assert "Questions  unchanged" in printed


@pytest.mark.parametrize("spec", ["a@b@HEAD", "golden_sets/a@b@main@{{0}}", "{project}/golden_sets/a@b@HEAD", "a@b@@"])
def test_a_set_with_an_at_sign_in_its_name_has_revisions_too(committed: Path, harness: Harness, spec: str) -> None:
    shutil.copytree(committed / "golden_sets" / "tiny", committed / "golden_sets" / "a@b")
    git(committed, "add", "golden_sets/a@b")
    git(committed, "commit", "-q", "-m", "second")
    code, printed = harness("golden", "diff", spec.format(project=committed), "tiny")
    assert code == 0, printed
    assert "tiny v2 → tiny v2" in printed


def test_a_folder_of_the_same_name_that_is_no_set_does_not_stand_in_the_way(committed: Path, harness: Harness) -> None:
    (committed / "tiny").mkdir()
    code, printed = harness("golden", "diff", "tiny@HEAD", "tiny")
    assert code == 0
    assert "tiny v1 → tiny v2" in printed


def test_a_digit_in_every_row_of_a_table_and_evidence_in_another_order_are_told_as_what_they_are(
    project: Path, harness: Harness
) -> None:
    old, new = project / "older" / "tiny", project / "newer" / "tiny"
    table = "id,site,date\n" + "".join(f"{number},North Station,2025-01-01\n" for number in range(400))
    for folder in (old, new):
        shutil.copytree(project / "golden_sets" / "tiny", folder)
        rows = [json.loads(line) for line in (folder / "questions.jsonl").read_text().splitlines()]
        places = [*rows[0]["evidence"], *rows[3]["evidence"]]
        rows[0]["evidence"] = places if folder == old else places[::-1]
        rows[3]["evidence"] = places if folder == old else places[1:]
        (folder / "questions.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
        (folder / "corpus" / "log.csv").write_text(table if folder == old else table.replace("2025", "2026"))
    renew_card(old)
    renew_card(new)
    renew_card(new, above=2)
    code, printed = harness("golden", "diff", str(old), str(new))
    assert code == 0
    assert "Questions  1 edited\n" in printed
    assert "~ q3  evidence[0][0]: " in printed
    assert " → nothing\n" in printed
    assert "~ log.csv  400 characters changed" in printed


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("tiny@HEAD", "is in no git repository"),
        ("tiny@--output=x", "is no revision of one commit"),
        ("@HEAD", "names no golden set before the @"),
        ("tinny", "did you mean 'tiny'?"),
        (f"{'t' * 300}@HEAD", "can be no folder"),
    ],
)
def test_a_version_that_cannot_be_found_is_told(project: Path, harness: Harness, spec: str, said: str) -> None:
    code, printed = harness("golden", "diff", spec, "tiny")
    assert code == 2
    assert said in " ".join(printed.replace("│", " ").split())


def test_accepted_baselines_that_are_left_behind_are_named(project: Path, harness: Harness) -> None:
    assert harness("run", "+experiment=light")[0] == 4
    assert harness("accept")[0] == 0
    _, printed = harness("golden", "diff", "tiny", "tiny")
    assert "Baselines  1 of 1 can be compared with runs on the new version" in printed
    folder = project / "newer" / "tiny"
    shutil.copytree(project / "golden_sets" / "tiny", folder)
    (folder / "corpus" / "extra.md").write_text("More.\n")
    renew_card(folder)
    code, printed = harness("golden", "diff", "tiny", str(folder))
    assert code == 0
    assert "Baselines  0 of 1 can be compared with runs on the new version" in printed
    assert "no longer: light; run them and accept anew" in printed
    (project / "reports" / "tiny" / "light.json").write_text("{}")
    _, printed = harness("golden", "diff", "tiny", "tiny")
    assert "! light  the accepted baseline" in printed


def test_long_lists_are_cut(project: Path, harness: Harness) -> None:
    folder = project / "newer" / "tiny"
    shutil.copytree(project / "golden_sets" / "tiny", folder)
    row = json.loads((folder / "questions.jsonl").read_text().splitlines()[0])
    with (folder / "questions.jsonl").open("a") as file:
        file.writelines(f"{json.dumps({**row, 'id': f'n{number}'})}\n" for number in range(45))
    renew_card(folder)
    _, printed = harness("golden", "diff", "tiny", str(folder))
    assert "45 added" in printed
    assert "+ n39 " in printed
    assert "+ n40 " not in printed
    assert "and 5 more" in printed


WHOLE = """\
tiny v1 → tiny v2
  questions  9f71c528050c → 3d4721454fda
  corpus     26b5b258f03a → ca050f6d588a

Questions  1 added, 1 removed, 1 retired, 1 edited, 8 with moved evidence
  + q99  factoid test  'How do I reset the gateway to factory settings?'
  - u2  unanswerable test  'Which paint fits a violin?'
    a question that is no longer asked should keep its line with retired: true, so that its id is not used again
  × q2  factoid test  'How far away can sensors be from the gateway?'
  ~ q1  question: 'What does the soil probe run on?' → 'What does the soil probe run on in winter?'
  ↷ q0  evidence[0][0] battery.md 48 → battery.md 54
  ↷ q1  evidence[0][0] battery.md 11 → battery.md 17
"""


def test_the_whole_report(newer: Path, harness: Harness) -> None:
    renew_card(newer)
    _, printed = harness("golden", "diff", "tiny", str(newer))
    assert printed.startswith(WHOLE)
    assert printed.endswith(
        "\n\nDocuments  1 edited\n  ~ battery.md  6 characters changed, 0.970 alike\n\nBaselines  none accepted for tiny\n"
    )
