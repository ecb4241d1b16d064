"""Hostile and large documents: every chunker cuts what is nested without end, and its work grows as the text does."""

import sys
from collections.abc import Callable
from types import FrameType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.chunking.code import Code
from harness.chunking.items import Items
from harness.chunking.markdown import Markdown
from harness.chunking.pages import Pages
from harness.chunking.propositions import Propositions
from harness.chunking.recursive import Recursive
from harness.chunking.router import Router
from harness.chunking.semantic import Semantic
from harness.chunking.sentence_window import SentenceWindow
from harness.chunking.syntax import GRAMMARS
from harness.chunking.table import Table
from harness.chunking.two_tier import TwoTier
from harness.embedding.hashing import Hashing
from harness.protocols import Chunker
from harness.types import Document
from tests.builders import document
from tests.contracts.chunker import own, quick

pytest.importorskip("tree_sitter_language_pack", reason="the extra `code` is not installed")

CHUNKERS: dict[str, Chunker] = {
    "items": Items(size=64),
    "propositions": Propositions(size=64),
    "router": Router(Markdown(64), Code(64), Table(64), Pages(64), Recursive(64)),
    "semantic": Semantic(Hashing(dimension=8), threshold=0, size=64),
    "sentence_window": SentenceWindow(size=64),
    "table": Table(size=64),
    "two_tier": TwoTier(size=64),
}
"""Each of another kind; the router stands for those that it holds."""
MARKDOWN, RST, JSON, CSV = "text/markdown", "text/x-rst", "application/json", "text/csv"
PAGED = "application/pdf"
DEEP = {
    "quotations": (MARKDOWN, lambda deep: "> " * deep + "end"),
    "lists": (MARKDOWN, lambda deep: "- " * deep + "end"),
    "indented lists": (MARKDOWN, lambda deep: "".join(f"{'  ' * level}- item\n" for level in range(min(deep, 150)))),
    "directives": (MARKDOWN, lambda deep: "".join(f"{':' * (3 + level)} x\n" for level in range(min(deep, 150)))),
    "rst lists": (RST, lambda deep: "- " * deep + "end"),
    "rst quotations": (RST, lambda deep: "".join(f"{' ' * level}text\n\n" for level in range(min(deep, 150)))),
    "arrays": (JSON, lambda deep: "[" * deep + "1" + "]" * deep),
    "objects": (JSON, lambda deep: '{"a": [' * deep + "1" + "]}" * deep),
    "open quotes": (CSV, lambda deep: 'a,b\n"' * deep),
    "templates": ("text/x-c++", lambda deep: "template<class T> " * deep + "void f() {}"),
    "pointers": ("text/x-c", lambda deep: "int " + "*" * deep + "f(void) { return 0; }"),
    "exports": ("text/x-typescript", lambda deep: "export " * deep + "class A {}"),
    "decorators": ("text/x-python", lambda deep: "@a\n" * deep + "class A: pass"),
    "classes": ("text/x-python", lambda deep: "".join(f"{' ' * level}class A{level}:\n" for level in range(min(deep, 150)))),
    "calls": ("text/javascript", lambda deep: "f(" * deep + ")" * deep),
    "elements": ("text/x-tsx", lambda deep: "x = " + "<a>" * deep + "</a>" * deep),
}  # fmt: skip


def _missing(text: str, chunker: Chunker, mime_type: str) -> str:
    """What is not blank and stands in no chunk."""
    covered = bytearray(len(text))
    for chunk in own(chunker.chunk(document(text=text, mime_type=mime_type))):
        covered[chunk.span.start : chunk.span.end] = b"\1" * len(chunk.span)
    return "".join(letter for letter, held in zip(text, covered, strict=True) if not held and not letter.isspace())


@pytest.mark.parametrize("chunker", CHUNKERS)
@pytest.mark.parametrize("kind", DEEP)
def test_what_is_nested_fifteen_hundred_times_is_cut_and_all_there(kind: str, chunker: str) -> None:
    mime_type, nested = DEEP[kind]
    assert _missing(nested(1500), CHUNKERS[chunker], mime_type) == ""


OPENINGS = st.sampled_from(
    ["(", "[", "{", "<", "template<class T> ", "@a ", "export ", "def f(", "class A ", "*", "a.", "if x: ", "$("]
)


@quick
@given(opening=st.lists(OPENINGS, min_size=1, max_size=3).map("".join), mime_type=st.sampled_from(sorted(GRAMMARS)))
def test_anything_nested_in_any_language_is_cut_and_all_there(opening: str, mime_type: str) -> None:
    assert _missing(opening * 150 + "x", CHUNKERS["router"], mime_type) == ""


def _repeated(piece: str) -> Callable[[int], str]:
    return lambda length: piece * (length // len(piece))


LARGE: dict[str, tuple[str, Callable[[int], str]]] = {
    "prose": ("text/plain", _repeated("The pump runs well today. It takes two hours, and the valve is shut.\n\n")),
    "one line": ("text/plain", _repeated("The pump runs and the valve is shut, ")),
    "sections": (MARKDOWN, _repeated("## Part\n\nThe pump runs.\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n- one\n- two\n\n")),
    "headings": (MARKDOWN, _repeated("# a\n\n")),
    "list": (MARKDOWN, _repeated("- a pump\n")),
    "table": (MARKDOWN, lambda length: "| a | b |\n| - | - |\n" + _repeated("| pump | 12 |\n")(length)),
    "rst": (RST, _repeated("Part\n====\n\nThe pump runs.\n\n=== ===\na   b\n=== ===\n1   2\n=== ===\n\n- one\n- two\n\n")),
    "csv": (CSV, lambda length: "part,price\n" + _repeated('"pump, big",12\n')(length)),
    "json": (JSON, lambda length: "[" + _repeated('{"a": 1, "b": "x"},\n')(length) + "0]"),
    "python": ("text/x-python", _repeated('class A:\n    """Doc."""\n\n    def f(self, x):\n        return x\n\n')),
    "minified": ("text/javascript", _repeated("function f(a){return a+1};")),
    "pages": (PAGED, _repeated("The pump runs well today.\n\n")),
}


def _calls(chunker: Chunker, mime_type: str, text: str) -> int:
    """Calls of functions, Python's and C's, while a document is cut: a measure of work that does not depend on the machine."""
    places = tuple((start, number) for number, start in enumerate(range(0, len(text), 100), 1)) if mime_type == PAGED else ()
    given_document = Document("a", text, mime_type=mime_type, unit="page" if places else "line", places=places)
    made = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal made
        made += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        chunker.chunk(given_document)
    finally:
        sys.setprofile(before)
    return made


@pytest.mark.parametrize("chunker", CHUNKERS)
@pytest.mark.parametrize("kind", LARGE)
def test_work_grows_as_the_text_does(kind: str, chunker: str) -> None:
    mime_type, text = LARGE[kind]
    short, long = (_calls(CHUNKERS[chunker], mime_type, text(length)) for length in (1_500, 6_000))
    assert long < 5.5 * short
