"""The blocks of a DOCX: headings, paragraphs, list items and tables, with the number of the paragraph they stand in."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from harness.corpus.docx_styles import Styles, W
from harness.corpus.office import Cells
from harness.corpus.traced import EMPTY, Traced, around, between, escaped, on_one_line, pipe_table, traced

FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
"""A second copy of what stands before it, for older programs."""

_BREAKS = {f"{W}br": "\n", f"{W}cr": "\n", f"{W}tab": "\t", f"{W}noBreakHyphen": "-"}
_HIDDEN = {f"{W}del", f"{W}moveFrom", f"{W}txbxContent", f"{W}rPr", f"{W}pPr", FALLBACK}
"""Elements inside a paragraph whose text is not the paragraph's."""
_HOLDERS = {f"{W}sdt", f"{W}sdtContent", f"{W}customXml", f"{W}ins", f"{W}moveTo"}
"""Elements around paragraphs and tables that mean nothing to a reader."""


@dataclass(frozen=True, slots=True)
class Block:
    """One block as Markdown."""

    kind: str
    """heading, paragraph, list, table."""
    text: Traced
    """Its characters and the paragraph each comes from, counted from 1 over the whole document."""


class Reader:
    """Reads one document."""

    def __init__(self, document: Any) -> None:
        self._body = document.element.body
        self._styles = Styles(document)
        self._cells = Cells()
        self._paragraphs = list(self._body.iter(f"{W}p"))
        self._numbers = {id(found): number for number, found in enumerate(self._paragraphs, 1)}

    def blocks(self) -> Iterator[Block]:
        """The blocks in document order; a text box follows the paragraph it hangs on."""
        stack = list(reversed(self._body))
        while stack:
            element = stack.pop()
            if element.tag == f"{W}p":
                yield from self._paragraph(element)
                stack += [inner for box in reversed(_boxes(element)) for inner in reversed(box)]
            elif element.tag == f"{W}tbl":
                yield from self._table(element)
            elif element.tag in _HOLDERS:
                stack += reversed(element)

    def _paragraph(self, element: Any) -> Iterator[Block]:
        text = _stripped_lines(self._traced(element))
        if not text[0]:
            return
        if level := self._styles.heading(element):
            yield Block("heading", around("#" * level + " ", on_one_line(text)))
        elif marker := self._styles.marker(element):
            yield Block("list", around(marker, on_one_line(text)))
        else:
            yield Block("paragraph", text)

    def _traced(self, element: Any) -> Traced:
        return traced("".join(_pieces(element)), self._numbers[id(element)])

    def _table(self, element: Any) -> Iterator[Block]:
        rows = [[self._cell(cell) for cell in _children(row, f"{W}tc")] for row in _children(element, f"{W}tr")]
        self._cells.add(sum(width for row in rows for _, width in row))
        drawn = [[piece for cell, width in row for piece in (cell, *[EMPTY] * (width - 1))] for row in rows if row]
        if any(cell[0] for row in drawn for cell in row):
            yield Block("table", pipe_table(drawn))

    def _cell(self, cell: Any) -> tuple[Traced, int]:
        """The text of a cell, that of tables inside it included, and over how many columns it goes."""
        inside = [found for found in cell.iter(f"{W}p") if not any(above.tag == FALLBACK for above in found.iterancestors())]
        span = cell.find(f"{W}tcPr/{W}gridSpan")
        width = int(span.get(f"{W}val") or 1) if span is not None else 1
        return escaped(on_one_line(between("\n", map(self._traced, inside)))), max(1, width)


def _children(element: Any, tag: str) -> Iterator[Any]:
    """Rows of a table or cells of a row, those inside holders included."""
    stack = list(reversed(element))
    while stack:
        child = stack.pop()
        if child.tag == tag:
            yield child
        elif child.tag in _HOLDERS:
            stack += reversed(child)


def _boxes(paragraph: Any) -> list[Any]:
    """The text boxes that hang on a paragraph, not those inside of them."""
    found = []
    for box in paragraph.iter(f"{W}txbxContent"):
        above = [element.tag for element in box.iterancestors(FALLBACK, f"{W}txbxContent", f"{W}p")]
        if above[:1] == [f"{W}p"]:
            found.append(box)
    return found


def _pieces(paragraph: Any) -> Iterator[str]:
    stack = list(reversed(paragraph))
    while stack:
        element = stack.pop()
        if element.tag == f"{W}t":
            yield element.text or ""
        elif element.tag in _BREAKS:
            yield _BREAKS[element.tag]
        elif element.tag not in _HIDDEN and not is_hidden(element):
            stack += reversed(element)


def is_hidden(run: Any) -> bool:
    """Whether a run is marked as hidden text."""
    mark = run.find(f"{W}rPr/{W}vanish") if run.tag == f"{W}r" else None
    return mark is not None and mark.get(f"{W}val") not in ("0", "false", "off")


def _stripped_lines(piece: Traced) -> Traced:
    """Without blanks around its lines and without empty lines at its ends."""
    text, runs = piece
    return traced("\n".join(line.strip() for line in text.split("\n")).strip(), runs[0][1] if runs else 0)
