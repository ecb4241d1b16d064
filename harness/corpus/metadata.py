"""What a file says of itself: front matter or an entry of metadata.yaml, checked and made plain."""

import json
import unicodedata
from collections.abc import Mapping
from datetime import date
from difflib import get_close_matches
from typing import Any

import yaml

from harness.errors import Problem

TEXTS = ("title", "version", "tenant", "author", "valid_from", "valid_to", "updated_at", "series", "deleted_at")
DATES = ("valid_from", "valid_to", "updated_at", "deleted_at")

_PROTECTING = {name.replace("_", ""): name for name in ("tenant", "acl", "valid_from", "valid_to", "series", "deleted_at")}
"""Fields that keep a document from somebody, by their letters: a slip in their names would make it everybody's."""
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
        value = _Loader(text).get_single_data()
    except yaml.YAMLError as error:
        raise ValueError(f"not valid YAML: {' '.join(str(error).split())}") from error
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise ValueError(f"needs lines of `name: value`, got {type(value).__name__}")
    return value


class _Loader(yaml.SafeLoader):
    """Reads plain values only; what looks like a date and is none stays text, so that its field can be named."""

    def construct_yaml_timestamp(self, node: yaml.ScalarNode) -> Any:
        """The date, or the words as they stand."""
        try:
            return super().construct_yaml_timestamp(node)
        except ValueError:
            return self.construct_scalar(node)


_Loader.add_constructor("tag:yaml.org,2002:timestamp", _Loader.construct_yaml_timestamp)


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
    if given.get("tenant") and groups and given["tenant"] not in groups:
        what = f"lacks the tenant {given['tenant']!r}; an asker goes by one name, so nobody could see the document."
        problems.append(_problem(where, "acl", what, f"write acl: [{given['tenant']}], or leave out tenant or acl."))
    rest = {str(name): value for name, value in fields.items() if name not in (*TEXTS, "acl")}
    problems += [_misspelt(where, name, near) for name in rest for near in get_close_matches(_bare(name), _PROTECTING, 1, 0.85)]
    return {**given, "acl": tuple(groups), "metadata": json.loads(json.dumps(rest, default=str))}, problems


def _bare(name: str) -> str:
    return "".join(filter(str.isalnum, name)).lower()


def _misspelt(where: str, name: str, near: str) -> Problem:
    what = f"is no field that is known, but close to {_PROTECTING[near]!r}."
    why = "Left as it is, the document might be shown to anyone, on any day."
    return Problem("C009", f"{where} {name}", what, why, f"write {_PROTECTING[near]}: ..., or give the field a name of its own.")


def is_date(text: str) -> bool:
    """Whether a text is an ISO date such as 2025-03-01."""
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def said(author: str, changed: str, title: str = "") -> dict[str, str]:
    """What a program has written into a file of itself, as far as it is usable: empty values and what is no date are left out.

    `changed` may go on after the date, as in 2025-03-01T10:00:00Z.
    """
    given = {"title": title, "author": author, "updated_at": changed[:10] if is_date(changed[:10]) else ""}
    plain = {name: " ".join("".join(filter(_is_shown, text)).split()) for name, text in given.items()}
    return {name: text for name, text in plain.items() if text}


def _is_shown(character: str) -> bool:
    """Whether it is no control character and no half of a character."""
    return character.isspace() or unicodedata.category(character) not in ("Cc", "Cs")


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
