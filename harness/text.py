"""Words, sentences and token counts. Pure functions, linear time, the same answer everywhere."""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

CJK = (
    "\u3005\u3007\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f"
    "\U00020000-\U0003ffff"
)
"""Han, kana and Hangul as the inside of a character class: each character is a word."""
_ARABIC_MARKS = "\u064b-\u065f\u0670"
_TOKEN = re.compile(rf"[{CJK}]|(?:[^\W{CJK}][{_ARABIC_MARKS}]*){{1,6}}|[^\w\s]")
_WORD = re.compile(rf"[^\W{CJK}]+(?:[-.'][^\W{CJK}]+)*|[{CJK}]")
_ASCII_WORD = re.compile(r"\w+(?:[-.']\w+)*", re.ASCII)
_ELISION = re.compile(r"(?<![\w'])(?:[cdjlmnst]'(?=\w\w)|(?:lors|puis|jus)?qu'(?=\w))")

_FRACTIONS = (*range(0xBC, 0xBF), *range(0x2150, 0x215F), 0x2189)
_APART = {**{code: f" {chr(code)}" for code in _FRACTIONS}, **dict.fromkeys(map(ord, "™℠№"), " ")}
_VARIANTS = str.maketrans("أإآٱىیةؤئک٫‘’‛ʼ‐ẖẗẘẙǰ", "ااااييهويك.''''-htwyj")
_UNSEEN = re.compile(rf"[\u0300-\u036f{_ARABIC_MARKS}\u0640\u00ad\u200c-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]")
_OTHER_DIGIT = re.compile(r"[^\D0-9]")
_LONG_WORD = 24
_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")

_CLOSERS = "\"')\\]»«”“’‘›‹」』）】〕》〉"
_OPENERS = "\"'(\\[„‚“‘»›‹「『（【〔《〈¿¡"
_FULL = "。！？｡"
_LIST = r"\s*(?:[-*+|#•・①-⑳]|\d+(?:[.．]|、(?!\d))|（\d+）)"
_BLANKS = rf"(?=\s)[^\S\n]*+(?:\n(?!{_LIST})[^\S\n]*+)?+"
_SENTENCE_END = re.compile(
    rf"(?<=[.!?؟…])(?:[{_CLOSERS}]|[ \u00a0\u202f]»)*{_BLANKS}(?=(?:[{_OPENERS}]|«\s?){{0,3}}([^\W_]))"
    rf"|(?<=[{_FULL}])[{_FULL}…」』）】〕》〉”’»]{{0,16}}+(?![、，；：,;:])"
    rf"|\n\s*\n|\n(?={_LIST})"
)
_ABBREVIATION = re.compile(
    r"\b(?:e\.g|i\.e|etc|vs|no|approx|fig|dr|mr|mrs|ms|st|inc|ltd|prof|bzw|usw|ggf|inkl|evtl|vgl|nr|tél|abb|kap|max|min|tel|cf"
    r"|vol|bd|str|mme|u\.s|(?-i:ca|M))\.$|\.\s?(?-i:[A-Z])\.$",
    re.IGNORECASE,
)
_SPACED = re.compile(r"\b(?:[zZ]\.\s?B|[dD]\.\s?h|[uU]\.\s?a|[pP]\.\s?ex)\.")
_BEFORE_NUMBER = re.compile(r"\b(?:env|art)\.$|(?<!\d\s)\b(?:pp?|(?-i:S))\.$", re.IGNORECASE)
_ORDINAL = re.compile(r"\b(?:am|vom|bis|der|dem|den|zum|im)\s\d{1,2}\.$", re.IGNORECASE)
_DAY = re.compile(r"(?<![\w.,])\d{1,2}\.$")
_MONTH = re.compile(r"(?:Januar|Jänner|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)\b")
_LIST_NUMBER = re.compile(r"\s*\d{1,3}\.")
_QUOTED = re.compile(r"(?:「[^「」\n]*」|『[^『』\n]*』)(?=と|など|の|を|が|に|って)")
_HIDDEN = str.maketrans(f"{_FULL}.!?…", "、" * (len(_FULL) + 4))

_FILE_NAME = re.compile(r"[\w-][\w.,=+-]{0,127}")

REFUSAL = "I cannot find this in the knowledge base."
"""The one sentence with which every built-in generator refuses."""


