"""The citation parser: which bracketed markers cite a chunk, and which only look like it.

Linear time in the text. Reads `[a]`, `[a][b]`, `[a, b]`, `[a; b]`, `【a】`, `〔a〕`, `【a†source】`, `[Source: a]` (also
Quelle, 出典, 来源, 來源, المصدر), `[^a]`, `[[a]]`, digits of any script and width (`[１]` and `[٣]` cite 1 and 3) and the
ranges `[1-3]` and `[c1-c3]`. Leaves alone code spans and fences, `arr[0]`, dates and years, `[sic]` and its kin, Markdown
links, images and footnote definitions, task boxes, and anything that holds words (`【注意】` too).
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from harness.text import CJK

_MARKER = re.compile(r"\[([^\[\]【】［］\n]+)\]|【([^\[\]【】［］\n]+)】|［([^\[\]【】［］\n]+)］|〔([^\[\]【】［］〔〕\n]+)〕")
_ID = re.compile(r"[^\W_](?:[\w.:/-]*\w)?")
_OWN_ID = re.compile(r"[0-9a-f]{12}")
_SEPARATOR = re.compile(r"[,;|，；、،؛]")
_LABEL = re.compile(
    r"(?:(?:sources?|quellen?|refs?|references?|cit(?:e|ed|ation)s?|see)\s*[:：]\s*"
    r"|(?:出典|来源|來源)\s*[:：]?\s*|(?:ال)?(?:مصدر|مصادر)(?:\s*[:：]\s*|\s+)"
    r"|(?:sources?|quellen?|refs?|references?|citations?|chunks?(?:[ _]ids?)?"
    r"|doc(?:ument)?s?|passages?|ids?)\s*(?::\s+|#|\s+))",
    re.IGNORECASE,
)
_LOCATOR = re.compile(r"(?:pp?|pages?|sec|section|§|lines?)\.?\s*\d+(?:\s*[-–]\s*\d+)?", re.IGNORECASE)
_RANGE = re.compile(r"([A-Za-z_]{0,20})(\d{1,4})\s*[-–—]\s*([A-Za-z_]{0,20})(\d{1,4})")
_YEAR = r"(?:19|20)\d\d"
_NOT_AN_ID = re.compile(
    rf"\d+\.\d+|{_YEAR}(?:\s*[-–—/]\s*{_YEAR})?|\d{{4}}[-/]\d\d?(?:[-/]\d\d?.*)?|\d\d?/\d\d?/\d{{2,4}}|\d\d?:\d\d(?::\d\d)?"
)
_EDITORIAL = re.compile(
    r"sic|etc|ibid|e\.g|i\.e|n/?a|none|null|yes|no|y/n|true|false|notes?|todo|tbd|tba|redacted|blank|optional|required|default"
    r"|deprecated|beta|new|info|warning|error|debug|ok|inst|link|image|fig|figure|table|placeholder|unknown|name|inaudible|laughter"
    r"|emphasis|translated|edited|omitted|continued|i|he|she|it|we|you|they|them|the|his|her|their|our|this|that|is|are|was|were"
    r"|and|or|not|to|in|of",
    re.IGNORECASE,
)
_UNSPACED = re.compile(rf"[{CJK}\u0620-\u06d3]")
_PLACE_OR_DATE = re.compile(rf"第\d+[{CJK}]*|\d+[年月日].*")
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})", re.MULTILINE)
_TICKS = re.compile(r"`+")
_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_TASK = re.compile(r"[ \t]*(?:[-*+]|\d+[.)])[ \t]+")
LONGEST_RANGE = 50
"""Ids a range may stand for; a longer one is no citation."""


@dataclass(frozen=True, slots=True)
class Citation:
    """One marker: text[start:end] cites `ids`."""

    start: int
    """First character of the marker."""
    end: int
    """One past its last character."""
    ids: tuple[str, ...]
    """Cited ids in the order written, ranges spelt out."""


def find(text: str) -> list[Citation]:
    """The citations of a text, in order."""
    hidden, found, before = _code(text), list[Citation](), 0
    starts = [start for start, _ in hidden]
    for match in _MARKER.finditer(text):
        place = bisect_right(starts, match.start()) - 1
        if place >= 0 and match.start() < hidden[place][1]:
            continue
        ids = _ids(next(group for group in match.groups() if group is not None))
        if ids and _stands_free(text, match.start(), match.end(), ids, before) and not _is_markdown(text, match):
            doubled = text[match.start() - 1 : match.start()] == "[" and text[match.end() : match.end() + 1] == "]"
            found.append(Citation(match.start() - doubled, match.end() + doubled, ids))
            before = found[-1].end
    return found


@lru_cache(maxsize=1024)
def cited_ids(text: str) -> tuple[str, ...]:
    """The distinct cited ids in order of appearance."""
    return tuple(dict.fromkeys(cited for citation in find(text) for cited in citation.ids))


def strip(text: str, ids: Sequence[str] | frozenset[str] | set[str]) -> str:
    """The text without the citations of these ids; a marker that cites others too keeps those."""
    unwanted = frozenset(ids)
    return _without(text, lambda cited: cited in unwanted)


def without_citations(text: str) -> str:
    """The text without any citation, blanks tidied."""
    return _without(text, lambda _cited: True)


def _without(text: str, unwanted: Callable[[str], bool]) -> str:
    pieces, position = list[str](), 0
    for citation in find(text):
        kept = [cited for cited in citation.ids if not unwanted(cited)]
        if len(kept) == len(citation.ids):
            continue
        piece = text[position : citation.start]
        position = citation.end
        if kept:
            pieces += [piece, text[citation.start], ", ".join(kept), text[citation.end - 1]]
            continue
        pieces.append(piece)
        if _closes(text, position):
            _drop_blanks(pieces)
        if not pieces or pieces[-1][-1:].isspace():
            position = _skip_blanks(text, position)
    return "".join([*pieces, text[position:]])


def _closes(text: str, position: int) -> bool:
    following = text[position : position + 1]
    return not following or following.isspace() or following in ".,;:!?)。，；：！？｡、؟،؛」』）"


def _drop_blanks(pieces: list[str]) -> None:
    while pieces:
        last = pieces.pop().rstrip(" \t")
        if last:
            pieces.append(last)
            return


def _skip_blanks(text: str, position: int) -> int:
    while text[position : position + 1] in (" ", "\t"):
        position += 1
    return position


@lru_cache(maxsize=512)
def _ids(inside: str) -> tuple[str, ...]:
    """The ids inside a marker; empty when one of its items is no id."""
    ids: list[str] = []
    for part in _SEPARATOR.split(inside):
        item = _LABEL.sub("", part.strip().split("†")[0].strip(), count=1).lstrip("^").strip()
        if _LOCATOR.fullmatch(item) and ids:
            continue
        spelt = _item_ids(item)
        if not spelt:
            return ()
        ids += spelt
    return () if ids == ["0", "1"] else tuple(ids)


def _item_ids(item: str) -> list[str]:
    if pieces := [piece for piece in item.split() if _OWN_ID.fullmatch(piece)]:
        return pieces if len(pieces) == len(item.split()) else []
    item = _narrow(item)
    if _is_word(item) or _NOT_AN_ID.fullmatch(item) or _EDITORIAL.fullmatch(item.rstrip(".")):
        return []
    if (match := _RANGE.fullmatch(item)) and (spelt := _spell_out(*match.groups())):
        return spelt
    if match and not match.group(1) and int(match.group(2)) < int(match.group(4)):
        return []
    return [item] if len(item) <= 200 and _ID.fullmatch(item) else []


def _narrow(item: str) -> str:
    """Digits of any script and full-width forms as ASCII, all else as it stands."""
    return item if item.isascii() else "".join(_narrow_letter(letter) for letter in item)


def _narrow_letter(letter: str) -> str:
    if letter.isdecimal():
        return str(int(letter))
    return chr(ord(letter) - 0xFEE0) if "！" <= letter <= "～" else letter


def _is_word(item: str) -> bool:
    """Whether the item is a word (`注意`), a place (`第3章`) or a date in a script that sets no blanks, or a word in Arabic."""
    if not _UNSPACED.search(item):
        return False
    return not any(letter.isdigit() for letter in item) or bool(_PLACE_OR_DATE.fullmatch(item))


def _spell_out(prefix: str, first: str, prefix_again: str, last: str) -> list[str]:
    low, high = int(first), int(last)
    if prefix_again not in ("", prefix) or not low < high < low + LONGEST_RANGE:
        return []
    return [f"{prefix}{number}" for number in range(low, high + 1)]


def _stands_free(text: str, start: int, end: int, ids: tuple[str, ...], before: int) -> bool:
    """Not an index, a type argument or a letter put right in a quotation: those touch a word."""
    left, right = text[max(start - 1, 0) : start], text[end : end + 1]
    if left == "\\":
        return False
    if text[start] != "[" or (start and start == before):
        return True
    touches = left.isascii() and (left.isalnum() or left in ("_", ")", "]"))
    touches = touches or (right.isascii() and right.isalnum())
    return not touches or all(_OWN_ID.fullmatch(cited) for cited in ids)


def _is_markdown(text: str, match: re.Match[str]) -> bool:
    """A link, an image, a footnote or link definition, or a task box."""
    start, end = match.span()
    following = text[end : end + 2]
    image = text[max(start - 1, 0) : start] == "!" and not text[max(start - 2, 0) : start - 1].isalnum()
    if following[:1] == "(" or image:
        return True
    if len(match.group()) != 3 and following[:1] != ":":
        return False
    line = _line_before(text, start)
    if match.group() in ("[x]", "[X]"):
        return bool(_TASK.fullmatch(line))
    return following[:1] == ":" and not line.strip() and ("^" in match.group()[:2] or _is_target(text, end + 1))


def _line_before(text: str, start: int) -> str:
    """What stands before `start` on its line; a line longer than any list marker comes back as a dash."""
    window = text[max(0, start - 40) : start]
    line = window.rpartition("\n")[2]
    return "-" if line == window and start > len(window) else line


def _is_target(text: str, position: int) -> bool:
    return bool(re.match(r"\s*(?:<|/|#|[a-z][a-z+.-]{1,20}://)", text[position : position + 40]))


def _code(text: str) -> list[tuple[int, int]]:
    """Spans of code fences and code spans, in order, none inside another."""
    fences = list(_fences(text))
    return sorted([*fences, *_code_spans(text, fences)])


def _fences(text: str) -> Iterator[tuple[int, int]]:
    opened: re.Match[str] | None = None
    for match in _FENCE.finditer(text):
        if opened is None:
            opened = match
        elif match.group(1)[0] == opened.group(1)[0] and len(match.group(1)) >= len(opened.group(1)):
            yield opened.start(), match.end()
            opened = None
    if opened is not None:
        yield opened.start(), len(text)


def _code_spans(text: str, fences: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """From a run of backticks to the next run of the same length in the same paragraph (CommonMark 6.1)."""
    breaks = [match.start() for match in _BLANK_LINE.finditer(text)]
    starts = [start for start, _ in fences]
    runs = [run.span() for run in _TICKS.finditer(text)]
    partner: dict[tuple[int, int, int], int] = {}
    following = [0] * len(runs)
    for number in range(len(runs) - 1, -1, -1):
        start, end = runs[number]
        key = (end - start, bisect_right(breaks, start), bisect_right(starts, start))
        following[number] = partner.get(key, 0)
        partner[key] = number
    number = 0
    while number < len(runs):
        closing = following[number]
        if closing:
            yield runs[number][0], runs[closing][1]
        number = max(closing, number) + 1
