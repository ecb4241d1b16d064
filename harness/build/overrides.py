"""The words after `run`, read and checked before anything is composed."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import islice, product
from math import prod
from typing import Any

from harness.build.sources import choosing, experiments, groups, suggestion
from harness.errors import ConfigError, Problem
from harness.reporting.configs import safe_overrides

MOST_CELLS = 500
"""Variants of one sweep at most."""


@dataclass(frozen=True, slots=True)
class Override:
    """One `key=value` of the command line."""

    text: str
    """As it was typed, one value only."""
    key: str
    """The dotted key or the group; `group@place` chooses an option for a stage inside another."""
    value: Any = field(hash=False)
    """The value."""
    added: bool = False
    """It began with +."""


def parse(words: list[str], sweep: bool = False) -> list[list[Override]]:
    """Cells of a sweep, each a list of overrides; one cell without `sweep`.

    Raises:
        ConfigError: for every word that is no override, and for `a=x,y` outside a sweep.
    """
    from hydra.core.override_parser.overrides_parser import OverridesParser
    from hydra.errors import HydraException

    parser, problems, choices = OverridesParser.create(), [], []
    for word in words:
        try:
            (parsed,) = parser.parse_overrides([word])
        except (HydraException, ValueError) as error:
            problems.append(_unreadable(word, str(error)))
            continue
        if parsed.is_delete():
            fix = "choose the option none of a slot, or give the value that you want"
            problems.append(Problem("F003", f"override {word!r}", "settings cannot be removed", fix=fix))
            continue
        if parsed.is_sweep_override() and not sweep:
            problems.append(
                Problem("F006", f"override {word!r}", "several values", "One run has one.", "add -m to sweep over them")
            )
            continue
        added = parsed.is_add() or parsed.is_force_add()
        key = f"{parsed.key_or_group}@{parsed.package}" if parsed.package else parsed.key_or_group
        texts = (
            [f"{parsed.get_key_element()}={value}" for value in islice(parsed.sweep_string_iterator(), MOST_CELLS + 1)]
            if parsed.is_sweep_override()
            else [word]
        )
        choices.append([Override(text, key, parser.parse_override(text).value(), added) for text in texts])
    problems += _repeated(choices) + _unbounded(choices)
    if problems:
        raise ConfigError("The command line cannot be read.", problems)
    return [list(cell) for cell in product(*choices)]


def _repeated(choices: list[list[Override]]) -> list[Problem]:
    keys = [choice[0].key for choice in choices if choice]
    twice = sorted({key for key in keys if keys.count(key) > 1})
    return [Problem("F003", f"override {key!r}", "is given twice", "Only one could count.", "leave one") for key in twice]


def _unbounded(choices: list[list[Override]]) -> list[Problem]:
    cells = prod(len(choice) for choice in choices)
    if 0 < cells <= MOST_CELLS:
        return []
    return [
        Problem(
            "F003",
            "sweep",
            f"has {f'at least {cells:,}' if cells else 'no'} variants; 1 to {MOST_CELLS} can be run at once",
            fix="change the values",
        )
    ]


def _unreadable(word: str, message: str) -> Problem:
    if "=" not in word:
        fix = f"write key=value, or +experiment={word} for an experiment" if not word.startswith("-") else "see --help"
        return Problem("F003", f"override {word!r}", "not of the form key=value", fix=fix)
    key, _, value = word.partition("=")
    return Problem("F003", f"override {word!r}", message.splitlines()[0], fix=f"quote the value: '{key}=\"{value}\"'")


def check(overrides: list[Override], keys: set[str], slots: frozenset[str]) -> dict[Override, Problem]:
    """The fault of every override that names nothing.

    Args:
        overrides: part of one cell; none is an entry of a free mapping.
        keys: dotted keys of the config.
        slots: groups that are slots of the config.
    """
    return {override: problem for override in overrides if (problem := _fault(override, keys, slots))}


def entries(overrides: list[Override], config: Mapping[str, Any]) -> dict[Override, Override]:
    """Entries of mappings whose keys are free, such as `fuser.weights.bm25=2`, each as Hydra takes it, with or without a +."""
    found = (item for item in overrides if _is_free(_node(config, item.key.rpartition(".")[0]), item.key))
    return {item: replace(item, text=f"++{item.text.lstrip('+')}", added=True) for item in found}


def _is_free(parent: Any, key: str) -> bool:
    """Whether a mapping takes keys of any name: it lies inside a group of settings and is no stage."""
    return key.count(".") > 1 and "@" not in key and isinstance(parent, Mapping) and "_target_" not in parent


def _node(config: Mapping[str, Any], key: str) -> Any:
    node: Any = config
    for part in key.split("."):
        node = node.get(part) if isinstance(node, Mapping) else None
    return node


def values_for_stages(overrides: list[Override], config: Mapping[str, Any]) -> dict[Override, Problem]:
    """The fault of every override that gives a plain value to a stage inside another, as in `chunker.markdown=table`.

    Another part of the config, as in `chunker.embedder=${embedder}`, is no plain value.
    """
    plain = (item for item in overrides if not isinstance(item.value, dict) and not str(item.value).startswith("${"))
    return {item: _plain_value(item) for item in plain if _is_stage(config, item.key)}


def _is_stage(config: Mapping[str, Any], key: str) -> bool:
    node = _node(config, key)
    return isinstance(node, Mapping) and "_target_" in node


def _plain_value(override: Override) -> Problem:
    first, *_, last = override.key.split(".")
    group = next((name for name in (last, first) if str(override.value) in groups().get(name, ())), "")
    fix = f"write {group}@{override.key}={override.value}" if group else f"set its fields: {override.key}.FIELD=VALUE"
    return Problem("F004", f"override {shown(override)!r}", f"{override.key} is a stage, not a value", fix=fix)


def _fault(override: Override, keys: set[str], slots: frozenset[str]) -> Problem | None:
    where = f"override {shown(override)!r}"
    known = groups()
    if override.key == "experiment":
        return _experiment_fault(override, where)
    group, _, place = override.key.partition("@")
    if group in slots and group in known and (not place or place in keys):
        options = known[group]
        if override.value in options:
            return None
        return Problem("F004", where, f"{group} has no option {override.value!r}", fix=suggestion(str(override.value), options))
    if override.key in keys or _parent_exists(override, keys):
        return None
    slot = override.key.partition(".")[0]
    if slot in slots and (fix := choosing(override.key)):
        why = f"The chosen option of {slot} does not have it."
        return Problem("F002", where, f"no setting is called {override.key!r}", why, fix)
    nested = {f"{slot}@{key}" for slot in slots for key in keys} if place else set()
    settable = {key for key in keys if not key.endswith("._target_")}
    near = _nearest(override.key, sorted(nested or {*settable, *slots, "experiment"}))
    if near.startswith("did you mean 'experiment'"):
        near = f"did you mean 'experiment'? write +experiment={override.value}"
    elif override.added and near.startswith("did you mean"):
        near = f"{near} (drop the +)"
    return Problem("F002", where, f"no setting is called {override.key!r}", "It would change nothing.", near)


def shown(override: Override) -> str:
    """The override as it may be shown: cut when it is long, without a secret."""
    (safe,) = safe_overrides([override.text])
    return safe if len(safe) <= 200 else f"{safe[:200]}..."


def _experiment_fault(override: Override, where: str) -> Problem | None:
    names = list(experiments())
    if not override.added:
        return Problem("F002", where, "experiment is added to the config", fix=f"write +experiment={override.value}")
    if isinstance(override.value, str) and override.value in names:
        return None
    return Problem("F004", where, f"no experiment is called {override.value!r}", fix=suggestion(str(override.value), names))


def _parent_exists(override: Override, keys: set[str]) -> bool:
    parent = override.key.rpartition(".")[0]
    return override.added and any(key.startswith(f"{parent}.") for key in keys) and bool(parent)


def _nearest(key: str, candidates: list[str]) -> str:
    near = suggestion(key, candidates)
    return near if near.startswith("did you mean") else "python -m harness run --cfg prints every setting"
