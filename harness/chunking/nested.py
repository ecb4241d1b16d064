"""Chunkers and embedders inside a chunker: what is none is refused as soon as it is put there."""

from collections.abc import Callable
from typing import Any

from pydantic import PlainValidator, ValidationInfo


def stage(kind: str, method: str) -> PlainValidator:
    """Holds a field to stages of a kind, such as chunker, which are known by a method; the name of an option is none.

    The message of the ValueError says how an option is chosen for the field.
    """
    return PlainValidator(_held(kind, method))


def _held(kind: str, method: str) -> Callable[[Any, ValidationInfo], Any]:
    def held(value: Any, info: ValidationInfo) -> Any:
        if isinstance(value, type) or not callable(getattr(value, method, None)):
            name = value if isinstance(value, str) and value else "NAME"
            field = f"/{kind}@chunker.{info.field_name}"
            raise ValueError(
                f"an option of {kind} is needed here, chosen by its name; "
                f"in the `defaults` of an experiment: `- override {field}: {name}`"
            )
        return value

    return held
