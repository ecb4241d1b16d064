"""The folder of a golden set as git has it at a revision.

Files are read object by object, not through `git archive`: that leaves out what .gitattributes says not to export.
"""

import os
import re
import subprocess
from pathlib import Path

from harness.errors import ConfigError
from harness.golden.golden_set import QUESTIONS
from harness.store import write_atomic

_REVISION = re.compile(r"[A-Za-z0-9_@][A-Za-z0-9_./~^@{}+-]{0,199}")
_SECONDS = 60
_FILES = ("100644", "100755")


def checkout(folder: Path, revision: str, target: Path) -> str:
    """Writes the files that lie in a folder at a revision below `target`; links and submodules are left out.

    The folder need not exist any more; the repository is that of its nearest parent that does. Nothing is written when it holds
    no set at that revision. Returns the commit, 40 hex digits.

    Raises:
        ConfigError: without git, outside a repository, for an unknown revision, or when it holds no such set.
    """
    if not _REVISION.fullmatch(revision) or ".." in revision:
        raise ConfigError(f"{revision!r} is no revision of one commit; give a branch, a tag, a commit or HEAD~1")
    folder = folder.resolve()
    try:
        place = next(parent for parent in (folder, *folder.parents) if parent.is_dir())
    except OSError as error:
        raise ConfigError(f"{folder.name[:80]!r} can be no folder: {error.strerror}") from error
    top = Path(_git(place, "rev-parse", "--show-toplevel").decode().rstrip("\n"))
    inside = folder.relative_to(top.resolve())
    commit = _git(top, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}").decode().strip()
    files = _files(top, commit, inside)
    if QUESTIONS not in files:
        raise ConfigError(
            f"revision {revision!r} ({commit[:12]}) has no golden set in {inside.as_posix()!r}: no {QUESTIONS} there"
        )
    for name in files:
        if not (target / name).resolve().is_relative_to(target.resolve()):
            raise ConfigError(f"revision {revision!r} holds the file name {name!r}, which leads out of its folder")
    for name, data in _contents(top, files).items():
        write_atomic(target / name, data)
    return commit


def _files(top: Path, commit: str, inside: Path) -> dict[str, str]:
    """Object id by path relative to the folder."""
    prefix = f"{inside.as_posix()}/" if inside.parts else ""
    words = ["--literal-pathspecs", "ls-tree", "-r", "-z", "--full-tree", commit, "--"]
    listed = _git(top, *words, *([prefix] if prefix else []))
    found = {}
    for entry in listed.split(b"\0"):
        about, _, path = entry.partition(b"\t")
        mode, _, rest = about.decode().partition(" ")
        if mode in _FILES:
            found[path.decode("utf-8", "surrogateescape").removeprefix(prefix)] = rest.split(" ")[1]
    return found


def _contents(top: Path, files: dict[str, str]) -> dict[str, bytes]:
    """The bytes of the files, read by one process: `<object> blob <size>`, a line end, the bytes, a line end."""
    answer = _git(top, "cat-file", "--batch", given="".join(f"{name}\n" for name in files.values()).encode())
    found, start = {}, 0
    for path in files:
        end = answer.index(b"\n", start)
        size = int(answer[start:end].split(b" ")[2])
        found[path] = answer[end + 1 : end + 1 + size]
        start = end + 2 + size
    return found


def _git(place: Path, *words: str, given: bytes = b"") -> bytes:
    """What git prints; every argument is ours, stands behind --, or has been checked not to be an option.

    Variables such as GIT_DIR, set inside hooks, would lead to another repository; git gets none of them.
    """
    outside = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    command = ["git", "-C", str(place), *words]
    try:
        done = subprocess.run(command, input=given, env=outside, capture_output=True, timeout=_SECONDS, check=False)
    except FileNotFoundError as error:
        raise ConfigError("NAME@REVISION needs git, which is not installed; give a folder instead") from error
    except subprocess.TimeoutExpired as error:
        raise ConfigError(f"git did not answer within {_SECONDS} s; give a folder instead of NAME@REVISION") from error
    if done.returncode:
        raise ConfigError(_refused(place, words, done.stderr.decode(errors="replace").strip()))
    return done.stdout


def _refused(place: Path, words: tuple[str, ...], said: str) -> str:
    if "--verify" in words:
        revision = words[-1].removesuffix("^{commit}")
        return f"git knows no revision {revision!r} in {str(place)!r}; `git log --oneline` lists them (a shallow clone has few)"
    if "--show-toplevel" in words:
        reason = said.splitlines()[0] if said else "no repository"
        return f"{str(place)!r} is in no git repository that can be read ({reason}); give a folder instead of NAME@REVISION"
    return f"git {words[0]} failed in {str(place)!r}: {said or 'without a word'}"
