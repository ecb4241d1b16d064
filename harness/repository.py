"""Files as git has them at a revision, read object by object: no shell, no hook, no filter, nothing checked out.

`git archive` would leave out what .gitattributes says not to export.
"""

import os
import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.errors import ConfigError, Problem
from harness.store import write_atomic

_REVISION = re.compile(r"(?![-^])[^\x00-\x20\x7f:]{1,280}")
"""Neither an option, nor a negation, nor a path or a search: those have a colon."""
_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_SUFFIX = re.compile(r"[~^]|@\{")
_NAMESPACES = ("refs", "refs/tags", "refs/heads", "refs/remotes")
"""Where git looks a name up; the first that has it wins, so a tag would go before a branch of its name."""
_SECONDS = 60
_FILES = ("100644", "100755")
_LINK = "120000"
_SETTINGS = {"GIT_NO_LAZY_FETCH": "1", "GIT_NO_REPLACE_OBJECTS": "1", "GIT_TERMINAL_PROMPT": "0"}
"""Git fetches nothing, shows every object as it was committed, and asks nobody."""


@dataclass(frozen=True, slots=True)
class Revision:
    """One commit of a repository."""

    top: Path
    """Top folder of the working tree, without links."""
    name: str
    """As it is told: what the user wrote, such as origin/main, or the first 12 digits of a commit id."""
    commit: str
    """40 hex digits."""

    def inside(self, path: Path) -> str:
        """A path as git names it. A link on the way to the repository is followed, one inside it never: a branch can make any.

        Raises:
            ConfigError: when it lies outside the repository.
        """
        plain = _plain(path)
        for above in reversed((plain, *plain.parents)):
            if above.resolve() == self.top:
                return plain.relative_to(above).as_posix()
        raise _refused(self.name, f"{str(path)!r} lies outside the repository {str(self.top)!r}", "name a folder inside it")

    def files(self, folders: Sequence[str]) -> dict[str, bytes]:
        """Content of every file in folders (or at paths; `.` is the top), by path; links and submodules are left out."""
        return self._contents({path: name for mode, name, path in self._listed(folders) if mode in _FILES})

    def new_link(self, path: Path) -> str:
        """The first link inside the working tree on the way to a path that the revision has otherwise; empty without one."""
        inside = Path(self.inside(path))
        for step in reversed([inside, *inside.parents[:-1]]):
            here = self.top / step
            if here.is_symlink() and self._link(step.as_posix()) != os.fsencode(here.readlink()):
                return step.as_posix()
        return ""

    def _link(self, inside: str) -> bytes | None:
        """Where a link leads; None when the revision has none there."""
        found = {path: name for mode, name, path in self._listed([inside]) if mode == _LINK and path == inside}
        return self._contents(found).get(inside)

    def _listed(self, folders: Sequence[str]) -> list[tuple[str, str, str]]:
        """Mode, object and path of everything in folders."""
        if not folders:
            return []
        asked = [] if "." in folders else folders
        listed = git(self.name, self.top, "--literal-pathspecs", "ls-tree", "-rz", "--full-tree", self.commit, "--", *asked)
        found = []
        for entry in filter(None, listed.split(b"\0")):
            about, _, path = entry.partition(b"\t")
            mode, _, name = about.decode().split(" ")
            found.append((mode, name, os.fsdecode(path)))
        return found

    def _contents(self, objects: Mapping[str, str]) -> dict[str, bytes]:
        """One process reads all: `<object> blob <size>`, a line end, the bytes, a line end."""
        asked = "".join(f"{name}\n" for name in objects.values()).encode()
        answer, found, start = git(self.name, self.top, "cat-file", "--batch", given=asked), {}, 0
        for path in objects:
            end = answer.index(b"\n", start)
            size = int(answer[start:end].split(b" ")[2])
            found[path] = answer[end + 1 : end + 1 + size]
            start = end + 2 + size
        return found


