"""Headings and blocks of Markdown."""

import pytest

from harness.chunking.outline import Outline, outline
from tests.builders import document


def _outline(text: str) -> Outline:
    return outline(document(text=text, mime_type="text/markdown"))


def _blocks(text: str) -> list[tuple[str, str]]:
    return [(block.kind, text[block.start : block.end]) for block in _outline(text).blocks]


@pytest.mark.parametrize(
    ("line", "level", "title"),
    [
        ("# Care", 1, "Care"),
        ("###### Deep", 6, "Deep"),
        ("   ## Indented", 2, "Indented"),
        ("## Closed ##", 2, "Closed"),
        ("# C#", 1, "C#"),
        ("#", 1, ""),
        ("## `code` and *more*", 2, "`code` and *more*"),
    ],
)
def test_headings_have_a_level_and_a_title(line: str, level: int, title: str) -> None:
    (block,) = _outline(line).blocks
    assert (block.kind, block.level, block.title) == ("heading", level, title)


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("#hashtag", "prose"),
        ("####### seven", "prose"),
        ("    # code", "code"),
        ("\\# escaped", "prose"),
        ("text # not at the start", "prose"),
        ("> # quoted", "directive"),
        ("- # listed", "list"),
    ],
)
def test_other_lines_with_a_hash_are_no_headings(line: str, kind: str) -> None:
    assert [found for found, _ in _blocks(line)] == [kind]


def test_blocks_are_told_apart() -> None:
    text = "# A\nText\nmore\n\n- one\n  deeper\n- two\n\n| a |\n| - |\n\n```\nx\n\ny\n```\nEnd"
    assert _blocks(text) == [
        ("heading", "# A"),
        ("prose", "Text\nmore"),
        ("list", "- one\n  deeper"),
        ("list", "- two"),
        ("table", "| a |\n| - |"),
        ("code", "```\nx\n\ny\n```"),
        ("prose", "End"),
    ]


def test_a_fence_is_closed_only_by_a_mark_as_long_as_its_own() -> None:
    assert _blocks("````\n```\n````\nEnd") == [("code", "````\n```\n````"), ("prose", "End")]


def test_a_fence_that_is_never_closed_goes_to_the_end() -> None:
    assert _blocks("```\nx\n\n# no heading") == [("code", "```\nx\n\n# no heading")]


def test_code_in_a_line_opens_no_fence() -> None:
    assert _blocks("```x``` is code\n\n# A") == [("prose", "```x``` is code"), ("heading", "# A")]


def test_a_fence_inside_a_list_item_belongs_to_it() -> None:
    text = "1. Run\n\n   ```\n   # no heading\n\n   x\n   ```\n\n2. Stop"
    assert [kind for kind, _ in _blocks(text)] == ["list", "list"]


def test_front_matter_is_no_heading() -> None:
    assert [kind for kind, _ in _blocks("---\nid: a\ntitle: b\n---\n\n# A")] == ["prose", "heading"]


def test_the_section_of_a_place_is_the_headings_above_it() -> None:
    text = "intro\n# A\na\n### C\nc\n## B\nb"
    found = _outline(text)
    expected = {"intro": (), "a\n": ("A",), "### C": ("A", "C"), "c\n": ("A", "C"), "## B": ("A", "B"), "b": ("A", "B")}
    places = {"intro": 0, "a\n": 10, "### C": 12, "c\n": 18, "## B": 20, "b": 25}
    assert {name: found.section_at(place) for name, place in places.items()} == expected


def test_plain_text_has_no_outline() -> None:
    assert outline(document(text="# A", mime_type="text/plain")) == Outline((), (), ())
