"""The blocks of reStructuredText, as docutils sees them."""

import sys
from pathlib import Path

import pytest
from docutils.parsers.rst import directives, roles
from hypothesis import given

from harness.chunking.blocks import Block
from harness.chunking.outline import outline
from harness.chunking.rst_outline import rst_blocks
from tests.builders import document
from tests.chunking.soup import faults, soups
from tests.contracts.chunker import quick

GRID = "+---+---+\n| a | b |\n+===+===+\n| 1 | 2 |\n|   | 3 |\n+---+---+\n| 4 | 5 |\n+---+---+"
SIMPLE = "=== ===\na   b\n=== ===\n1   2\n3   4\n=== ==="


def _blocks(text: str) -> list[tuple[str, str]]:
    return [(block.kind, text[block.start : block.end]) for block in rst_blocks(text)]


def _parts(text: str) -> list[tuple[str, str]]:
    (block,) = rst_blocks(text)
    return [(part.kind, text[part.start : part.end]) for part in block.parts]


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("prose", "Text\nmore, *inline* and :role:`x`."),
        ("list", "- one\n  more\n\n  - deeper\n\n  end"),
        ("list", "#. first"),
        ("list", "2) second\n   more"),
        ("list", "term\n    its definition\n\n    more"),
        ("list", ":field: value\n   more"),
        ("list", "-o FILE  an option\n         of a command"),
        ("prose", "--help\nis no option without a description"),
        ("code", "::\n\n    # a listing\n\n    x = 1"),
        ("code", ">>> x\n1"),
        ("table", GRID),
        ("table", SIMPLE),
        ("directive", ".. note:: Care\n   of it\n\n   more\n\n   ::\n\n      x"),
        ("directive", ".. unknown-thing:: a b\n   :option: c\n\n   body"),
        ("directive", ".. code-block:: python\n\n   def f():\n\n       return 1"),
        ("prose", ".. a comment\n   of two lines"),
        ("prose", ".. [1] a footnote\n   of two lines"),
        ("prose", ".. |name| replace:: text"),
        ("prose", ".. _name: https://example.com/a/b"),
        ("prose", "__ https://example.com"),
        ("prose", "| verse\n| verse"),
        ("prose", "    a quotation\n    of two lines"),
        ("prose", "----------"),
    ],
)
def test_a_block_is_whole_and_of_its_kind(kind: str, text: str) -> None:
    assert _blocks(f"Before.\n\n{text}\n\nAfter.") == [("prose", "Before."), (kind, text), ("prose", "After.")]


def test_neighbouring_items_are_blocks_of_their_own() -> None:
    text = "- a\n- b\n\n* c\n\n1. d\n2. e\n\n:f: g\n:h: i\n\nterm\n  def\nterm\n  def\n"
    assert [kind for kind, _ in _blocks(text)] == ["list"] * 9


def test_a_listing_after_a_paragraph_is_a_block_of_its_own() -> None:
    assert _blocks("Run::\n\n  x\n\n  y\n\nEnd") == [("prose", "Run::"), ("code", "  x\n\n  y"), ("prose", "End")]
    assert _blocks("Run::\n\n> x\n> y\n\nEnd") == [("prose", "Run::"), ("code", "> x\n> y"), ("prose", "End")]


def test_levels_of_headings_follow_their_adornment_as_it_comes_up() -> None:
    text = "====\nBook\n====\n\nOne\n===\n\nA\n-\n\nTwo\n===\n\nB\n~\n\n----\nBook\n----\n"
    assert [(block.level, block.title) for block in rst_blocks(text) if block.kind == "heading"] == [
        (1, "Book"),
        (2, "One"),
        (3, "A"),
        (2, "Two"),
        (4, "B"),
        (5, "Book"),
    ]


@pytest.mark.parametrize("text", ["Title\n=", "A title\n---", "===\nA long title\n==="])
def test_an_adornment_that_is_too_short_is_judged_as_docutils_does(text: str) -> None:
    assert [kind for kind, _ in _blocks(text)] == ["prose"]


def test_a_heading_takes_the_names_of_its_place_but_no_links() -> None:
    text = ".. _a: https://example.com\n\n.. _top:\n.. _care:\n\nCare\n====\n"
    assert _blocks(text) == [("prose", ".. _a: https://example.com"), ("heading", ".. _top:\n.. _care:\n\nCare\n====")]


def test_a_place_in_the_text_is_under_its_headings() -> None:
    text = "intro\n\nCare\n====\n\na\n\nFilter\n------\n\nb\n"
    found = outline(document("a.rst", text, mime_type="text/x-rst"))
    assert [found.section_at(text.index(word)) for word in ("intro", "a\n\nF", "b\n")] == [(), ("Care",), ("Care", "Filter")]


def test_rows_of_a_table_are_where_it_is_better_cut() -> None:
    rows = GRID.split("\n")
    assert _parts(GRID) == [("table", "\n".join(rows[:6])), ("table", "\n".join(rows[6:]))]
    lines = SIMPLE.split("\n")
    assert _parts(SIMPLE) == [("table", "\n".join(lines[:4])), ("table", "\n".join(lines[4:]))]