def normalise(text: str) -> str:
    """NFC, Unix line ends, no byte-order mark: what every document and question goes through."""
    return unicodedata.normalize("NFC", text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n"))


def names_a_file(name: str) -> bool:
    """Whether a name can be that of a file or folder everywhere: letters, digits, . _ - (and , = + of sweeps), no leading dot."""
    return bool(_FILE_NAME.fullmatch(name))


def fold(text: str) -> str:
    """The text as it is matched, never as it is shown: what readers take for the same word becomes the same characters.

    NFKC and case folding (ß is ss, full width is narrow), any script's digits as 0-9, typographic apostrophes as ', Arabic
    without vowel marks, tatweel and the variants of alef, ya, ta marbuta and hamza's carriers; no invisible characters.
    Offsets do not hold. Folding twice changes nothing.
    """
    if text.isascii():
        return text.lower()
    return _NOT_ASCII.sub(_folded_match, unicodedata.normalize("NFC", text).casefold())


def _folded_match(match: re.Match[str]) -> str:
    piece = match.group()
    return _folded_word(piece) if len(piece) < _LONG_WORD else _folded(piece)


def _folded(piece: str) -> str:
    composed = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", piece.translate(_APART)).casefold())
    bare = _UNSEEN.sub("", composed.translate(_VARIANTS))
    return unicodedata.normalize("NFC", _OTHER_DIGIT.sub(lambda digit: str(int(digit.group())), bare))


_folded_word = lru_cache(maxsize=2**14)(_folded)


def words(text: str) -> list[str]:
    """Folded words; `FH-4410-B`, `2.4` and `don't` stay whole, `l'eau` is eau; each CJK character is a word."""
    folded = fold(text)
    if "'" in folded:
        folded = _ELISION.sub("", folded)
    return (_ASCII_WORD if folded.isascii() else _WORD).findall(folded)


def token_spans(text: str) -> Iterator[tuple[int, int]]:
    """Offsets of tokens: pieces of words up to six characters, punctuation marks, CJK characters.

    A model-free stand-in for word pieces: a short word is one, a long one several.
    """
    return (match.span() for match in _TOKEN.finditer(text))


def count_tokens(text: str) -> int:
    """How many tokens `token_spans` finds."""
    return sum(1 for _ in token_spans(text))


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Offsets of sentences and list or table lines, trimmed of blanks, in order, none empty.

    Latin and Arabic sentences end before blanks that no lower-case letter follows, Chinese and Japanese ones at their stop;
    closing quotation marks and brackets belong to the sentence.
    """
    read = _QUOTED.sub(lambda quoted: quoted.group().translate(_HIDDEN), text)
    spans, start, opens = [], 0, True
    for match in _SENTENCE_END.finditer(read):
        if match.group(1) and _goes_on(read, start, match, opens):
            continue
        spans.append((start, match.start() + len(match.group().rstrip())))
        start, opens = match.end(), match.group().startswith("\n")
    spans.append((start, len(text)))
    return [trimmed for begin, end in spans if (trimmed := _trim(text, begin, end))]


def _goes_on(text: str, start: int, match: re.Match[str], opens: bool) -> bool:
    """Whether the stop before the match ends no sentence; `opens`: that sentence is the first of its line or block."""
    stop, following = match.start(), match.group(1)
    if following.islower():
        return True
    if text[stop - 1] != ".":
        return False
    near = max(start, stop - 8)
    return (
        bool(_ABBREVIATION.search(text, near, stop))
        or any(found.start() < stop <= found.end() for found in _SPACED.finditer(text, near, match.end() + 4))
        or (following.isdigit() and bool(_BEFORE_NUMBER.search(text, near, stop)))
        or bool(_DAY.search(text, near, stop) and _MONTH.match(text, match.end()))
        or (following.isalpha() and bool(_ORDINAL.search(text, near, stop)))
        or (opens and bool(_LIST_NUMBER.fullmatch(text, start, stop)))
    )


def _trim(text: str, begin: int, end: int) -> tuple[int, int] | None:
    piece = text[begin:end]
    begin += len(piece) - len(piece.lstrip())
    end -= len(piece) - len(piece.rstrip())
    return (begin, end) if end > begin else None


def sentences(text: str) -> list[str]:
    """The sentences of a text."""
    return [text[begin:end] for begin, end in sentence_spans(text)]
