"""Source code as a syntax tree: which lines are one function, class or statement (tree-sitter, grammars of one bundle)."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from harness.chunking.packing import Tokens
from harness.errors import ConfigError

if TYPE_CHECKING:
    from tree_sitter import Node

GRAMMARS: Mapping[str, str] = {
    "text/javascript": "javascript",
    "text/x-c": "c",
    "text/x-c++": "cpp",
    "text/x-csharp": "csharp",
    "text/x-dart": "dart",
    "text/x-elixir": "elixir",
    "text/x-go": "go",
    "text/x-haskell": "haskell",
    "text/x-java": "java",
    "text/x-kotlin": "kotlin",
    "text/x-lua": "lua",
    "text/x-perl": "perl",
    "text/x-php": "php",
    "text/x-python": "python",
    "text/x-r": "r",
    "text/x-ruby": "ruby",
    "text/x-rust": "rust",
    "text/x-scala": "scala",
    "text/x-shellscript": "bash",
    "text/x-sql": "sql",
    "text/x-swift": "swift",
    "text/x-tsx": "tsx",
    "text/x-typescript": "typescript",
}
"""Grammar by MIME type."""

_KINDS = (
    "function|method|constructor|init|class|struct|enum|interface|trait|impl|mod|namespace|object|protocol|extension|record|type"
)
_DEFINITION = re.compile(
    rf"(?:[a-z]+_)*(?:{_KINDS})_(?:definition|declaration|item|specifier)|class|module|method|singleton_method|internal_module"
)
_WRAPPERS = frozenset({"decorated_definition", "export_statement", "template_declaration", "expression_statement"})
_LEADING = re.compile(r".*comment|decorator|attribute_item")
_BODY = re.compile(r".*(?:body|block|body_statement)|(?:field_)?declaration_list|compound_statement|statement_list|statements")
_BODIES = 4
"""Bodies inside each other that are taken apart at once, such as that of a decorated class."""
_WRAPPED = 8
"""Wrappers around a definition, such as the templates of a member, and declarators around a name, that are looked through."""
_DEEPEST = 100
_INDENT = re.compile(r"^[^\S\n]*(?=\S)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Part:
    """A function, a class or a statement, with the comments and decorators right above it."""

    start: int
    """First character."""
    end: int
    """One past the last."""
    section: tuple[str, ...] = ()
    """Definitions around it, outermost first: `class Pump`."""
    name: str = ""
    """Of a whole definition: `def start`; empty for statements."""


def grammar_parser(mime_type: str) -> Any:
    """The tree-sitter parser of a type of source code.

    Raises:
        ConfigError: when the extra `code` is not installed.
    """
    try:
        from tree_sitter_language_pack import get_parser
    except ImportError as error:
        raise ConfigError('cutting source code needs tree-sitter: pip install "rag-harness[code]"') from error
    return get_parser(GRAMMARS[mime_type])  # type: ignore[arg-type]


def parts(tokens: Tokens, mime_type: str, size: int) -> list[Part]:
    """Definitions of at most `size` tokens whole, of larger ones their members, statements and, at last, lines of tokens.

    What stands between two parts belongs to the first, so nothing is lost, whether the source can be parsed or not.
    """
    data = tokens.text.encode("utf-8", "surrogatepass")
    walk = _Walk(tokens, _characters(data), size)
    walk.visit(grammar_parser(mime_type).parse(data).root_node, (), 0)
    return walk.parts


def _characters(data: bytes) -> Callable[[int], int]:
    """From a byte of UTF-8 text to its character, each in constant time."""
    import numpy as np

    before = np.concatenate([[0], np.cumsum((np.frombuffer(data, np.uint8) & 0xC0) != 0x80)])
    return lambda byte: int(before[byte])


class _Walk:
    """Goes through a tree in order, into what does not fit."""

    def __init__(self, tokens: Tokens, character: Callable[[int], int], size: int) -> None:
        self.text, self.tokens, self.character, self.size = tokens.text, tokens, character, size
        self.openings = {found.end() for found in _INDENT.finditer(tokens.text)}
        self.parts: list[Part] = []

    def visit(self, node: "Node", section: tuple[str, ...], depth: int, start: int | None = None) -> None:
        """Adds the parts of a node; its first one begins at `start`, with the comments above."""
        above: list[tuple[int, int]] = []
        for place, child in enumerate(_children(node)):
            begin, end = self._span(child)
            if above and self.text.count("\n", above[-1][1], begin) > 1:
                self._alone(above, section)
            opening = start if place == 0 and start is not None else begin
            if _LEADING.fullmatch(child.type) and begin in self.openings:
                above.append((opening, end))
            else:
                self._add(child, (opening, end), above, section, depth, first=place == 0 or bool(above))
        self._alone(above, section)

    def _add(
        self, node: "Node", span: tuple[int, int], above: list[tuple[int, int]], section: tuple[str, ...], depth: int, first: bool
    ) -> None:
        """A node as a part, as an end of the part before, or, where it does not fit, as the parts of its children."""
        start, end = span
        opens = start in self.openings
        name = self._name(node) if opens else ""
        within = (*section, name) if name else section
        if above and self.tokens.count(above[0][0], end) > self.size >= self.tokens.count(start, end):
            self._alone(above, within)
        start = above[0][0] if above else start
        above.clear()
        goes_on = not opens or not (first or node.is_named)
        if goes_on and self._joins_last(end):
            self.parts[-1] = replace(self.parts[-1], end=end)
        elif (goes_on or self.tokens.count(start, end) > self.size) and node.children and depth < _DEEPEST:
            self.visit(node, within, depth + 1, start)
        else:
            self.parts.append(Part(start, end, section, name))

    def _joins_last(self, end: int) -> bool:
        return bool(self.parts) and self.tokens.count(self.parts[-1].start, end) <= self.size

    def _alone(self, above: list[tuple[int, int]], section: tuple[str, ...]) -> None:
        """Comments and decorators that stand above nothing, or above what has no room for them."""
        self.parts += (Part(start, end, section) for start, end in above)
        above.clear()

    def _span(self, node: "Node") -> tuple[int, int]:
        """Characters of a node, without blanks at its end."""
        start, end = self.character(node.start_byte), self.character(node.end_byte)
        while end > start and self.text[end - 1].isspace():
            end -= 1
        return start, end

    def _name(self, node: "Node") -> str:
        """`class Pump`, `def start`: the line that names a definition, up to its name; empty for anything else."""
        found = _definition(node)
        named = _name_node(found) if found is not None else None
        if found is None or named is None:
            return ""
        start, end = self._span(found)[0], self._span(named)[1]
        return " ".join(self.text[max(start, self.text.rfind("\n", 0, end) + 1) : end].split())


def _children(node: "Node", deeper: int = _BODIES) -> "Iterator[Node]":
    """Children that hold text; in place of a body, and of what a wrapper such as a decorated class wraps, their children."""
    inner = _definition(node)
    for child in node.children:
        wrapped = inner is not None and inner.id != node.id and child.id == inner.id
        if deeper and child.children and (wrapped or _BODY.fullmatch(child.type)):
            yield from _children(child, deeper - 1)
        elif child.end_byte > child.start_byte:
            yield child


def _definition(node: "Node") -> "Node | None":
    """The node itself or what it wraps, if that is a function, a class or alike; what is wrapped deeper is not looked for."""
    found: Node | None = node
    for _ in range(_WRAPPED):
        if found is None or _defines(found):
            return found
        wrapped = found.named_children if found.type in _WRAPPERS else []
        found = next((child for child in wrapped if child.type in _WRAPPERS or _defines(child)), None)
    return None


def _defines(node: "Node") -> bool:
    return node.is_named and bool(_DEFINITION.fullmatch(node.type))


def _name_node(node: "Node") -> "Node | None":
    """What names a definition: its field `name`, the innermost declarator in C, the type of an `impl`, or an identifier."""
    if (found := node.child_by_field_name("name")) is not None:
        return found
    if (found := node.child_by_field_name("declarator")) is not None:
        for _ in range(_WRAPPED):
            if (inner := found.child_by_field_name("declarator")) is None:
                return found
            found = inner
        return None
    if (found := node.child_by_field_name("type")) is not None:
        return found
    within = (child if child.type.endswith("identifier") else child.child_by_field_name("name") for child in node.named_children)
    return next((child for child in within if child is not None), None)