def test_a_list_item_is_better_cut_between_what_stands_in_it() -> None:
    assert _parts("- Run::\n\n    x\n\n    y\n\n  .. note:: Care\n\n  - deep\n\n  End") == [
        ("list", "- Run::"),
        ("code", "    x\n\n    y"),
        ("directive", "  .. note:: Care"),
        ("list", "  - deep"),
        ("list", "  End"),
    ]


@pytest.mark.parametrize(
    "text", ["=== ===\nno bottom\n\n# x", "+---+\n| a |\n\nEnd", "=== ===\na b\n== ==\n\nEnd", "+---+---+\n| a |\n+---+---+"]
)
def test_a_malformed_table_is_text_and_takes_nothing_with_it(text: str) -> None:
    assert _blocks(text)[0] == ("prose", text.split("\n\n")[0])


def test_nothing_is_read_or_run_or_registered_or_said(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "secret.rst").write_text("Secret\n======\n")
    before = (dict(directives._directives), dict(roles._roles))
    text = f".. include:: {tmp_path}/secret.rst\n\n.. raw:: html\n   :file: {tmp_path}/secret.rst\n\n.. role:: mine\n\n:no:`x` *\n\n.. a::"
    kinds = [kind for kind, _ in _blocks(text)]
    assert kinds == ["directive", "directive", "directive", "prose", "directive"]
    assert (dict(directives._directives), dict(roles._roles)) == before
    assert capfd.readouterr() == ("", "")


def test_where_docutils_gives_up_the_text_is_paragraphs() -> None:
    text = f"Care\n====\n\n{'9' * 5_000}. item\n\nEnd"
    assert [kind for kind, _ in _blocks(text)] == ["prose", "prose", "prose"]
    assert faults(text, rst_blocks(text)) == []


@pytest.mark.parametrize(
    "text", ["A\n=\r\n\r\nx", "\tx\n\t\ty", "\x0c\nA\n=\n\x0b", "a\u2028b\n\x85\n- c", '.. end of inclusion from "x']
)
def test_places_hold_for_any_blank(text: str) -> None:
    assert faults(text, rst_blocks(text)) == []


@quick
@given(soups)
def test_everything_that_is_not_blank_lies_in_a_block(text: str) -> None:
    assert faults(text, rst_blocks(text)) == []


def _depth(blocks: tuple[Block, ...]) -> int:
    return 1 + max((_depth(block.parts) for block in blocks), default=0)


@pytest.mark.parametrize("step", ["- a\n\n", "a\n", ".. x::\n\n", ":f: x\n\n"])
def test_deep_nesting_is_read_without_deep_recursion(step: str) -> None:
    text = "".join("  " * depth + step for depth in range(300)) + "\nEnd"
    blocks = rst_blocks(text)
    assert faults(text, blocks) == []
    assert _depth(tuple(blocks)) < sys.getrecursionlimit() / 10


@pytest.mark.parametrize("line", ["a::\n\n> b\n\n", "a::\n\nb\n\n", "====\n", "=== ===\na b\n\n", "- a\n\nb\n\n", ":a: b\n"])
def test_a_long_text_of_one_block_over_and_over_is_read(line: str) -> None:
    text = line * (30_000 // len(line))
    assert faults(text, rst_blocks(text)) == []


def _grid(columns: int, rows: int) -> str:
    rule = "+" + "-+" * columns
    return rule + f"\n|{'a|' * columns}\n{rule}" * rows


@pytest.mark.parametrize(
    "table",
    [
        _grid(8_000, 1),
        _grid(200, 300),
        f"{'= ' * 8_000}\n{'a ' * 8_000}\n{'= ' * 8_000}",
        "=" * 100 + " =\n" + f"{'a' * 100} b\n" * 2_000 + "=" * 100 + " =",
    ],
)
def test_a_table_too_large_to_look_into_is_one_block_all_the_same(table: str) -> None:
    (block,) = rst_blocks(table)
    assert (block.kind, block.parts) == ("table", ())
    assert len(rst_blocks(f"Text.\n\n{table}\n\nMore.\n")) == 3


def test_the_rows_of_a_table_of_hundreds_of_lines_are_found() -> None:
    (block,) = rst_blocks(_grid(8, 500))
    assert len(block.parts) == 500


BOMB = "".join(f".. |a{level}| replace:: {f'|a{level + 1}| ' * 10}\n" for level in range(12)) + ".. |a12| replace:: boom\n"


def test_a_substitution_is_never_put_in_place() -> None:
    text = f"Title |a0|\n==========\n\n|a0|\n\n{BOMB}"
    found = rst_blocks(text)
    assert [block.title for block in found if block.kind == "heading"] == ["Title |a0|"]
    assert max(block.end for block in found) <= len(text)
    assert faults(text, found) == []
