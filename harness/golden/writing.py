"""Writing golden sets: questions in one order of fields, and a card that says what is on disk."""

import json
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import Any

import yaml

from harness.corpus.files import corpus_digest
from harness.corpus.loader import load_corpus
from harness.corpus.metadata import read_mapping
from harness.errors import GoldenSetError, StoreError
from harness.fingerprint import digest
from harness.golden.card import NAME, counts, read_card
from harness.golden.golden_set import CORPUS, QUESTIONS
from harness.golden.questions import read_question
from harness.golden.schema import SHAPES
from harness.jsonl import Row, read_rows
from harness.store import write_atomic
from harness.types import Question

SCHEMAS = {"question.schema.json": "schema.json", "card.schema.json": "card.schema.json"}
"""Schema files of this package, and what a set calls its copies."""
_Path = tuple[str, ...]
_MODELINE = "# yaml-language-server: $schema=card.schema.json\n"
_STYLES = tuple(product(((", ", ": "), (",", ":")), (False, True)))
"""Separators and whether other letters than ASCII are escaped."""
_ORDER = {name.removesuffix("?"): place for place, name in enumerate(SHAPES)}


def question_line(fields: Mapping[str, Any]) -> str:
    """One line of questions.jsonl, without its line end; fields in the order of the schema."""
    return json_line(in_order(fields))


