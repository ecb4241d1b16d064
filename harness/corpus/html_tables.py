"""Tables of an HTML page as pipe tables, one line a row."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from harness.corpus.html_lines import Lines, is_text, walk
from harness.corpus.traced import Traced, between, on_one_line, pipe_table

if TYPE_CHECKING:
    from bs4 import Tag

HEADINGS = {f"h{level}": level for level in range(1, 7)}
"""Level of each heading."""
BLOCKS = {
    "address", "article", "aside", "blockquote", "body", "caption", "dd", "details", "div", "dl", "dt", "figcaption",
    "figure", "form", "header", "hr", "html", "li", "main", "ol", "p", "section", "summary", "ul", *HEADINGS,
}  # fmt: skip
"""Elements that start on a line of their own."""


_BREAKS = {"br", "pre", "table", "td", "th", "tr", *BLOCKS}
"""Elements inside a cell that part words."""


@dataclass(slots=True)
class _Table:
    caption: list[str] = field(default_factory=list)
    rows: list[list[list[str]]] = field(default_factory=list)
    place: list[str] | None = None
    """The caption or cell that a text belongs to."""
    depth: int = 0
    """1 inside of the table, 2 inside of one in its cells, which is text of the cell."""

    def text(self, text: str) -> None:
        if self.place is not None:
            self.place.append(text)

    def tag(self, name: str, opening: bool) -> None:
        self.depth += (name == "table") * (1 if opening else -1)
        if self.depth > 1 or name not in ("caption", "td", "th", "tr"):
            if name in _BREAKS:
                self.text("\n")
            return
        self.place = None
        if opening and name == "tr":
            self.rows.append([])
        elif opening:
            self.place = self.caption if name == "caption" else self._cell()

    def _cell(self) -> list[str]:
        if not self.rows:
            self.rows.append([])
        self.rows[-1].append([])
        return self.rows[-1][-1]


def table(tag: "Tag", lines: Lines) -> Traced:
    """The caption, and the rows; the first one is the header. A cell that is not closed ends where the next cell or row begins."""
    from bs4 import Tag

    found = _Table()
    for node, opening in walk(tag):
        if isinstance(node, Tag):
            found.tag(node.name, opening)
        elif is_text(node):
            found.text(node)
    caption = on_one_line(lines.traced(found.caption))
    rows = [[on_one_line(lines.traced(cell)) for cell in row] for row in found.rows if row]
    return between("\n\n", [part for part in (caption, pipe_table(rows)) if part[0]])
