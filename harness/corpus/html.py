"""HTML to Markdown-like text: what a reader sees, with headings, tables and lists still to be recognised.

Text inside one element is kept verbatim (table cells: one line), so that a quote from it is found.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from harness.corpus.cleaned import Cleaned, Dropped
from harness.corpus.html_lines import DROPPED, Lines, is_text, parse, walk
from harness.corpus.html_tables import BLOCKS, HEADINGS, table
from harness.corpus.metadata import said
from harness.corpus.traced import EMPTY, Traced, around, between, indent, places, stripped

if TYPE_CHECKING:
    from bs4 import BeautifulSoup, Tag

_WHOLE = ("table", "pre")
"""Elements that are read by themselves."""
_AUTHOR = ("author", "dc.creator", "dcterms.creator")
_CHANGED = (
    "article:modified_time", "og:updated_time", "dcterms.modified", "dc.date.modified", "last-modified", "article:published_time",
    "dcterms.date", "dc.date", "date",
)  # fmt: skip
"""Names of <meta> that say when a page was changed or, for want of that, published; the first that is a date counts."""


def clean(raw: str) -> Cleaned:
    """The readable text, blocks apart by blank lines; the page's title, author and date of change.

    Raises:
        ValueError: for a page that is too large, or whose markup is not closed.
    """
    soup, lines = parse(raw)
    fields = _fields(soup)
    text = between("", _joined(_read(soup, lines)))
    return Cleaned(text[0], fields, "line", places(text, "line"), tuple(_dropped(soup)))


def _fields(soup: "BeautifulSoup") -> dict[str, str]:
    title = " ".join(soup.title.get_text().split()) if soup.title else ""
    given: dict[str, str] = {}
    for tag in soup.find_all("meta"):
        name = str(tag.get("name") or tag.get("property") or tag.get("http-equiv") or "").lower()
        given.setdefault(name, str(tag.get("content") or "").strip())
    author = next((given[name] for name in _AUTHOR if given.get(name)), "")
    changed = next((text["updated_at"] for name in _CHANGED if (text := said("", given.get(name, "")))), "")
    return ({"title": title} if title else {}) | said(author, changed)


def _dropped(soup: "BeautifulSoup") -> Iterator[Dropped]:
    """What no reader sees: elements, then comments."""
    from bs4 import Comment, Tag

    nodes = [node for node, opening in walk(soup) if opening]
    for tag in nodes:
        if isinstance(tag, Tag) and tag.name in DROPPED:
            yield Dropped(f"<{tag.name}>", len(" ".join(tag.get_text().split())), tag.sourceline)
    yield from (Dropped("comment", len(comment)) for comment in nodes if isinstance(comment, Comment))


@dataclass(slots=True)
class _Page:
    lines: Lines
    blocks: list[tuple[Traced, bool]] = field(default_factory=list)
    """Text of each block and whether it belongs to a list."""
    line: list[str] = field(default_factory=list)
    prefix: str = ""
    depth: int = 0

    def flush(self) -> None:
        text = stripped(self.lines.traced(self.line))
        self.line.clear()
        if text[0]:
            self.blocks.append((around(indent(self.depth - (self.prefix == "- ")) + self.prefix, text), self.depth > 0))
            self.prefix = ""

    def whole(self, text: Traced) -> None:
        self.flush()
        self.blocks += [(text, False)] if text[0] else []

    def element(self, tag: "Tag", opening: bool) -> None:
        if tag.name == "table":
            self.whole(table(tag, self.lines))
        elif tag.name == "pre":
            self.whole(around("```\n", stripped(self.lines.traced(_preformatted(tag)), "\n"), "\n```"))
        elif tag.name == "br" and opening:
            self.line.append("\n")
        elif tag.name in BLOCKS:
            self.flush()
            self._block(tag.name, opening)

    def _block(self, name: str, opening: bool) -> None:
        if name in HEADINGS or name == "li":
            self.prefix = "" if not opening else "- " if name == "li" else "#" * HEADINGS[name] + " "
        self.depth += (name in ("ul", "ol")) * (1 if opening else -1)


def _joined(blocks: list[tuple[Traced, bool]]) -> Iterator[Traced]:
    in_list = begun = False
    for block, listed in blocks:
        if begun:
            yield around("\n" if in_list and listed else "\n\n", EMPTY)
        yield block
        in_list, begun = listed, begun or bool(block[0])
    if begun:
        yield around("\n", EMPTY)


def _read(soup: "BeautifulSoup", lines: Lines) -> list[tuple[Traced, bool]]:
    from bs4 import Tag

    page = _Page(lines)
    for node, opening in walk(soup, _WHOLE):
        if is_text(node):
            page.line.append(node)
        elif isinstance(node, Tag):
            page.element(node, opening)
    page.flush()
    return page.blocks


def _preformatted(tag: "Tag") -> Iterator[str]:
    from bs4 import Tag

    for node, opening in walk(tag):
        if is_text(node):
            yield node
        elif opening and isinstance(node, Tag) and node.name == "br":
            yield "\n"
