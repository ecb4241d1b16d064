"""Sections of a Markdown text: a heading with what stands below it, tiny neighbours put together."""

from collections.abc import Iterable
from dataclasses import dataclass

from harness.chunking.outline import Block, Outline
from harness.chunking.packing import Tokens

_LOWEST_MERGED = 3


@dataclass(frozen=True, slots=True)
class Section:
    """Neighbouring blocks under one heading path."""

    path: tuple[str, ...]
    """Headings above and of the section, outermost first; of merged sections the parent's."""
    parent: tuple[str, ...]
    """Headings above it."""
    level: int
    """Smallest level of its headings; 0 without any."""
    blocks: tuple[Block, ...]
    """In order."""

    @property
    def start(self) -> int:
        """First character."""
        return self.blocks[0].start

    @property
    def end(self) -> int:
        """One past the last character."""
        return self.blocks[-1].end


def sections(found: Outline, tokens: Tokens, size: int) -> list[Section]:
    """Sections in order; a heading without text of its own goes with the section after it.

    A section of fewer than size/8 tokens joins its neighbour while both fit into `size`, if they are siblings under
    the same heading and of level 3 or deeper: headings of level 1 and 2 always start anew.
    """
    merged: list[Section] = []
    for section in _sections(found):
        if merged and _mergeable(merged[-1], section, tokens, size):
            before = merged.pop()
            section = Section(section.parent, section.parent, section.level, before.blocks + section.blocks)
        merged.append(section)
    return merged


def _sections(found: Outline) -> Iterable[Section]:
    blocks: list[Block] = []
    for block in found.blocks:
        if block.kind == "heading" and blocks and blocks[-1].kind != "heading":
            yield _section(found, blocks)
            blocks = []
        blocks.append(block)
    if blocks:
        yield _section(found, blocks)


def _section(found: Outline, blocks: list[Block]) -> Section:
    headings = [block for block in blocks if block.kind == "heading"]
    path = found.section_at(headings[-1].start) if headings else ()
    return Section(path, path[:-1], min((block.level for block in headings), default=0), tuple(blocks))


def _mergeable(before: Section, section: Section, tokens: Tokens, size: int) -> bool:
    siblings = min(before.level, section.level) >= _LOWEST_MERGED and before.parent == section.parent
    tiny = min(tokens.count(part.start, part.end) for part in (before, section)) < size / 8
    return siblings and tiny and tokens.count(before.start, section.end) <= size
