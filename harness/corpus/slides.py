"""PPTX: each slide as a Markdown section with its title, text, tables and speaker notes, read by python-pptx."""

import zlib
from collections.abc import Iterable, Iterator
from io import BytesIO
from typing import Any
from zipfile import BadZipFile, ZipFile

MAX_UNPACKED = 500_000_000
"""Bytes; a deck that unpacks to more is refused."""

_OLE = bytes.fromhex("d0cf11e0a1b11ae1")
_BROKEN = (
    AttributeError,
    BadZipFile,
    EOFError,
    LookupError,
    OSError,
    RuntimeError,
    SyntaxError,
    TypeError,
    ValueError,
    zlib.error,
)
"""What zipfile, lxml and python-pptx raise beside their own errors where a file is damaged."""


def extract(data: bytes) -> str:
    """The text of all slides, `## title` first, in the order of the deck.

    Raises:
        ValueError: for bytes that are no PPTX, an encrypted one, or one without text.
    """
    from pptx.exc import PythonPptxError

    if data.startswith(_OLE):
        raise ValueError("is encrypted, or an old .ppt; save it as .pptx without a password")
    try:
        slides = list(_slides(data))
    except (PythonPptxError, *_BROKEN) as error:
        raise ValueError(f"cannot be read as PPTX: {' '.join(str(error).split()) or type(error).__name__}") from error
    if not any(title or parts for title, parts in slides):
        raise ValueError("holds no text; pictures of text have to go through OCR first")
    sections = ["\n\n".join([f"## {title or f'Slide {number}'}", *parts]) for number, (title, parts) in enumerate(slides, 1)]
    return "\n\n".join(sections) + "\n"


def _slides(data: bytes) -> Iterator[tuple[str, list[str]]]:
    """Title (empty if there is none) and the other parts of each slide."""
    from pptx import Presentation

    with ZipFile(BytesIO(data)) as packed:
        if sum(member.file_size for member in packed.infolist()) > MAX_UNPACKED:
            raise ValueError(f"unpacks to more than {MAX_UNPACKED:,} bytes")
    for slide in Presentation(BytesIO(data)).slides:
        title = slide.shapes.title
        parts = list(_parts(shape for shape in slide.shapes if title is None or shape.shape_id != title.shape_id))
        notes = slide.notes_slide.notes_text_frame if slide.has_notes_slide else None
        yield (
            _line(title.text_frame.text) if title is not None else "",
            [*parts, *(_paragraphs(notes) if notes is not None else ())],
        )


def _parts(shapes: Iterable[Any]) -> Iterator[str]:
    """Tables and texts, those inside groups included."""
    for shape in shapes:
        if shape.has_table:
            yield from _table(shape.table)
        elif shape.has_text_frame:
            yield from _paragraphs(shape.text_frame)
        elif hasattr(shape, "shapes"):
            yield from _parts(shape.shapes)


def _paragraphs(frame: Any) -> Iterator[str]:
    lines = [f"{'  ' * item.level}- {_line(item.text)}" for item in frame.paragraphs if item.text.strip()]
    yield from ["\n".join(lines)] if lines else []


def _table(table: Any) -> Iterator[str]:
    rows = [[_line(cell.text).replace("|", "\\|") for cell in row.cells] for row in table.rows]
    if any(cell for cells in rows for cell in cells):
        first, *others = [f"| {' | '.join(cells)} |" for cells in rows]
        yield "\n".join([first, f"| {' | '.join('---' for _ in rows[0])} |", *others])


def _line(text: str) -> str:
    return " ".join(text.split())
