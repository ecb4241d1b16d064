"""What a file says of itself: front matter or an entry of metadata.yaml, checked and made plain."""

import json
from collections.abc import Mapping
from datetime import date
from typing import Any

import yaml

from harness.errors import Problem

TEXTS = ("title", "version", "tenant", "author", "valid_from", "valid_to", "updated_at")
DATES = ("valid_from", "valid_to", "updated_at")

_DEEPEST = 20
_OPENS = (yaml.FlowSequenceStartToken, yaml.FlowMappingStartToken, yaml.BlockSequenceStartToken, yaml.BlockMappingStartToken)
_CLOSES = (yaml.FlowSequenceEndToken, yaml.FlowMappingEndToken, yaml.BlockEndToken)


def read_mapping(text: str) -> dict[str, Any]:
    """A YAML mapping without aliases (nested aliases can grow without bound); nothing at all is an empty mapping.

    Raises:
        ValueError: for anything else, with the place in the text.
    """
    try:
        _refuse_bombs(text)
        value = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise ValueError(f"not valid YAML: {' '.join(str(error).split())}") from error
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise ValueError(f"needs lines of `name: value`, got {type(value).__name__}")
    return value


def _refuse_bombs(text: str) -> None:
    depth = 0
    for token in yaml.scan(text, Loader=yaml.SafeLoader):
        if isinstance(token, yaml.AliasToken):
            raise ValueError("YAML aliases (*name) are not allowed here; write the value out")
        depth += isinstance(token, _OPENS) - isinstance(token, _CLOSES)
        if depth > _DEEPEST:
            raise ValueError(f"YAML nested more than {_DEEPEST} deep is not allowed here")


def describe(fields: Mapping[str, Any], where: str) -> tuple[dict[str, Any], list[Problem]]:
    """Keyword arguments for a Document, and what is wrong with them; unknown names go to `metadata`."""
    texts = {name: _text(fields[name]) for name in TEXTS if fields.get(name) is not None}
    problems = [_not_text(where, name, fields[name]) for name, text in texts.items() if text is None]
    given = {name: text for name, text in texts.items() if text is not None}
    problems += [_not_a_date(where, name, given[name]) for name in DATES if name in given and not is_date(given[name])]
    groups = fields.get("acl") or []
    if not (isinstance(groups, list) and all(isinstance(group, str) for group in groups)):
        problems.append(_problem(where, "acl", f"must be a list of names, got {groups!r}.", "write acl: [support, sales]."))
        groups = []
    if not problems and given.get("valid_to") and given["valid_to"] <= given.get("valid_from", ""):
        what = f"{given['valid_to']!r} is not after valid_from {given['valid_from']!r}; the document would never hold."
        problems.append(_problem(where, "valid_to", what, "valid_to is the first day on which it no longer holds."))
    rest = {str(name): value for name, value in fields.items() if name not in (*TEXTS, "acl")}
    return {**given, "acl": tuple(groups), "metadata": json.loads(json.dumps(rest, default=str))}, problems


def is_date(text: str) -> bool:
    """Whether a text is an ISO date such as 2025-03-01."""
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _text(value: Any) -> str | None:
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool)):
        return str(value)
    return None


def _not_text(where: str, name: str, value: Any) -> Problem:
    return _problem(where, name, f"must be text, got {value!r}. YAML reads 2.10 as the number 2.1.", "put the value in quotes.")


def _not_a_date(where: str, name: str, value: str) -> Problem:
    return _problem(where, name, f"{value!r} is not a date.", "write it as YYYY-MM-DD.")


def _problem(where: str, name: str, what: str, fix: str) -> Problem:
    return Problem("C009", f"{where} {name}", what, fix=fix)
