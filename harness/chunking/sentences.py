"""The smallest stretches that mean something: sentences, list items, tables and fences, in order."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from harness.chunking.outline import Block, outline
from harness.chunking.packing import Tokens, Unit, split
from harness.chunking.rows import TABLES
from harness.chunking.sections import Section, sections
from harness.text import sentence_spans
from harness.types import Document


@dataclass(frozen=True, slots=True)
class Part:
    """The part of a block that lies inside a passage."""

    block: Block
    """The whole block."""
    start: int
    """First character of the part."""
    end: int
    """One past the last."""


def blocks_of(document: Document) -> tuple[Block, ...]:
    """The blocks of a document; a text without an outline is one block, none when it is blank."""
    found = outline(document).blocks
    text = document.text
    if found or not text.strip():
        return found
    kind = "table" if document.mime_type in TABLES else "prose"
    return (Block(len(text) - len(text.lstrip()), len(text.rstrip()), kind),)


def sections_of(document: Document, tokens: Tokens) -> list[Section]:
    """The sections of a document, none merged; a text without an outline is one section."""
    found = outline(document)
    blocks = found.blocks or blocks_of(document)
    return sections(replace(found, blocks=blocks), tokens, size=0)


def parts_between(blocks: Sequence[Block], start: int, end: int) -> Iterator[Part]:
    """What lies in a stretch of each block, in order."""
    first = max(0, bisect_right(blocks, start, key=lambda block: block.start) - 1)
    for place in range(first, len(blocks)):
        block = blocks[place]
        if block.start >= end:
            return
        if block.end > start:
            yield Part(block, max(start, block.start), min(end, block.end))


def units_of(tokens: Tokens, blocks: Iterable[Block], size: int) -> list[Unit]:
    """Sentences, list items, tables and fences of at most `size` tokens; a heading joins what follows while both fit."""
    found: list[Unit] = []
    for unit in (unit for block in blocks for unit in _units(tokens, block, size)):
        if found and found[-1].kind == "heading" and tokens.count(found[-1].start, unit.end) <= size:
            unit = replace(unit, start=found.pop().start)
        found.append(unit)
    return found


def _units(tokens: Tokens, block: Block, size: int) -> Iterator[Unit]:
    if block.kind == "prose":
        for start, end in sentence_spans(tokens.text[block.start : block.end]):
            yield from split(tokens, block.start + start, block.start + end, size)
    elif block.parts and tokens.count(block.start, block.end) > size:
        yield from (replace(unit, kind=block.kind) for part in block.parts for unit in _units(tokens, part, size))
    else:
        yield from split(tokens, block.start, block.end, size, block.kind, by_line=True)
