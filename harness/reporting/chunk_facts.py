"""What is known of a document's chunks: which lead to which, what repeats, what is in none of them, how long they are."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import median
from typing import Any

from harness.local_models import MAX_PIECES
from harness.text import count_tokens
from harness.types import Chunk, Document, Span

WINDOW = MAX_PIECES
"""Word pieces that bge_small reads at once; tokens of `harness.text` stand in for them."""


@dataclass(frozen=True)
class Cut:
    """A document and what the chunker made of it."""

    document: Document
    """Cleaned."""
    chunks: tuple[Chunk, ...]
    """All of them, children and parents, in the chunker's order."""

    @cached_property
    def children(self) -> dict[str, list[Chunk]]:
        """By chunk_id of the parent, those that lead to it."""
        known = {chunk.chunk_id for chunk in self.chunks}
        found: dict[str, list[Chunk]] = defaultdict(list)
        for chunk in self.chunks:
            if chunk.parent in known:
                found[chunk.parent].append(chunk)
        return dict(found)

    @cached_property
    def outer(self) -> tuple[Chunk, ...]:
        """Chunks that lead to no other."""
        inner = {chunk.chunk_id for family in self.children.values() for chunk in family}
        return tuple(chunk for chunk in self.chunks if chunk.chunk_id not in inner)

    @cached_property
    def repeated(self) -> dict[str, int]:
        """By chunk_id, how many characters at the start of an outer chunk stand in an earlier one too."""
        end, found = 0, {}
        for chunk in self.outer:
            found[chunk.chunk_id] = max(0, min(end, chunk.span.end) - chunk.span.start)
            end = max(end, chunk.span.end)
        return found

    @cached_property
    def gaps(self) -> tuple[Span, ...]:
        """Stretches with characters that are not blank and stand in no chunk; none is what a chunker owes."""
        ends = (len(self.document.text), len(self.document.text))
        at, found = 0, []
        for start, end in [*sorted((chunk.span.start, chunk.span.end) for chunk in self.chunks), ends]:
            if self.document.text[at:start].strip():
                found.append(Span(self.document.doc_id, at, start))
            at = max(at, end)
        return tuple(found)


@dataclass(frozen=True, slots=True)
class Totals:
    """Counts over all documents."""

    documents: int
    """Documents cut."""
    kinds: dict[str, int]
    """Outer chunks by kind, the most frequent first."""
    children: dict[str, int]
    """Chunks that lead to another, by kind."""
    entries: int
    """What the index holds."""
    questions: int
    """Written by doc2query."""
    shortest: int
    """Tokens of the shortest outer chunk."""
    middle: float
    """Their median."""
    longest: int
    """Of the longest."""
    repeated: float
    """Share of the characters of outer chunks that an earlier one holds too."""
    beyond: int
    """Entries longer than the embedding model's window, heading and preface counted."""
    gaps: int
    """Characters, blanks not counted, in no chunk."""


def totals(cuts: Sequence[Cut]) -> Totals:
    """The counts; all are 0 where a chunker made nothing."""
    outer = [chunk for cut in cuts for chunk in cut.outer]
    inner = [chunk for cut in cuts for family in cut.children.values() for chunk in family]
    entries = [chunk for cut in cuts for chunk in cut.chunks if chunk.searched]
    sizes = [count_tokens(chunk.text) for chunk in outer] or [0]
    again = sum(sum(cut.repeated.values()) for cut in cuts)
    return Totals(
        documents=len(cuts),
        kinds=_kinds(outer),
        children=_kinds(inner),
        entries=len(entries),
        questions=sum(len(chunk.questions) for chunk in entries),
        shortest=min(sizes),
        middle=median(sizes),
        longest=max(sizes),
        repeated=again / max(1, sum(len(chunk.span) for chunk in outer)),
        beyond=sum(count_tokens(chunk.indexed_text) > WINDOW for chunk in entries),
        gaps=sum(written(cut.document, gap) for cut in cuts for gap in cut.gaps),
    )


def written(document: Document, span: Span) -> int:
    """How many characters of a stretch are not blank."""
    return sum(not letter.isspace() for letter in document.text[span.start : span.end])


def as_row(chunk: Chunk) -> dict[str, Any]:
    """A chunk as one JSON object; what it does not have is left out."""
    known = {
        "id": chunk.chunk_id,
        "doc": chunk.span.doc_id,
        "start": chunk.span.start,
        "end": chunk.span.end,
        "kind": chunk.kind,
        "section_path": list(chunk.section_path),
        "place": chunk.place,
        "tokens": count_tokens(chunk.text),
        "text": chunk.text,
    }
    further = {"parent": chunk.parent, "preface": chunk.preface, "search_text": chunk.search_text}
    asked = {"questions": list(chunk.questions)} if chunk.questions else {}
    return {**known, **{name: value for name, value in further.items() if value}, **asked}


def _kinds(chunks: Iterable[Chunk]) -> dict[str, int]:
    return dict(Counter(chunk.kind for chunk in chunks).most_common())
