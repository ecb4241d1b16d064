"""What may be meant, but weakens what a golden set can show: warnings, never errors."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from harness.errors import Problem
from harness.golden.evidence import resolve
from harness.golden.golden_set import CORPUS, QUESTIONS
from harness.golden.leaks import Asked, lines, rows_of
from harness.golden.schema import SPLITS
from harness.golden.summary import shown_if_all_right
from harness.golden.ties import Lot
from harness.jsonl import Row
from harness.shapes import Fault
from harness.types import Document, Span

SHOWN = 0.9
"""Refusal rate that a set should be able to show."""
FEWEST_DOCUMENTS = 3
"""Below it idf says nothing."""
_LOTS = 10


def few_refusals(asked: Asked) -> Iterator[Problem]:
    """G023: too few unanswerable questions in test."""
    found = sum(not question.answerable for _, question in asked if question.split == "test")
    if asked and shown_if_all_right(found) < SHOWN:
        shows = f"even if all are refused, a rate of no more than {shown_if_all_right(found):.1%} is shown (95 %, one-sided)."
        few = f"{found} unanswerable question{'' if found == 1 else 's'} in split test: {shows}"
        what = few if found else "no unanswerable question in split test: nothing is shown of refusals."
        fix = f"add questions: 30 show {shown_if_all_right(30):.1%}."
        yield Problem("G023", f"{QUESTIONS} answerable", what, "A gate on refusals needs numbers.", fix)


def copies(asked: Asked, lots: Sequence[Lot]) -> Iterator[Problem]:
    """G025: near-copies inside a split; `lots` are the near-copies of the questions asked."""
    rows = rows_of(asked)
    inside = [part for lot in lots for part in _by_split(lot) if len(part) > 1]
    if inside:
        shown = [lines(part, rows) for part in inside[:_LOTS]]
        more = f"; and {len(inside) - _LOTS:,} more" if len(inside) > _LOTS else ""
        what = f"{sum(map(len, inside))} of {len(asked)} questions are near-copies (lines {'; '.join(shown)}{more})."
        why = (
            "Their words agree to 80 % or more (Jaccard) for the same persona, as_of and history, directly or over others; "
            "they count as many questions and tell as much as one."
        )
        where = f"{rows[inside[0][1].question_id].where} question"
        yield Problem("G025", where, what, why, "ask something else, retire all but one, or give them one group.")


def _by_split(lot: Lot) -> list[Lot]:
    return [tuple(question for question in lot if question.split == split) for split in SPLITS]


def disagreements(asked: Asked) -> Iterator[Problem]:
    """G035: a kind that needs a field which is not there."""
    for row, _ in asked:
        for fault in _disagreements(row):
            yield fault.at(row.where)


def _disagreements(row: Row) -> Iterator[Fault]:
    fields = row.fields
    kind = fields.get("kind")
    documents = {place["doc"] for group in fields.get("evidence", ()) for place in group}
    if kind == "conflict" and not fields.get("conflict"):
        yield _fault("conflict", "of kind conflict, but conflict is not true.", "Citing one side would do.", "add it.")
    if kind in ("conflict", "multi_hop") and len(documents) == 1:
        what = f"of kind {kind}, but all evidence lies in {next(iter(documents))!r}."
        yield _fault("evidence", what, "One document answers it.", "name the other document, or change kind.")
    if kind == "multi_turn" and not fields.get("history"):
        yield _fault("history", "of kind multi_turn without earlier turns.", "Nothing is left to carry over.", "add them.")
    if kind == "tenant" and not (fields.get("persona") or fields.get("tenant")):
        yield _fault("persona", "of kind tenant, but nobody asks.", "Only public documents are seen.", "name the tenant.")
    if kind == "injection" and not fields.get("forbid"):
        yield _fault("forbid", "of kind injection without forbid.", "Following it goes unnoticed.", "name the planted text.")


def _fault(field: str, what: str, why: str, fix: str) -> Fault:
    return Fault("G035", field, what, why, fix)


def stale_starts(asked: Asked, documents: Mapping[str, Document]) -> Iterator[Problem]:
    """G014: a start that is wrong though the quote can be placed without it."""
    for row, _ in asked:
        for outer, group in enumerate([*row.fields.get("evidence", ()), row.fields.get("forbid", ())]):
            last = outer == len(row.fields.get("evidence", ()))
            for inner, place in enumerate(group):
                field = f"forbid[{inner}]" if last else f"evidence[{outer}][{inner}]"
                found = resolve(place, documents, field) if "start" in place and "quote" in place else None
                if isinstance(found, Span) and found.start != place["start"]:
                    what = f"says {place['start']}, the quote stands at {found.start} in {found.doc_id!r}."
                    fix = "write what is found or drop it; --fix does."
                    yield Problem("G014", f"{row.where} {field}.start", what, "The document changed since labelling.", fix)


def few_documents(documents: Mapping[str, Document]) -> Iterator[Problem]:
    """C007: so few documents that the rarity of a word says nothing."""
    if 0 < len(documents) < FEWEST_DOCUMENTS:
        what = f"{len(documents)} document{'' if len(documents) == 1 else 's'}; BM25 needs {FEWEST_DOCUMENTS} or more to give meaningful idf."
        yield Problem("C007", CORPUS, what, "Every ranking is nearly right by chance.", "add documents.")


def line_ends(path: Path) -> Iterator[Problem]:
    """G037: lines that end in blanks or CRLF."""
    lines = path.read_bytes().split(b"\n") if path.is_file() else []
    found = [number for number, text in enumerate(lines, 1) if text != text.rstrip(b" \t\r")]
    if found:
        what = f"{len(found)} lines end in CRLF or blanks."
        why = "Git and editors rewrite them, and then the digest no longer holds."
        yield Problem("G037", f"{path.name}:{found[0]}", what, why, "end lines in LF alone; --fix does.")
