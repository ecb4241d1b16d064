"""The user's own synonyms: a YAML or CSV file of words that mean the same."""

import csv
from collections.abc import Iterator
from io import StringIO
from itertools import permutations
from pathlib import Path
from typing import Any

from harness.errors import ConfigError, Problem
from harness.text import normalise, words

_FORM = "a YAML mapping (aerial: [antenna]), a YAML list of lists ([[aerial, antenna]]), or a CSV file with one group a row"


def synonyms(path: str) -> list[tuple[str, str]]:
    """Each word of a group with each other one, in the order of the file; nothing without a file.

    Raises:
        ConfigError: when the file cannot be read, has another form, or a group has no second word.
    """
    if not path:
        return []
    groups = [tuple(dict.fromkeys(" ".join(word.split()) for word in group)) for group in _groups(path)]
    for group in groups:
        if len(group) < 2 or not all(map(words, group)):
            raise _wrong(f"{path!r}: the group {list(group)!r} needs two different words or more")
    return [pair for group in groups for pair in permutations(group, 2)]


def _groups(path: str) -> list[list[str]]:
    try:
        text = normalise(Path(path).read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise _wrong(f"the file of synonyms {path!r} cannot be read: {error}", f"write {_FORM}") from error
    if path.lower().endswith(".csv"):
        return [[cell for cell in row if cell.strip()] for row in csv.reader(StringIO(text)) if any(map(str.strip, row))]
    if path.lower().endswith((".yaml", ".yml")):
        return list(_of_yaml(path, text))
    raise _wrong(f"the file of synonyms {path!r} is neither .yaml nor .csv", f"write {_FORM}")


def _of_yaml(path: str, text: str) -> Iterator[list[str]]:
    import yaml

    try:
        read: Any = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise _wrong(f"{path!r} is no YAML: {error}", f"write {_FORM}") from error
    rows = [[key, *_listed(value)] for key, value in read.items()] if isinstance(read, dict) else read
    if not isinstance(rows, list) or not all(
        isinstance(row, list) and all(isinstance(word, str) for word in row) for row in rows
    ):
        raise _wrong(f"{path!r} holds something else than words (quote yes, no and numbers)", f"write {_FORM}")
    yield from rows


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _wrong(what: str, fix: str = "") -> ConfigError:
    return ConfigError("The file of synonyms does not hold.", [Problem("F001", "rewrite.file", what, fix=fix)])
