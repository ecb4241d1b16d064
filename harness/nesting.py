"""Stages inside stages: a judge's model, a chunker's embedder, the chunkers of a router."""

from dataclasses import fields, is_dataclass
from typing import Any


def parts_of(stage: Any) -> dict[str, Any]:
    """The stages that a stage holds in its fields, by field."""
    if not is_dataclass(stage) or isinstance(stage, type):
        return {}
    values = {item.name: getattr(stage, item.name) for item in fields(stage)}
    return {name: value for name, value in values.items() if is_dataclass(value) and not isinstance(value, type)}


def kinds_of(stage: Any) -> list[type]:
    """The class of a stage and of every stage inside it, depth first."""
    return [type(stage), *(kind for part in parts_of(stage).values() for kind in kinds_of(part))]
