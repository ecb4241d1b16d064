"""Logged user queries: read strictly, personal data masked, everything else left for a person to decide."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from harness.corpus.metadata import is_date
from harness.errors import GoldenSetError
from harness.golden.drafting.masking import mask, public_in
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
"""Type of the fields that are read of a logged query; a name with ? may be left out, others are no concern of ours."""
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
    return [Row(row.where, _known(row.fields)) for row in rows]


def _known(fields: Mapping[str, Any]) -> dict[str, Any]:
    """What a log says of a query, without its time stamps, user ids and the like."""
    known = {name: value for name, value in fields.items() if name in SHAPE or f"{name}?" in SHAPE}
    if "history" in known:
        known["history"] = [{"role": turn["role"], "content": turn["content"]} for turn in known["history"]]
    return known


def _faults(fields: Mapping[str, Any]) -> Iterator[Fault]:
    wrong = [fault for fault in mismatches(fields, SHAPE) if fault.code != "G004"]
    yield from wrong
    if wrong:
        return
    for field, text in texts(_known(fields)):
        yield from bad_text(field, text, MAX_TEXT)
    if not fields["question"].strip():
        yield Fault("G005", "question", "is empty or only whitespace.", fix="drop the line.")
    for place, turn in enumerate(fields.get("history", [])):
        yield from unknown_word(f"history[{place}].role", turn["role"], ROLES)
    if "as_of" in fields and not is_date(fields["as_of"]):
        yield Fault("G028", "as_of", f"{fields['as_of']!r} is not a date.", fix="write it as YYYY-MM-DD.")


def logged(rows: Iterable[tuple[str, Mapping[str, Any]]], documents: Iterable[Document]) -> tuple[list[Wish], int]:
    """Wishes of (place, fields) with personal data and secrets masked, and how many pieces were masked.

    Numbers and addresses that stand in the documents are public and stay.
    """
    public = public_in(document.text for document in documents)
    found = [(where, *_masked(fields, public)) for where, fields in rows]
    return [_wish(where, fields) for where, fields, _ in found], sum(count for _, _, count in found)


def _masked(value: Any, public: frozenset[str]) -> tuple[Any, int]:
    """The value with every text inside it masked."""
    if isinstance(value, str):
        return mask(value, public)
    if isinstance(value, Mapping):
        items, count = _masked(list(value.values()), public)
        return dict(zip(value, items, strict=True)), count
    parts = [_masked(item, public) for item in value]
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
