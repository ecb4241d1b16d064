"""A resolved config as flat `slot.field` names, exactly as they are typed on the command line, without secrets."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from harness.gates.baseline import Baseline
from harness.types import RunRecord

HIDDEN = "(hidden)"
"""What stands in the place of a secret."""

_SECRET_WORD = re.compile(r"(key|token|secret|password|passwd|credentials?|authorization)$")
_SECRET_TEXT = re.compile(r"\bsk-[\w-]{6,}|(?<=://)[^/\s@]+(?=@)")


def flatten(config: Mapping[str, Any], prefix: str = "") -> dict[str, str]:
    """Every setting by its dotted name, as text.

    A stage's `_target_` becomes the slot itself (`chunker` = `Recursive`), an empty slot reads `none`, booleans are
    words, numbers stay numbers. Text under a name such as api_key, token or password is left out, unless the name
    ends in `_env` and so only says which variable holds it.
    """
    flat: dict[str, str] = {}
    for key, value in config.items():
        flat |= _entry(f"{prefix}.{key}".lstrip("."), value, prefix)
    return flat


def _entry(name: str, value: Any, parent: str) -> dict[str, str]:
    if name.rpartition(".")[2] == "_target_":
        return {parent: str(value).rpartition(".")[2]} if parent else {}
    if isinstance(value, Mapping) and value:
        return flatten(value, name)
    if isinstance(value, list | tuple) and any(isinstance(item, Mapping) for item in value):
        return flatten({str(place): item for place, item in enumerate(value)}, name)
    return {} if is_secret(name, value) else {name: shown(value)}


def shown(value: Any) -> str:
    """A setting as text: true, false, none, 512, 0.5, `a, b`; credentials inside a URL are hidden."""
    if value is None or value in ({}, [], ()):
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return ", ".join(shown(item) for item in value)
    return _SECRET_TEXT.sub(HIDDEN, str(value))


def is_secret(name: str, value: Any = "") -> bool:
    """Whether a setting's name says that its text must not be written down."""
    if value is None or isinstance(value, bool | int | float) or name.endswith("_env"):
        return False
    return any(_SECRET_WORD.search(word) for word in re.split(r"[._-]", name.lower()))


def safe_overrides(overrides: Iterable[str]) -> tuple[str, ...]:
    """What the command line changed, with secrets hidden."""
    return tuple(_safe_override(override) for override in overrides)


def changed_settings(record: RunRecord, accepted: Baseline | None) -> str:
    """A remark when the command line made the settings other than the accepted ones; empty when it did not."""
    if accepted is None or not record.overrides or record.fingerprints.get("config") == accepted.fingerprints.get("config"):
        return ""
    return f"settings differ from the accepted ones: {', '.join(safe_overrides(record.overrides))}"


def _safe_override(override: str) -> str:
    name, mark, value = override.partition("=")
    return f"{name}={HIDDEN}" if mark and is_secret(name, value) else f"{name}{mark}{shown(value)}" if mark else override
