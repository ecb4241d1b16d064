"""What the formats share: ids, quotes, documents as rows, strict JSON, and notes on what a format cannot hold."""

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from harness.corpus.metadata import TEXTS
from harness.errors import GoldenSetError, Problem, StoreError
from harness.golden.card import Card
from harness.golden.golden_set import GoldenSet
from harness.jsonl import Row, parse_json, read_rows
from harness.text import normalise
from harness.types import Document

DOCUMENTS_LOST = "the documents themselves: give their folder with --documents on import"
"""Note of formats that have no place for documents."""

CARD_LEFT = ("coverage", "licence", "languages")
"""What a card says and no row can: formats that hold all our fields have the day of a question."""

_GRADE = re.compile(r"-?[0-9]{1,9}(\.0+)?")
_BAD_IN_ID = re.compile(r"[^A-Za-z0-9._:-]+")
_LONGEST_ID = 120


def safe_ids(names: Iterable[str]) -> dict[str, str]:
    """For each id one that questions may have: other characters become -, what would clash gets a number.

    Ids that may stay as they are do, whatever the others become.
    """
    asked = list(dict.fromkeys(names))
    found = {name: _base(name) for name in asked}
    taken = {name for name, base in found.items() if name == base}
    numbers: Counter[str] = Counter()
    for name in asked:
        base = found[name]
        while found[name] != name and found[name] in taken:
            numbers[base] += 1
            found[name] = f"{base}-{numbers[base] + 1}"
        taken.add(found[name])
    return found


def _base(name: str) -> str:
    if name and not name.startswith(".") and len(name) <= _LONGEST_ID and not _BAD_IN_ID.search(name):
        return name
    return _BAD_IN_ID.sub("-", normalise(name)).strip("-.")[:_LONGEST_ID] or "q"


def counted(number: int, noun: str, plural: str = "") -> str:
    """`1 document`, `3 documents`; with a plural of its own, `1 query`, `3 queries`."""
    return f"{number} {noun if number == 1 else plural or f'{noun}s'}"


def renamed_note(ids: Mapping[str, str]) -> list[str]:
    """A note when ids had to be changed."""
    changed = sum(old != new for old, new in ids.items())
    told = f"{changed} of {counted(len(ids), 'id')} changed, for characters that ours may not hold"
    return [f"{told}; the old id stands in provenance"] if changed else []


def dropped_note(rows: Iterable[Mapping[str, Any]], held: Iterable[str] = ()) -> list[str]:
    """A note on the fields of a source that are not taken over, each with how many rows say something there."""
    named = _named(rows, held)
    return [f"not taken over: {named}"] if named else []


def _named(rows: Iterable[Mapping[str, Any]], held: Iterable[str]) -> str:
    kept = set(held)
    numbers = Counter(name for row in rows for name in without_blanks(row) if name not in kept)
    return ", ".join(f"{name} ({number})" for name, number in numbers.items())


def judgment_notes(qrels: Mapping[str, Mapping[str, int]], refused: int) -> list[str]:
    """What becomes of judgments: grades above 1, and queries to be refused because nothing judged is relevant."""
    graded = sum(grade > 1 for judged in qrels.values() for grade in judged.values())
    queries = counted(refused, "query has", "queries have")
    notes = [f"{queries} no relevant document among those judged: taken as unanswerable; check them"] if refused else []
    judgments = counted(graded, "judgment has a grade", "judgments have a grade")
    return [*notes, *([f"{judgments} above 1, taken as 1: evidence is needed or not"] if graded else [])]


def with_text_ids(value: Any, names: Collection[str]) -> Any:
    """A JSON value in which whole numbers are text in the fields of these names, however deep."""
    if isinstance(value, dict):
        return {name: _text_id(item) if name in names else with_text_ids(item, names) for name, item in value.items()}
    return [with_text_ids(item, names) for item in value] if isinstance(value, list) else value


def _text_id(value: Any) -> Any:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def provenance(form: str, old: str, new: str) -> str:
    """Where a question comes from, with its id there when it had to be changed."""
    return f"imported from {form}" + (f", there {old!r}" if old != new else "")


def grade_of(text: str) -> int | None:
    """A grade of relevance: a whole number, perhaps written 1.0; None for anything else, such as 0.5, that would be rounded."""
    return int(float(text)) if _GRADE.fullmatch(text) else None


def repeated_ids(where: str, names: Iterable[str]) -> list[Problem]:
    """A problem for each id that is used more than once."""
    counted = Counter(names)
    return [
        Problem("G006", where, f"id {name!r} is used {number} times.", "Ids pair runs with baselines.", "rename all but one.")
        for name, number in counted.items()
        if number > 1
    ]


