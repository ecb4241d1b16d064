"""The card of a golden set: name, version, digests and counts, held against what the folder really holds."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any

from harness.corpus.metadata import is_date, read_mapping
from harness.errors import Problem
from harness.shapes import Fault, mismatches
from harness.text import names_a_file
from harness.types import Document, Question

NAME = "golden_set.yaml"
FORMAT = 1
"""Newest form of card and questions that this harness reads; a card that names none is of form 1."""
SHAPE: Mapping[str, Any] = {
    "name": str,
    "version": int,
    "format?": int,
    "questions_sha256": str,
    "corpus_sha256": str,
    "purpose?": str,
    "licence?": str,
    "languages?": [str],
    "as_of?": str,
    "counts?": dict,
    "defaults?": {"coverage?": float},
}
"""Type of every field of a card; a name with ? may be left out."""


@dataclass(frozen=True, slots=True)
class Card:
    """What golden_set.yaml says."""

    name: str = ""
    """Name of the set."""
    version: int = 0
    """Raised with every edit."""
    questions_sha256: str = ""
    """SHA-256 of the bytes of questions.jsonl."""
    corpus_sha256: str = ""
    """SHA-256 over the files of corpus/."""
    purpose: str = ""
    """What it is for."""
    licence: str = ""
    """Terms of corpus and questions."""
    languages: tuple[str, ...] = ()
    """Languages of the questions."""
    as_of: str = ""
    """ISO date on which questions without one are asked."""
    counts: Mapping[str, Any] | None = None
    """Questions by kind, split and so on; None is not said."""
    coverage: float = 0.9
    """Share of a quote that must be retrieved."""


def read_card(folder: Path, digests: Mapping[str, str]) -> tuple[Card, list[Problem]]:
    """The card and what is wrong with it; `digests` are those found, by field name.

    Codes: G030 the card itself, G024 a form from the future, G026 a digest that no longer holds.
    """
    path = folder / NAME
    if not path.is_file():
        lines = "; ".join(
            [f"name: {folder.resolve().name}", "version: 1", *(f"{name}: {value}" for name, value in digests.items())]
        )
        return Card(), [Problem("G030", NAME, "is missing.", "Runs name version and digest.", f"write it with {lines}.")]
    try:
        fields = _as_text(read_mapping(path.read_text(encoding="utf-8")))
    except ValueError as error:
        return Card(), [Problem("G030", NAME, f"{error}.")]
    wrong = [_of_card(fault, digests) for fault in mismatches(fields, SHAPE)]
    bad = {fault.field.split(".")[0].split("[")[0] for fault in wrong}
    sound = {name: value for name, value in fields.items() if name not in bad}
    wrong += [*_values(sound), *_borrowed(sound, folder.resolve().name), *_stale(sound, digests)]
    return _card(sound), [fault.at(NAME) for fault in wrong]


def check_counts(card: Card, questions: Sequence[Question], documents: Sequence[Document]) -> list[Problem]:
    """Counts on the card that differ from those of the questions that are asked."""
    found = counts(questions, documents)
    stated = card.counts or {}
    wrong = [(name, value, found.get(name)) for name, value in stated.items() if value != found.get(name)]
    return [
        Problem("G030", f"{NAME} counts.{name}", f"says {said!r}, found {is_!r}.", fix="write what is found.")
        for name, said, is_ in wrong
    ]


def counts(questions: Sequence[Question], documents: Sequence[Document]) -> dict[str, Any]:
    """What a card's `counts` should say."""
    answerable = sum(question.answerable for question in questions)
    return {
        "kinds": dict(Counter(question.kind for question in questions)),
        "splits": dict(Counter(question.split for question in questions)),
        "answerable": answerable,
        "unanswerable": len(questions) - answerable,
        "refusal_reasons": dict(Counter(question.reason for question in questions if question.reason)),
        "documents": len(documents),
    }


def _card(fields: Mapping[str, Any]) -> Card:
    named = {name: value for name, value in fields.items() if name in Card.__slots__}
    named["languages"] = tuple(fields.get("languages", ()))
    return Card(**named | {"coverage": float(fields.get("defaults", {}).get("coverage", Card().coverage))})


def _of_card(fault: Fault, digests: Mapping[str, str]) -> Fault:
    """A wrong type or a missing field as a fault of the card; that of a digest is told with the value to write."""
    found = digests.get(fault.field)
    return fault._replace(code="G030", fix=f"write {fault.field}: {found}" if found else fault.fix)


def _as_text(value: Any) -> Any:
    """A YAML value with names and days as text: YAML takes 2026-06-30 for a day, and anything for a name."""
    if isinstance(value, dict):
        return {str(name): _as_text(item) for name, item in value.items()}
    return value.isoformat() if isinstance(value, date) and not isinstance(value, datetime) else value


def _borrowed(fields: Mapping[str, Any], folder: str) -> Iterator[Fault]:
    """A name that is not the folder's, as in a copy of another set."""
    name = fields.get("name", folder)
    if name != folder and names_a_file(name):
        fix = f"write name: {folder}" if names_a_file(folder) else f"rename the folder to {name}"
        why = "Copied sets need a name of their own: baselines are kept by name."
        yield Fault("G030", "name", f"{name!r} is not the name of its folder, {folder!r}.", why, fix)


def _values(fields: Mapping[str, Any]) -> Iterator[Fault]:
    form = fields.get("format", FORMAT)
    if form > FORMAT:
        what = f"format {form} is newer than this harness reads ({FORMAT})."
        yield Fault("G024", "format", what, "Its fields could be misunderstood.", "upgrade the harness.")
    if form < 1:
        yield Fault("G030", "format", f"must be 1 or more, got {form}.", fix=f"write format: {FORMAT}, or leave it out.")
    if fields.get("version", 1) < 1:
        yield Fault("G030", "version", f"must be 1 or more, got {fields['version']}.", fix="count up from 1.")
    if not fields.get("name", "-").strip():
        yield Fault("G030", "name", "is empty.", fix="name the set as its folder.")
    elif not names_a_file(fields.get("name", "-")):
        what = f"{fields['name'][:80]!r} cannot name a folder of baselines."
        yield Fault("G030", "name", what, fix="use letters, digits, '.', '_' and '-' (1 to 128), no leading dot.")
    if "as_of" in fields and not is_date(fields["as_of"]):
        yield Fault("G030", "as_of", f"{fields['as_of']!r} is not a date.", fix="write it as YYYY-MM-DD, in quotes.")
    coverage = fields.get("defaults", {}).get("coverage", 1)
    if not 0 < coverage <= 1:
        yield Fault("G030", "defaults.coverage", f"must lie in (0, 1], got {coverage}.", fix="0.9 is usual.")


def _stale(fields: Mapping[str, Any], digests: Mapping[str, str]) -> Iterator[Fault]:
    for name, found in digests.items():
        if name in fields and fields[name] != found:
            what = f"the files changed: the card says {fields[name][:12]}..., found {found}."
            why = "Runs on different contents must not be compared under one version."
            fix = f"`harness golden check --fix` writes {name}: {found} and raises the version."
            yield Fault("G026", name, what, why, fix)
