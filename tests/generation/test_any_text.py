"""Whatever stands in a passage: the extractive generator answers with what is there, or refuses."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.generation.citations import cited_ids
from harness.generation.extractive import Extractive
from harness.generation.units import units
from harness.text import REFUSAL, words
from harness.types import Chunk, Span
from tests.builders import chunk, question, ranking

kinds = st.sampled_from(["prose", "table", "list", "code"])
pieces = st.sampled_from(
    ["| ", "|", "---", ",", "\n", "- ", "1. ", "# ", "alpha", "beta 5 m", ". ", "? ", ": ", " ", "\t", "[", "]"]
)
texts = (st.lists(pieces, max_size=30).map("".join) | st.text(max_size=60)).map(lambda text: text.replace("`", "'"))


@given(texts, kinds, st.sampled_from([0, 40]))
@settings(max_examples=200, deadline=None, derandomize=True)
def test_units_hold_no_word_that_the_passage_lacks(text: str, kind: str, start: int) -> None:
    there = set(words(text))
    for unit in units(Chunk(Span("a.md", start, start + len(text)), text, kind=kind)):
        assert unit.text == " ".join(unit.text.split())
        assert set(words(unit.text)) <= there | set(words(" ".join(text.replace("|", " ").replace(",", " ").split())))


@given(st.lists(st.tuples(texts, kinds), max_size=4), st.sampled_from(["alpha beta", "What is alpha?", "5 m", ""]))
@settings(max_examples=150, deadline=None, derandomize=True)
def test_an_answer_cites_only_what_was_shown_and_a_refusal_nothing(passages: list[tuple[str, str]], asked: str) -> None:
    shown = [chunk(f"d{place}", 0, 9, text=text or " ", kind=kind) for place, (text, kind) in enumerate(passages)]
    said = Extractive().generate(question(text=asked), ranking(*shown))
    if said.refused:
        assert (said.text, said.citations) == (REFUSAL, ())
    else:
        assert said.citations
        assert set(said.citations) <= {item.chunk_id for item in shown}
        assert set(said.citations) <= set(cited_ids(said.text))


@pytest.mark.xfail(strict=True, reason="a comma-separated row of empty cells becomes a unit without a word")
def test_a_row_of_empty_cells_is_nothing_to_say() -> None:
    assert units(chunk("a", 0, 20, text="a,b,c\n,,\n1,2,3\n", kind="table"))[0].text == "a: 1; b: 2; c: 3"


@pytest.mark.xfail(strict=True, reason="two lone backticks of two sentences make code of what lies between, the marker included")
def test_a_lone_backtick_in_a_sentence_does_not_hide_its_citation() -> None:
    shown = [chunk("a", 0, 9, text="Alpha starts with the ` key."), chunk("b", 0, 9, text="Alpha ends with the ` sign.")]
    said = Extractive().generate(question(text="What is alpha?"), ranking(*shown))
    assert set(cited_ids(said.text)) == set(said.citations) == {item.chunk_id for item in shown}


@given(texts)
@settings(max_examples=60, deadline=None, derandomize=True)
def test_the_same_passages_give_the_same_answer(text: str) -> None:
    shown = ranking(chunk("a", 0, 9, text=f"{text} Alpha is 5 m."), chunk("b", 0, 9, text="Alpha is red."))
    first, second = (Extractive().generate(question(text="What is alpha?"), shown) for _ in range(2))
    assert first == second
