"""HTML to Markdown-like text: what a reader sees, with headings, tables and lists still to be recognised.

Text inside one element is kept verbatim (table cells: one line), so that a quote from it is found.
"""

import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bs4 import BeautifulSoup, Tag
    from bs4.element import PageElement

_DROPPED = ["head", "script", "style", "nav", "footer", "template"]
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_BLOCKS = {
    "address", "article", "aside", "blockquote", "body", "caption", "dd", "details", "div", "dl", "dt", "figcaption",
    "figure", "form", "header", "hr", "html", "li", "main", "ol", "p", "section", "summary", "ul", *_HEADINGS,
}  # fmt: skip


def clean(raw: str) -> tuple[str, dict[str, Any]]:
    """The readable text, blocks apart by blank lines, and the page's title."""
    from bs4 import BeautifulSoup

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        soup = BeautifulSoup(raw, "html.parser")
    title = " ".join(soup.title.get_text().split()) if soup.title else ""
    for tag in soup.find_all(_DROPPED):
        tag.decompose()
    for tag in soup.find_all("br"):
        tag.replace_with("\n")
    return _text(soup), ({"title": title} if title else {})


@dataclass(slots=True)
class _Page:
    blocks: list[tuple[str, bool]] = field(default_factory=list)
    """Text of each block and whether it belongs to a list."""
    line: list[str] = field(default_factory=list)
    prefix: str = ""
    depth: int = 0

    def flush(self) -> None:
        text = "".join(self.line).strip()
        self.line.clear()
        if text:
            self.blocks.append((self._indent() + self.prefix + text, self.depth > 0))
            self.prefix = ""

    def _indent(self) -> str:
        return "  " * (self.depth - 1 if self.prefix == "- " else self.depth)

    def whole(self, text: str) -> None:
        self.flush()
        self.blocks.append((text, False))

    def open(self, tag: "Tag") -> None:
        if tag.name in _BLOCKS:
            self.flush()
            self.prefix = "#" * _HEADINGS[tag.name] + " " if tag.name in _HEADINGS else "- " if tag.name == "li" else self.prefix
            self.depth += tag.name in ("ul", "ol")

    def close(self, tag: "Tag") -> None:
        if tag.name in _BLOCKS:
            self.flush()
            self.prefix = "" if tag.name in _HEADINGS or tag.name == "li" else self.prefix
            self.depth -= tag.name in ("ul", "ol")

    def joined(self) -> str:
        text, in_list = "", False
        for block, listed in self.blocks:
            text += ("" if not text else "\n" if in_list and listed else "\n\n") + block
            in_list = listed
        return text + "\n" if text else ""


def _text(soup: "BeautifulSoup") -> str:
    from bs4 import Tag
    from bs4.element import PreformattedString

    page = _Page()
    for node, opening in _walk(soup):
        if not isinstance(node, Tag):
            if not isinstance(node, PreformattedString):
                page.line.append(str(node))
        elif node.name == "table":
            page.whole("\n\n".join(filter(None, (_caption(node), _table(node)))))
        elif node.name == "pre":
            page.whole(f"```\n{node.get_text().strip(chr(10))}\n```")
        elif opening:
            page.open(node)
        else:
            page.close(node)
    page.flush()
    return page.joined()


def _walk(soup: "BeautifulSoup") -> Iterator[tuple["PageElement", bool]]:
    """Nodes in document order, elements once at their start and once at their end; no recursion, whatever the depth."""
    from bs4 import Tag

    stack: list[tuple[PageElement, bool]] = [(soup, True)]
    while stack:
        node, opening = stack.pop()
        yield node, opening
        if opening and isinstance(node, Tag) and node.name not in ("table", "pre"):
            stack.append((node, False))
            stack.extend((child, True) for child in reversed(node.contents))


def _caption(table: "Tag") -> str:
    return " ".join(table.caption.get_text().split()) if table.caption else ""


def _table(table: "Tag") -> str:
    rows = [row for row in table.find_all("tr") if row.find_parent("table") is table]
    cells = [[_cell(cell) for cell in row.find_all(["td", "th"], recursive=False)] for row in rows]
    lines = [f"| {' | '.join(row)} |" for row in cells if row]
    if lines:
        lines.insert(1, "|" + " --- |" * max(map(len, cells)))
    return "\n".join(lines)


def _cell(cell: "Tag") -> str:
    for block in cell.find_all(list(_BLOCKS)):
        block.insert_before("\n")
    return " ".join(cell.get_text().split())
