"""Which options exist: config groups and experiments, the user's own before the shipped ones."""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from harness.resources import roots


def groups() -> dict[str, tuple[str, ...]]:
    """Option names by config group, sorted."""
    found: dict[str, set[str]] = {}
    for root in roots():
        for path in (root / "conf").glob("*/*.yaml"):
            found.setdefault(path.parent.name, set()).add(path.stem)
    return {group: tuple(sorted(options)) for group, options in sorted(found.items())}


def choosing(key: str) -> str:
    """Which options of its slot have a setting, as advice; empty where none has.

    An option has what its file lists, and any entry of a mapping that it lists.
    """
    group, *keys = key.split(".")
    having = [option for option in groups().get(group, ()) if keys and _holds(_content(group, option), keys)]
    which = " or ".join(f"{group}={option}" for option in having)
    return f"choose {which}, which {'has' if len(having) == 1 else 'have'} it" if having else ""


def _content(group: str, option: str) -> Any:
    import yaml

    path = next(path for root in roots() if (path := root / "conf" / group / f"{option}.yaml").is_file())
    try:
        return yaml.safe_load(path.read_text("utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError, OSError):
        return None


def _holds(content: Any, keys: Sequence[str]) -> bool:
    for place, key in enumerate(keys):
        if not isinstance(content, Mapping):
            return False
        if key not in content:
            return 0 < place == len(keys) - 1 and "_target_" not in content
        content = content[key]
    return True


def experiments() -> dict[str, Path]:
    """Experiment files by name; a file in a sub-folder is `folder/name`."""
    found: dict[str, Path] = {}
    for root in reversed(roots()):
        folder = root / "experiments"
        found |= {path.relative_to(folder).with_suffix("").as_posix(): path for path in folder.rglob("*.yaml")}
    return dict(sorted(found.items()))


def first_comment(path: Path) -> str:
    """What a YAML file says of itself: its first comment that is no directive."""
    for line in path.read_text("utf-8", errors="replace").splitlines():
        if line.startswith("#") and "@package" not in line:
            return line.lstrip("# ").strip()
    return ""


def suggestion(word: str, known: tuple[str, ...] | list[str]) -> str:
    """`Did you mean 'x'?` with the nearest known word, and all of them when they are few."""
    near = get_close_matches(word, known, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]!r}? " if near else ""
    return f"{hint}Known: {', '.join(sorted(known))}" if len(known) <= 40 else hint.strip()
