"""The blocks of Markdown: CommonMark, tables, directives."""

import sys

import pytest
from hypothesis import given

from harness.chunking.blocks import Block
from harness.chunking.markdown_outline import markdown_blocks
from tests.chunking.soup import faults, soups
from tests.contracts.chunker import quick


def _blocks(text: str, html: bool = True) -> list[tuple[str, str]]:
    return [(block.kind, text[block.start : block.end]) for block in markdown_blocks(text, html)]


def _kinds(text: str) -> list[str]:
    return [kind for kind, _ in _blocks(text)]


def _parts(text: str) -> list[tuple[str, str]]:
    (block,) = markdown_blocks(text)
    return [(part.kind, text[part.start : part.end]) for part in block.parts]


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("Text\nmore\n===", ["heading"]),
        ("Text\n2. no list", ["prose"]),
        ("Text\n1. a list", ["prose", "list"]),
        ("1. a\n  - b", ["list", "list"]),
        ("1. a\n   - b", ["list"]),
        ("- a\nlazy\n\nEnd", ["list", "prose"]),
        ("* * *", ["prose"]),
        ("| no | rule |\n| 1 | 2 |", ["prose"]),
        ("Text\n| a |\n| - |\n| 1 |", ["prose", "table"]),
        ("a | b\n-|-\n1 | 2\n\nEnd", ["table", "prose"]),
        ("> quoted\n> more", ["prose"]),
        ("> - quoted", ["directive"]),
        ("    indented\n\n    code", ["code"]),
        ("[a]: http://b", ["prose"]),
        ("+++\nx", ["prose"]),
    ],
)
def test_blocks_are_those_of_commonmark(text: str, kinds: list[str]) -> None:
    assert _kinds(text) == kinds


def test_a_heading_of_two_lines_has_a_title_of_one() -> None:
    (block,) = markdown_blocks("Inlet\nfilter\n---\n")
    assert (block.level, block.title) == (2, "Inlet filter")


@pytest.mark.parametrize(
    "text",
    [
        ":::info Care\n\nText\n\n# no heading\n:::",
        "::: warning\n```\n# x\n```\n\n- a\n:::",
        "::::note\n:::tip\nx\n:::\n\ny\n::::",
        ":::{note}\nx\n:::",
        "```{note} Care\nx\n\ny\n```",
    ],
)
def test_a_directive_is_one_block(text: str) -> None:
    assert _blocks(f"Before.\n\n{text}\n\nAfter.") == [("prose", "Before."), ("directive", text), ("prose", "After.")]


@pytest.mark.parametrize("info", ["{code-block} python", "{code}", "{code-cell}", "python"])
def test_a_listing_is_code_whatever_it_is_called(info: str) -> None:
    assert _kinds(f"```{info}\nx\n```") == ["code"]


@pytest.mark.parametrize("text", [":::\n# A", ": x\n\n# A", ":: x\n# A"])
def test_colons_without_a_name_open_no_directive(text: str) -> None:
    assert _kinds(text)[-1] == "heading"


def test_markdown_inside_an_element_is_read() -> None:
    text = "<details>\n<summary>More</summary>\n```\nx\n\n# y\n```\n</details>\n\n# A"
    assert _kinds(text) == ["prose", "code", "prose", "heading"]


@pytest.mark.parametrize("text", ["<!-- a\n\n# b\n-->", "<pre>\n\n# b\n</pre>", "<script>\n\n# b\n</script>", "<?x\n\n# b\n?>"])
def test_comments_and_verbatim_html_are_one_block_of_markdown_but_text_elsewhere(text: str) -> None:
    assert _blocks(f"{text}\n\n# A") == [("prose", text), ("heading", "# A")]
    assert "heading" in [kind for kind, _ in _blocks(text, html=False)]


def test_a_list_item_is_better_cut_between_what_stands_in_it() -> None:
    text = "- Run\n\n  ```\n  x\n\n  y\n  ```\n  - deep\n\n    - deeper\n\n  End"
    assert _parts(text) == [
        ("list", "- Run"),
        ("code", "  ```\n  x\n\n  y\n  ```"),
        ("list", "  - deep\n\n    - deeper"),
        ("list", "  End"),
    ]


def test_the_first_part_of_a_table_is_its_header_with_the_first_row() -> None:
    assert _parts("| a |\n| - |\n| 1 |\n| 2 |") == [("table", "| a |\n| - |\n| 1 |"), ("table", "| 2 |")]
    assert _parts("| a |\n| - |") == [("table", "| a |\n| - |")]


def test_the_parts_of_a_directive_are_its_lines_and_the_blocks_between() -> None:
    assert _parts(":::note\n\nText\n\n- a\n- b\n:::") == [
        ("directive", ":::note"),
        ("directive", "Text"),
        ("list", "- a"),
        ("list", "- b"),
        ("directive", ":::"),
    ]


@pytest.mark.parametrize("text", ["# A\r\n\r\nText\r\n", "# A\rText", "\x00 # A\n\n\x00", "\u2028\n# A", "\x0b\x0c\n# A\n\x85x"])
def test_places_hold_for_any_line_end(text: str) -> None:
    assert [text[block.start : block.end] for block in markdown_blocks(text) if block.kind == "heading"] in (["# A"], [])
    assert faults(text, markdown_blocks(text)) == []


@quick
@given(soups)
def test_everything_that_is_not_blank_lies_in_a_block(text: str) -> None:
    assert faults(text, markdown_blocks(text)) == []


def _depth(blocks: tuple[Block, ...]) -> int:
    return 1 + max((_depth(block.parts) for block in blocks), default=0)


@pytest.mark.parametrize("mark", ["- ", "> ", "1. ", "> - "])
def test_deep_nesting_is_read_without_deep_recursion(mark: str) -> None:
    steps = "\n".join(f"{'  ' * depth}- a" for depth in range(800))
    for text in (mark * 5_000 + "a\n\n# B", steps):
        blocks = markdown_blocks(text)
        assert faults(text, blocks) == []
        assert _depth(tuple(blocks)) < sys.getrecursionlimit() / 10


@pytest.mark.parametrize("line", ["- a\n", "a | b\n", "> - a\nb\n", "::: x\n", "```\n", "<!--\n", "[a]: b\n", "| a |\n| - |\n"])
def test_a_long_text_of_one_line_over_and_over_is_read(line: str) -> None:
    text = line * (40_000 // len(line))
    assert faults(text, markdown_blocks(text)) == []


def test_a_table_of_short_rows_below_many_columns_costs_no_more_than_its_text() -> None:
    text = f"|{'a|' * 4_000}\n|{'-|' * 4_000}\n" + "x\n" * 4_000
    (block,) = markdown_blocks(text)
    assert (block.kind, len(block.parts), block.end) == ("table", 4_000, len(text) - 1)


@pytest.mark.parametrize("end", ["", "\n"])
@pytest.mark.parametrize("text", ["> ::: x\n> ", "- ::: x\n  ", "::: x\n", "> ::: x\n>", "> ::: x\n> > "])
def test_an_open_directive_at_the_end_of_a_text_is_read(text: str, end: str) -> None:
    assert faults(f"{text}{end}", markdown_blocks(f"{text}{end}")) == []


@pytest.mark.parametrize("ending", ["\n", " \u3000\n", "# b\n", "> b\n", "- b\n", "```\n", "***\n"])
def test_a_table_ends_where_another_block_begins(ending: str) -> None:
    text = f"| a |\n| - |\n| 1 |\n{ending}| 2 |\n"
    assert text[: markdown_blocks(text)[0].end] == "| a |\n| - |\n| 1 |"
