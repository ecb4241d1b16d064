"""Which code a config may name: the stage families of this package, and packages the user named.

A config or a data file from a pull request must not be able to name `builtins.open`. Every `_target_` is held
against this list before anything is instantiated.
"""

import os
from collections.abc import Iterator
from dataclasses import is_dataclass
from importlib import import_module
from typing import Any

from harness.errors import Problem

FAMILIES = (
    "answerability",
    "chunking",
    "context",
    "corpus",
    "doc2query",
    "embedding",
    "fusion",
    "gates",
    "generation",
    "judging",
    "llm",
    "querying",
    "reranking",
    "retrieval",
    "tracking",
)


def check_targets(config: dict[str, Any]) -> list[Problem]:
    """Every `_target_` that is no stage class of the list, and every other key by which Hydra could be led around it."""
    problems = []
    for path, key, value in _special(config):
        if key != "_target_":
            what = "is not allowed"
            problems.append(Problem("F005", f"{path}.{key}", what, "Stages are made from named fields.", f"remove {key}"))
        elif fault := _fault(value):
            fix = "name a class of a stage family of harness, or list its package in HARNESS_PLUGINS"
            problems.append(Problem("F005", path, f"{value!r} {fault}", "A config must not run arbitrary code.", fix))
    return problems


def _fault(target: Any) -> str:
    """What speaks against a target; it must be a class that its module defines (ours: a dataclass), nothing it imports."""
    module_name, _, name = str(target).rpartition(".")
    if not _allowed(module_name):
        return "is not allowed"
    try:
        found = vars(import_module(module_name)).get(name)
    except ImportError as error:
        return f"cannot be imported: {error}"
    own = isinstance(found, type) and found.__module__ == module_name
    own = own and (is_dataclass(found) or not module_name.startswith("harness."))
    return "" if own else "is not a stage class of that module"


def _allowed(module_name: str) -> bool:
    plugins = {name for name in os.environ.get("HARNESS_PLUGINS", "").split(",") if name}
    parts = module_name.split(".")
    return (parts[0] == "harness" and len(parts) > 1 and parts[1] in FAMILIES) or parts[0] in plugins


def _special(node: Any, path: str = "") -> Iterator[tuple[str, str, Any]]:
    if isinstance(node, dict):
        for key, value in node.items():
            if isinstance(key, str) and key.startswith("_"):
                yield path, key, value
            yield from _special(value, f"{path}.{key}" if path else str(key))
    elif isinstance(node, list):
        for place, value in enumerate(node):
            yield from _special(value, f"{path}[{place}]")
