"""The propositions of a passage by rules: what each sentence, list item and row states."""

import re
from collections.abc import Iterator, Sequence

from harness.chunking.assemble import Piece
from harness.chunking.clauses import clauses, resolved
from harness.chunking.named_rows import NamedRows
from harness.chunking.outline import Block
from harness.chunking.sentences import Part, parts_between
from harness.text import sentence_spans, words
from harness.types import Chunk, Document

_SHORT = 12
_MARK = re.compile(r"\s*(?:[-*+•]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?")


def stated(rows: NamedRows, blocks: Sequence[Block], passage: Chunk) -> Iterator[Piece]:
    """The propositions of a passage in order; each stands where its sentence, item or row stands.

    Args:
        rows: of the document's tables.
        blocks: of the document.
        passage: one of its chunks.

    A list item of up to 12 words follows what introduces the list, else the heading: `Care: wipe the inlet`. A row
    names its columns. A heading is searched only where the chunks carry none.
    """
    document = rows.document
    subject, before, lead = _subject(document, passage), "", ""
    for part in parts_between(blocks, passage.span.start, passage.span.end):
        text = document.text[part.start : part.end]
        if part.block.kind == "heading":
            subject, before, lead = part.block.title or subject, "", ""
            if not passage.heading:
                yield _piece(part.start, part.end, text)
        elif part.block.kind == "prose":
            yield from _prose(part, text, subject, before)
            before = text
            lead = text.rstrip(" :：") if text.endswith((":", "：")) else ""
        elif part.block.kind == "list":
            yield from _item(part, text, lead or subject)
        elif part.block.kind == "table":
            yield from _rows(rows, part, subject)
        else:
            yield _piece(part.start, part.end, text)


def _subject(document: Document, passage: Chunk) -> str:
    return passage.section_path[-1] if passage.section_path else document.title


def _piece(start: int, end: int, text: str) -> Piece:
    return Piece(start, end, "proposition", search_text=" ".join(text.split()))


def _prose(part: Part, text: str, subject: str, before: str) -> Iterator[Piece]:
    """Clauses of each sentence, the section's subject in place of a pronoun."""
    for start, end in sentence_spans(text):
        sentence = text[start:end]
        for clause in clauses(sentence):
            yield _piece(part.start + start, part.start + end, resolved(clause, subject, before))
        before = sentence


def _item(part: Part, text: str, lead: str) -> Iterator[Piece]:
    """A short item with what it is an item of; a longer one sentence by sentence."""
    bare = _MARK.match(text)
    first = bare.end() if bare else 0
    if len(words(text)) <= _SHORT:
        yield _piece(part.start, part.end, f"{lead}: {text[first:]}" if lead else text[first:])
        return
    for start, end in sentence_spans(text[first:]):
        for clause in clauses(text[first + start : first + end]):
            yield _piece(part.start + first + start, part.start + first + end, clause)


def _rows(rows: NamedRows, part: Part, subject: str) -> Iterator[Piece]:
    """Each row of the table that lies in the part: `subject: column value, column value`."""
    for row in rows.of(part):
        named = row.named(" ") or rows.document.text[row.start : row.end]
        yield _piece(row.start, row.end, f"{subject}: {named}" if subject else named)
