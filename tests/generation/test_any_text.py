"""Whatever stands in a passage: the extractive generator answers with what is there, or refuses."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.generation.citations import cited_ids, find
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


@pytest.mark.parametrize("empty", [",,", " , ,", "\t,,  ", '"","",""', '" ",,'])
@pytest.mark.parametrize("start", [0, 40])
def test_an_empty_row_is_nothing_to_say_wherever_it_stands(empty: str, start: int) -> None:
    text = f"{empty}\na,b,c\n{empty}\n1,2,3\n{empty}\n"
    rows = ["a: 1; b: 2; c: 3"] if start == 0 else ["a; b; c", "1; 2; 3"]
    assert [unit.text for unit in units(chunk("a", start, start + len(text), text=text, kind="table"))] == rows


def test_a_row_of_empty_cells_is_nothing_to_say() -> None:
    assert units(chunk("a", 0, 20, text="a,b,c\n,,\n1,2,3\n", kind="table"))[0].text == "a: 1; b: 2; c: 3"


def test_a_lone_backtick_in_a_sentence_does_not_hide_its_citation() -> None:
    shown = [chunk("a", 0, 9, text="Alpha starts with the ` key."), chunk("b", 0, 9, text="Alpha ends with the ` sign.")]
    said = Extractive().generate(question(text="What is alpha?"), ranking(*shown))
    assert set(cited_ids(said.text)) == set(said.citations) == {item.chunk_id for item in shown}


marked = st.lists(st.sampled_from([*"`~ \n", "```", "~~~", "- ", "| ", "Alpha ", "beta", ". "]), max_size=12).map("".join)


@given(st.lists(st.tuples(marked, kinds), min_size=1, max_size=4))
@settings(max_examples=200, deadline=None, derandomize=True)
def test_every_marker_is_read_whatever_code_marks_are_quoted(passages: list[tuple[str, str]]) -> None:
    shown = [chunk(f"d{place}", 0, 9, text=text or " ", kind=kind) for place, (text, kind) in enumerate(passages)]
    said = Extractive(max_sentences=5).generate(question(text="What is alpha?"), ranking(*shown))
    assert cited_ids(said.text) == said.citations
    assert sum(len(one.ids) for one in find(said.text)) == said.text.count("[")


def test_a_lone_backtick_is_quoted_as_it_stands_and_code_keeps_its_marks() -> None:
    key, sign = chunk("a", 0, 9, text="Alpha starts with the ` key."), chunk("b", 0, 9, text="Alpha ends with the ` sign.")
    asked = question(text="What is alpha?")
    assert "the ` key [" in Extractive().generate(asked, ranking(key)).text
    assert Extractive().generate(asked, ranking(key, sign)).text.count("`") == 2
    code = chunk("c", 0, 9, text="Alpha is `a` and `b`. Alpha is not `c`.")
    assert "\n" not in Extractive().generate(asked, ranking(code)).text


@given(texts)
@settings(max_examples=60, deadline=None, derandomize=True)
def test_the_same_passages_give_the_same_answer(text: str) -> None:
    shown = ranking(chunk("a", 0, 9, text=f"{text} Alpha is 5 m."), chunk("b", 0, 9, text="Alpha is red."))
    first, second = (Extractive().generate(question(text="What is alpha?"), shown) for _ in range(2))
    assert first == second
