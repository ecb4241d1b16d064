"""Logged user queries: read strictly, personal data masked, everything else left for a person to decide."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from harness.corpus.metadata import is_date
from harness.errors import GoldenSetError
from harness.golden.drafting.masking import mask
from harness.golden.drafting.promote import Wish
from harness.golden.schema import MAX_TEXT, ROLES
from harness.jsonl import Row, read_rows
from harness.shapes import Fault, bad_text, mismatches, texts, unknown_word
from harness.text import normalise
from harness.types import Document

SHAPE: Mapping[str, Any] = {
    "question": str,
    "history?": [{"role": str, "content": str}],
    "persona?": str,
    "as_of?": str,
    "answer?": str,
    "feedback?": str,
}
"""Type of every field of a logged query; a name with ? may be left out."""
_SHOWN = 300


def read_log(path: Path) -> list[Row]:
    """The queries of a JSON lines file.

    Raises:
        GoldenSetError: with every fault of every line.
    """
    rows, problems = read_rows(path)
    problems += [fault.at(row.where) for row in rows for fault in _faults(row.fields)]
    if problems:
        raise GoldenSetError(f"the log {str(path)!r} has {len(problems)} problem(s):", problems)
    return rows


def _faults(fields: Mapping[str, Any]) -> Iterator[Fault]:
    wrong = list(mismatches(fields, SHAPE))
    yield from wrong
    if wrong:
        return
    for field, text in texts(fields):
        yield from bad_text(field, text, MAX_TEXT)
    if not fields["question"].strip():
        yield Fault("G005", "question", "is empty or only whitespace.", fix="drop the line.")
    for place, turn in enumerate(fields.get("history", [])):
        yield from unknown_word(f"history[{place}].role", turn["role"], ROLES)
    if "as_of" in fields and not is_date(fields["as_of"]):
        yield Fault("G028", "as_of", f"{fields['as_of']!r} is not a date.", fix="write it as YYYY-MM-DD.")


def logged(rows: Iterable[tuple[str, Mapping[str, Any]]], documents: Iterable[Document]) -> tuple[list[Wish], int]:
    """Wishes of (place, fields) with personal data masked, and how many pieces were masked.

    A number that stands in the documents is public and stays.
    """
    corpus = "\n".join(document.text for document in documents)
    wishes, total = [], 0
    for where, fields in rows:
        cleaned, count = _masked(fields, corpus)
        total += count
        wishes.append(_wish(where, cleaned))
    return wishes, total


def _masked(value: Any, corpus: str) -> tuple[Any, int]:
    """The value with every text inside it masked."""
    if isinstance(value, str):
        return mask(value, lambda piece: piece in corpus)
    if isinstance(value, Mapping):
        items = {name: _masked(item, corpus) for name, item in value.items()}
        return {name: item for name, (item, _) in items.items()}, sum(count for _, count in items.values())
    parts = [_masked(item, corpus) for item in value]
    return [item for item, _ in parts], sum(count for _, count in parts)


def _wish(where: str, fields: Mapping[str, Any]) -> Wish:
    said = [f"the system answered {_short(fields['answer'])}"] if fields.get("answer") else []
    said += [f"feedback: {_short(fields['feedback'])}"] if fields.get("feedback") else []
    guess = "whether it can be answered is a guess: a person has to decide"
    kept = {name: value for name, value in fields.items() if name in ("history", "persona", "as_of") and value}
    question = normalise(fields["question"]).strip()
    return Wish({"question": question, **kept}, "", f"promoted from {where}; {'; '.join([*said, guess])}")


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return repr(flat if len(flat) <= _SHOWN else f"{flat[:_SHOWN]}...")
