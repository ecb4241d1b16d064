"""The folder of a golden set as git has it at a revision."""

import subprocess
from pathlib import Path

import pytest

from harness.errors import ConfigError
from harness.golden.golden_set import load
from harness.golden.revision import checkout
from tests.golden.folders import row, write


def git(folder: Path, *words: str) -> str:
    """Runs git as somebody."""
    who = ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.org", "-c", "commit.gpgsign=false"]
    return subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Two commits of golden_sets/set: question q1, then q2; q3 is not committed."""
    folder = tmp_path / "repository"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    for name in ("q1", "q2", "q3"):
        write(folder / "golden_sets" / "set", [row(id=name)])
        if name != "q3":
            git(folder, "add", "-A")
            git(folder, "commit", "-q", "-m", name)
    return folder


def asked(repository: Path, revision: str, target: Path) -> str:
    """Id of the one question at a revision."""
    checkout(repository / "golden_sets" / "set", revision, target / "set")
    return load(target / "set").questions[0].question_id


@pytest.mark.parametrize(("revision", "name"), [("HEAD", "q2"), ("HEAD~1", "q1"), ("main", "q2"), ("main^", "q1"), ("@", "q2")])
def test_a_revision_gives_the_set_as_it_was(repository: Path, tmp_path: Path, revision: str, name: str) -> None:
    assert asked(repository, revision, tmp_path) == name


def test_the_commit_is_told_and_nothing_in_the_repository_changes(repository: Path, tmp_path: Path) -> None:
    before = git(repository, "status", "--porcelain")
    assert checkout(repository / "golden_sets" / "set", "HEAD~1", tmp_path / "t") == git(repository, "rev-parse", "HEAD~1")
    assert git(repository, "status", "--porcelain") == before


def test_a_deleted_set_can_still_be_read(repository: Path, tmp_path: Path) -> None:
    (repository / "golden_sets").rename(repository / "elsewhere")
    assert asked(repository, "HEAD", tmp_path) == "q2"


def test_files_that_are_not_exported_and_names_of_any_letters_are_read(repository: Path, tmp_path: Path) -> None:
    corpus = repository / "golden_sets" / "set" / "corpus"
    (corpus / "größe *1.md").write_bytes(b"No line end,\r\nand \xc3\xbc.")
    (repository / ".gitattributes").write_text("golden_sets export-ignore\n*.md -text\n")
    git(repository, "add", "-A")
    git(repository, "commit", "-q", "-m", "odd")
    checkout(corpus.parent, "HEAD", tmp_path / "t")
    assert (tmp_path / "t" / "corpus" / "größe *1.md").read_bytes() == b"No line end,\r\nand \xc3\xbc."


def test_links_are_left_out(repository: Path, tmp_path: Path) -> None:
    (repository / "golden_sets" / "set" / "corpus" / "link.md").symlink_to("/etc/passwd")
    git(repository, "add", "-A")
    git(repository, "commit", "-q", "-m", "link")
    checkout(repository / "golden_sets" / "set", "HEAD", tmp_path / "t")
    assert sorted(path.name for path in (tmp_path / "t" / "corpus").iterdir()) == ["aq.md", "north.md"]


def test_a_set_that_is_a_repository_of_its_own_is_read(tmp_path: Path) -> None:
    folder = write(tmp_path / "set", [row(id="own")])
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "own")
    checkout(folder, "HEAD", tmp_path / "t" / "set")
    assert load(tmp_path / "t" / "set").questions[0].question_id == "own"


@pytest.mark.parametrize("revision", ["", "-h", "--output=x", "a..b", "a b", "HEAD:questions.jsonl", "x\n", "a" * 300])
def test_what_is_no_name_of_one_commit_never_reaches_git(repository: Path, tmp_path: Path, revision: str) -> None:
    with pytest.raises(ConfigError, match="is no revision of one commit"):
        checkout(repository / "golden_sets" / "set", revision, tmp_path / "t")


def test_an_unknown_revision_is_told(repository: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="git knows no revision 'v9'"):
        checkout(repository / "golden_sets" / "set", "v9", tmp_path / "t")


def test_a_revision_without_the_set_is_told(repository: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="has no golden set in 'golden_sets/other'"):
        checkout(repository / "golden_sets" / "other", "HEAD", tmp_path / "t")


def test_a_folder_outside_any_repository_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="is in no git repository"):
        checkout(write(tmp_path / "set"), "HEAD", tmp_path / "t")


def test_a_machine_without_git_is_told(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ConfigError, match="needs git, which is not installed"):
        checkout(repository / "golden_sets" / "set", "HEAD", tmp_path / "t")
