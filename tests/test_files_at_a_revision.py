"""Files as git has them at a revision, and configs composed from them."""

import subprocess
from pathlib import Path

import pytest

from harness.errors import ConfigError
from harness.repository import git as run_git
from harness.repository import revision, write_files
from harness.resources import looking_in, roots


def git(folder: Path, *words: str) -> str:
    """Runs git as somebody."""
    who = ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.org", "-c", "commit.gpgsign=false"]
    return subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """One commit of conf/, with a link and odd names; then changed without a commit."""
    folder = tmp_path / "repository"
    (folder / "conf" / "gate").mkdir(parents=True)
    (folder / "conf" / "gate" / "a.yaml").write_bytes(b"a: 1\r\n")
    (folder / "conf" / "name with *blank* and ü.yaml").write_text("b: 2\n")
    (folder / "conf" / "binary").write_bytes(bytes(range(256)) + b"\n\n")
    (folder / "conf" / "empty").write_bytes(b"")
    (folder / "conf" / "link.yaml").symlink_to("/etc/hosts")
    (folder / ".gitattributes").write_text("conf export-ignore\n* text eol=lf\n")
    git(folder, "init", "-q", "-b", "main")
    git(folder, "-c", "core.autocrlf=false", "add", "-A")
    git(folder, "commit", "-q", "-m", "one")
    (folder / "conf" / "gate" / "a.yaml").write_text("a: changed\n")
    (folder / "conf" / "new.yaml").write_text("c: 3\n")
    monkeypatch.chdir(folder)
    return folder


def test_files_are_those_of_the_commit_byte_by_byte_and_links_are_left_out(repository):
    found = revision("main").files(["conf"])
    assert found == {
        "conf/gate/a.yaml": b"a: 1\n",
        "conf/name with *blank* and ü.yaml": b"b: 2\n",
        "conf/binary": bytes(range(256)) + b"\n\n",
        "conf/empty": b"",
    }


def test_a_folder_that_the_commit_does_not_have_is_empty(repository):
    assert revision("main").files(["nothing", "conf/new.yaml"]) == {}
    assert revision("main").files([]) == {}


def test_a_path_is_a_path_and_no_pattern(repository):
    assert revision("main").files(["conf/*", ":/"]) == {}


@pytest.mark.parametrize("name", ["main", "HEAD", "main^{commit}", "main@{0}"])
def test_one_commit_has_many_names(repository, name):
    assert revision(name).commit == git(repository, "rev-parse", "HEAD")


@pytest.mark.parametrize(
    "name",
    [
        "",
        "-",
        "--help",
        "-c core.pager=x",
        "main..HEAD",
        "main:conf",
        "x" * 300,
        "a\nb",
        "nothing",
        "^main",
        "main:conf/empty",
        ":/one",
    ],
)
def test_what_is_no_revision_is_refused_with_what_to_do(repository, name):
    with pytest.raises(ConfigError) as caught:
        revision(name)
    (problem,) = caught.value.problems
    assert problem.code == "B005"
    assert problem.fix


@pytest.mark.parametrize("name", ["fix#12", "größe", "日本", "a%b", "it's", "x/y,z", "$(id)", "@home", "a{1}"])
def test_a_branch_may_have_any_name_that_git_allows(repository, name):
    git(repository, "branch", "--", name)
    assert revision(name).commit == revision(f"refs/heads/{name}").commit == git(repository, "rev-parse", "HEAD")


@pytest.mark.parametrize("names", [("tags", "heads"), ("heads", "remotes"), ("tags", "remotes"), ("tags", "heads", "remotes")])
@pytest.mark.parametrize("suffix", ["", "^{commit}", "~0"])
def test_a_name_that_means_more_than_one_thing_is_refused_and_its_whole_name_is_not(repository, names, suffix):
    for space in names:
        git(repository, "update-ref", f"refs/{space}/origin/base", "HEAD")
    with pytest.raises(ConfigError, match="means 'refs/") as caught:
        revision(f"origin/base{suffix}")
    assert all(f"refs/{space}/origin/base" in str(caught.value) for space in names)
    for space in names:
        assert revision(f"refs/{space}/origin/base{suffix}").commit == git(repository, "rev-parse", "HEAD")


