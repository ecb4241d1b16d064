"""What ties questions together, so that one in tune would give another in test away: the one definition of a leak.

Near-copies, questions of one group, and questions whose evidence quotes the same text must stand on one side.
`golden split` keeps what is tied together, `golden stats` counts and `golden check` tells what straddles.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from harness.chunking.assemble import TABLE_TYPES
from harness.golden.duplicates import copy_lots
from harness.golden.evidence import whole
from harness.types import Document, Question, Span

Lot = tuple[Question, ...]
"""Two questions or more, in the order of the set."""


@dataclass(frozen=True, slots=True)
class Ties:
    """Questions that must stand on one side."""

    copies: tuple[Lot, ...] = ()
    """Near-copies of each other, directly or over others."""
    groups: Mapping[str, Lot] = field(default_factory=dict)
    """Group -> its questions."""
    evidence: Mapping[Span, Lot] = field(default_factory=dict)
    """Stretch of a document -> questions whose quotes make it up, each overlapping the next."""

    @property
    def lots(self) -> Iterator[Lot]:
        """All lots, whatever ties them."""
        yield from (*self.copies, *self.groups.values(), *self.evidence.values())

    @property
    def straddling(self) -> "Ties":
        """Those with questions in tune and in test: the leaks."""
        return Ties(
            tuple(lot for lot in self.copies if _straddles(lot)),
            {name: lot for name, lot in self.groups.items() if _straddles(lot)},
            {span: lot for span, lot in self.evidence.items() if _straddles(lot)},
        )


def ties(questions: Sequence[Question], documents: Iterable[Document], as_of: str = "") -> Ties:
    """What ties questions together; `as_of` is the card's day.

    Evidence that is a whole document ties nothing, nor does the header row of a table, which is quoted beside many rows.
    """
    groups: dict[str, list[Question]] = defaultdict(list)
    for question in questions:
        groups[group_of(question)].append(question)
    return Ties(
        tuple(copy_lots(questions, as_of=as_of)),
        {name: tuple(groups[name]) for name in sorted(groups) if len(groups[name]) > 1},
        _shared(questions, {document.doc_id: document for document in documents}),
    )


def group_of(question: Question) -> str:
    """The question's group, or the question itself."""
    return question.group or question.question_id


def _straddles(lot: Lot) -> bool:
    return len({question.split for question in lot}) > 1


def _shared(questions: Sequence[Question], documents: Mapping[str, Document]) -> dict[Span, Lot]:
    """Stretches that several questions quote, in the order of the documents."""
    quoted = sorted((span, place) for place, question in enumerate(questions) for span in _quotes(question, documents))
    headers = {name: _headers(documents[name]) for name in {span.doc_id for span, _ in quoted}}
    pieces = [(piece, place) for span, place in quoted for piece in _outside(span, headers[span.doc_id], documents)]
    found: dict[Span, Lot] = {}
    for stretch, places in _stretches(sorted(pieces)):
        if len(places) > 1:
            found[stretch] = tuple(questions[place] for place in sorted(places))
    return found


def _quotes(question: Question, documents: Mapping[str, Document]) -> set[Span]:
    spans = {span for evidence in question.evidence for span in evidence.alternatives if span.doc_id in documents}
    return {span for span in spans if span != whole(documents[span.doc_id])}


def _stretches(pieces: Iterable[tuple[Span, int]]) -> Iterator[tuple[Span, set[int]]]:
    """Sorted pieces joined where they overlap."""
    stretch, places = Span("", 0, 0), set[int]()
    for piece, place in pieces:
        if places and piece.doc_id == stretch.doc_id and piece.start < stretch.end:
            stretch = Span(stretch.doc_id, stretch.start, max(stretch.end, piece.end))
            places.add(place)
        else:
            yield stretch, places
            stretch, places = piece, {place}
    yield stretch, places


def _outside(span: Span, headers: Iterable[tuple[int, int]], documents: Mapping[str, Document]) -> Iterator[Span]:
    """What of a span is neither a header row nor blank."""
    text, start = documents[span.doc_id].text, span.start
    for low, high in [*headers, (span.end, span.end)]:
        end = min(low, span.end)
        piece = text[start:end]
        if piece.strip():
            yield Span(span.doc_id, start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip()))
        start = max(start, high)


def _headers(document: Document) -> list[tuple[int, int]]:
    """Header rows: the first line of a CSV file; a row right above a Markdown delimiter row, with that row."""
    lines = document.text.splitlines(keepends=True)
    if document.mime_type in TABLE_TYPES:
        return [(0, len(lines[0]))] if lines else []
    found, start = [], 0
    for line, below in pairwise(lines):
        if "|" in line and "|" in below and "-" in below and not set(below) - set("|:- \t\n"):
            found.append((start, start + len(line) + len(below)))
        start += len(line)
    return found
