"""A resolved config as flat `slot.field` names, exactly as they are typed on the command line, without secrets."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from harness.gates.baseline import ASIDE, Baseline
from harness.reporting.escape import one_line
from harness.types import RunRecord

HIDDEN = "(hidden)"
"""What stands in the place of a secret."""
UNSET = "(not set)"
"""What stands for a setting that only the other config has."""

_KEY = ("metric", "kind", "split")
_MOST = 6
_LONGEST = 60

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
    if not parent and (value is None or value == {}):
        return {name: "none"}
    return {} if is_secret(name, value) else {name: shown(value)}


def shown(value: Any) -> str:
    """A setting as text: true, null, {}, [], "", 512, 0.5, `a, b`; credentials inside a URL are hidden."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, Mapping | list | tuple | str) and not value:
        return '""' if isinstance(value, str) else "{}" if isinstance(value, Mapping) else "[]"
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
    """Which settings and, on a line of its own, which gate rules are not the accepted ones, wherever they were changed.

    Empty when nothing differs or the baseline does not say what it was accepted under. What changes no score is left out, and so
    are the settings of a stage whose class changed.
    """
    if accepted is None or not accepted.config:
        return ""
    before, after = _compared(accepted.config), _compared(record.config)
    names = _outermost([name for name in sorted(before | after) if before.get(name) != after.get(name)])
    changes = {name: f"{name} {_cut(before.get(name, UNSET))} -> {_cut(after.get(name, UNSET))}" for name in names}
    rules = [text for name, text in changes.items() if _slot(name) == "gate"]
    others = [text for name, text in changes.items() if _slot(name) != "gate"]
    remarks = (
        ("settings differ from the accepted ones", others),
        ("gate rules differ from those it was accepted under", rules),
    )
    return "\n".join(f"{head}: {_listed(found)}" for head, found in remarks if found)


def _outermost(names: Sequence[str]) -> list[str]:
    """Without what lies inside another of them: where a slot holds another class, its settings are others altogether."""
    changed = set(names)
    return [name for name in names if changed.isdisjoint(_around(name))]


def _around(name: str) -> Iterator[str]:
    """`chunker.size.low` lies in `chunker` and `chunker.size`."""
    parts = name.split(".")
    return (".".join(parts[:end]) for end in range(1, len(parts)))


def _compared(config: Mapping[str, Any]) -> dict[str, str]:
    """Settings that are told when they differ."""
    gate = config.get("gate")
    if isinstance(gate, Mapping) and "rules" in gate:
        config = {**config, "gate": {**gate, "rules": _by_metric(gate["rules"])}}
    return {name: text for name, text in flatten(config).items() if _slot(name) not in ASIDE}


def _by_metric(rules: Any) -> Any:
    """Gate rules by what they ask for, so that one more or less does not renumber the others."""
    if not isinstance(rules, list | tuple) or not all(isinstance(rule, Mapping) for rule in rules):
        return rules
    return {
        _asked(rule): ", ".join(f"{name} {shown(rule[name])}" for name in rule if name not in _KEY) or "asked" for rule in rules
    }


def _asked(rule: Mapping[str, Any]) -> str:
    metric, *others = (str(rule[name]) for name in _KEY if name in rule)
    return f"{metric} ({', '.join(others)})" if others else metric


def _cut(text: str) -> str:
    return one_line(text, _LONGEST)


def _slot(name: str) -> str:
    return name.partition(".")[0]


def _listed(changes: Sequence[str]) -> str:
    left_out = len(changes) - _MOST
    return ", ".join(changes[:_MOST]) + (f" and {left_out} more" if left_out > 0 else "")


def _safe_override(override: str) -> str:
    name, mark, value = override.partition("=")
    return (
        f"{name}={HIDDEN}"
        if mark and is_secret(name, value)
        else f"{name}{mark}{shown(value) if value else ''}"
        if mark
        else override
    )