def quote_at(doc: str, text: str, start: int, end: int) -> dict[str, Any]:
    """Evidence for characters of a raw text; a start is added where the quote stands more than once."""
    quote, whole = normalise(text[start:end]), normalise(text)
    place: dict[str, Any] = {"doc": normalise(doc), "quote": quote}
    return place if is_unique(quote, whole) else {**place, "start": len(normalise(text[:start]))}


def is_unique(quote: str, text: str) -> bool:
    """Whether a quote stands in a text at one place only, overlapping places counted."""
    return text.find(quote, text.find(quote) + 1) < 0


def needed(groups: Iterable[Iterable[str]]) -> list[list[str]]:
    """Groups of alternative documents, each name and group once; a group that a document needed anyway fulfils is left out."""
    unique = list(dict.fromkeys(tuple(dict.fromkeys(group)) for group in groups))
    alone = {group[0] for group in unique if len(group) == 1}
    return [list(group) for group in unique if group and (len(group) == 1 or alone.isdisjoint(group))]


def document_row(document: Document) -> dict[str, Any]:
    """A document as a row of corpus.jsonl, from which it comes back whole."""
    said = {name: getattr(document, name) for name in (*TEXTS, "mime_type") if name != "title"}
    kept = {name: value for name, value in {**said, "acl": list(document.acl)}.items() if value}
    return {"_id": document.doc_id, "title": document.title, "text": document.text, "metadata": {**document.metadata, **kept}}


def lost(rows: Sequence[Mapping[str, Any]], golden: GoldenSet, held: Iterable[str]) -> list[str]:
    """Notes on the fields of questions and card that a format cannot hold, each with how many questions say something there."""
    named = _named(rows, held)
    return [*([f"of {counted(len(rows), 'question')}: {named}"] if named else []), *card_note(golden)]


def dated(rows: Iterable[Mapping[str, Any]], golden: GoldenSet) -> list[Mapping[str, Any]]:
    """Rows that name the day on which they are asked: that of the card where they say none, as no foreign format has a card."""
    return [{**row, "as_of": golden.as_of} if golden.as_of and not row.get("as_of") else row for row in rows]


def card_note(golden: GoldenSet, said: Iterable[str] = ("as_of", "coverage", "licence", "languages")) -> list[str]:
    """A note on what the card says beside name, version and purpose; no foreign format has a card."""
    default = Card()
    names = [name for name in said if getattr(golden, name) != getattr(default, name)]
    return [f"of the card: {', '.join(f'{name} {getattr(golden, name)!r}' for name in names)}"] if names else []


def without_blanks(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row without the fields that say nothing."""
    return {name: value for name, value in row.items() if value not in ("", [], None)}


def parted(rows: Iterable[Mapping[str, Any]]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Rows that can be questions, and drafts: answerable ones without evidence."""
    whole = [without_blanks(row) for row in rows]
    return [row for row in whole if not _lacks(row)], [row for row in whole if _lacks(row)]


def _lacks(row: Mapping[str, Any]) -> bool:
    return row.get("answerable") is True and not row.get("evidence")


def read_text(path: Path) -> str:
    """The text of a file; a byte-order mark is left out.

    Raises:
        GoldenSetError: when it cannot be read or is not UTF-8, with the place.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise GoldenSetError(f"cannot read {str(path)!r}: {error}") from error
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        form = "utf-16" if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "latin1"
        raise GoldenSetError(
            f"cannot read {str(path)!r} as UTF-8 text: line {line} holds byte 0x{data[error.start]:02X} at offset "
            f"{error.start:,}; save it as UTF-8 (in a spreadsheet: CSV UTF-8), or convert it: iconv -f {form} -t utf-8"
        ) from error


def json_rows(path: Path) -> tuple[list[Row], list[Problem]]:
    """Rows and problems of a foreign file of JSON lines; a byte-order mark, which other tools write, does no harm here."""
    rows, problems = read_rows(path)
    return rows, [problem for problem in problems if problem.code != "G017"]


def read_json(path: Path) -> Any:
    """The value of a JSON file, read as strictly as JSON lines are; a byte-order mark is allowed.

    Raises:
        GoldenSetError: when it cannot be read.
    """
    try:
        return parse_json(path.read_bytes().decode("utf-8-sig"))
    except (OSError, ValueError) as error:
        raise GoldenSetError(f"cannot read {str(path)!r} as JSON: {error}") from error


def raise_all(what: str, source: Path, problems: Sequence[Problem]) -> None:
    """Raises when there are problems.

    Raises:
        GoldenSetError: with the first hundred of them.
    """
    if problems:
        raise GoldenSetError(f"the {what} {str(source)!r} has {len(problems)} problem(s):", problems[:100])


@contextmanager
def writing(target: Path) -> Iterator[None]:
    """Turns the operating system's errors of packages that write by themselves into ours.

    Raises:
        StoreError: when the disk is full or the target cannot be written.
    """
    try:
        yield
    except OSError as error:
        raise StoreError(f"cannot write {str(target)!r}: {error}") from error