def revision(name: str, place: Path | None = None) -> Revision:
    """The commit that a branch, a tag or a commit id names, in the repository of the current folder or of `place`.

    Raises:
        ConfigError: without git, outside a repository, or for a name that is no revision or means more than one.
    """
    if not _REVISION.fullmatch(name) or ".." in name:
        raise _refused(name, "is no revision of one commit", "give a branch, a tag or a commit, such as origin/main")
    top = Path(os.fsdecode(git(name, place or Path.cwd(), "rev-parse", "--show-toplevel").removesuffix(b"\n"))).resolve()
    _one_meaning(name, top)
    commit = git(name, top, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}").decode().strip()
    return Revision(top, name[:12] if _COMMIT.fullmatch(name) else name, commit)


def _one_meaning(name: str, top: Path) -> None:
    """That no tag goes before a branch of its name, nor a branch before a remote one."""
    short = _SUFFIX.split(name)[0]
    possible = [*(f"{space}/{short}" for space in _NAMESPACES), f"refs/remotes/{short}/HEAD"]
    listed = {os.fsdecode(line) for line in git(name, top, "for-each-ref", "--format=%(refname)").splitlines()}
    found = [ref for ref in possible if ref in listed]
    if len(found) > 1 and not _COMMIT.fullmatch(short):
        raise _refused(
            name, f"means {' and '.join(map(repr, found))}", f"give the whole name, such as {found[-1]!r}, or a commit"
        )


def write_files(target: Path, files: Mapping[str, bytes]) -> None:
    """Writes files below a folder; git itself lets no path lead out of its tree. With one that would, nothing is written."""
    for path in files:
        if not (target / path).resolve().is_relative_to(target.resolve()):
            raise ConfigError(f"the revision holds the file name {path!r}, which leads out of its folder")
    for path, data in files.items():
        write_atomic(target / path, data)


def git(name: str, place: Path, *words: str, given: bytes = b"") -> bytes:
    """What git prints in a folder; `name` is the revision that it is asked for.

    Variables such as GIT_DIR, set inside hooks, would lead to another repository: git gets none of them.

    Raises:
        ConfigError: when git is not there, fails, or does not answer.
    """
    variables = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")} | _SETTINGS
    try:
        done = subprocess.run(
            ["git", "-C", str(place), *words], input=given, env=variables, capture_output=True, timeout=_SECONDS, check=False
        )
    except FileNotFoundError as error:
        raise _refused(name, "needs git, which is not installed", "install git") from error
    except subprocess.TimeoutExpired as error:
        raise _refused(name, f"git did not answer within {_SECONDS} s", "try again") from error
    except OSError as error:
        raise _refused(name, f"git cannot be started: {error.strerror}", "look at the installation of git") from error
    if done.returncode:
        raise _failed(name, place, words, done.stderr.decode(errors="replace").strip())
    return done.stdout


def _failed(name: str, place: Path, words: Sequence[str], said: str) -> ConfigError:
    if "--verify" in words:
        fix = "`git log --oneline` lists commits; fetch it first (actions/checkout with fetch-depth: 0), a shallow clone has few"
        return _refused(name, f"git knows no revision {name!r} in {str(place)!r}", fix)
    if "--show-toplevel" in words:
        reason = said.splitlines()[0] if said else "no repository"
        what = f"{str(place)!r} is in no git repository that can be read ({reason})"
        return _refused(name, what, "run it inside the repository")
    return _refused(name, f"git {words[0]} failed: {said or 'without a word'}", "look at the repository with git fsck")


def _refused(name: str, what: str, fix: str) -> ConfigError:
    why = "Nothing of the working tree is used in its place."
    return ConfigError("A git revision cannot be read.", [Problem("B005", f"revision {name!r}", what, why, fix)])


def _plain(path: Path) -> Path:
    """An absolute path without `..`, links as they are."""
    return Path(os.path.normpath(path.absolute()))
