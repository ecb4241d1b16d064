"""What DOCX and PPTX have in common: limits against files that unpack without bound, and what a file says of itself."""

import re
import zlib
from collections.abc import Callable
from io import BytesIO
from typing import Any
from xml.etree.ElementTree import Element, fromstring
from zipfile import BadZipFile, ZipFile

from harness.corpus.cleaned import Cleaned, TooLargeError, single_line
from harness.corpus.metadata import said

MAX_UNPACKED = 500_000_000
"""Bytes; a file that unpacks to more is refused."""
MAX_PART = 20_000_000
"""Bytes of one part that is XML, whatever its name."""
MAX_PARTS = 60_000_000
"""Bytes of all parts that are XML."""
MAX_MARKS = 3_000_000
"""Tags and attributes of all parts that are XML; each takes some hundred bytes in memory."""
MAX_CELLS = 1_000_000
"""Cells of all tables and charts of a file, empty ones and those that a wide one covers included."""
BROKEN = (
    ArithmeticError, AssertionError, AttributeError, BadZipFile, EOFError, LookupError, OSError, RuntimeError, SyntaxError,
    TypeError, ValueError, zlib.error,
)  # fmt: skip
"""What zipfile, lxml and the readers of Office files raise beside their own errors where a file is damaged."""

_HEAD = 4096
_BEFORE = b"\xff\xfe\xef\xbb\xbf \t\r\n"
"""Marks of byte order and blanks, which may stand before XML."""
_OLE = bytes.fromhex("d0cf11e0a1b11ae1")
_EBCDIC = "<?xm".encode("cp037")
_DECLARED = re.compile(rb"<\?xml\s[^>]*?\bencoding\s*=\s*[\"']([^\"']*)")
_ENCODINGS = (b"utf-8", b"utf-16")
"""What an Office file may be written in (ISO/IEC 29500-2); in another encoding, tags would not be seen here."""


class Cells:
    """Counts the cells of one file."""

    def __init__(self) -> None:
        self._seen = 0

    def add(self, number: int) -> None:
        """Counts cells before they are made.

        Raises:
            TooLargeError: when there are more than `MAX_CELLS`.
        """
        self._seen += number
        if self._seen > MAX_CELLS:
            raise TooLargeError(f"has tables and charts of more than {MAX_CELLS:,} cells")


def opened(
    data: bytes, kinds: tuple[str, str], errors: tuple[type[Exception], ...], read: Callable[[BytesIO], Cleaned]
) -> Cleaned:
    """What `read` makes of a file.

    Args:
        data: its bytes.
        kinds: suffixes of the old and of the present kind of file.
        errors: what its reader raises of its own.
        read: the reader.

    Raises:
        ValueError: for an old or an encrypted file, one that is damaged or grows without bound, and one without text.
    """
    old, new = kinds
    broken: tuple[type[Exception], ...] = (*errors, *BROKEN)
    if data.startswith(_OLE):
        raise ValueError(f"is encrypted, or an old {old}; save it as {new} without a password")
    try:
        refuse_bombs(data)
        cleaned = read(BytesIO(data))
    except broken as error:
        raise ValueError(f"cannot be read as {new[1:].upper()}: {reason(error)}") from error
    if not cleaned.text:
        raise ValueError("holds no text; pictures of text have to go through OCR first")
    return cleaned


def refuse_bombs(data: bytes) -> None:
    """Raises for what would grow without bound when parsed; pictures and films may be larger.

    Raises:
        ValueError: with the limit that is passed.
    """
    with ZipFile(BytesIO(data)) as packed:
        members = packed.infolist()
        if sum(member.file_size for member in members) > MAX_UNPACKED:
            raise ValueError(f"unpacks to more than {MAX_UNPACKED:,} bytes")
        size = marks = 0
        for member in members:
            with packed.open(member) as part:
                head = part.read(_HEAD)
                if not _is_markup(head):
                    continue
                text = (head + part.read(MAX_PART)).replace(b"\0", b"")
            size, marks = size + member.file_size, marks + text.count(b"<") + text.count(b"=")
            if member.file_size > MAX_PART:
                raise ValueError(f"holds {member.filename!r} of {member.file_size:,} bytes (limit for XML {MAX_PART:,})")
            if size > MAX_PARTS or marks > MAX_MARKS:
                raise ValueError(f"holds XML of more than {MAX_PARTS:,} bytes or {MAX_MARKS:,} tags and attributes")
            declared = _DECLARED.match(text.lstrip(_BEFORE))
            if text.startswith(_EBCDIC) or (declared and declared[1].lower() not in _ENCODINGS):
                raise ValueError(f"holds {member.filename!r} in another encoding than UTF-8 or UTF-16")
            if b"<!DOCTYPE" in text:
                raise ValueError(f"declares entities in {member.filename!r}, which an Office file may not")


def _is_markup(head: bytes) -> bool:
    """Whether a part could be XML in any encoding; the content types of a file may give it any name."""
    start = head.replace(b"\0", b"").lstrip(_BEFORE)
    return start.startswith((b"<", _EBCDIC)) or (not start and bool(head.strip(b"\0")))


def reason(error: Exception) -> str:
    """What an error says, on one line, or its kind if it says nothing."""
    return single_line(str(error)) or type(error).__name__


def core_fields(package: Any, titled: bool) -> dict[str, str]:
    """Author, date of change and, if wanted, title of a python-docx or python-pptx file; none if they are damaged."""
    try:
        properties = package.core_properties
        changed = properties.modified or properties.created
        title = properties.title if titled else ""
        return said(str(properties.author or ""), changed.isoformat() if changed else "", str(title or ""))
    except BROKEN:
        return {}


def parsed(blob: bytes) -> Element:
    """The root of a part's XML; `refuse_bombs` has seen that it declares no entities.

    Raises:
        SyntaxError: when it is broken.
    """
    return fromstring(blob)  # noqa: S314
