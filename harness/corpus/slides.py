"""PPTX: each slide as a Markdown section with its title, text, tables, charts, diagrams and speaker notes, read by python-pptx.

Hidden slides are left out: nobody was shown them. So are pictures and embedded objects, whose text cannot be read.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from harness.corpus.charts import chart, newer_chart, table
from harness.corpus.cleaned import Cleaned, Dropped, TooLargeError, joined, refuse_long, single_line
from harness.corpus.diagrams import diagram
from harness.corpus.office import BROKEN, Cells, core_fields, opened, parsed

_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_DIAGRAM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}relIds"
_NEWER_CHART = "{http://schemas.microsoft.com/office/drawing/2014/chartex}chart"


def extract(data: bytes) -> Cleaned:
    """The text of all slides, `## title` first, in the order of the deck; author and date of change.

    Raises:
        ValueError: for bytes that are no PPTX, an encrypted one, or one without text.
    """
    from pptx.exc import PythonPptxError

    return opened(data, (".ppt", ".pptx"), (PythonPptxError,), _read)


def _read(data: BytesIO) -> Cleaned:
    from pptx import Presentation

    deck = Presentation(data)
    slides = list(_slides(deck))
    shown = [slide for slide in slides if slide.shown]
    said = shown if any(slide.title or slide.parts for slide in shown) else []
    text, places = joined(((slide.number, slide.section) for slide in said), "\n\n")
    return Cleaned(text, core_fields(deck, titled=False), "slide", places, tuple(_dropped(slides)))


@dataclass(frozen=True, slots=True)
class _Slide:
    number: int
    title: str
    parts: tuple[str, ...]
    shown: bool
    unread: tuple[str, ...]
    """What it holds that is not read."""

    @property
    def section(self) -> str:
        return "\n\n".join([f"## {self.title or f'Slide {self.number}'}", *self.parts])


def _dropped(slides: Iterable[_Slide]) -> Iterator[Dropped]:
    for slide in slides:
        if not slide.shown:
            yield Dropped(f"hidden slide {slide.number}", len(slide.title) + sum(map(len, slide.parts)))
        for what, number in Counter(slide.unread).items() if slide.shown else ():
            yield Dropped(f"{number} {what}{'s' if number > 1 else ''} on slide {slide.number}", 0)


def _slides(deck: Any) -> Iterator[_Slide]:
    slides = list(deck.slides)
    if len({slide.part.partname for slide in slides}) < len(slides):
        raise ValueError("names a slide twice")
    graphics, size = _Graphics(), 0
    for number, slide in enumerate(slides, 1):
        reader, parts = _Reader(slide.part, graphics), list[str]()
        for part in reader.read(slide):
            parts.append(part)
            size += len(part)
            refuse_long(size)
        title = slide.shapes.title
        name = single_line(title.text_frame.text) if title is not None else ""
        shown = slide.element.get("show") not in ("0", "false")
        yield _Slide(number, name, tuple(parts), shown, tuple(reader.unread))


class _Graphics:
    """What a deck keeps in parts of their own, each read once however many slides name it."""

    def __init__(self) -> None:
        self.cells = Cells()
        self._found: dict[str, tuple[str, ...]] = {}

    def read(self, part: Any, newer: bool) -> tuple[str, ...]:
        """What a diagram or a newer chart says."""
        if part.partname not in self._found:
            root = parsed(part.blob)
            self._found[part.partname] = tuple(newer_chart(root, self.cells) if newer else diagram(root))
        return self._found[part.partname]


class _Reader:
    """Reads the shapes of one slide, and keeps what it cannot read."""

    def __init__(self, part: Any, graphics: _Graphics) -> None:
        self._part = part
        self._graphics = graphics
        self.unread: list[str] = []

    def read(self, slide: Any) -> Iterator[str]:
        """Its shapes but for the title, then its notes."""
        title = slide.shapes.title
        yield from self.parts(shape for shape in slide.shapes if title is None or shape.shape_id != title.shape_id)
        yield from self.alternatives(slide.element)
        notes = slide.notes_slide.notes_text_frame if slide.has_notes_slide else None
        yield from _paragraphs(notes) if notes is not None else ()

    def parts(self, shapes: Iterable[Any]) -> Iterator[str]:
        """Tables, charts, diagrams and texts, those inside groups included."""
        for shape in shapes:
            if shape.has_table:
                yield from table(
                    [[single_line(cell.text) for cell in row.cells] for row in shape.table.rows], self._graphics.cells
                )
            elif shape.has_chart:
                yield from chart(shape.chart.element, self._graphics.cells)
            elif shape.has_text_frame:
                yield from _paragraphs(shape.text_frame)
            elif hasattr(shape, "shapes"):
                yield from self.parts(shape.shapes)
            else:
                yield from self._graphic(shape.element)

    def alternatives(self, slide: Any) -> Iterator[str]:
        """What stands on a slide only for newer programs, and python-pptx does not see."""
        for choice in slide.iterfind(f".//{_P}spTree//{_MC}AlternateContent/{_MC}Choice"):
            lines = ("".join(run.text or "" for run in line.iter(f"{_A}t")) for line in choice.iter(f"{_A}p"))
            if found := "\n".join(f"- {single_line(line)}" for line in lines if line.strip()):
                yield found
            else:
                yield from self._graphic(choice)

    def _graphic(self, element: Any) -> Iterator[str]:
        for name, attribute in ((_DIAGRAM, "dm"), (_NEWER_CHART, "id")):
            for found in element.iter(name):
                yield from self._related(found.get(f"{_R}{attribute}"), name == _NEWER_CHART)
                return
        if element.tag.endswith("}pic"):
            self.unread.append("picture")
        elif element.tag.endswith(("}graphicFrame", "}Choice")):
            self.unread.append("embedded object")

    def _related(self, name: str, newer: bool) -> Iterable[str]:
        """What is read in a part that the slide names, all or nothing."""
        try:
            return self._graphics.read(self._part.related_part(name), newer)
        except TooLargeError:
            raise
        except BROKEN:
            self.unread.append("damaged graphic")
            return ()


def _paragraphs(frame: Any) -> Iterator[str]:
    lines = [f"{'  ' * item.level}- {single_line(item.text)}" for item in frame.paragraphs if item.text.strip()]
    yield from ["\n".join(lines)] if lines else []
