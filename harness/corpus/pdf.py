"""PDF: the text of each page, read by pypdf; pages are apart by a blank line.

Lines are joined to paragraphs and words that a line's end cuts to words, as far as the text itself shows which these are: the
rows of a table stay lines, and a hyphen goes only if the word stands elsewhere in the document without one.
"""

import logging
import re
import struct
import zlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from io import BytesIO
from typing import Any

from harness.corpus.cleaned import Cleaned, Dropped, joined
from harness.corpus.metadata import said

MAX_PAGES = 10_000
"""Pages of a file, those counted twice that are named twice."""
MAX_CONTENT = 20_000_000
"""Bytes of what the pages draw, unpacked and as often as it is drawn."""

_DRAWS = re.compile(rb"(/[^\s/<>\[\](){}%]++)\s++Do\b")
_ESCAPED = re.compile(rb"#([0-9A-Fa-f]{2})")
_HYPHENATED = re.compile(r"\b(\w+)-\n(\w+)")
_WORD = re.compile(r"\w+(?:-\w+)*")
_DIGIT = re.compile(r"\d")
_SPACES = re.compile(r"[ \t]+")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
_PDF_DATE = re.compile(r"(?:D:)?(\d{4})(\d{2})(\d{2})")
_SENTENCE_ENDS = (".", "!", "?", ":")
_FILLED = 0.7
"""Share of the page's longest line from which on a line counts as filled."""
_FULL = 0.85
"""Share of it that a line with the next word would have to reach: otherwise the word had room there, and a new line was meant."""
_NUMBERS = 0.25
"""Share of words with digits from which on a line looks like a row of numbers."""
_END = b"%%EOF"
_BROKEN = (
    ArithmeticError, AssertionError, AttributeError, EOFError, LookupError, OSError, RuntimeError, TypeError, ValueError,
    struct.error, zlib.error,
)  # fmt: skip
"""What pypdf raises beside its own errors where a file is damaged."""


def extract(data: bytes) -> Cleaned:
    """The text of all pages; lines are joined to paragraphs, words cut by a hyphen to words; author and date of change.

    Raises:
        ValueError: for bytes that are no PDF, a cut-off or an encrypted one, or one without text (a scan).
    """
    if b"%PDF-" not in data[:1024]:
        raise ValueError("is no PDF: it does not start with %PDF")
    if _END not in data.rstrip(b"\0\r\n\t ")[-1024:]:
        raise ValueError("is cut off: the end mark of a PDF is missing")
    drawn, fields = _pages(data)
    pages = [_clean(text) for text in drawn]
    if not any(pages):
        raise ValueError("holds no text; a scan has to go through OCR first")
    whole = _whole_words(pages)
    paragraphs = [_joined(_HYPHENATED.sub(whole, page).split("\n")) if page else "" for page in pages]
    text, places = joined(enumerate(paragraphs, 1), "\n\n")
    blank = tuple(Dropped(f"page {number}, which holds no text", 0) for number, page in enumerate(pages, 1) if not page)
    return Cleaned(text, fields, "page", places, blank)


def _pages(data: bytes) -> tuple[list[str], dict[str, str]]:
    """The text of each page, and what the file says of itself."""
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    try:
        reader = PdfReader(BytesIO(data))
        if not reader.is_encrypted:
            return _texts(reader.pages), _fields(reader)
    except (PyPdfError, *_BROKEN) as error:
        raise ValueError(f"cannot be read as PDF: {' '.join(str(error).split()) or type(error).__name__}") from error
    raise ValueError("is encrypted; save it without a password")


def _fields(reader: Any) -> dict[str, str]:
    """Author and date of change, as far as they can be read: damaged ones are left out."""
    try:
        raw = reader.trailer.get("/Info")
        information = _dictionary(raw)
        author, changed = (str(information.get(name) or "") for name in ("/Author", "/ModDate"))
    except _BROKEN:
        return {}
    digits = _PDF_DATE.match(changed)
    return said(author, "-".join(digits.groups()) if digits else "")


