"""HTML parsed by Beautiful Soup, and the source line of each of its texts, which Beautiful Soup keeps of elements only."""

import warnings
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeGuard

from harness.corpus.traced import Traced, between, traced

if TYPE_CHECKING:
    from bs4 import BeautifulSoup, Tag
    from bs4.element import NavigableString, PageElement


MAX_CHARACTERS = 10_000_000
MAX_TAGS = 1_000_000
"""Of a page; parsed, each takes some hundred bytes in memory."""
MAX_UNCLOSED = 10_000
"""Characters after the start of a tag or comment that nothing closes: html.parser takes time quadratic in their number."""
DROPPED = {"head", "script", "style", "nav", "footer", "template"}
"""Elements that no reader sees, or that stand on every page."""


@dataclass(frozen=True, slots=True)
class Lines:
    """On which line the texts of a page start."""

    texts: Sequence["PageElement"]
    """Kept, so that no new text gets the identity of an old one."""
    starts: Mapping[int, int]
    """Line by identity."""

    def traced(self, texts: Iterable[str]) -> Traced:
        """These texts as one; what the source does not have stands where the text before it ends."""
        return between("", self._pieces(texts))

    def _pieces(self, texts: Iterable[str]) -> Iterator[Traced]:
        at = 0
        for text in texts:
            start = self.starts.get(id(text), 0)
            at = start or at
            for line in str(text).splitlines(keepends=True) if start else [str(text)]:
                yield traced(line, at)
                at += bool(start) and line.endswith("\n")


def parse(raw: str) -> tuple["BeautifulSoup", Lines]:
    """The page and the lines of its texts.

    Raises:
        ValueError: for what would take too much memory or time, with the limit that is passed.
    """
    from bs4 import BeautifulSoup
    from bs4.builder._htmlparser import BeautifulSoupHTMLParser, HTMLParserTreeBuilder

    if len(raw) > MAX_CHARACTERS or raw.count("<") > MAX_TAGS:
        raise ValueError(f"holds more than {MAX_CHARACTERS:,} characters or {MAX_TAGS:,} tags, the limits for HTML")
    starts: list[int] = []

    class Parser(BeautifulSoupHTMLParser):
        """Notes the line whenever a text begins: the tree builder makes one of all that comes between two tags."""

        def handle_data(self, data: str) -> None:
            if not self.soup.current_data:
                starts.append(self.getpos()[0])
            super().handle_data(data)

        def handle_endtag(self, tag: str, check_already_closed: bool = True) -> None:
            """Ignores the end of an element that has none, for which Beautiful Soup looks through all of these before it."""
            if not (check_already_closed and self.soup.builder.can_be_empty_element(tag)):
                super().handle_endtag(tag, check_already_closed=False)

        def close(self) -> None:
            if len(self.rawdata) > MAX_UNCLOSED:
                line, after = self.getpos()[0], len(self.rawdata)
                raise ValueError(f"has a tag or comment on line {line} that is not closed in the {after:,} characters after it")
            super().close()

    class Builder(HTMLParserTreeBuilder):
        def feed(self, markup: str | bytes, _parser_class: type[BeautifulSoupHTMLParser] = Parser) -> None:
            super().feed(markup, _parser_class)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        soup = BeautifulSoup(raw, builder=Builder())
    texts = list(filter(is_text, soup.descendants))
    return soup, Lines(texts, dict(zip(map(id, texts), starts, strict=True)))


def walk(root: "Tag", whole: Collection[str] = ()) -> Iterator[tuple["PageElement", bool]]:
    """Nodes in document order, elements once at their start and once at their end; no recursion, whatever the depth.

    Elements that are dropped, and those of these names, come once and are not entered.
    """
    from bs4 import Tag

    stack: list[tuple[PageElement, bool]] = [(root, True)]
    while stack:
        node, opening = stack.pop()
        yield node, opening
        if opening and isinstance(node, Tag) and node.name not in DROPPED and node.name not in whole:
            stack.append((node, False))
            stack.extend((child, True) for child in reversed(node.contents))


def is_text(node: "PageElement") -> TypeGuard["NavigableString"]:
    """Whether a node is text that a reader sees: no comment, no declaration."""
    from bs4.element import NavigableString, PreformattedString

    return isinstance(node, NavigableString) and not isinstance(node, PreformattedString)
