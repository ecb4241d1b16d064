"""Markdown: cut where the author did."""

import pytest

from harness.chunking.markdown import Markdown
from harness.chunking.recursive import Recursive
from harness.text import count_tokens
from harness.types import Chunk
from tests.builders import document
from tests.contracts.chunker import ChunkerContract


class TestMarkdown(ChunkerContract):
    limit = 24 + 7

    @pytest.fixture
    def chunker(self) -> Markdown:
        return Markdown(size=24, overlap=0.3)


class TestTinyMarkdown(ChunkerContract):
    limit = 4 + 2

    @pytest.fixture
    def chunker(self) -> Markdown:
        return Markdown(size=4, overlap=0.5)


def _cut(text: str, size: int = 512, overlap: float = 0.0) -> list[Chunk]:
    return list(Markdown(size=size, overlap=overlap).chunk(document(text=text, mime_type="text/markdown")))


def _texts(text: str, size: int = 512, overlap: float = 0.0) -> list[str]:
    return [chunk.text for chunk in _cut(text, size, overlap)]


def test_every_section_of_level_one_or_two_starts_anew() -> None:
    assert _texts("# A\n\nx\n\n## B\n\ny\n\n## C\n\nz") == ["# A\n\nx", "## B\n\ny", "## C\n\nz"]


def test_a_heading_without_text_of_its_own_goes_with_the_next_section() -> None:
    assert _texts("# A\n\n## B\n\ny") == ["# A\n\n## B\n\ny"]


def test_tiny_siblings_of_level_three_are_put_together() -> None:
    made = _cut("## A\n\nx\n\n### B\n\ny\n\n### C\n\nz")
    assert [chunk.text for chunk in made] == ["## A\n\nx", "### B\n\ny\n\n### C\n\nz"]
    assert [chunk.section_path for chunk in made] == [("A",), ("A",)]


def test_sections_that_are_not_tiny_stay_apart() -> None:
    assert len(_texts("## A\n\n### B\n\none two six ten\n\n### C\n\none two six ten", size=32)) == 2


def test_sections_of_different_parents_stay_apart() -> None:
    assert _texts("### A\n\nx\n\n#### B\n\ny") == ["### A\n\nx", "#### B\n\ny"]


def test_the_section_path_follows_the_heading_stack() -> None:
    made = _cut("# A\n\nx\n\n## B\n\n### C\n\ny\n\n## D\n\nz")
    assert [chunk.section_path for chunk in made] == [("A",), ("A", "B", "C"), ("A", "D")]


def test_underlined_headings_count() -> None:
    assert [chunk.section_path for chunk in _cut("A\n=\n\nx\n\nB\n---\n\ny")] == [("A",), ("A", "B")]


def test_a_hash_inside_a_fence_is_no_heading() -> None:
    assert len(_texts("# A\n\n```\n# no\n\n## no\n```")) == 1


@pytest.mark.parametrize(
    "block",
    [
        "```\na1 b2 c3\n\nd4 e5 f6\n```",
        "~~~~\n```\na1 b2\n~~~\n~~~~",
        "| a | b |\n| - | - |\n| 1 | 2 |",
        "a | b\n--|--\n1 | 2",
        "- one two six\n  ten red\n\n  sea sky",
        "1. one two\n   ```\n   x = 1\n\n   ```",
        "- one two\n  - six ten\n  - red sea",
    ],
)
def test_a_block_that_fits_is_never_cut(block: str) -> None:
    filler = "One two six ten red sea sky end."
    size = count_tokens(block)
    cut = _texts(f"{filler}\n\n{block}\n\n{filler}", size=size)
    assert any(block in text for text in cut)


def test_a_table_that_is_too_long_is_cut_between_rows() -> None:
    rows = ["| code | meaning |", "| --- | --- |", *(f"| E-{number} | fault {number} |" for number in range(10, 30))]
    cut = _cut("\n".join(rows), size=40)
    assert len(cut) > 1
    assert [row for chunk in cut for row in chunk.text.split("\n")] == rows


def test_the_header_of_a_long_table_goes_with_its_first_row() -> None:
    rows = ["| code | meaning |", "| --- | --- |", *(f"| E-{number} | fault {number} |" for number in range(10, 20))]
    texts = _texts("One two six ten.\n\n" + "\n".join(rows), size=24)
    assert texts[:2] == ["One two six ten.", "\n".join(rows[:3])]


def test_a_list_item_that_is_too_long_is_cut_between_what_stands_in_it() -> None:
    made = _cut("- One two six.\n\n  ```\n  ten red\n\n  sea sky\n  ```\n\n  - blue end", size=12)
    assert [(chunk.kind, chunk.text) for chunk in made] == [
        ("list", "- One two six."),
        ("code", "  ```\n  ten red\n\n  sea sky\n  ```"),
        ("list", "  - blue end"),
    ]


