"""Words, sentences and token counts. Pure functions, linear time, the same answer everywhere."""

import re
import unicodedata
from collections.abc import Iterator

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
_TOKEN = re.compile(rf"[{_CJK}]|(?:(?![{_CJK}])\w){{1,6}}|[^\w\s]")
_WORD = re.compile(rf"[{_CJK}]|(?:(?![{_CJK}])\w)+(?:[-.'](?:(?![{_CJK}])\w)+)*")
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"')\]]*\s+(?=[\"'(\[]?[A-Z0-9])|(?<=[。！？])|\n\s*\n|\n(?=\s*(?:[-*+|#]|\d+\.)\s?)")
_ABBREVIATION = re.compile(r"\b(?:e\.g|i\.e|etc|vs|no|approx|fig|dr|mr|mrs|ms|st|inc|ltd)\.$", re.IGNORECASE)

_FILE_NAME = re.compile(r"[\w-][\w.,=+-]{0,127}")

REFUSAL = "I cannot find this in the knowledge base."
"""The one sentence with which every built-in generator refuses."""


def normalise(text: str) -> str:
    """NFC, Unix line ends, no byte-order mark: what every document and question goes through."""
    return unicodedata.normalize("NFC", text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n"))


def names_a_file(name: str) -> bool:
    """Whether a name can be that of a file or folder everywhere: letters, digits, . _ - (and , = + of sweeps), no leading dot."""
    return bool(_FILE_NAME.fullmatch(name))


def words(text: str) -> list[str]:
    """Lower-case words; `FH-4410-B`, `2.4` and `don't` stay whole; each CJK character is a word."""
    return [match.group().lower() for match in _WORD.finditer(text)]


def token_spans(text: str) -> Iterator[tuple[int, int]]:
    """Offsets of tokens: pieces of words up to six characters, punctuation marks, CJK characters.

    A model-free stand-in for word pieces: a short word is one, a long one several.
    """
    return (match.span() for match in _TOKEN.finditer(text))


def count_tokens(text: str) -> int:
    """How many tokens `token_spans` finds."""
    return sum(1 for _ in token_spans(text))


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Offsets of sentences and list or table lines, trimmed of blanks, in order, none empty."""
    spans, start = [], 0
    for match in _SENTENCE_END.finditer(text):
        if _ABBREVIATION.search(text, max(start, match.start() - 8), match.start()):
            continue
        spans.append((start, match.start() + len(match.group().rstrip())))
        start = match.end()
    spans.append((start, len(text)))
    return [trimmed for begin, end in spans if (trimmed := _trim(text, begin, end))]


def _trim(text: str, begin: int, end: int) -> tuple[int, int] | None:
    piece = text[begin:end]
    begin += len(piece) - len(piece.lstrip())
    end -= len(piece) - len(piece.rstrip())
    return (begin, end) if end > begin else None


def sentences(text: str) -> list[str]:
    """The sentences of a text."""
    return [text[begin:end] for begin, end in sentence_spans(text)]