def in_order(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a question in the order of the schema, unknown ones last."""
    return dict(sorted(fields.items(), key=lambda item: (_ORDER.get(item[0], len(_ORDER)), item[0])))


def json_line(value: Any) -> str:
    """A value as one line of JSON; lone surrogates, which no file can hold, are escaped: the reader names their place."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value, allow_nan=False)
    return text


def write_questions(folder: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Replaces questions.jsonl; the card is not touched (see `renew_card`)."""
    write_atomic(folder / QUESTIONS, "".join(f"{question_line(row)}\n" for row in rows))


def rewrite_lines(folder: Path, changed: Mapping[str, Mapping[str, Any]]) -> None:
    """Sets fields of some questions, given by id, in questions.jsonl; the card is not touched (see `renew_card`).

    Lines of other questions keep their bytes, changed ones the order of their fields, their separators, their escapes and
    their end; new fields come last.

    Raises:
        GoldenSetError: for an id that no line has.
    """
    rows = {row.fields["id"]: row for row in read_rows(folder / QUESTIONS)[0] if isinstance(row.fields.get("id"), str)}
    if unknown := [name for name in changed if name not in rows]:
        raise GoldenSetError(f"{str(folder / QUESTIONS)!r} has no question {unknown[0]!r}")
    path = folder / QUESTIONS
    lines = {line_number(rows[name]): {**rows[name].fields, **fields} for name, fields in changed.items()}
    write_atomic(path, with_lines(path.read_bytes(), lines))


def must_be_writable(*paths: Path) -> None:
    """Asks before the first of several files is replaced; those that are missing can be made.

    Raises:
        StoreError: naming the first that nobody may write.
    """
    for path in paths:
        if path.exists() and not path.stat().st_mode & 0o222:
            raise StoreError(f"{str(path)!r} is read-only; nothing is written")


def line_number(row: Row) -> int:
    """The line of a row, from 1."""
    return int(row.where.rpartition(":")[2])


def with_lines(data: bytes, changed: Mapping[int, Mapping[str, Any]]) -> bytes:
    """JSON lines with other objects on some of them, by number from 1, each written in the style of its line."""
    lines = data.split(b"\n")
    for number, fields in changed.items():
        written = lines[number - 1].removeprefix(BOM_UTF8).strip()
        before, _, after = lines[number - 1].partition(written)
        lines[number - 1] = before + _in_style_of(written.decode(), fields).encode() + after
    return b"\n".join(lines)


def _in_style_of(line: str, fields: Mapping[str, Any]) -> str:
    """The fields as JSON with the separators and escapes of a line; the usual ones where it has several kinds."""
    was = json.loads(line)
    fallback = _STYLES[1] if "\\u" in line else _STYLES[0]
    separators, escaped = next((style for style in _STYLES if _styled(was, *style) == line), fallback)
    return _styled(fields, separators, escaped)


def _styled(fields: Mapping[str, Any], separators: tuple[str, str], escaped: bool) -> str:
    return json.dumps(fields, ensure_ascii=escaped, separators=separators, allow_nan=False)


def write_card(folder: Path, fields: Mapping[str, Any]) -> None:
    """Writes golden_set.yaml with `fields`, and with the digests and counts of the questions and corpus on disk.

    Raises:
        CorpusError: when the corpus cannot be read.
    """
    card = {"name": folder.resolve().name, "version": 1, **fields, **_found(folder)}
    head = _MODELINE if (folder / SCHEMAS["card.schema.json"]).is_file() else ""
    write_atomic(folder / NAME, head + yaml.safe_dump(card, sort_keys=False, allow_unicode=True, width=120))


def write_schemas(folder: Path) -> None:
    """Puts the JSON schemas of questions and card beside them, where editors find them."""
    for name, copy in SCHEMAS.items():
        write_atomic(folder / copy, (Path(__file__).parent / name).read_bytes())


def renew_card(folder: Path, above: int = 0) -> list[str]:
    """Writes digests and counts that no longer hold, and raises the version if a digest was stated; all else is kept.

    The version is raised past `above` too, and also when no digest changed but it lies not above it. Comments and the order
    of the lines stay, except inside a block of counts that loses a name (a kind that is asked no more): it is written anew.
    Of the counts only those that the card states are written. A first digest, in place of none or of "", raises no version:
    under it nothing can have been measured on other contents.

    Returns:
        What was changed, as `field: old -> new`.

    Raises:
        GoldenSetError: when there is no questions.jsonl, or no card that can be read or renewed; it is as it was.
        CorpusError: when the corpus cannot be read.
    """
    text, said = _card(folder / NAME)
    changes = _changes(said, _found(folder), above)
    if not changes:
        return []
    renewed = _renewed(text, said, {**said, **changes})
    if renewed is None:
        raise GoldenSetError(f"{str(folder / NAME)!r} has a form that cannot be renewed; write one `name: value` a line")
    write_atomic(folder / NAME, renewed)
    return [f"{name}: {_short(said.get(name))} -> {_short(value)}" for name, value in sorted(changes.items())]


def _card(path: Path) -> tuple[str, dict[str, Any]]:
    try:
        text = path.read_bytes().decode("utf-8-sig")
        return text, read_mapping(text)
    except (OSError, ValueError) as error:
        raise GoldenSetError(f"cannot read the card {str(path)!r}: {error}") from error


def _changes(said: Mapping[str, Any], found: Mapping[str, Any], above: int) -> dict[str, Any]:
    """Fields to write anew."""
    stated = said.get("counts")
    counted = {name: found["counts"].get(name) for name in stated} if isinstance(stated, dict) else stated
    changes = {name: value for name, value in {**found, "counts": counted}.items() if said.get(name) != value}
    version = said["version"] if isinstance(said.get("version"), int) else 0
    if version <= above or any(name.endswith("sha256") and said.get(name) for name in changes):
        changes["version"] = max(version, above) + 1
    return changes


def _renewed(text: str, said: Mapping[str, Any], wanted: Mapping[str, Any]) -> str | None:
    """The card's text saying what is wanted; None when its form does not take that."""
    try:
        for path, value in _leaves(said, wanted, ()):
            text = _replaced(text, path, value)
        return text if read_mapping(text) == wanted else None
    except (ValueError, yaml.YAMLError):
        return None


def _leaves(said: Mapping[str, Any], wanted: Mapping[str, Any], path: _Path) -> Iterator[tuple[_Path, Any]]:
    """What differs, as deep as no name is lost."""
    for name, value in wanted.items():
        old = said.get(name)
        if isinstance(old, dict) and isinstance(value, dict) and old.keys() <= value.keys():
            yield from _leaves(old, value, (*path, name))
        elif name not in said or old != value:
            yield (*path, name), value


def _found(folder: Path) -> dict[str, Any]:
    """What the card has to say of the files."""
    path = folder / QUESTIONS
    if not path.is_file():
        raise GoldenSetError(f"{str(path)!r} is missing; a card without questions says nothing")
    documents = {document.doc_id: document for document in load_corpus(folder / CORPUS)}
    rows, _ = read_rows(path)
    as_of = read_card(folder, {})[0].as_of if (folder / NAME).is_file() else ""
    read = [read_question(row, documents, as_of)[0] for row in rows]
    questions: list[Question] = [question for question in read if question is not None]
    return {
        "counts": counts(questions, tuple(documents.values())),
        "questions_sha256": digest(path.read_bytes()),
        "corpus_sha256": corpus_digest(folder / CORPUS),
    }


def _replaced(text: str, path: _Path, value: Any) -> str:
    """The card's text with one field written anew where it stands; a new one comes last, inside braces first."""
    end = "\r\n" if "\r\n" in text else "\n"
    node: yaml.Node | None = yaml.compose(text, yaml.SafeLoader)
    for name in path[:-1]:
        node = next((inner for key, inner in _members(node) if key.value == str(name)), None)
    for key, old in _members(node):
        if key.value == str(path[-1]):
            dumped = _dumped(path[-1], value, _in_braces(node) or _in_braces(old))
            return text[: key.start_mark.index] + dumped.replace("\n", end + " " * key.start_mark.column) + text[_end(old) :]
    if node is not None and _in_braces(node):
        opened = node.start_mark.index + 1
        return f"{text[:opened]}{_dumped(path[-1], value, True)}{', ' if node.value else ''}{text[opened:]}"
    return _with_line(text, node, _dumped(path[-1], value, False), end)


def _in_braces(node: yaml.Node | None) -> bool:
    return isinstance(node, yaml.CollectionNode) and bool(node.flow_style)


def _dumped(name: str, value: Any, braces: bool) -> str:
    text = yaml.safe_dump({name: value}, sort_keys=False, default_flow_style=braces, width=100_000).rstrip("\n")
    return text[1:-1] if braces else text


def _with_line(text: str, node: yaml.Node | None, line: str, end: str) -> str:
    """The text with a line behind the last one of a mapping."""
    last = list(_members(node))[-1:]
    at, indent = (_end(last[0][1]), " " * last[0][0].start_mark.column) if last else (len(text), "")
    if at and text[at - 1] != "\n":
        at = text.find("\n", at) + 1 or len(text)
    head = text[:at]
    return f"{head}{'' if not head or head.endswith(chr(10)) else end}{indent}{line}{end}{text[at:]}"


def _members(node: yaml.Node | None) -> Iterable[tuple[yaml.Node, yaml.Node]]:
    return node.value if isinstance(node, yaml.MappingNode) else ()


def _end(node: yaml.Node) -> int:
    """Where the text of a node ends; that of an indented block ends with the last thing in it."""
    if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        return _end(last[1] if isinstance(last, tuple) else last)
    return int(node.end_mark.index)


def _short(value: Any) -> str:
    return value[:12] if isinstance(value, str) else "..." if isinstance(value, dict) else str(value)
