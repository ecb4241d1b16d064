"""Where a fault stands and what mends it, in full: path inside the set, line of the card's field, a remedy for each."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import yaml

from harness.corpus.metadata import read_mapping
from harness.errors import Problem
from harness.golden.card import NAME
from harness.golden.golden_set import CORPUS

_FIXES = {
    "C001": f"put the documents into {CORPUS}/.",
    "C009": "mend the value where the document describes itself, or in metadata.yaml.",
    "G001": "add a question, or take one back out of retirement.",
    "G030": "mend the card: UTF-8, one `name: value` a line.",
}


def complete(folder: Path, problem: Problem, of_corpus: Sequence[Problem] = ()) -> Problem:
    """The problem with its place relative to the set's folder and with a remedy, whoever found it."""
    name, _, field = problem.where.partition(" ")
    fix = problem.fix or _FIXES.get(problem.code, "mend or drop it.")
    if problem in of_corpus:
        return replace(problem, where=_in_corpus(folder, problem.where), fix=fix)
    if name == NAME and field:
        found = _card_lines(folder)
        number = next((found[part] for part in _outwards(field) if part in found), None)
        return replace(problem, where=f"{NAME}:{number} {field}" if number else problem.where, fix=fix)
    return replace(problem, fix=fix)


def repeated_keys(folder: Path) -> Iterator[Problem]:
    """G008: names that stand twice on the card; YAML would silently keep the last."""
    seen: set[str] = set()
    for name, number in _keys(folder):
        if name in seen:
            what = f"{name!r} appears twice on the card."
            yield Problem("G008", f"{NAME}:{number} {name}", what, "YAML would silently keep the last.", "keep one.")
        seen.add(name)


def _in_corpus(folder: Path, where: str) -> str:
    if where in (CORPUS, str(folder / CORPUS)):
        return CORPUS
    name, _, field = where.rpartition(" ")
    path = folder / CORPUS / name
    if field and path.is_file() and path.suffix.lower() in (".md", ".markdown"):
        start = re.compile(rf"\s*{re.escape(field)}\s*:".encode())
        lines = path.read_bytes().splitlines()
        number = next((place for place, text in enumerate(lines, 1) if start.match(text)), None)
        return f"{CORPUS}/{name}:{number} {field}" if number else f"{CORPUS}/{where}"
    return f"{CORPUS}/{where}"


def _outwards(field: str) -> Iterator[str]:
    """a.b[0], a.b, a."""
    while field:
        yield field
        field = re.sub(r"(?:\.[^.\[\]]*|\[\d*\]|^[^.\[\]]*)$", "", field)


def _card_lines(folder: Path) -> dict[str, int]:
    return dict(_keys(folder))


def _keys(folder: Path) -> Iterator[tuple[str, int]]:
    """The dotted names on a card and their lines, in order; none when it cannot be read."""
    path = folder / NAME
    if not path.is_file():
        return
    try:
        text = path.read_text(encoding="utf-8")
        read_mapping(text)
    except ValueError:
        return
    yield from _names(yaml.compose(text, Loader=yaml.SafeLoader), "")


def _names(node: yaml.Node | None, prefix: str) -> Iterator[tuple[str, int]]:
    for key, value in node.value if isinstance(node, yaml.MappingNode) else ():
        name = f"{prefix}{key.value}"
        yield name, key.start_mark.line + 1
        yield from _names(value, f"{name}.")
