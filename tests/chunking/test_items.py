"""Lists: an item is a chunk, and its introduction says what it is an item of."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.chunking.items import Items
from harness.chunking.markdown import Markdown
from harness.golden.golden_set import load
from harness.golden.unreachable import unreachable
from harness.text import count_tokens
from harness.types import Chunk
from tests.builders import document
from tests.chunking.typed import Typed
from tests.contracts.chunker import ChunkerContract, quick
from tests.golden.public import ROOT


class TestItems(ChunkerContract):
    limit = 24 + 7

    @pytest.fixture
    def chunker(self) -> Items:
        return Items(size=24, overlap=0.3)


class TestRstItems(ChunkerContract):
    limit = 4 + 2

    @pytest.fixture
    def chunker(self) -> Typed:
        return Typed(Items(size=4, items=2, overlap=0.5), "text/x-rst")


def _cut(text: str, size: int = 256, items: int = 1, mime_type: str = "text/markdown") -> list[Chunk]:
    return list(Items(size=size, items=items).chunk(document(text=text, mime_type=mime_type)))


def _texts(text: str, size: int = 256, items: int = 1) -> list[str]:
    return [chunk.text for chunk in _cut(text, size, items)]


STEPS = "- Close the valve.\n- Pull the plug.\n- Wait."
GUIDE = f"# Care\n\nRead on. There is more.\n\n## Cleaning\n\nBefore you clean it, do this:\n\n{STEPS}\n\nThen begin."


def test_each_item_is_a_chunk_with_the_introduction_before_it() -> None:
    made = _cut(GUIDE)
    assert [(chunk.preface, chunk.text) for chunk in made] == [
        ("", "# Care\n\nRead on. There is more."),
        ("", "## Cleaning\n\nBefore you clean it, do this:\n\n- Close the valve."),
        ("Before you clean it, do this:", "- Pull the plug."),
        ("Before you clean it, do this:", "- Wait."),
        ("", "Then begin."),
    ]
    assert [chunk.kind for chunk in made] == ["prose", "list", "list", "list", "prose"]
    assert {chunk.section_path for chunk in made[1:]} == {("Care", "Cleaning")}


def test_the_index_reads_title_section_and_introduction_before_an_item() -> None:
    made = Items().chunk(document(text=GUIDE, mime_type="text/markdown", title="Manual"))
    assert made[2].indexed_text == "Manual > Care > Cleaning\nBefore you clean it, do this:\n- Pull the plug."


def test_without_heading_only_the_introduction_stands_before_an_item() -> None:
    made = Items(heading=False).chunk(document(text=GUIDE, mime_type="text/markdown", title="Manual"))
    assert made[2].indexed_text == "Before you clean it, do this:\n- Pull the plug."


def test_nested_lists_belong_to_their_item() -> None:
    first = "1. Open it:\n   - left\n   - right\n\n   Mind the seal."
    assert _texts(f"{first}\n2. Close it.") == [first, "2. Close it."]


def test_as_many_items_go_together_as_were_asked_for() -> None:
    assert _texts(STEPS, items=2) == ["- Close the valve.\n- Pull the plug.", "- Wait."]


def test_fewer_items_go_together_where_they_do_not_fit() -> None:
    assert _texts(STEPS, size=6, items=3) == ["- Close the valve.", "- Pull the plug.", "- Wait."]


def test_an_item_that_is_too_long_is_cut_between_lines() -> None:
    lines = ["- one two six", "  ten red sea", "  sky end blue"]
    assert _texts("\n".join(lines), size=6) == ["- one two six", "ten red sea\n  sky end blue"]


def test_an_item_that_fits_is_not_cut_for_its_introduction() -> None:
    made = _cut("Do this now:\n\n- Тест a_b.\n- Тест a_b naïve اختبار?\n- Wait.", size=8)
    assert [(chunk.preface, chunk.text) for chunk in made] == [
        ("", "Do this now:\n\n- Тест a_b."),
        ("", "- Тест a_b naïve اختبار?"),
        ("Do this now:", "- Wait."),
    ]


ITEMS = st.lists(
    st.lists(st.sampled_from(["filter", "Тест", "naïve", "水槽", "a_b", "FH-4410"]), min_size=1, max_size=8), max_size=9
)


@quick
@given(rows=ITEMS, size=st.integers(6, 30), items=st.integers(1, 4))
def test_no_item_of_a_random_list_is_cut_that_fits(rows: list[list[str]], size: int, items: int) -> None:
    written = [f"- {' '.join(row)}." for row in rows]
    made = _texts("\n".join(["Do all of this now:", "", *written]), size, items)
    assert [item for item in written if count_tokens(item) <= size and not any(item in text for text in made)] == []


def test_a_paragraph_of_several_sentences_introduces_nothing() -> None:
    made = _cut(f"One sentence. Another one.\n\n{STEPS}")
    assert [chunk.text for chunk in made][:2] == ["One sentence. Another one.", "- Close the valve."]
    assert {chunk.preface for chunk in made} == {""}


def test_a_paragraph_that_ends_in_a_colon_introduces_however_long_it_is() -> None:
    assert _cut(f"One sentence. Do this:\n\n{STEPS}")[1].preface == "One sentence. Do this:"


def test_an_introduction_of_more_than_half_the_size_is_not_repeated() -> None:
    assert [chunk.preface for chunk in _cut(f"One two six ten red:\n\n{STEPS}", size=11)] == ["", "", ""]


def test_a_heading_right_above_goes_with_the_first_item() -> None:
    assert _texts(f"## Steps\n\n{STEPS}")[0] == "## Steps\n\n- Close the valve."


def test_text_between_two_lists_parts_them() -> None:
    assert _texts("- a\n- b\n\nMeanwhile, do these:\n\n- c\n- d", items=4) == ["- a\n- b", "Meanwhile, do these:\n\n- c\n- d"]


def test_a_repeated_introduction_counts() -> None:
    made = _cut(GUIDE, size=16, items=9)
    assert all(count_tokens(f"{chunk.preface} {chunk.text}") <= 16 for chunk in made)


def test_tables_and_fences_are_left_to_the_markdown_chunker() -> None:
    text = "```\n- x\n- y\n```\n\n| a | b |\n| - | - |\n| 1 | 2 |"
    given = document(text=text, mime_type="text/markdown")
    assert Items(overlap=0).chunk(given) == Markdown(256, overlap=0).chunk(given)


def test_rst_lists_are_cut_alike() -> None:
    made = _cut("Care\n====\n\nDo this:\n\n* Close it.\n* Pull\n  it.\n", mime_type="text/x-rst")
    assert [(chunk.preface, chunk.text) for chunk in made][1:] == [("Do this:", "* Pull\n  it.")]


@pytest.mark.parametrize("line", ["- " * 20_000, "- x\n" * 5_000, "> " * 20_000, "1. x\n\n" * 3_000])
def test_a_hostile_list_is_cut(line: str) -> None:
    assert "".join("".join(_texts(line)).split()) == "".join(line.split())


def test_no_evidence_of_a_shipped_set_is_lost() -> None:
    golden = load(ROOT / "golden_sets" / "fernhill")
    chunks = [chunk for given in golden.documents for chunk in Items().chunk(given)]
    assert unreachable(golden, chunks, golden.coverage) == []
    assert sum(bool(chunk.preface) for chunk in chunks) > 50
