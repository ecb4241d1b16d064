"""Where a calibration writes its option."""

from pathlib import Path

from harness.errors import ConfigError
from harness.resources import shipped_root
from harness.text import names_a_file

_RULES = ("threshold", "margin", "classifier", "never")


def option_path(slot: str, name: str, command: str) -> Path:
    """conf/SLOT/NAME.yaml below the current folder.

    Raises:
        ConfigError: for a name that is no file name, that a shipped option has, or whose file was written by hand.
    """
    if not names_a_file(name):
        raise ConfigError(f"--name {name!r} is no file name: use letters, digits, . _ -")
    path, shipped = Path.cwd() / "conf" / slot / f"{name}.yaml", shipped_root() / "conf" / slot / f"{name}.yaml"
    if name in _RULES or (shipped.exists() and shipped.resolve() != path.resolve()):
        raise ConfigError(
            f"--name {name!r}: an option of that name is shipped, and the new one would stand in its place; choose another"
        )
    if path.exists() and f"Written by `harness calibrate {command}" not in path.read_text("utf-8"):
        raise ConfigError(f"{str(path)!r} was written by hand and is kept; choose another --name")
    return path
