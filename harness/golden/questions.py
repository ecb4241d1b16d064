"""From a line of questions.jsonl to a question with its evidence as spans."""

from collections.abc import Mapping, Sequence
from typing import Any

from harness.errors import Problem
from harness.golden.duplicates import asker
from harness.golden.evidence import resolve
from harness.golden.schema import check
from harness.jsonl import Row
from harness.retrieval.filters import visible
from harness.shapes import Fault
from harness.text import normalise
from harness.types import Document, Evidence, Nugget, Question, Span, Turn


def read_question(row: Row, documents: Mapping[str, Document], as_of: str) -> tuple[Question | None, list[Problem]]:
    """A question with its evidence, and its problems; nothing when it is retired or faulty by itself.

    `as_of` is the date of a question that names none. Without documents no evidence is looked up.
    """
    problems = check(row)
    if problems or row.fields.get("retired") or not documents:
        return None, [*problems, *(_of_sound_places(row, documents, problems) if problems and documents else [])]
    persona, as_of, _ = asker(row.fields, as_of)
    evidence, faults = _evidence(row.fields, documents)
    faults += [
        _hidden(span, persona, as_of)
        for spans in evidence
        for span in spans
        if not _seen(documents[span.doc_id], documents, persona, as_of)
    ]
    forbid = [resolve(place, documents, f"forbid[{number}]") for number, place in enumerate(row.fields.get("forbid", []))]
    faults += [fault for fault in forbid if isinstance(fault, Fault)]
    spans = tuple(span for span in forbid if isinstance(span, Span))
    faults += [_forbidden(span) for group in evidence for span in group if any(_overlap(span, other) for other in spans)]
    return _record(row.fields, tuple(map(Evidence, evidence)), spans), [fault.at(row.where) for fault in faults]


def _seen(document: Document, documents: Mapping[str, Document], persona: str, as_of: str) -> bool:
    """Whether the asker may see a document, and of its series no newer one."""
    series = [other for other in documents.values() if other.series == document.series] if document.series else [document]
    return document.doc_id in visible(series, persona, as_of)


def _evidence(fields: Mapping[str, Any], documents: Mapping[str, Document]) -> tuple[list[tuple[Span, ...]], list[Fault]]:
    found = [
        [resolve(place, documents, f"evidence[{outer}][{inner}]") for inner, place in enumerate(group)]
        for outer, group in enumerate(fields.get("evidence", []))
    ]
    spans = [tuple(span for span in group if isinstance(span, Span)) for group in found]
    return spans, [fault for group in found for fault in group if isinstance(fault, Fault)]


def _of_sound_places(row: Row, documents: Mapping[str, Document], problems: Sequence[Problem]) -> list[Problem]:
    """Evidence that cannot be found on a line that is faulty elsewhere, so that one fault does not hide the other."""
    if row.fields.get("retired") or any(" evidence" in problem.where for problem in problems):
        return []
    return [fault.at(row.where) for fault in _evidence(row.fields, documents)[1]]


def _overlap(one: Span, other: Span) -> bool:
    return one.doc_id == other.doc_id and one.start < other.end and other.start < one.end


def _forbidden(span: Span) -> Fault:
    what = f"{span.doc_id!r} {span.start}-{span.end} is forbidden by this very question."
    return Fault("G038", "forbid", what, "What must be found must not be shown.", "mend evidence or forbid.")


def _hidden(span: Span, persona: str, as_of: str) -> Fault:
    what = f"{span.doc_id!r} is hidden from tenant {persona!r} on {as_of or 'any day'}."
    fix = "mend persona, as_of or the document's tenant, acl or dates."
    return Fault("G031", "evidence", what, "The evidence could never be retrieved.", fix)


def _record(fields: Mapping[str, Any], evidence: tuple[Evidence, ...], forbid: tuple[Span, ...]) -> Question:
    first = evidence[0].alternatives[0].doc_id if evidence and evidence[0].alternatives else fields["id"]
    answerable = fields["answerable"]
    return Question(
        question_id=fields["id"],
        text=normalise(fields["question"]).strip(),
        kind=fields.get("kind") or ("factoid" if answerable else "unanswerable"),
        evidence=evidence,
        answers=tuple(fields.get("answers", ())),
        reference=fields.get("reference", ""),
        nuggets=tuple(Nugget(nugget["text"], nugget["vital"]) for nugget in fields.get("nuggets", ())),
        answerable=answerable,
        reason=fields.get("refusal_reason", ""),
        history=tuple(Turn(turn["role"], turn["content"]) for turn in fields.get("history", ())),
        persona=asker(fields)[0],
        as_of=fields.get("as_of", ""),
        forbid=forbid,
        canaries=tuple(fields.get("canaries", ())),
        conflict=fields.get("conflict", False),
        tags=tuple(fields.get("tags", ())),
        split=fields.get("split", "test"),
        group=fields.get("group") or first,
    )
