"""The folder of a golden set as git has it at a revision."""

import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from harness.errors import ConfigError
from harness.golden.golden_set import load
from harness.golden.revision import checkout
from tests.golden.folders import row, write


def git(folder: Path, *words: str) -> str:
    """Runs git as somebody."""
    who = ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.org", "-c", "commit.gpgsign=false"]
    return subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True, text=True).stdout.strip()


Tree = Mapping[str, Any]
"""Bytes of files, texts for links, mappings for folders, by name."""


def written(repository: Path, kind: str, data: bytes) -> str:
    """Id of an object, its form not looked at."""
    words = ["git", "hash-object", "-w", "-t", kind, "--literally", "--stdin"]
    return subprocess.run(words, cwd=repository, input=data, check=True, capture_output=True).stdout.decode().strip()


def tree_of(repository: Path, *trees: Tree) -> str:
    """Id of a tree with these entries, whatever their names."""
    entries = []
    for name, value in (item for tree in trees for item in tree.items()):
        if isinstance(value, Mapping):
            mode, made = "40000", tree_of(repository, value)
        else:
            mode = "120000" if isinstance(value, str) else "100644"
            made = written(repository, "blob", value.encode() if isinstance(value, str) else value)
        entries.append(f"{mode} {name}\0".encode() + bytes.fromhex(made))
    return written(repository, "tree", b"".join(entries))


def commit_of(repository: Path, *entries: Tree) -> str:
    """A commit whose golden_sets/set holds a question file and these entries."""
    inner = tree_of(repository, *entries, {"questions.jsonl": b"{}"})
    sets = written(repository, "tree", b"40000 set\0" + bytes.fromhex(inner))
    root = written(repository, "tree", b"40000 golden_sets\0" + bytes.fromhex(sets))
    return git(repository, "commit-tree", root, "-m", "by hand")


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


@pytest.mark.parametrize("way", ["golden_sets/set", "golden_sets/gone/../set", "golden_sets/linked", "linked/set"])
def test_every_way_to_a_folder_leads_to_its_place_in_the_repository(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    (repository / "golden_sets" / "linked").symlink_to("set")
    (repository / "linked").symlink_to("golden_sets")
    (repository / "golden_sets" / "set").rename(tmp_path / "away")
    monkeypatch.chdir(repository)
    checkout(Path(way), "HEAD", tmp_path / "t" / "set")
    assert load(tmp_path / "t" / "set").questions[0].question_id == "q2"


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


@pytest.mark.parametrize("name", ["..", "../..", "{elsewhere}", "corpus/../../.."])
def test_a_name_that_leads_out_of_the_folder_is_refused_and_nothing_is_written(
    repository: Path, tmp_path: Path, name: str
) -> None:
    """Git itself never makes such a tree; one that is made by hand is handed on by clones without fsck."""
    elsewhere = tmp_path / "elsewhere"
    revision = commit_of(repository, {name.format(elsewhere=elsewhere): {"out.md": b"Out."}})
    target = tmp_path / "deep" / "er" / "t"
    with pytest.raises(ConfigError, match="leads out of its folder"):
        checkout(repository / "golden_sets" / "set", revision, target)
    assert not (tmp_path / "deep").exists()
    assert not elsewhere.exists()


def test_links_beside_folders_of_their_name_are_not_followed(repository: Path, tmp_path: Path) -> None:
    """A tree may name a link and a folder alike; the folder's files must not go where the link leads."""
    outside = tmp_path / "outside"
    outside.mkdir()
    revision = commit_of(repository, {"linked": str(outside)}, {"linked": {"in.md": b"In."}})
    checkout(repository / "golden_sets" / "set", revision, tmp_path / "t")
    assert list(outside.iterdir()) == []
    assert (tmp_path / "t" / "linked" / "in.md").read_bytes() == b"In."
    assert not any(path.is_symlink() for path in (tmp_path / "t").rglob("*"))


def test_a_repository_that_the_surroundings_name_is_not_looked_into(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other"
    write(other / "golden_sets" / "set", [row(id="other")])
    git(other, "init", "-q")
    git(other, "add", "-A")
    git(other, "commit", "-q", "-m", "other")
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "nowhere"))
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(tmp_path / "nowhere"))
    assert asked(repository, "HEAD", tmp_path) == "q2"


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
