"""Questions from structure: headings, rows of tables, definitions in code."""

import re
from collections.abc import Iterator

from harness.delimited import cells, row_spans, separator_of
from harness.doc2query.english import action, inside, is_noun, is_plural
from harness.text import words
from harness.types import Chunk

_FENCED = re.compile(r"^[ \t]*(`{3,}|~{3,})[^\n]*\n(.*?)(?:^[ \t]*\1[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_NOT_PROSE = re.compile(r"^[ \t]*(?:#{1,6}[ \t]|\||[=-]{3,}[ \t]*$)[^\n]*$", re.MULTILINE)
_HEADING = re.compile(r"^[ \t]*#{1,6}[ \t][^\n]*$", re.MULTILINE)
_DEFINED = re.compile(
    r"^[ \t]*(?:(?:export|default|public|private|protected|static|async|abstract|pub)[ \t]+)*"
    r"(?:def|class|function|func|fn|interface|struct|trait|enum)[ \t]+(?:\([^()\n]*\)[ \t]*)?([A-Za-z]\w*)",
    re.MULTILINE,
)
_NUMBERING = re.compile(r"^(?:\d+(?:\.\d+)*[.)]?|[A-Z]\.|§)\s+")
_RULE = frozenset("-:|+ \t")
_QUESTION_MARKS = "?？؟"
_LONGEST_NAME = 6
"""Words of a row's name."""
_LEAST = 5
"""Words of a text that is asked about by its heading."""


def prose(text: str) -> str:
    """A text without fenced code, table rows and headings."""
    return _NOT_PROSE.sub("", _FENCED.sub("\n\n", text))


def from_heading(chunk: Chunk, english: bool) -> Iterator[str]:
    """The heading where it is a question, in any language; how to do what an English one names, if the text says anything."""
    heading = _heading(chunk)
    if heading.endswith(tuple(_QUESTION_MARKS)):
        yield heading
    elif english and _says(chunk) and (done := action(heading)):
        yield f"How do I {done}?"


def from_topic(chunk: Chunk) -> Iterator[str]:
    """What is said about the section, or about the document, if anything is."""
    heading, title = _heading(chunk), _plain(chunk.title)
    if not heading or not _says(chunk) or heading.endswith(tuple(_QUESTION_MARKS)) or action(heading):
        return
    topic = inside(heading, chunk.text)
    yield (
        f"What does {title} say about {topic}?"
        if title and words(title) != words(heading)
        else f"What should I know about {topic}?"
    )


def from_table(chunk: Chunk, most: int) -> Iterator[str]:
    """What a column says of a row, named by its first cell: another row and another column each time, spread over the rows.

    Args:
        chunk: with the header in its text or preface.
        most: questions that are wanted.
    """
    header, *rows = _cells(chunk) or [[]]
    columns = [(place, column) for place, column in enumerate(header) if place and is_noun(column)]
    named = [row for row in rows if 0 < len(row[0].split()) <= _LONGEST_NAME]
    step = -(-len(named) // most) or 1
    spread = [row for first in range(step) for row in named[first::step]]
    for turn in range(len(columns)):
        for number, row in enumerate(spread):
            place, column = columns[(number + turn) % len(columns)]
            if row[place : place + 1] and row[place].strip("-–— "):
                yield f"What {'are' if is_plural(column) else 'is'} the {_small(column)} of {row[0]}?"


def from_code(chunk: Chunk) -> Iterator[str]:
    """What each function and class does."""
    code = chunk.text if chunk.kind == "code" else "\n".join(body for _, body in _FENCED.findall(chunk.text))
    for name in _DEFINED.findall(code):
        yield f"What does {name} do?"


def _says(chunk: Chunk) -> bool:
    """Whether a chunk holds more than headings and a few words, such as the header of a page."""
    return len(words(_HEADING.sub("", chunk.text))) >= _LEAST


def _heading(chunk: Chunk) -> str:
    return _plain(chunk.section_path[-1] if chunk.section_path else chunk.title)


def _plain(heading: str) -> str:
    return _NUMBERING.sub("", " ".join(re.sub(r"[*`]|<[^<>]*>", "", heading).split())).rstrip(" .:")


def _small(column: str) -> str:
    return column[0].lower() + column[1:] if column[1:2].islower() else column


def _cells(chunk: Chunk) -> list[list[str]]:
    """The rows of the first table, its header first; nothing where the header is not known."""
    text = "\n".join(part for part in (chunk.preface, chunk.text) if part)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    piped = [place for place, line in enumerate(lines) if place and {"-", "|"} <= set(line) <= _RULE]
    if piped:
        head = piped[0] - 1
        rows = [_piped(line) for line in (lines[head], *(line for line in lines[head + 2 :] if "|" in line))]
    else:
        rows = _delimited(text) if chunk.kind == "table" and (chunk.preface or chunk.position == 0) else []
    return [[_column(cell) for cell in row] for row in rows[:1]] + rows[1:]


def _piped(line: str) -> list[str]:
    inner = line.removeprefix("|").removesuffix("|")
    return [_plain(cell.replace("\\|", "|")) for cell in re.split(r"(?<!\\)\|", inner)]


def _delimited(text: str) -> list[list[str]]:
    """The rows of delimited text; rows of JSON name their own fields and have no header."""
    if text.lstrip().startswith(("{", "[")):
        return []
    separator = separator_of(text)
    rows = [[_plain(cell) for cell in cells(text[start:end], separator)] for start, end in row_spans(text, separator)]
    return rows if rows and len(rows[0]) > 1 else []


def _column(name: str) -> str:
    """The name of a column in words: `list_price_eur` is list price eur."""
    return " ".join(name.replace("_", " ").split())
