"""Mends what can be mended without knowing what was meant: first questions.jsonl, then, when all else is sound, the card.

Lines that need nothing keep their bytes. A file that is not UTF-8 throughout is not touched: what looks like a blank or a line
end in it may be half a character.

Not mended are misspelt names of fields, ids used twice, quotes that say something else. Those need a person.
"""

import json
import re
from codecs import BOM_UTF8
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from harness.corpus.loader import load_corpus
from harness.errors import CorpusError, GoldenSetError, Problem
from harness.golden.card import NAME, read_card
from harness.golden.evidence import resolve
from harness.golden.folding import only_place
from harness.golden.golden_set import CORPUS, QUESTIONS, load
from harness.golden.places import repeated_keys
from harness.golden.schema import SHAPES, check
from harness.golden.writing import line_number, must_be_writable, renew_card, with_lines, write_card, write_schemas
from harness.jsonl import MAX_FILE, read_rows
from harness.shapes import Fault, mismatches
from harness.store import write_atomic
from harness.text import names_a_file, normalise
from harness.types import Document, Span

_BLANKS = b" \t\r"
_STALE = re.compile(rf"{NAME} (?:questions_sha256|corpus_sha256|counts(?:\..*)?)")

Change = tuple[str, Any, Any]
"""Field, old value, new value; None is nothing."""


def fix_questions(folder: Path) -> list[str]:
    """Mends questions.jsonl; tells each change as `file:line field: old -> new`. The card is then stale: see `fix_card`.

    Raises:
        StoreError: when the file or the card, which would be stale then, is read-only or cannot be written; both are as they were.
    """
    path = folder / QUESTIONS
    if not path.is_file() or path.stat().st_size > MAX_FILE:
        return []
    data = path.read_bytes()
    if not _is_text(data):
        return []
    mended, changes = _Lines(folder).mend(data)
    if mended != data:
        must_be_writable(path, folder / NAME)
        write_atomic(path, mended)
    return changes


def fix_card(folder: Path, taken: Collection[int] = ()) -> list[str]:
    """Renews digests and counts and raises the version, if nothing but the card is wrong; tells each change.

    `taken` are versions under which other contents were measured: the card's version is raised past them, in the same step.
    A card whose form does not take that (a name twice, counts that are a list) stays as it is. One that is missing is written,
    if the folder has a name that a set may have.

    Raises:
        StoreError: when the card is read-only or cannot be written; it is as it was.
        GoldenSetError: when the card is written in a form that cannot be renewed; it is as it was.
    """
    problems, path = _problems(folder), folder / NAME
    if not path.exists():
        return _first_card(folder, problems, max(taken, default=0) + 1)
    if not all(map(_is_stale, problems)) or any(repeated_keys(folder)):
        return []
    if not problems and read_card(folder, {})[0].version not in taken:
        return []
    must_be_writable(path)
    before = path.read_bytes()
    changes = renew_card(folder, above=max(taken, default=0))
    if _problems(folder):
        write_atomic(path, before)
        return []
    return [f"{NAME} {change}" for change in changes]


def _first_card(folder: Path, problems: Collection[Problem], version: int) -> list[str]:
    """Writes a card, and the schemas for editors, where nothing but the card is missing."""
    name = folder.resolve().name
    if not names_a_file(name) or any(problem.where != NAME for problem in problems):
        return []
    write_schemas(folder)
    write_card(folder, {"version": version})
    return [f"{NAME}: missing -> written, name {name}, version {version}, digests and counts of what is there"]


def _problems(folder: Path) -> tuple[Problem, ...]:
    try:
        load(folder)
    except GoldenSetError as error:
        return error.problems
    return ()


def _is_stale(problem: Problem) -> bool:
    return problem.code in ("G026", "G030") and bool(_STALE.fullmatch(problem.where))


def _is_text(data: bytes) -> bool:
    """Whether the whole file is UTF-8; UTF-16 without a mark can pass for it, but for its zero bytes, which JSON never has."""
    try:
        return "\0" not in data.decode()
    except UnicodeDecodeError:
        return False


