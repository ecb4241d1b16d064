"""What a line of questions.jsonl may say: fields, words, ids and what must go together, each fault with its code."""

import re
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from harness.corpus.metadata import is_date
from harness.errors import Problem
from harness.jsonl import Row
from harness.shapes import Fault, bad_text, mismatches, texts, unknown_word
from harness.text import words

KINDS = (
    "factoid", "multi_hop", "table", "code", "list", "paraphrase", "exact_identifier", "ambiguous", "multi_turn",
    "temporal", "tenant", "conflict", "injection", "unanswerable",
)  # fmt: skip
"""Kinds of question."""
SPLITS = ("tune", "test")
"""tune is for choosing, test for the claim."""
REFUSAL_REASONS = (
    "out_of_corpus", "false_premise", "underspecified", "future", "wrong_tenant", "superseded", "not_in_document",
    "modality", "unsafe",
)  # fmt: skip
"""Why a question cannot be answered."""
ROLES = ("user", "assistant")
"""Who speaks in a history."""
MAX_TEXT = 20_000
"""Characters of any text field."""

_PLACE = {"doc": str, "start?": int, "prefix?": str, "suffix?": str}
SHAPES: Mapping[str, Any] = {
    "id": str,
    "question": str,
    "answerable": bool,
    "kind?": str,
    "split?": str,
    "evidence?": [[{**_PLACE, "quote?": str}]],
    "answers?": [str],
    "reference?": str,
    "nuggets?": [{"text": str, "vital": bool}],
    "refusal_reason?": str,
    "history?": [{"role": str, "content": str}],
    "persona?": str,
    "tenant?": str,
    "as_of?": str,
    "version?": str,
    "forbid?": [{**_PLACE, "quote?": str}],
    "canaries?": [str],
    "conflict?": bool,
    "group?": str,
    "provenance?": str,
    "reviewed?": bool,
    "tags?": [str],
    "retired?": bool,
}
"""Type of every field of a question; a name with ? may be left out."""

_ID = re.compile(r"[A-Za-z0-9_:-][A-Za-z0-9._:-]{0,127}")


def check(row: Row) -> list[Problem]:
    """Everything wrong with one question by itself, its evidence not yet looked up."""
    wrong = list(mismatches(row.fields, SHAPES))
    wrong += chain.from_iterable(bad_text(field, text, MAX_TEXT) for field, text in texts(row.fields))
    bad = {re.split(r"[.\[]", fault.field)[0] for fault in wrong}
    sound = {name: value for name, value in row.fields.items() if name not in bad}
    faults = (*wrong, *_words(sound), *_parts(sound), *_canaries(sound), *_answerable(row.fields))
    return [fault.at(row.where) for fault in faults]


def repeated(rows: list[Row]) -> list[Problem]:
    """Ids used twice, retired questions included."""
    first: dict[str, str] = {}
    problems = []
    for row in rows:
        name = row.fields.get("id")
        if isinstance(name, str) and name in first:
            what = f"{name!r} already used on line {first[name].rpartition(':')[2]}."
            problems.append(Problem("G006", f"{row.where} id", what, "Ids pair runs with baselines.", "rename one."))
        elif isinstance(name, str):
            first[name] = row.where
    return problems


def _words(fields: Mapping[str, Any]) -> Iterator[Fault]:
    if "id" in fields and not _ID.fullmatch(fields["id"]):
        what = f"{fields['id'][:80]!r} may hold only letters, digits . _ : - (1 to 128), not start with a dot."
        yield Fault("G022", "id", what, fix="rename it.")
    for name, known in (("kind", KINDS), ("split", SPLITS), ("refusal_reason", REFUSAL_REASONS)):
        if name in fields:
            yield from unknown_word(name, fields[name], known)
    for place, turn in enumerate(fields.get("history", [])):
        yield from unknown_word(f"history[{place}].role", turn["role"], ROLES)
    if "as_of" in fields and not is_date(fields["as_of"]):
        yield Fault("G028", "as_of", f"{fields['as_of']!r} is not a date.", fix="write it as YYYY-MM-DD.")
    if "persona" in fields and "tenant" in fields and fields["persona"] != fields["tenant"]:
        yield Fault(
            "G027", "tenant", f"{fields['tenant']!r} differs from persona {fields['persona']!r}.", fix="keep one of them."
        )


def _parts(fields: Mapping[str, Any]) -> Iterator[Fault]:
    for field, text in texts(
        {name: fields[name] for name in ("question", "answers", "tags", "nuggets", "canaries", "group") if name in fields}
    ):
        if not text.strip():
            yield Fault("G005", field, "is empty or only whitespace.", fix="write it or leave it out.")
    for place, group in enumerate(fields.get("evidence", [])):
        if not group:
            yield Fault(
                "G009", f"evidence[{place}]", "is an empty group.", "Nothing could satisfy it.", "name a quote or drop it."
            )
        for other, quote in enumerate(group):
            field = f"evidence[{place}][{other}]"
            if not quote.get("quote", "whole").strip():
                yield Fault("G005", f"{field}.quote", "is empty or only whitespace.", fix="copy the text from the document.")
            if quote in group[:other] or any([quote] == earlier for earlier in fields["evidence"][:place]):
                yield Fault(
                    "G010",
                    field,
                    f"lists {quote.get('quote', quote['doc'])[:60]!r} twice; it would count twice.",
                    fix="remove it.",
                )


def _canaries(fields: Mapping[str, Any]) -> Iterator[Fault]:
    """Canaries that a right answer would hold too."""
    quotes = [place.get("quote", "") for group in fields.get("evidence", []) for place in group]
    right = [_sequence(text) for text in (*quotes, *fields.get("answers", []), fields.get("reference", ""))]
    for place, canary in enumerate(fields.get("canaries", [])):
        if canary.strip() and any(_sequence(canary) in text for text in right):
            what = f"{canary!r} stands in the question's own evidence or answer; a right answer would count as obedience."
            yield Fault("G039", f"canaries[{place}]", what, fix="choose words of the planted instruction only.")


def _sequence(text: str) -> str:
    """The folded words in order, so that one text can be looked for in another without regard to marks."""
    return f" {' '.join(words(text))} "


def _answerable(fields: Mapping[str, Any]) -> Iterator[Fault]:
    if fields.get("answerable") is False:
        if fields.get("evidence"):
            yield Fault("G012", "evidence", "unanswerable question lists evidence; a question can't be both.", fix="drop one.")
        if fields.get("answers"):
            yield Fault(
                "G012", "answers", "unanswerable question has accepted answers; a question can't be both.", fix="drop them."
            )
        if "refusal_reason" not in fields:
            fix = f"one of {', '.join(REFUSAL_REASONS)}."
            yield Fault("G032", "refusal_reason", "is missing.", "Refusals are reported by reason.", fix)
    if fields.get("answerable") is True:
        if not fields.get("evidence"):
            yield Fault("G011", "evidence", "answerable question without evidence.", fix="add quotes or set answerable to false.")
        if "refusal_reason" in fields:
            yield Fault("G032", "refusal_reason", "an answerable question has none.", fix="drop it or set answerable to false.")
        if fields.get("kind") == "unanswerable":
            yield Fault("G012", "kind", "an answerable question can't be of kind 'unanswerable'.", fix="name what it asks for.")
