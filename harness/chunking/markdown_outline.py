"""The blocks of a Markdown text, found by markdown-it-py: CommonMark with tables, front matter and directives.

One difference: an element such as <details> opens no block of HTML, so Markdown inside it is read, as in MDX.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, html_block, table
from markdown_it.tree import SyntaxTreeNode
from mdit_py_plugins.container import container_plugin
from mdit_py_plugins.front_matter import front_matter_plugin

from harness.chunking.blocks import Block, Lines, together

_DEEPEST = 60
"""Levels of tokens, two a list; what is nested deeper is not looked into."""
_HEAD = 3
"""Lines of a table that stay together: its header, the rule below it and the first row."""
_LISTS = ("bullet_list", "ordered_list")
_DIRECTIVE = "container_directive"
_VERBATIM = re.compile(r"<(?:!--|\?|![A-Z]|!\[CDATA\[|(?:pre|script|style|textarea)(?=[\s>]))", re.IGNORECASE)
_KINDS = {
    "code_block": "code",
    "fence": "code",
    "heading": "heading",
    "list_item": "list",
    "table": "table",
    _DIRECTIVE: "directive",
}


def markdown_blocks(text: str, html: bool = True) -> list[Block]:
    """The outermost blocks in order, each list item on its own; what lies between them is blank.

    `html`: whether a comment, <pre>, <script> or <style> is a block of its own, whatever stands in it, rather than text.
    """
    read = text.replace("\r\n", " \n").replace("\r", "\n")
    lines = Lines(read)
    ended = read if read.endswith("\n") else f"{read}\n"
    root = SyntaxTreeNode(_parser(html).parse(ended))
    return _blocks(lines, root.children, 0, len(lines.texts), "prose")


@lru_cache(maxsize=2)
def _parser(html: bool) -> MarkdownIt:
    """Blocks only: the text inside a paragraph is not read, and a link's definition is a paragraph."""
    parser = MarkdownIt("commonmark", {"maxNesting": _DEEPEST}).enable("table")
    parser.block.ruler.at("html_block", _verbatim, {"alt": ["paragraph", "reference", "blockquote"]})
    parser.block.ruler.at("table", _table, {"alt": ["paragraph", "reference"]})
    parser.disable(["inline", "text_join", "reference"] + ([] if html else ["html_block"]))
    parser.use(front_matter_plugin)
    return parser.use(container_plugin, "directive", validate=lambda params, _: bool(params.strip()))


def _verbatim(state: StateBlock, first: int, after: int, silent: bool) -> bool:
    """HTML in which no Markdown stands."""
    begin = state.bMarks[first] + state.tShift[first]
    return bool(_VERBATIM.match(state.src, begin)) and html_block(state, first, after, silent)


def _table(state: StateBlock, first: int, after: int, silent: bool) -> bool:
    """A table as markdown-it finds it, its cells not read: it fills up short rows, and few lines could give millions of cells."""
    if not table(state, first, after, True):
        return False
    if not silent:
        outside, state.parentType = state.parentType, "table"
        ending = state.md.block.ruler.getRules("blockquote")
        end = first + 2
        while end < after and not (
            state.sCount[end] < state.blkIndent
            or not state.src[state.bMarks[end] : state.eMarks[end]].strip()
            or any(rule(state, end, after, True) for rule in ending)
            or state.is_code_block(end)
        ):
            end += 1
        state.push("table_open", "table", 1).map = [first, end]
        state.push("table_close", "table", -1)
        state.parentType, state.line = outside, end
    return True


def _blocks(lines: Lines, nodes: Sequence[SyntaxTreeNode], first: int, after: int, inside: str) -> list[Block]:
    """Blocks of the lines `first` to `after` - 1; paragraphs, and what no node holds, are of the kind of what they stand in."""
    found: list[Block] = []
    for node, begin, end in _places(lines, nodes, after):
        found += lines.paragraphs(first, begin, inside)
        if not lines.blank(begin, end):
            found.append(_block(lines, node, max(first, begin), end, inside))
        first = max(first, end)
    return [*found, *lines.paragraphs(first, after, inside)]


def _places(lines: Lines, nodes: Sequence[SyntaxTreeNode], after: int) -> Iterator[tuple[SyntaxTreeNode, int, int]]:
    """Nodes with their first line and the line after them; of a list its items, which reach up to one another."""
    for node in nodes:
        if node.type in _LISTS:
            begins = [*(_lines_of(item)[0] for item in node.children), _lines_of(node)[1]]
            yield from zip(node.children, begins, begins[1:], strict=False)
        elif node.map:
            begin, end = node.map
            yield node, begin, end + (node.type == _DIRECTIVE and end < after and _closes(lines.texts[end]))


def _lines_of(node: SyntaxTreeNode) -> tuple[int, int]:
    begin, end = node.map or (0, 0)
    return begin, end


def _closes(line: str) -> bool:
    return set(line.strip(" \t>")) == {":"}


def _block(lines: Lines, node: SyntaxTreeNode, begin: int, end: int, inside: str) -> Block:
    kind = _KINDS.get(node.type, inside)
    if node.type == "heading":
        title = " ".join(node.children[0].content.split("\n"))
        return lines.block(begin, end, kind, int(node.tag[1:]), title)
    if node.type == "fence" and node.info.startswith("{") and "code" not in node.info:
        kind = "directive"
    parts = _parts(lines, node, begin, end, kind)
    return lines.block(begin, end, together(node.type == "blockquote", kind, parts), parts=parts)


def _parts(lines: Lines, node: SyntaxTreeNode, begin: int, end: int, kind: str) -> Sequence[Block]:
    if node.type == "table":
        head = min(begin + _HEAD, end)
        return [lines.block(begin, head, kind), *(lines.block(row, row + 1, kind) for row in range(head, end))]
    if node.type in ("list_item", "blockquote", _DIRECTIVE):
        return _blocks(lines, node.children, begin, end, kind)
    return ()
