"""Comma- and tab-separated tables: kept as raw text, so that a quoted row is found as it was written."""

from typing import Any


def clean(raw: str) -> tuple[str, dict[str, Any]]:
    """The raw table; its title comes from metadata.yaml or the file name."""
    return raw, {}
