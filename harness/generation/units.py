"""What an extractive answer is made of: sentences, list items and whole lists, table rows with their header, code lines."""

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from harness.text import CJK, sentences, words
from harness.types import Chunk

_ITEM = re.compile(r"\s*(?:(?:[-*+•]|\d{1,3}[.)])\s+|(?:・|[①-⑳]|（\d{1,3}）|\d{1,3}(?:[．）]|、(?!\d)))\s*)(?=\S)")
_HEADING = re.compile(r"\s*#{1,6}\s")
_RULE = re.compile(r"[\s|:=*_+-]*")
_BAR = re.compile(r"(?<!\\)\|")
_DELIMITERS = "\t;,"
_JAPANESE_QUESTION = re.compile(r"(?:です|ます|でしょう|ません|でした|ました)か。$")
_ARABIC = re.compile(r"[\u0620-\u06d3]")
_ENDS_IN_CJK = re.compile(rf"[{CJK}][^\w\s]*$")
ITEM_MARKS = ".;,。；，、،؛"
"""Marks that a list item loses before the next one follows."""


@dataclass(frozen=True, slots=True)
class Unit:
    """One thing that can be said with one citation."""

    text: str
    """What is said: verbatim, whitespace collapsed."""
    read: str
    """What is matched against the question: the text, and for the answer in a list of questions its question."""


def units(chunk: Chunk) -> list[Unit]:
    """The units of a chunk in reading order; headings and rules are none."""
    lines = chunk.text.splitlines()
    if chunk.kind == "table" and (rows := _delimited(chunk.text)):
        header, body = (rows[0], rows[1:]) if chunk.span.start == 0 and len(rows) > 1 else ([], rows)
        return [unit for row in body if words((unit := _row(header, row)).text)]
    found: list[Unit] = []
    heading = chunk.section_path[-1] if chunk.section_path else ""
    for kind, block in groupby(_labelled(lines, chunk.kind), key=lambda pair: pair[0]):
        text = [line for _, line in block]
        if kind == "heading":
            heading = text[-1].strip(" #")
        elif kind == "row":
            found += _table(text)
        elif kind == "item":
            found += _list(text, found[-1].text if found and introduces(found[-1].text) else "", heading)
        elif kind == "code":
            found += [_unit(line) for line in text]
        elif kind == "prose":
            found += _prose(text)
    return [unit for unit in found if words(unit.text)]


def _labelled(lines: Sequence[str], kind: str) -> Iterator[tuple[str, str]]:
    """Each line with what it is; a blank line inside a list does not end it, a heading ends everything."""
    fenced, previous = False, ""
    for line in lines:
        fence = line.lstrip().startswith(("```", "~~~"))
        fenced ^= fence
        label = "rule" if fence else "code" if fenced or kind == "code" else _label(line, previous)
        if line.strip() or label == "prose":
            yield label, line
            previous = label


def _label(line: str, previous: str) -> str:
    if _HEADING.match(line):
        return "heading"
    if line.lstrip().startswith("|"):
        return "row"
    if _ITEM.match(line) or (previous == "item" and (not line.strip() or line[0].isspace())):
        return "item"
    return "rule" if line.strip() and _RULE.fullmatch(line) else "prose"


def _unit(text: str) -> Unit:
    collapsed = " ".join(text.split())
    return Unit(collapsed, collapsed)


def _prose(lines: Sequence[str]) -> list[Unit]:
    """Sentences; a sentence that asks lends its words to the one that answers it."""
    found: list[Unit] = []
    question = ""
    for sentence in sentences("\n".join(lines)):
        text = " ".join(sentence.split())
        if _asks(text):
            question = text
            continue
        found.append(Unit(text, f"{question} {text}".strip()))
        question = ""
    return found


def introduces(text: str) -> bool:
    """Whether a sentence announces a list: it ends with a colon."""
    return text.endswith((":", "："))


def joint(text: str) -> str:
    """What stands between the items of a list in the text's script: `; `, `；` or `؛ `."""
    if _ENDS_IN_CJK.search(text):
        return "；"
    return "؛ " if _ARABIC.search(text) else "; "


def full_stop(text: str) -> str:
    """The full stop of the script in which a text ends: `.` or `。`."""
    return "。" if _ENDS_IN_CJK.search(text) else "."


def _asks(text: str) -> bool:
    return text.endswith(("?", "？", "؟")) or bool(_JAPANESE_QUESTION.search(text))


def _list(lines: Sequence[str], lead: str, heading: str) -> list[Unit]:
    """Every item, then the whole list behind the sentence that introduces it; without one, its heading says what it lists."""
    items: list[str] = []
    for line in lines:
        marker = _ITEM.match(line)
        if marker or not items:
            items.append(line[marker.end() if marker else 0 :].strip())
        else:
            items[-1] += f" {line.strip()}"
    single = [_unit(item) for item in items]
    if len(items) < 2 and not lead:
        return single
    said = f"{lead} {joint(items[0]).join(unit.text.rstrip(ITEM_MARKS) for unit in single)}".strip()
    return [*single, Unit(said, said if lead else f"{heading} {said}")]


def _table(lines: Sequence[str]) -> list[Unit]:
    """The rows of a Markdown table with the cells of its header, where the chunk holds it."""
    rows = [_cells(line) for line in lines]
    headed = len(lines) > 1 and "-" in lines[1] and bool(_RULE.fullmatch(lines[1]))
    body = [row for row, line in zip(rows, lines, strict=True) if not _RULE.fullmatch(line)]
    return [_row(body[0], row) for row in body[1:]] if headed else [_row((), row) for row in body]


def _cells(line: str) -> list[str]:
    r"""The cells between the bars of a line; `\|` is a bar inside a cell."""
    cells = [cell.strip().replace(r"\|", "|") for cell in _BAR.split(line.strip())]
    first, last = int(not cells[0]), len(cells) - (len(cells) > 1 and not cells[-1])
    return cells[first:last]


def _row(header: Sequence[str], row: Sequence[str]) -> Unit:
    """`Column: cell; Column: cell`, or the cells alone under a header of another width."""
    names = header if len(header) == len(row) else [""] * len(row)
    return _unit("; ".join(f"{name}: {cell}" if name and cell else cell for name, cell in zip(names, row, strict=True) if cell))


def _delimited(text: str) -> list[list[str]]:
    """The rows of a table whose cells end at commas, semicolons or tabs, blank rows left out; of a Markdown table nothing."""
    lines = [line for line in text.splitlines(keepends=True) if line.strip()]
    if not lines or all("|" in line or _HEADING.match(line) for line in lines):
        return []
    try:
        rows = [[cell.strip() for cell in row] for row in csv.reader(lines, delimiter=_delimiter(lines))]
    except csv.Error:
        return []
    return [row for row in rows if any(row)]


def _delimiter(lines: Sequence[str]) -> str:
    """The mark that every line holds most often; a comma is the last choice, for it also stands in numbers."""
    return max(_DELIMITERS, key=lambda mark: (min(line.count(mark) for line in lines), sum(line.count(mark) for line in lines)))
