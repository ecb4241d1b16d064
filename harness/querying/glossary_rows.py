"""The rows of a document that can be definitions: `- MTBF: mean time between failures`, tables, definition lists; code is none.

Regular expressions are bounded: a text takes time in proportion to its length.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from harness.delimited import cells, separator_of
from harness.querying.glossary_abbreviations import MARKUP
from harness.types import Document

_GLOSSARY = re.compile(
    r"\bgloss(?:ar(?:y|ies|s|e)?|aires?)\b|\babbreviations?\b|\babréviations?\b|\bacronym(?:s|e)?\b|abkürzung|\bkürzel"
    r"|\bterminolog(?:y|ies|ie|ía)\b|\bsigles\b|\bsiglas\b|\bglosario\b|\bsynonym(?:s|e|es)\b|\bdefinitions\b|\bterms used\b"
    r"|用語|略語|术语|術語|缩写|縮寫|مصطلحات|اختصارات|словар|сокращени|глоссари",
    re.IGNORECASE,
)
_TERM_HEAD = re.compile(
    r"terms?|abbreviations?|abbr\.?|acronyms?|short(?: form)?|initialism|begriff|abkürzung|kürzel|terme|sigle|abréviation"
    r"|término|sigla|用語|略語|术语|術語|缩写|縮寫|مصطلح|اختصار|термин|сокращение",
    re.IGNORECASE,
)
_MEANING_HEAD = re.compile(
    r"meanings?|definitions?|stands for|expansion|long(?: form)?|full (?:form|name|text)|in full|explanation|description|synonyms?"
    r"|bedeutung|langform|erklärung|signification|définition|significado|definición|意味|定義|含义|含義|全称|全稱|定义|معنى|значение"
    r"|расшифровка",
    re.IGNORECASE,
)
_HEADING = re.compile(r"(#{1,6})\s+(\S.{0,200})")
_ITEM = re.compile(
    r"\s{0,12}([-*+•]\s{1,4})?[*_`]{0,3}([^\W_](?:[^\n:：=|]{0,59}?[^\s:：=|*_`])?)[*_`]{0,3}(?:\s{0,4}[:：=]|\s{1,4}[-–—]\s)"
    r"[*_`]{0,3}\s{0,4}(\S.{0,300})"
)
_SIDE = re.compile(r"(?:\s*:\s{1,8}|\s{2,12})(\S.{0,300})")
"""The meaning below its term, after a colon or indented."""
_RULE = re.compile(r"[\s|:+=-]+")
_FENCE = re.compile(r"\s{0,12}(?:[-*+]\s)?(`{3,}|~{3,})")
_SETTING = re.compile(r"[\w.-]{1,60}:|[\s#-]")
_INDENTED = re.compile(r"(?: {4}|\t)\s*(?![-*+•]\s)\S")


@dataclass(frozen=True, slots=True)
class Row:
    """What may be a term and its meaning."""

    term: str
    """As written, without markup."""
    meaning: str
    """All that stands behind it."""
    listed: bool
    """Whether it stands in a glossary, as a title, a heading or a table's header says."""
    among: int
    """Rows of the list or table that it belongs to; 0 for a line that belongs to none."""


def rows_of(document: Document) -> list[Row]:
    """All rows of a document, in its order."""
    whole = bool(_GLOSSARY.search(document.title) or _GLOSSARY.search(PurePosixPath(document.doc_id).stem.replace("_", " ")))
    if document.mime_type != "text/csv":
        return _Reader(whole).read(prose(document.text).split("\n"))
    lines = [line for line in document.text.split("\n") if line.strip()]
    return _of_table([cells(line, separator_of(lines[0])) for line in lines], whole)