def test_a_directive_that_is_too_long_is_cut_between_its_paragraphs() -> None:
    made = _cut(":::note\n\nOne two six. Ten red.\n\nBlue sky. The end.\n:::", size=12, overlap=0.5)
    assert [chunk.text for chunk in made] == [":::note\n\nOne two six. Ten red.", "Blue sky. The end.\n:::"]
    assert {chunk.kind for chunk in made} == {"prose"}


def test_a_fence_that_is_too_long_is_cut_between_lines() -> None:
    lines = ["```", *(f"value_{number} = {number}" for number in range(20)), "```"]
    cut = _cut("\n".join(lines), size=30)
    assert [line for chunk in cut for line in chunk.text.split("\n")] == lines
    assert {chunk.kind for chunk in cut} == {"code"}


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("# A\n\n| a | b |\n| - | - |", "table"),
        ("# A\n\n```\nx\n```", "code"),
        ("- a\n- b", "list"),
        ("Plain text.", "prose"),
        ("Plain text.\n\n- a", "prose"),
    ],
)
def test_a_chunk_says_what_kind_it_is(text: str, kind: str) -> None:
    assert [chunk.kind for chunk in _cut(text)] == [kind]


def test_overlap_repeats_whole_sentences_inside_a_section() -> None:
    text = "## A\n\nOne two six ten. Red sea.\n\nBlue sky ends here."
    assert _texts(text, size=11, overlap=0.4)[1] == "Red sea.\n\nBlue sky ends here."


def test_overlap_repeats_whole_list_items() -> None:
    assert _texts("- one two\n- six ten\n- red sea\n- sky end", size=6, overlap=0.5) == [
        "- one two\n- six ten",
        "- six ten\n- red sea\n- sky end",
    ]


def test_overlap_never_crosses_into_another_section() -> None:
    assert _texts("## A\n\nOne. Two.\n\n## B\n\nSix. Ten.", overlap=0.5) == ["## A\n\nOne. Two.", "## B\n\nSix. Ten."]


def test_overlap_never_starts_inside_a_table() -> None:
    rows = ["| a | b |", "| - | - |", *(f"| {number} | x |" for number in range(10, 20))]
    texts = _texts("\n".join(rows), size=15, overlap=0.5)
    assert len(texts) > 3
    assert [row for text in texts for row in text.split("\n")] == rows


def test_a_heading_is_not_left_alone_when_its_paragraph_only_just_does_not_fit() -> None:
    assert _texts("## Limits\n\nOne two six. Ten red sea.", size=8) == ["## Limits\n\nOne two six.", "Ten red sea."]


def test_a_heading_is_not_left_at_the_end_of_a_chunk() -> None:
    table = "| a | b |\n| - | - |\n| 1 | 2 |"
    assert _texts(f"# A\n\n## B\n\n{table}", size=18) == ["# A", f"## B\n\n{table}"]


def test_stacked_headings_stay_with_the_start_of_a_long_paragraph() -> None:
    assert _texts("# A\n\n## B\n\nOne two six. Ten red sea.", size=10) == ["# A\n\n## B\n\nOne two six.", "Ten red sea."]


def test_cleaned_html_is_cut_as_markdown() -> None:
    made = Markdown().chunk(document("a.html", "# A\n\nx\n\n## B\n\ny\n", mime_type="text/html"))
    assert [chunk.section_path for chunk in made] == [("A",), ("A", "B")]


def test_cleaned_docx_is_cut_as_markdown() -> None:
    docx = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    made = Markdown().chunk(document("a.docx", "# A\n\nx\n\n## B\n\ny\n", mime_type=docx))
    assert [chunk.section_path for chunk in made] == [("A",), ("A", "B")]


def test_restructuredtext_is_cut_at_its_own_headings_and_blocks() -> None:
    text = "A\n=\n\nx::\n\n  # no heading\n\nB\n-\n\n.. note:: y\n\n   z\n"
    made = Markdown().chunk(document("a.rst", text, mime_type="text/x-rst"))
    assert [(chunk.section_path, chunk.text) for chunk in made] == [
        (("A",), "A\n=\n\nx::\n\n  # no heading"),
        (("A", "B"), "B\n-\n\n.. note:: y\n\n   z"),
    ]


def test_other_documents_go_to_the_recursive_chunker() -> None:
    csv = document("a.csv", "a,b\n" * 100, mime_type="text/csv")
    assert Markdown(size=50, overlap=0.1).chunk(csv) == Recursive(size=50, overlap=0.1).chunk(csv)


@pytest.mark.parametrize("line", ["#" * 50_000, "| " * 50_000, "- " * 50_000, " " * 50_000 + "x", "`" * 50_000, "1" * 50_000])
def test_a_hostile_line_takes_linear_time(line: str) -> None:
    assert _cut(f"# A\n{line}\n# B\nx")