def _texts(pages: Sequence[Any]) -> list[str]:
    if len(pages) > MAX_PAGES:
        raise ValueError(f"has {len(pages):,} pages (limit {MAX_PAGES:,})")
    drawn, sizes = 0, dict[int, int]()
    for page in pages:
        drawn += _drawn(page.get("/Contents"), page.get("/Resources"), sizes)
        _refuse(drawn)
    return [page.extract_text() for page in pages]


def _refuse(size: int) -> None:
    if size > MAX_CONTENT:
        raise ValueError(f"draws more than {MAX_CONTENT:,} bytes")


def _drawn(content: Any, resources: Any, sizes: dict[int, int]) -> int:
    """Bytes of a content and of the forms that it draws, each as often as it is drawn; `sizes` are those of forms by identity."""
    data = _bytes(content)
    forms = _dictionary(_dictionary(resources).get("/XObject"))
    return len(data) + sum(
        number * _form(forms.get(name), sizes) for name, number in Counter(map(_name, _DRAWS.findall(data))).items()
    )


def _form(reference: Any, sizes: dict[int, int]) -> int:
    form = _dictionary(reference)
    if form.get("/Subtype") != "/Form":
        return 0
    if id(form) not in sizes:
        sizes[id(form)] = 0
        sizes[id(form)] = _drawn(form, form.get("/Resources"), sizes)
    return sizes[id(form)]


def _name(raw: bytes) -> str:
    return _ESCAPED.sub(lambda found: bytes.fromhex(found[1].decode()), raw).decode("utf-8", "replace")


def _bytes(content: Any) -> bytes:
    """The bytes of a stream, or of all streams of a list, unpacked."""
    from pypdf.generic import ArrayObject, StreamObject

    found = content.get_object() if content is not None else None
    streams, size = [], 0
    for part in found if isinstance(found, ArrayObject) else [found]:
        stream = part.get_object() if part is not None else None
        streams.append(stream.get_data() if isinstance(stream, StreamObject) else b"")
        size += len(streams[-1])
        _refuse(size)
    return b"\n".join(streams)


def _dictionary(value: Any) -> Mapping[str, Any]:
    found = value.get_object() if value is not None else None
    return found if isinstance(found, Mapping) else {}


def _clean(text: str) -> str:
    """Without control characters and halves of characters, which faulty fonts give, and without blanks around lines."""
    sound = _CONTROL.sub("", text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))
    return "\n".join(_SPACES.sub(" ", line).strip() for line in sound.splitlines()).strip()


def _whole_words(pages: Sequence[str]) -> Callable[[re.Match[str]], str]:
    """Puts the halves of a word together: as the document writes it elsewhere, and with its hyphen if it does not."""
    words = Counter(word.lower() for page in pages for word in _WORD.findall(page))

    def whole(cut: re.Match[str]) -> str:
        joined, hyphenated = "".join(cut.groups()), "-".join(cut.groups())
        return joined if words[joined.lower()] and not words[hyphenated.lower()] else hyphenated

    return whole


def _joined(lines: Sequence[str]) -> str:
    """Lines as paragraphs."""
    longest = max(map(len, lines))
    ends = [" " if _goes_on(line, after, longest) else "\n" for line, after in zip(lines, [*lines[1:], ""], strict=True)]
    return "".join(f"{line}{end}" for line, end in zip(lines, ends, strict=True)).strip()


def _goes_on(line: str, after: str, longest: int) -> bool:
    """Whether the next line is the same paragraph: this one is full, ends no sentence, and they are no rows of numbers."""
    if len(line) < _FILLED * longest or line.endswith(_SENTENCE_ENDS) or not after:
        return False
    needed = len(line) + 1 + len(after.split()[0])
    return needed >= _FULL * longest and not (_is_row(line) and _is_row(after))


def _is_row(line: str) -> bool:
    words = line.split()
    return sum(bool(_DIGIT.search(word)) for word in words) >= _NUMBERS * len(words)
