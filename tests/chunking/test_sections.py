"""Sections and which of them are put together."""

import pytest

from harness.chunking.outline import outline
from harness.chunking.packing import Tokens
from harness.chunking.sections import Section, sections
from tests.builders import document

LONG = "one two six ten red sea sky end now out"


def _sections(text: str, size: int = 64) -> list[Section]:
    return sections(outline(document(text=text, mime_type="text/markdown")), Tokens(text), size)


def _paths(text: str, size: int = 64) -> list[tuple[str, ...]]:
    return [section.path for section in _sections(text, size)]


def test_text_before_the_first_heading_is_a_section_without_path() -> None:
    assert _paths("intro\n\n# A\n\nx") == [(), ("A",)]


def test_a_text_without_headings_is_one_section() -> None:
    assert [(section.path, section.level) for section in _sections("a\n\nb\n\n- c")] == [((), 0)]


def test_a_blank_text_has_no_section() -> None:
    assert _sections(" \n") == []


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("### A\n\nx\n\n### B\n\ny", [()]),
        (f"### A\n\nx\n\n### B\n\n{LONG}", [()]),
        (f"### A\n\n{LONG}\n\n### B\n\n{LONG}", [("A",), ("B",)]),
        ("## A\n\nx\n\n## B\n\ny", [("A",), ("B",)]),
        ("# A\n\nx\n\n### B\n\ny", [("A",), ("A", "B")]),
        ("### A\n\nx\n\n#### B\n\ny", [("A",), ("A", "B")]),
        ("## A\n\n### B\n\nx\n\n## C\n\n### D\n\ny", [("A", "B"), ("C", "D")]),
    ],
    ids=["two tiny siblings", "one tiny sibling", "none tiny", "level two", "across level one", "child", "across level two"],
)
def test_only_tiny_siblings_below_level_two_are_put_together(text: str, paths: list[tuple[str, ...]]) -> None:
    assert _paths(text) == paths


def test_sections_together_never_exceed_the_size() -> None:
    text = "\n\n".join(f"### H{number}\n\nx" for number in range(20))
    tokens = Tokens(text)
    found = _sections(text, 48)
    assert len(found) > 1
    assert all(tokens.count(section.start, section.end) <= 48 for section in found)


def test_sections_leave_no_block_out() -> None:
    text = "a\n\n# A\n\n## B\n\nb\n\n### C\n\nc\n\n### D\n\nd\n\n# E"
    whole = outline(document(text=text, mime_type="text/markdown")).blocks
    assert tuple(block for section in _sections(text) for block in section.blocks) == whole