class _Lines:
    """The lines of questions.jsonl on their way to better ones."""

    def __init__(self, folder: Path) -> None:
        self._documents = _documents(folder / CORPUS)
        rows = [row for row in read_rows(folder / QUESTIONS)[0] if not any(fault.code == "G002" for fault in check(row))]
        self._rows = {line_number(row): row.fields for row in rows}
        self._ids = {fields["id"] for fields in self._rows.values() if isinstance(fields.get("id"), str)}

    def mend(self, data: bytes) -> tuple[bytes, list[str]]:
        """The bytes mended and what was changed."""
        changes = [f"{QUESTIONS}:1: byte-order mark -> nothing"] if data.startswith(BOM_UTF8) else []
        lines = data.removeprefix(BOM_UTF8).split(b"\n")
        ended = [number for number, line in enumerate(lines, 1) if line != line.rstrip(_BLANKS)]
        if ended:
            changes.append(f"{QUESTIONS}:{ended[0]}: CRLF or blanks at the end of {len(ended)} lines -> LF")
        mended = {}
        for number, fields in self._rows.items():
            if found := self._mend_row(fields):
                mended[number] = fields
                changes += [f"{QUESTIONS}:{number} {field}: {_short(old)} -> {_short(new)}" for field, old, new in found]
        return with_lines(b"\n".join(line.rstrip(_BLANKS) for line in lines), mended), changes

    def _mend_row(self, fields: dict[str, Any]) -> list[Change]:
        """Changes the row in place."""
        bad = {re.split(r"[.\[]", fault.field)[0] for fault in mismatches(fields, SHAPES)}
        changes = list(self._mend_id(fields))
        places = dict(_places(fields, bad))
        if fields.get("retired") is not True:
            for field, place in places.items():
                changes += _mend_place(field, place, self._documents)
        if "evidence" in fields and "evidence" not in bad:
            changes += _drop_repeated(fields["evidence"])
        return changes

    def _mend_id(self, fields: dict[str, Any]) -> Iterator[Change]:
        number = fields.get("id")
        if isinstance(number, int) and not isinstance(number, bool) and number >= 0 and str(number) not in self._ids:
            fields["id"] = str(number)
            self._ids.add(str(number))
            yield "id", number, str(number)


def _documents(folder: Path) -> dict[str, Document]:
    try:
        return {document.doc_id: document for document in load_corpus(folder)}
    except CorpusError:
        return {}


def _places(fields: Mapping[str, Any], bad: Collection[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Evidence and forbid by the field's path."""
    if "evidence" not in bad:
        for outer, group in enumerate(fields.get("evidence", ())):
            yield from ((f"evidence[{outer}][{inner}]", place) for inner, place in enumerate(group))
    if "forbid" not in bad:
        yield from ((f"forbid[{inner}]", place) for inner, place in enumerate(fields.get("forbid", ())))


def _mend_place(field: str, place: dict[str, Any], documents: Mapping[str, Document]) -> Iterator[Change]:
    """Document, quote and start of one place of evidence, changed in place."""
    if place["doc"] not in documents:
        named = _document_like(place["doc"], documents)
        if named is None:
            return
        yield f"{field}.doc", place["doc"], named
        place["doc"] = named
    if "quote" not in place:
        return
    document, found = documents[place["doc"]], resolve(place, documents, field)
    if isinstance(found, Fault) and found.code == "G015":
        span = only_place(document.doc_id, document.text, place["quote"])
        if span is None:
            return
        text = document.text[span.start : span.end]
        yield f"{field}.quote", place["quote"], text
        place["quote"], found = text, resolve({**place, "quote": text}, documents, field)
    if isinstance(found, Span) and place.get("start", found.start) != found.start:
        yield f"{field}.start", place["start"], found.start
        place["start"] = found.start


def _document_like(name: str, documents: Mapping[str, Document]) -> str | None:
    """The name in NFC, or the only one that differs by case alone."""
    if normalise(name) in documents:
        return normalise(name)
    alike = [known for known in documents if known.casefold() == normalise(name).casefold()]
    return alike[0] if len(alike) == 1 else None


def _drop_repeated(evidence: list[list[dict[str, Any]]]) -> list[Change]:
    """Drops, in place, an alternative named twice in its group, and a group of one that equals an earlier group of one."""
    changes: list[Change] = []
    kept: list[list[dict[str, Any]]] = []
    for outer, group in enumerate(evidence):
        fresh: list[dict[str, Any]] = []
        for inner, place in enumerate(group):
            if place in fresh or (len(group) == group.count(place) and [place] in kept):
                changes.append((f"evidence[{outer}][{inner}]", place, None))
            else:
                fresh.append(place)
        if fresh or not group:
            kept.append(fresh)
    evidence[:] = kept
    return changes


def _short(value: Any) -> str:
    if value is None:
        return "dropped"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 100 else f"{text[:100]}..."