def test_a_commit_id_is_told_short_and_no_ref_is_named_over_it(repository):
    commit = git(repository, "rev-parse", "HEAD")
    git(repository, "commit", "-q", "--allow-empty", "-m", "two")
    git(repository, "update-ref", f"refs/tags/{commit}", "HEAD")
    git(repository, "update-ref", f"refs/heads/{commit}", "HEAD")
    assert (revision(commit).commit, revision(commit).name) == (commit, commit[:12])


def test_a_replaced_commit_is_read_as_it_was_committed(repository):
    one = git(repository, "rev-parse", "HEAD")
    (repository / "conf" / "empty").write_text("no more")
    git(repository, "commit", "-q", "-a", "-m", "two")
    git(repository, "replace", one, "HEAD")
    assert revision(one).files(["conf/empty"]) == {"conf/empty": b""}


def test_git_fetches_nothing_and_asks_nobody(repository, tmp_path, monkeypatch):
    fake = tmp_path / "bin" / "git"
    fake.parent.mkdir()
    fake.write_text("#!/bin/sh\n/usr/bin/env | /usr/bin/sort | /bin/grep ^GIT_\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", str(fake.parent))
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    settings = b"GIT_NO_LAZY_FETCH=1\nGIT_NO_REPLACE_OBJECTS=1\nGIT_TERMINAL_PROMPT=0\n"
    assert run_git("main", repository, "version") == settings


def test_a_path_outside_the_repository_is_refused(repository, tmp_path):
    with pytest.raises(ConfigError, match="lies outside the repository"):
        revision("main").inside(tmp_path / "elsewhere")


def test_a_link_to_the_repository_is_followed(repository, tmp_path):
    (tmp_path / "door").symlink_to(repository)
    assert revision("main").inside(tmp_path / "door" / "gone" / ".." / "conf") == "conf"


@pytest.mark.parametrize("place", ["conf", "conf/gate", "conf/gate/a.yaml"])
def test_a_link_inside_the_repository_is_not_followed_but_told(repository, place):
    asked = repository / "conf" / "gate" / "a.yaml"
    assert revision("main").new_link(asked) == ""
    (repository / place).rename(repository / "moved")
    (repository / place).symlink_to(repository / "moved")
    assert revision("main").inside(asked) == "conf/gate/a.yaml"
    assert revision("main").new_link(asked) == place


def test_a_link_that_the_revision_has_too_is_not_told_until_it_leads_elsewhere(repository):
    link = repository / "conf" / "link.yaml"
    assert revision("main").new_link(link) == ""
    link.unlink()
    link.symlink_to("/etc/hostname")
    assert revision("main").new_link(link) == "conf/link.yaml"


def test_a_link_that_leads_to_itself_is_told(repository):
    (repository / "conf" / "round").symlink_to("round")
    assert revision("main").new_link(repository / "conf" / "round") == "conf/round"


def test_nothing_is_written_when_one_file_would_lead_out(tmp_path):
    with pytest.raises(ConfigError, match="leads out"):
        write_files(tmp_path / "target", {"a": b"x", "../b": b"x"})
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("path", ["../x", "a/../../x", "/etc/x"])
def test_no_file_is_written_outside_its_folder(tmp_path, path):
    with pytest.raises(ConfigError, match="leads out"):
        write_files(tmp_path / "target", {path: b"x"})
    assert not list(tmp_path.rglob("x"))


def test_places_are_looked_in_while_the_block_lasts(tmp_path):
    before = roots()
    with looking_in([tmp_path]):
        assert roots() == [tmp_path]
        with pytest.raises(ZeroDivisionError), looking_in([tmp_path / "inner"]):
            _ = 1 / 0
        assert roots() == [tmp_path]
    assert roots() == before
