"""PDF: the text of each page, read by pypdf; pages are apart by a blank line."""

import logging
import re
import struct
import zlib
from collections.abc import Sequence
from io import BytesIO

_HYPHENATED = re.compile(r"(?<=[a-zà-öø-ÿ])-\n(?=[a-zà-öø-ÿ])")
_SPACES = re.compile(r"[ \t]+")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
_SENTENCE_ENDS = (".", "!", "?", ":")
_FILLED = 0.7
"""Share of the page's longest line from which on a line counts as filled."""
_END = b"%%EOF"
_BROKEN = (
    ArithmeticError, AssertionError, AttributeError, EOFError, LookupError, OSError, RuntimeError, TypeError, ValueError,
    struct.error, zlib.error,
)  # fmt: skip
"""What pypdf raises beside its own errors where a file is damaged."""


def extract(data: bytes) -> str:
    """The text of all pages; lines are joined to paragraphs, words cut by a hyphen to words.

    Raises:
        ValueError: for bytes that are no PDF, a cut-off or an encrypted one, or one without text (a scan).
    """
    if b"%PDF-" not in data[:1024]:
        raise ValueError("is no PDF: it does not start with %PDF")
    if _END not in data.rstrip(b"\0\r\n\t ")[-1024:]:
        raise ValueError("is cut off: the end mark of a PDF is missing")
    pages = [_clean(text) for text in _pages(data)]
    if not any(pages):
        raise ValueError("holds no text; a scan has to go through OCR first")
    return "\n\n".join(page for page in pages if page) + "\n"


def _pages(data: bytes) -> list[str]:
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    try:
        reader = PdfReader(BytesIO(data))
        if not reader.is_encrypted:
            return [page.extract_text() for page in reader.pages]
    except (PyPdfError, *_BROKEN) as error:
        raise ValueError(f"cannot be read as PDF: {' '.join(str(error).split()) or type(error).__name__}") from error
    raise ValueError("is encrypted; save it without a password")


def _clean(text: str) -> str:
    """Without control characters and halves of characters, which faulty fonts give; lines joined to paragraphs."""
    sound = _CONTROL.sub("", text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))
    lines = [_SPACES.sub(" ", line).strip() for line in sound.splitlines()]
    return _joined(_HYPHENATED.sub("", "\n".join(lines)).strip().split("\n"))


def _joined(lines: Sequence[str]) -> str:
    """A long line that ends no sentence goes on in the next."""
    filled = _FILLED * max(map(len, lines))
    ends = [" " if len(line) >= filled and not line.endswith(_SENTENCE_ENDS) else "\n" for line in lines]
    return "".join(f"{line}{end}" for line, end in zip(lines, ends, strict=True)).strip()
