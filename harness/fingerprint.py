"""SHA-256 of any record, stage or config, through its fields: the key of every cache and every comparison."""

import json
from collections.abc import Mapping, Sequence, Set
from dataclasses import fields, is_dataclass
from enum import Enum
from hashlib import sha256
from numbers import Integral, Real
from typing import Any


def plain(value: Any) -> Any:
    """The value as JSON types; dataclasses become {"type": ..., fields...}, sets are sorted.

    Raises:
        TypeError: for a value that has no stable form.
    """
    if value is None or isinstance(value, str | int | float | bool):
        return value.value if isinstance(value, Enum) else value
    if is_dataclass(value) and not isinstance(value, type):
        named = {field.name: plain(getattr(value, field.name)) for field in fields(value) if not field.name.startswith("_")}
        return {"type": f"{type(value).__module__}.{type(value).__qualname__}", **named}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, Set):
        return sorted(plain(item) for item in value)
    if isinstance(value, Sequence) and not isinstance(value, bytes):
        return [plain(item) for item in value]
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real):
        return float(value)
    raise TypeError(f"cannot fingerprint {type(value).__name__}: {value!r}")


def canonical(value: Any) -> str:
    """The value as JSON text: sorted keys, no blanks, no NaN; equal values give equal bytes."""
    return json.dumps(plain(value), sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def fingerprint(*values: Any) -> str:
    """64 hex digits of the values' canonical form."""
    return sha256(canonical(values).encode("utf-8", "surrogatepass")).hexdigest()


def digest(data: bytes) -> str:
    """64 hex digits of bytes."""
    return sha256(data).hexdigest()
