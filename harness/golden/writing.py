"""Writing golden sets: questions in one order of fields, and a card that says what is on disk."""

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import yaml

from harness.corpus.files import corpus_digest
from harness.corpus.loader import load_corpus
from harness.corpus.metadata import read_mapping
from harness.errors import GoldenSetError
from harness.fingerprint import digest
from harness.golden.card import NAME, counts, read_card
from harness.golden.golden_set import CORPUS, QUESTIONS
from harness.golden.questions import read_question
from harness.golden.schema import SHAPES
from harness.jsonl import read_rows
from harness.store import write_atomic
from harness.types import Question

_SURROGATE = re.compile("[\ud800-\udfff]")
SCHEMAS = {"question.schema.json": "schema.json", "card.schema.json": "card.schema.json"}
"""Schema files of this package, and what a set calls its copies."""
_MODELINE = "# yaml-language-server: $schema=card.schema.json\n"
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
    return json.dumps(value, allow_nan=False) if _SURROGATE.search(text) else text


def write_questions(folder: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Replaces questions.jsonl; the card is not touched (see `renew_card`)."""
    write_atomic(folder / QUESTIONS, "".join(f"{question_line(row)}\n" for row in rows))


def write_card(folder: Path, fields: Mapping[str, Any]) -> None:
    """Writes golden_set.yaml with `fields`, and with the digests and counts of the questions and corpus on disk.

    Raises:
        CorpusError: when the corpus cannot be read.
    """
    card = {"name": folder.resolve().name, "version": 1, **fields, **_found(folder)}
    write_atomic(folder / NAME, _MODELINE + yaml.safe_dump(card, sort_keys=False, allow_unicode=True, width=120))


def write_schemas(folder: Path) -> None:
    """Puts the JSON schemas of questions and card beside them, where editors find them."""
    for name, copy in SCHEMAS.items():
        write_atomic(folder / copy, (Path(__file__).parent / name).read_bytes())


def renew_card(folder: Path) -> list[str]:
    """Writes digests and counts that no longer hold, and raises the version if a digest changed; all else is kept.

    Comments and the order of the lines stay; of the counts only those that the card states are written.

    Returns:
        What was changed, as `field: old -> new`.

    Raises:
        GoldenSetError: when there is no card that can be read, or no questions.jsonl.
        CorpusError: when the corpus cannot be read.
    """
    text, said = _card(folder / NAME)
    changes = _changes(said, _found(folder))
    if not changes:
        return []
    for name, value in changes.items():
        text = _replaced(text, name, value)
    if read_mapping(text) != {**said, **changes}:
        raise GoldenSetError(f"{str(folder / NAME)!r} has a form that cannot be renewed; write one `name: value` a line")
    write_atomic(folder / NAME, text)
    return [f"{name}: {_short(said.get(name))} -> {_short(value)}" for name, value in sorted(changes.items())]


def _card(path: Path) -> tuple[str, dict[str, Any]]:
    try:
        text = path.read_bytes().decode("utf-8-sig")
        return text, read_mapping(text)
    except (OSError, ValueError) as error:
        raise GoldenSetError(f"cannot read the card {str(path)!r}: {error}") from error


def _changes(said: Mapping[str, Any], found: Mapping[str, Any]) -> dict[str, Any]:
    """Fields to write anew."""
    stated = said.get("counts")
    counted = {name: found["counts"].get(name) for name in stated} if isinstance(stated, dict) else stated
    changes = {name: value for name, value in {**found, "counts": counted}.items() if said.get(name) != value}
    if any(name.endswith("sha256") for name in changes):
        version = said.get("version")
        changes["version"] = version + 1 if isinstance(version, int) else 1
    return changes


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


def _replaced(text: str, name: str, value: Any) -> str:
    """The card's text with one field written anew, at the place where it stands or at the end."""
    end = "\r\n" if "\r\n" in text else "\n"
    root = yaml.compose(text, yaml.SafeLoader)
    flow = isinstance(root, yaml.MappingNode) and root.flow_style
    dumped = yaml.safe_dump({name: value}, sort_keys=False, default_flow_style=flow, width=100_000).rstrip("\n")
    block = dumped[1:-1] if flow else dumped.replace("\n", end)
    for key, old in root.value if isinstance(root, yaml.MappingNode) else ():
        if key.value == name:
            return text[: key.start_mark.index] + block + text[_end(old) :]
    return f"{text}{'' if not text or text.endswith(chr(10)) else end}{block}{end}"


def _end(node: yaml.Node) -> int:
    """Where the text of a node ends; that of an indented block ends with the last thing in it."""
    if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        return _end(last[1] if isinstance(last, tuple) else last)
    return int(node.end_mark.index)


def _short(value: Any) -> str:
    return value[:12] if isinstance(value, str) else "..." if isinstance(value, dict) else str(value)
