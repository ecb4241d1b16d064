"""From a name or a path to the folder of a golden set."""

from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path

from harness.errors import ConfigError
from harness.golden.golden_set import QUESTIONS

FOLDER = "golden_sets"


def find(name_or_path: str, roots: Sequence[Path]) -> Path:
    """A folder that holds questions.jsonl, else golden_sets/<name> under the first root that has it.

    Raises:
        ConfigError: with the names known and the nearest one.
    """
    candidates = [Path(name_or_path), *(root / FOLDER / name_or_path for root in roots)]
    for folder in candidates if name_or_path else []:
        if _is_file(folder / QUESTIONS):
            return folder
    known = known_names(roots)
    near = get_close_matches(name_or_path, known, 1)
    hint = f"; did you mean {near[0]!r}?" if near else "."
    listed = ", ".join(known) or "none"
    raise ConfigError(f"golden set {name_or_path!r} not found{hint} Known: {listed}. Give a name or a folder with {QUESTIONS}")


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def known_names(roots: Sequence[Path]) -> list[str]:
    """Golden sets under the roots, sorted, each once."""
    return sorted({path.parent.name for root in roots for path in (root / FOLDER).glob(f"*/{QUESTIONS}")})
