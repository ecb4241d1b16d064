"""Golden sets that were edited under a version with which accepted baselines were measured."""

from collections.abc import Sequence
from pathlib import Path

from harness.corpus.files import corpus_digest
from harness.errors import GateError, Problem
from harness.fingerprint import digest
from harness.gates import baseline
from harness.golden.card import NAME, read_card
from harness.golden.find import FOLDER
from harness.golden.golden_set import CORPUS, QUESTIONS
from harness.golden.places import complete

Measured = Sequence[tuple[Path, int]]
"""Files of accepted baselines with the version of the golden set that they name."""


def measured_on_other(folder: Path) -> tuple[Measured, list[str]]:
    """Accepted baselines of a set that were measured on other questions or documents; and a note per file that cannot be read."""
    try:
        return _measured_on_other(folder)
    except OSError as error:
        return (), [f"accepted baselines were not looked at: {error.filename}: {error.strerror}"]


def _measured_on_other(folder: Path) -> tuple[Measured, list[str]]:
    if not ((folder / QUESTIONS).is_file() and (folder / CORPUS).is_dir()):
        return (), []
    name = read_card(folder, {})[0].name or folder.resolve().name
    now = {"golden_set": digest((folder / QUESTIONS).read_bytes()), "corpus": corpus_digest(folder / CORPUS)}
    found, notes = [], []
    for path in _baselines(folder, name):
        try:
            accepted = baseline.load(path)
        except GateError as error:
            notes.append(str(error))
            continue
        if any(accepted.fingerprints.get(part, value) not in ("", value) for part, value in now.items()):
            found.append((path, accepted.golden_version))
    return found, notes


def edited_without_bump(folder: Path, measured: Measured) -> list[Problem]:
    """G036: baselines of the card's version that were measured on other contents."""
    if not measured:
        return []
    version = read_card(folder, {})[0].version
    other = [path for path, of_version in measured if of_version == version]
    if not other:
        return []
    names = ", ".join(map(shown, other[:3])) + (", ..." if len(other) > 3 else "")
    what = f"{version} was measured on other contents: {names}."
    why = "Edited without raising the version, two sets pass for one."
    return [complete(folder, Problem("G036", f"{NAME} version", what, why, "raise version; --fix does."))]


def shown(path: Path) -> str:
    """A path as people name it: relative to the current folder when it lies there."""
    whole, here = path.absolute(), Path.cwd()
    return whole.relative_to(here).as_posix() if whole.is_relative_to(here) and whole != here else str(path)


def _baselines(folder: Path, name: str) -> list[Path]:
    """Files of reports/<name>/ beside the set's golden_sets/, and of the current folder unless it has a set of that name."""
    home, here = folder.resolve().parent, Path.cwd().resolve()
    places = {home.parent} if home.name == FOLDER else set()
    if not (here / FOLDER / name).exists():
        places.add(here)
    return [path for place in sorted(places) for path in sorted((place / "reports" / name).glob("*.json"))]
