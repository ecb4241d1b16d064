"""Units, packing and overlap."""

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.chunking.markdown import Markdown
from harness.chunking.packing import Tokens, Unit, pack, split, start_of
from harness.text import count_tokens, sentence_spans
from tests.builders import document
from tests.contracts.chunker import quick

TEXT = "One two. Six ten.\n\nRed sea\nblue sky\n\nEnd."


def _split(text: str, size: int, by_line: bool = False) -> list[str]:
    return [text[unit.start : unit.end] for unit in split(Tokens(text), 0, len(text), size, by_line=by_line)]


def _units(text: str, *parts: str, kind: str = "prose") -> list[Unit]:
    starts = [text.index(part) for part in parts]
    return [Unit(start, start + len(part), kind) for start, part in zip(starts, parts, strict=True)]


def _packed(text: str, size: int, *parts: str) -> list[str]:
    groups = pack(Tokens(text), _units(text, *parts), size)
    return [text[group[0].start : group[-1].end] for group in groups]


class TestTokens:
    @pytest.mark.parametrize(("start", "end"), [(0, 8), (9, 17), (0, len(TEXT)), (19, 35), (5, 5)])
    def test_they_are_counted_in_any_stretch_as_in_a_text_of_its_own(self, start: int, end: int) -> None:
        assert Tokens(TEXT).count(start, end) == count_tokens(TEXT[start:end])

    def test_an_empty_text_has_none(self) -> None:
        assert Tokens("").count(0, 0) == 0


class TestSplit:
    @pytest.mark.parametrize(
        ("size", "parts"),
        [
            (100, [TEXT]),
            (6, ["One two. Six ten.", "Red sea\nblue sky", "End."]),
            (3, ["One two.", "Six ten.", "Red sea", "blue sky", "End."]),
            (1, ["One", "two", ".", "Six", "ten", ".", "Red", "sea", "blue", "sky", "End", "."]),
        ],
    )
    def test_it_goes_only_as_deep_as_it_must(self, size: int, parts: list[str]) -> None:
        assert _split(TEXT, size) == parts

    def test_only_what_is_too_long_is_split_further(self) -> None:
        assert _split("a\nb c\n\nd e f g h", 3) == ["a\nb c", "d", "e", "f", "g", "h"]

    def test_by_line_a_blank_line_is_no_reason_to_cut(self) -> None:
        assert _split("a b\n\nc d", 10, by_line=True) == ["a b\n\nc d"]
        assert _split("a b\nc d", 2, by_line=True) == ["a b", "c d"]

    def test_no_text_gives_nothing(self) -> None:
        assert _split("", 1) == []


class TestPack:
    def test_neighbours_go_together_while_they_fit(self) -> None:
        text = "a b c d e f"
        assert _packed(text, 3, "a", "b", "c", "d", "e", "f") == ["a b c", "d e f"]

    def test_a_unit_that_is_too_long_stands_alone(self) -> None:
        assert _packed("a bb cc dd e", 2, "a", "bb cc dd", "e") == ["a", "bb cc dd", "e"]

    def test_no_units_no_groups(self) -> None:
        assert pack(Tokens(""), [], 5) == []

    def test_a_heading_moves_on_with_what_follows_it(self) -> None:
        text = "x # H y z"
        units = [*_units(text, "x"), *_units(text, "# H", kind="heading"), *_units(text, "y z")]
        assert [[text[unit.start : unit.end] for unit in group] for group in pack(Tokens(text), units, 4)] == [
            ["x"],
            ["# H", "y z"],
        ]

    def test_a_heading_that_does_not_fit_with_what_follows_stays(self) -> None:
        text = "x # H y z"
        units = [*_units(text, "x"), *_units(text, "# H", kind="heading"), *_units(text, "y z")]
        assert [len(group) for group in pack(Tokens(text), units, 3)] == [2, 1]


class TestOverlap:
    def _start(self, budget: int, kind: str = "prose", text: str = "Ab cd. Ef gh. Ij kl. New one.") -> str:
        before = [Unit(0, 20, kind)] if kind != "list" else _units(text, "Ab cd.", "Ef gh.", "Ij kl.", kind="list")
        groups = [before, [Unit(21, 29)]]
        return text[start_of(Tokens(text), groups, 1, budget) :]

    @pytest.mark.parametrize(
        ("budget", "begins"), [(0, "New"), (2, "New"), (3, "Ij"), (5, "Ij"), (6, "Ef"), (100, "Ef")]
    )  # fmt: skip
    def test_it_takes_whole_sentences_within_its_budget_but_never_all(self, budget: int, begins: str) -> None:
        assert self._start(budget).startswith(begins)

    @pytest.mark.parametrize(("kind", "begins"), [("list", "Ef"), ("table", "New"), ("code", "New"), ("heading", "New")])
    def test_it_takes_list_items_but_no_rows_and_no_code(self, kind: str, begins: str) -> None:
        assert self._start(100, kind).startswith(begins)

    def test_the_first_chunk_has_none(self) -> None:
        assert start_of(Tokens("Ab. Cd."), [[Unit(0, 3)]], 0, 100) == 0

    @pytest.mark.parametrize(
        ("item", "repeated"),
        [
            ("- Ab cd ef\n  gh ij kl\n  mn op qr.\n", ""),
            ("- Ab cd ef.\n  Gh ij kl\n  mn op qr.\n", "Gh ij kl"),
            ("- Ab cd ef\n  gh. Ij kl\n  mn op qr.\n", "Ij kl"),
            ("- Ab.\n- Gh ij kl\n  mn op qr st uv.\n", "- Gh ij kl"),
        ],
    )
    def test_of_an_item_that_was_cut_it_takes_whole_sentences_only(self, item: str, repeated: str) -> None:
        first, second = Markdown(size=8, overlap=0.5).chunk(document(text=item, mime_type="text/markdown"))[:2]
        assert first.text.endswith(repeated)
        assert first.span.end - second.span.start == (len(repeated) if repeated else -len("\n  "))


SENTENCES = ["The pump runs.", "Wait until the lamp is green, then go on.", "Stop!", "Is it\n  {0} done?", "It\n  lasts\n  long."]


@quick
@given(
    items=st.lists(st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=6), min_size=1, max_size=4),
    size=st.sampled_from([8, 12, 20]),
)
def test_no_overlap_in_a_list_starts_inside_a_sentence(items: list[list[str]], size: int) -> None:
    text = "\n".join(f"- {' '.join(item)}" for item in items)
    chunks = Markdown(size, overlap=0.5).chunk(document(text=text, mime_type="text/markdown"))
    repeated = [after.span.start for before, after in pairwise(chunks) if after.span.start < before.span.end]
    begins = {start for start, _ in sentence_spans(text)} | {found.end() for found in re.finditer(r"^- ", text, re.MULTILINE)}
    assert [text[start:] for start in repeated if start not in begins] == []
