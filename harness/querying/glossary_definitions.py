"""Terms with their meaning, as a document gives them: in brackets, in lists, in tables.

In a glossary every short meaning counts that can stand for its term; elsewhere only that of an abbreviation whose letters its words
start with. An ordinary word is a term only in a list or table of three rows or more. Figures, types and code are no meaning.
"""

import re
from collections.abc import Iterator

from harness.querying.glossary_abbreviations import MARKUP, PLAIN, explained, is_short
from harness.querying.glossary_rows import Row, prose, rows_of
from harness.terms import STOP_WORDS
from harness.text import fold, words
from harness.types import Document

_PAUSE = re.compile(r"[,;(.!?](?=\s|$)|\s[(]|[、。，；（：،؛]")
_STOP = re.compile(r"[;(.!?](?=\s|$)|[。；（؛]")
_LONGEST, _LONGEST_SYNONYM = 12, 4
"""Words of what an abbreviation stands for, and of what an ordinary term is put beside: a longer meaning is a definition."""
_ROWS = 3
"""Rows of a list or table from which on an ordinary word of it is a term."""
_NAME = re.compile(r"[^\W_](?:[^\W_]|['’.&/+-])*(?: (?:[^\W_]|['’.&/+-])+){0,5}")
"""A term: up to six words, no code."""
_CODE = re.compile(r"\w_\w|\w\.[a-z]|^\W*\d+(?:[.,]\d+)*\W*(?:\s\S{1,3})?$")
"""In a meaning: names of code and files; or nothing but a figure with its unit."""
# fmt: off
_NO_MEANING = frozenset((
    "any", "array", "bool", "boolean", "bytes", "char", "date", "dict", "double", "enum", "false", "float", "int", "integer",
    "list", "long", "map", "mandatory", "none", "null", "number", "object", "optional", "required", "str", "string", "tbd",
    "true", "tuple", "unknown", "yes",
))
"""Types and values of settings."""
_NO_TERM = frozenset((
    "attention", "caution", "danger", "example", "fixme", "hint", "important", "info", "name", "note", "notice", "tip",
    "todo", "warning",
))
# fmt: on
"""What stands before a colon to draw attention, also in capitals, or as a column of a form."""
_SHORTEST_WORD = 4


def definitions(document: Document) -> Iterator[tuple[str, str]]:
    """Term and meaning of every definition in a document, in brackets, lists and tables; repeated ones again."""
    yield from explained(prose(document.text))
    for row in rows_of(document):
        if phrase := _phrase(row):
            yield row.term, phrase


def _phrase(row: Row) -> str:
    """What the term can be replaced by; empty where the meaning is an explanation and no other name."""
    if not _is_term(row):
        return ""
    term, short = row.term, is_short(row.term)
    first = _PAUSE.split(row.meaning, maxsplit=1)[0].strip(MARKUP)
    found = (_initialled(term, first) if short else "") or (_listed(term, row.meaning, first, short) if row.listed else "")
    size = len(words(found))
    if not 0 < size <= (_LONGEST if short else _LONGEST_SYNONYM) or words(found) == words(term) or not _is_meaning(found):
        return ""
    return found if row.listed or (found == first and size <= len(term) + 2) else ""


def _is_term(row: Row) -> bool:
    """An abbreviation, a name by its capitals or digits, or a word in a list or table of enough rows."""
    term = row.term
    if not words(term) or len(term) > 60 or not _NAME.fullmatch(term) or fold(term) in _NO_TERM | STOP_WORDS:
        return False
    return is_short(term) or row.among >= _ROWS or (row.among > 0 and _is_name(term))


def _is_name(term: str) -> bool:
    """A digit, a capital inside a word, or two words of which each is capitalised: one capital may be that of the line."""
    parts = term.split()
    return any(letter.isdigit() or letter.isupper() for part in parts for letter in part[1:]) or (
        len(parts) > 1 and all(part[0].isupper() for part in parts)
    )


def _is_meaning(found: str) -> bool:
    """Words alone that can be another name: no figure, type, value or code, and no single short or common word."""
    if not PLAIN.fullmatch(found) or _CODE.search(found):
        return False
    parts = words(found)
    single = len(parts) == 1 and parts[0].isascii()
    return not (single and (len(parts[0]) < _SHORTEST_WORD or parts[0] in _NO_MEANING | STOP_WORDS))


def _listed(term: str, meaning: str, first: str, short: bool) -> str:
    """In a glossary: words up to a stop that have the abbreviation's letters (`ISM: industrial, scientific and medical`), or up to a pause."""
    return (_initialled(term, _STOP.split(meaning, maxsplit=1)[0]) if short else "") or first


def _initialled(term: str, meaning: str) -> str:
    """The fewest first words that start, one after the other, with the letters of the abbreviation; empty if they do not."""
    wanted = [letter for letter in term.lower() if letter.isalnum()]
    for match in re.finditer(r"[^\W_]+", meaning):
        if match[0][0].lower() == wanted[0]:
            wanted = wanted[1:]
        if not wanted:
            return meaning[: match.end()]
    return ""
