"""PPTX: each slide as a Markdown section with its title, text, tables, charts and speaker notes, read by python-pptx.

Hidden slides are left out: nobody was shown them.
"""

import zlib
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from io import BytesIO
from typing import Any
from zipfile import BadZipFile, ZipFile

MAX_UNPACKED = 500_000_000
"""Bytes; a deck that unpacks to more is refused."""
MAX_PART = 20_000_000
"""Bytes of one part that is XML, whatever its name."""
MAX_PARTS = 60_000_000
"""Bytes of all parts that are XML."""
MAX_MARKS = 3_000_000
"""Tags and attributes of all parts that are XML; each takes some hundred bytes in memory."""
MAX_TEXT = 20_000_000
"""Characters of the text that comes out, and cells of the table of a chart."""

_HEAD = 4096
_BEFORE = b"\xff\xfe\xef\xbb\xbf \t\r\n"
"""Marks of byte order and blanks, which may stand before XML."""
_CHART_POINTS = ("c:cat", "c:xVal"), ("c:val", "c:yVal"), ("c:bubbleSize",)
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
    if not any(title or parts for _, title, parts in slides):
        raise ValueError("holds no text; pictures of text have to go through OCR first")
    sections = ["\n\n".join([f"## {title or f'Slide {number}'}", *parts]) for number, title, parts in slides]
    return "\n\n".join(sections) + "\n"


def _slides(data: bytes) -> Iterator[tuple[int, str, list[str]]]:
    """Number, title (empty if there is none) and the other parts of each slide that is shown."""
    from pptx import Presentation

    _refuse_bombs(data)
    slides = list(Presentation(BytesIO(data)).slides)
    if len({slide.part.partname for slide in slides}) < len(slides):
        raise ValueError("names a slide twice")
    size = 0
    for number, slide in enumerate(slides, 1):
        if slide.element.get("show") in ("0", "false"):
            continue
        title = slide.shapes.title
        parts = list(_parts(shape for shape in slide.shapes if title is None or shape.shape_id != title.shape_id))
        notes = slide.notes_slide.notes_text_frame if slide.has_notes_slide else None
        parts += _paragraphs(notes) if notes is not None else ()
        size += sum(map(len, parts))
        if size > MAX_TEXT:
            raise ValueError(f"has a text of more than {MAX_TEXT:,} characters")
        yield number, _line(title.text_frame.text) if title is not None else "", parts


def _refuse_bombs(data: bytes) -> None:
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
            if b"<!DOCTYPE" in text:
                raise ValueError(f"declares entities in {member.filename!r}, which a deck may not")


def _is_markup(head: bytes) -> bool:
    """Whether a part could be XML in any encoding; the content types of a deck may give it any name."""
    start = head.replace(b"\0", b"").lstrip(_BEFORE)
    return start.startswith(b"<") or (not start and bool(head.strip(b"\0")))


def _parts(shapes: Iterable[Any]) -> Iterator[str]:
    """Tables, charts and texts, those inside groups included."""
    for shape in shapes:
        if shape.has_table:
            yield from _table([[_line(cell.text) for cell in row.cells] for row in shape.table.rows])
        elif shape.has_chart:
            yield from _chart(shape.chart.element)
        elif shape.has_text_frame:
            yield from _paragraphs(shape.text_frame)
        elif hasattr(shape, "shapes"):
            yield from _parts(shape.shapes)


def _paragraphs(frame: Any) -> Iterator[str]:
    lines = [f"{'  ' * item.level}- {_line(item.text)}" for item in frame.paragraphs if item.text.strip()]
    yield from ["\n".join(lines)] if lines else []


def _chart(chart: Any) -> Iterator[str]:
    """The title, and a table of the series that share their categories, from the values that the deck keeps of a chart."""
    title = _line(" ".join("".join(line.xpath(".//a:t/text()")) for line in chart.xpath("c:chart/c:title//a:p")))
    yield from [f"- {title}"] if title else []
    tables: dict[tuple[tuple[int, str], ...], list[tuple[str, dict[int, str]]]] = {}
    for series in chart.xpath(".//c:ser"):
        categories, *values = (_points(series, names) for names in _CHART_POINTS)
        name = _line(" ".join(series.xpath("c:tx//c:v/text()")))
        shared = tables.setdefault(tuple(sorted(categories.items())), [])
        shared += [(name, found) for found in values if found]
    for key, series in tables.items():
        columns = [dict(key), *(found for _, found in series)]
        places = sorted({place for column in columns for place in column})
        if len(places) * len(columns) > MAX_TEXT:
            raise ValueError(f"holds a chart of more than {MAX_TEXT:,} cells")
        yield from _table([["", *(name for name, _ in series)], *([column.get(at, "") for column in columns] for at in places)])


def _points(series: Any, names: Iterable[str]) -> dict[int, str]:
    """Values of a series by their place; the levels of categories, the outer ones first, are joined."""
    found: dict[int, str] = {}
    for name in names:
        for level in series.xpath(f"{name}//c:lvl") or series.xpath(name):
            points = {int(point.get("idx")): _line("".join(point.xpath("c:v/text()"))) for point in level.xpath(".//c:pt")}
            outer = sorted(points)
            found = {place: _under(points, outer, place, text) for place, text in found.items()} if found else points
    return found


def _under(points: dict[int, str], outer: list[int], place: int, text: str) -> str:
    """A category with the one of the level above that it belongs to: the last that stands at or before its place."""
    above = bisect_right(outer, place)
    return f"{points[outer[above - 1]]} {text}" if above else text


def _table(rows: list[list[str]]) -> Iterator[str]:
    if any(cell for cells in rows for cell in cells):
        first, *others = [f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |" for cells in rows]
        yield "\n".join([first, f"| {' | '.join('---' for _ in rows[0])} |", *others])


def _line(text: str) -> str:
    return " ".join(text.split())
