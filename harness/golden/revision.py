"""The folder of a golden set as git has it at a revision."""

from pathlib import Path

from harness.errors import ConfigError
from harness.golden.golden_set import QUESTIONS
from harness.repository import revision, write_files


def checkout(folder: Path, name: str, target: Path) -> str:
    """Writes the files that lie in a folder at a revision below `target`; links and submodules are left out.

    The folder need not exist any more; the repository is that of its nearest parent that does. Nothing is written when it holds
    no set at that revision. Returns the commit, 40 hex digits.

    Raises:
        ConfigError: without git, outside a repository, for an unknown revision, or when it holds no such set.
    """
    folder = folder.resolve()
    try:
        place = next(parent for parent in (folder, *folder.parents) if parent.is_dir())
    except OSError as error:
        raise ConfigError(f"{folder.name[:80]!r} can be no folder: {error.strerror}") from error
    found = revision(name, place)
    inside = found.inside(folder)
    prefix = "" if inside == "." else f"{inside}/"
    there = found.files([inside])
    files = {path.removeprefix(prefix): data for path, data in there.items() if path.startswith(prefix)}
    if QUESTIONS not in files:
        raise ConfigError(f"revision {name!r} ({found.commit[:12]}) has no golden set in {inside!r}: no {QUESTIONS} there")
    write_files(target, files)
    return found.commit
