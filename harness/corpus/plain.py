"""Plain text, source code and reStructuredText: kept as they are."""

from typing import Any


def clean(raw: str) -> tuple[str, dict[str, Any]]:
    """The text itself; such a file says nothing of itself."""
    return raw, {}
