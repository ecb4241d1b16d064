"""A proposed question before it becomes a line of the review file, and the quotes of its evidence."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from harness.fingerprint import fingerprint
from harness.golden.evidence import resolve
from harness.golden.schema import check
from harness.jsonl import Row
from harness.types import Document, Span

_AROUND = (24, 60, 150, 400)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A proposed question."""

    rule: str
    """tables, identifiers, facts, near_misses or model: what made it."""
    doc_id: str
    """Document that it counts for."""
    question: str
    """What is asked."""
    kind: str
    """Kind of the question."""
    why: str
    """What made it and from what: the provenance."""
    topic: str = ""
    """Column or pattern, so that drafts of one document differ."""
    evidence: tuple[tuple[Span, ...], ...] = ()
    """All groups are needed, any span of a group will do; none for a refusal."""
    answers: tuple[str, ...] = ()
    """Accepted short answers."""
    reference: str = ""
    """A full answer, or why there is none."""
    persona: str = ""
    """Who has to ask it."""
    tags: tuple[str, ...] = ()
    """Labels."""


def place_of(span: Span, documents: Mapping[str, Document]) -> dict[str, Any] | None:
    """The span as `{doc, quote}`, with as much before and after it, or its start, as tells it from other places.

    None when it cannot be told apart.
    """
    text = documents[span.doc_id].text
    base: dict[str, Any] = {"doc": span.doc_id, "quote": text[span.start : span.end]}
    before = [{"prefix": text[max(0, span.start - size) : span.start].strip()} for size in _AROUND]
    after = [{"suffix": text[span.end : span.end + size].strip()} for size in _AROUND]
    both = [{**one, **other} for one, other in zip(before, after, strict=True)]
    more: Iterable[dict[str, Any]] = ({}, *before, *after, *both, {"start": span.start})
    for extra in more:
        if "" not in extra.values() and resolve({**base, **extra}, documents, "") == span:
            return {**base, **extra}
    return None


def draft_id(*content: Any, taken: Iterable[str] = ()) -> str:
    """`draft-` and ten hex digits of the content: the same content has the same id, unless that is taken."""
    used = set(taken)
    names = (f"draft-{fingerprint(*content, salt)[:10]}" for salt in range(len(used) + 1))
    return next(name for name in names if name not in used)


def draft_fields(candidate: Candidate, documents: Mapping[str, Document], taken: Iterable[str]) -> dict[str, Any] | None:
    """The candidate as a line of the review file, not yet placed.

    None when a quote cannot be told from other places, or a text is one that no question may hold.
    """
    groups = [[place_of(span, documents) for span in spans] for spans in candidate.evidence]
    if any(place is None for places in groups for place in places):
        return None
    fields = without_empty(
        {
            "id": draft_id(candidate.question, candidate.persona, taken=taken),
            "question": candidate.question,
            "answerable": bool(candidate.evidence),
            "kind": candidate.kind,
            "evidence": groups,
            "answers": list(candidate.answers),
            "reference": candidate.reference,
            "refusal_reason": "" if candidate.evidence else "not_in_document",
            "persona": candidate.persona,
            "provenance": f"Draft: {candidate.why}; no human review.",
            "reviewed": False,
            "tags": list(dict.fromkeys(("draft", *candidate.tags))),
        }
    )
    return None if check(Row("", fields)) else fields


def without_empty(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that say something."""
    return {name: value for name, value in fields.items() if value not in ("", [], None)}
