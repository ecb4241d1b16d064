"""Which code a config may name: the stage families of this package, and packages the user named.

A config or a data file from a pull request must not be able to name `builtins.open`. Every `_target_` is held
against this list before anything is instantiated.
"""

import os
from collections.abc import Iterator
from typing import Any

from harness.errors import Problem

FAMILIES = (
    "answerability",
    "chunking",
    "context",
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
    """Every `_target_` that lies outside the list, and every key by which Hydra could be led around it."""
    plugins = [name for name in os.environ.get("HARNESS_PLUGINS", "").split(",") if name]
    allowed = tuple(f"harness.{family}." for family in FAMILIES) + tuple(f"{name}." for name in plugins)
    problems = []
    for path, key, value in _special(config):
        if key == "_target_" and isinstance(value, str) and value.startswith(allowed):
            continue
        if key == "_target_":
            fix = "name a class of a stage family of harness, or list its package in HARNESS_PLUGINS"
            problems.append(Problem("F005", path, f"{value!r} is not allowed", "A config must not run arbitrary code.", fix))
        elif key in ("_args_", "_partial_", "_recursive_"):
            problems.append(
                Problem("F005", f"{path}.{key}", "is not allowed", "Stages are made from named fields.", f"remove {key}")
            )
    return problems


def _special(node: Any, path: str = "") -> Iterator[tuple[str, str, Any]]:
    if isinstance(node, dict):
        for key, value in node.items():
            if isinstance(key, str) and key.startswith("_"):
                yield path, key, value
            yield from _special(value, f"{path}.{key}" if path else str(key))
    elif isinstance(node, list):
        for place, value in enumerate(node):
            yield from _special(value, f"{path}[{place}]")
