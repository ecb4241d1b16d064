"""JSON: kept as raw text, so that a quoted value is found as it was written, once it is known to be JSON."""

from harness.corpus.cleaned import Cleaned
from harness.jsonl import JsonError, parse_json

MAX_CHARACTERS = 20_000_000
"""Of a file; parsed, it takes some twenty times as much memory."""


def clean(raw: str) -> Cleaned:
    """The text itself.

    Raises:
        ValueError: for what is no JSON, is nested too deeply, is too large, or is neither an object nor an array.
    """
    if len(raw) > MAX_CHARACTERS:
        raise ValueError(f"has {len(raw):,} characters (limit for JSON {MAX_CHARACTERS:,})")
    if not raw.strip():
        return Cleaned(raw)
    try:
        value = parse_json(raw)
    except JsonError as error:
        raise ValueError(f"cannot be read as JSON: {error}") from error
    if not isinstance(value, dict | list):
        raise ValueError(f"holds one {type(value).__name__}, and an object or an array is needed")
    return Cleaned(raw)
