"""The outline of a Markdown text: its headings, and its blocks that should stay whole.

A line scanner for the parts of CommonMark that matter for cutting: ATX and setext headings, fences, pipe tables, list
items and paragraphs. A `#` inside a fence is no heading.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from harness.types import Document

MARKDOWN_TYPES = frozenset(
    {"text/markdown", "text/html", "application/vnd.openxmlformats-officedocument.presentationml.presentation"}
)
"""Cleaned HTML and slides are Markdown too."""

_ATX = re.compile(r" {0,3}(#{1,6})(?=[ \t]|$)")
_CLOSING_MARKS = re.compile(r"(?:^|[ \t])#+$")
_SETEXT = re.compile(r" {0,3}(=+|-{2,})[ \t]*$")
_FENCE = re.compile(r"[ \t]*(?:(?:[-*+>]|\d{1,9}[.)])[ \t]+)?(`{3,}(?!.*`)|~{3,})")
_ITEM = re.compile(r"([ \t]*)(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)")
_RULE = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)+\|?$")


@dataclass(frozen=True, slots=True)
class Block:
    """Lines that belong together; a fenced block, a table or a list item is better not cut."""

    start: int
    """First character."""
    end: int
    """One past the last character that is not a line end."""
    kind: str
    """heading, code, table, list, prose."""
    level: int = 0
    """Of a heading, 1 to 6."""
    title: str = ""
    """Of a heading."""


@dataclass(frozen=True, slots=True)
class Outline:
    """Blocks of a text and the heading path at any place in it."""

    blocks: tuple[Block, ...]
    """In order; what lies between them is blank."""
    starts: tuple[int, ...]
    """Where each heading starts."""
    paths: tuple[tuple[str, ...], ...]
    """The heading path from there on, outermost first."""

    def section_at(self, position: int) -> tuple[str, ...]:
        """Nearest headings above a character, or on it."""
        place = bisect_right(self.starts, position)
        return self.paths[place - 1] if place else ()


def outline(document: Document) -> Outline:
    """The outline of a Markdown, HTML or PPTX document; of any other an empty one."""
    return _outline(document.text) if document.mime_type in MARKDOWN_TYPES else Outline((), (), ())


def _outline(text: str) -> Outline:
    blocks = tuple(_blocks(text))
    stack: list[Block] = []
    starts, paths = [], []
    for block in blocks:
        if block.kind == "heading":
            stack = [above for above in stack if above.level < block.level] + [block]
            starts.append(block.start)
            paths.append(tuple(above.title for above in stack))
    return Outline(blocks, tuple(starts), tuple(paths))


def _blocks(text: str) -> Iterator[Block]:
    lines = _lines(text)
    at = 0
    while at < len(lines):
        start, end = lines[at]
        line = text[start:end]
        if not line.strip():
            at += 1
        elif found := _ATX.match(line):
            title = _CLOSING_MARKS.sub("", line[found.end() :].strip()).strip()
            yield Block(start, start + len(line.rstrip()), "heading", len(found[1]), title)
            at += 1
        else:
            kind, after = _extent(text, lines, at)
            end = start + len(text[start : lines[after - 1][1]].rstrip())
            yield _setext(text, lines, at, after) or Block(start, end, kind)
            at = after


def _lines(text: str) -> list[tuple[int, int]]:
    spans, start = [], 0
    for line in text.split("\n"):
        spans.append((start, start + len(line)))
        start += len(line) + 1
    return spans


def _extent(text: str, lines: list[tuple[int, int]], at: int) -> tuple[str, int]:
    """Kind of the block that starts on a line, and the line after it."""
    line = _line(text, lines, at)
    if _FENCE.match(line) and not _ITEM.match(line):
        return "code", _after_fence(text, lines, at)
    if _is_table(text, lines, at):
        return "table", _after_table(text, lines, at)
    if item := _ITEM.match(line):
        return "list", _after_item(text, lines, at, len(item[1]))
    return "prose", _after_paragraph(text, lines, at)


def _line(text: str, lines: list[tuple[int, int]], at: int) -> str:
    return text[slice(*lines[at])] if at < len(lines) else ""


def _after_fence(text: str, lines: list[tuple[int, int]], at: int) -> int:
    opened = _FENCE.match(_line(text, lines, at))
    mark = opened[1] if opened else "```"
    for after in range(at + 1, len(lines)):
        closing = _line(text, lines, after).strip().removeprefix(">").strip()
        if len(closing) >= len(mark) and set(closing) == {mark[0]}:
            return after + 1
    return len(lines)


def _is_table(text: str, lines: list[tuple[int, int]], at: int) -> bool:
    line = _line(text, lines, at)
    return line.lstrip().startswith("|") or ("|" in line and bool(_RULE.match(_line(text, lines, at + 1).strip())))


def _after_table(text: str, lines: list[tuple[int, int]], at: int) -> int:
    while "|" in _line(text, lines, at):
        at += 1
    return at


def _after_item(text: str, lines: list[tuple[int, int]], at: int, indent: int) -> int:
    """An item goes on through deeper lines and lines without a blank line before; a fence in it is taken whole."""
    after = _after_fence(text, lines, at) if _FENCE.match(_line(text, lines, at)) else at + 1
    end = after
    while after < len(lines):
        line = _line(text, lines, after)
        deeper = len(line) - len(line.lstrip()) > indent
        if not line.strip():
            after += 1
            continue
        if not deeper and (after > end or _ITEM.match(line) or _interrupts(line) or _is_table(text, lines, after)):
            break
        after = _after_fence(text, lines, after) if _FENCE.match(line) else after + 1
        end = after
    return end


def _after_paragraph(text: str, lines: list[tuple[int, int]], at: int) -> int:
    after = at + 1
    if _SETEXT.match(_line(text, lines, after)):
        return after + 1
    while (line := _line(text, lines, after)).strip():
        if _interrupts(line) or _ITEM.match(line) or _is_table(text, lines, after):
            break
        after += 1
    return after


def _interrupts(line: str) -> bool:
    return bool(_ATX.match(line) or _FENCE.match(line))


def _setext(text: str, lines: list[tuple[int, int]], at: int, after: int) -> Block | None:
    """One line of text underlined with = or - is a heading of level 1 or 2."""
    if after - at != 2 or not (rule := _SETEXT.match(_line(text, lines, at + 1))) or _SETEXT.match(_line(text, lines, at)):
        return None
    return Block(
        lines[at][0],
        lines[at][0] + len(text[lines[at][0] : lines[at + 1][1]].rstrip()),
        "heading",
        1 if rule[1][0] == "=" else 2,
        _line(text, lines, at).strip(),
    )