def prose(text: str) -> str:
    """The text with front matter, fenced code and indented code as empty lines."""
    lines = text.split("\n")
    kept: list[str] = []
    fence, code, place = "", False, _after_front_matter(lines)
    for line in lines[place:]:
        mark = _FENCE.match(line)
        if fence:
            closes = mark and mark[1].startswith(fence) and not line.strip().strip(fence[0])
            fence, line = "" if closes else fence, ""
        elif mark:
            fence, line = mark[1], ""
        elif line.strip():
            code = bool(_INDENTED.match(line)) and (code or bool(kept and not kept[-1].strip()))
            line = "" if code else line
        kept.append(line)
    return "\n".join([""] * place + kept)


def _after_front_matter(lines: Sequence[str]) -> int:
    """The line after YAML front matter; 0 where a first rule is followed by other text."""
    if lines[0].rstrip() != "---":
        return 0
    for place, line in enumerate(lines[1:], start=2):
        if line.rstrip() in ("---", "..."):
            return place
        if line.strip() and not _SETTING.match(line):
            return 0
    return 0


@dataclass
class _Reader:
    """Reads lines of running text with headings, lists and tables."""

    whole: bool
    above: list[tuple[int, bool]] = field(default_factory=list)
    table: list[list[str]] = field(default_factory=list)
    run: list[tuple[str, str]] = field(default_factory=list)
    found: list[Row] = field(default_factory=list)

    @property
    def listed(self) -> bool:
        """Whether the place that was reached lies in a glossary."""
        return self.whole or any(is_one for _, is_one in self.above)

    def read(self, lines: Sequence[str]) -> list[Row]:
        """All rows, in the order of the lines."""
        for place, line in enumerate(lines):
            if line.lstrip().startswith("|"):
                self._end_list()
                self.table.append([cell.strip() for cell in line.strip().strip("|").split("|")])
            elif line.strip():
                self._end_table()
                self._line(line, lines[place - 1] if place else "")
            else:
                self._end_table()
        self._end_table()
        self._end_list()
        return self.found

    def _line(self, line: str, before: str) -> None:
        if heading := _HEADING.match(line):
            self._end_list()
            level = len(heading[1])
            self.above = [item for item in self.above if item[0] < level] + [(level, bool(_GLOSSARY.search(heading[2])))]
        elif (item := _ITEM.match(line)) and item[1]:
            self.run.append((item[2], item[3]))
        elif item:
            self._end_list()
            self.found.append(_row(item[2], item[3], self.listed, 0))
        elif (below := _SIDE.fullmatch(line[:320])) and before.strip():
            if self.listed and not _ITEM.match(before) and not _SIDE.fullmatch(before[:320]):
                self.run.append((before[:61], below[1]))
        elif not _may_be_a_term(line):
            self._end_list()

    def _end_list(self) -> None:
        self.found += [_row(*pair, self.listed, len(self.run)) for pair in self.run]
        self.run = []

    def _end_table(self) -> None:
        self.found += _of_table(self.table, self.listed)
        self.table = []


def _may_be_a_term(line: str) -> bool:
    """Whether a line can be the upper half of a definition list's entry, which does not end the list."""
    return len(line) <= 60 and line[0] not in " \t-*+•"


def _of_table(rows: Sequence[Sequence[str]], listed: bool) -> list[Row]:
    """Term and meaning of each row of a table whose header names both, or of the first two columns in a glossary."""
    if not rows:
        return []
    left, right = _column(_TERM_HEAD, rows[0]), _column(_MEANING_HEAD, rows[0])
    if min(left, right) < 0 or left == right:
        left, right = (0, 1) if listed else (-1, -1)
    held = [row for row in rows[1:] if right >= 0 and len(row) > max(left, right) and not _RULE.fullmatch(row[right])]
    return [_row(row[left], row[right], True, len(held)) for row in held]


def _column(head: re.Pattern[str], row: Sequence[str]) -> int:
    return next((place for place, cell in enumerate(row) if head.fullmatch(cell.strip(MARKUP))), -1)


def _row(term: str, meaning: str, listed: bool, among: int) -> Row:
    return Row(term.strip(MARKUP), meaning.strip(f"{MARKUP}|"), listed, among)
