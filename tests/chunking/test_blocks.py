"""Lines and the blocks made of them."""

import pytest

from harness.chunking.blocks import Block, Lines, together

TEXT = "\none \n  two\n\n \nthree\n"
LINES = Lines(TEXT)


@pytest.mark.parametrize(
    ("first", "after", "text"),
    [(1, 2, "one"), (0, 3, "one \n  two"), (2, 5, "  two"), (0, 7, TEXT.strip("\n")), (4, 6, "three")],
)
def test_a_block_has_no_blank_lines_around_and_no_blank_at_its_end(first: int, after: int, text: str) -> None:
    block = LINES.block(first, after, "prose")
    assert TEXT[block.start : block.end] == text


@pytest.mark.parametrize(("first", "after", "blank"), [(0, 1, True), (3, 5, True), (0, 2, False), (6, 7, True), (2, 2, True)])
def test_lines_are_blank_where_nothing_but_blanks_stands(first: int, after: int, blank: bool) -> None:
    assert LINES.blank(first, after) == blank


@pytest.mark.parametrize(
    ("first", "after", "texts"), [(0, 7, ["one \n  two", "three"]), (2, 7, ["  two", "three"]), (3, 5, []), (1, 2, ["one"])]
)
def test_paragraphs_stand_between_blank_lines(first: int, after: int, texts: list[str]) -> None:
    found = list(LINES.paragraphs(first, after, "list"))
    assert [TEXT[block.start : block.end] for block in found] == texts
    assert all(block.kind == "list" for block in found)


@pytest.mark.parametrize(
    ("quoted", "kinds", "kind"),
    [(True, ["prose"], "prose"), (True, ["prose", "code"], "directive"), (False, ["code"], "prose"), (True, [], "prose")],
)
def test_a_quotation_of_more_than_paragraphs_belongs_together(quoted: bool, kinds: list[str], kind: str) -> None:
    assert together(quoted, "prose", [Block(0, 1, part) for part in kinds]) == kind
