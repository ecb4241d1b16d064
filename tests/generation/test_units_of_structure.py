"""Tables, lists and code: what of them can be said with one citation."""

import pytest

from harness.chunking.fixed import Fixed
from harness.chunking.markdown import Markdown
from harness.chunking.recursive import Recursive
from harness.generation.extractive import Extractive
from harness.generation.units import units
from harness.protocols import Chunker
from harness.types import Chunk, Span
from tests.builders import document, question, ranking


def part(text: str, kind: str = "prose", start: int = 0, section: tuple[str, ...] = ()) -> Chunk:
    return Chunk(Span("a.md", start, start + len(text)), text, kind=kind, section_path=section)


def said(text: str, kind: str = "prose", start: int = 0) -> list[str]:
    return [unit.text for unit in units(part(text, kind, start))]


def answer(asked: str, *parts: Chunk, sentences: int = 1) -> str:
    """What is said, the marker left out."""
    made = Extractive(max_sentences=sentences).generate(question(text=asked), ranking(*parts))
    return made.text.replace(f" [{parts[0].chunk_id}]", "")


@pytest.mark.parametrize(
    ("table", "rows"),
    [
        ("| A | B |\n|---|---|\n| 1 | 2 |", ["A: 1; B: 2"]),
        ("| A | B |\n|:-:|--:|\n| 1 | 2 |", ["A: 1; B: 2"]),
        ("| A | B | C |\n|---|---|---|\n| 1 |  | 3 |", ["A: 1; C: 3"]),  # an empty cell says nothing
        ("| A |  |\n|---|---|\n| 1 | 2 |", ["A: 1; 2"]),  # a column without a name
        ("| A | B |\n|---|---|\n| 1 | 2 | 3 |", ["1; 2; 3"]),  # a header of another width names nothing
        ("| A | B |\n|---|---|", []),
        ("Before.\n| A | B |\n|---|---|\n| 1 | 2 |\nAfter.", ["Before.", "A: 1; B: 2", "After."]),
        ("| 1 | 2 |\n| 3 | 4 |", ["1; 2", "3; 4"]),
    ],
)
def test_a_row_is_said_with_the_names_of_its_columns(table: str, rows: list[str]) -> None:
    assert said(table) == rows


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("- one\n- two", ["one", "two", "one; two"]),
        ("1) First step.\n2) Second step.", ["First step.", "Second step.", "First step; Second step"]),
        ("* Peat\n  * heavy\n* Clay", ["Peat", "heavy", "Clay", "Peat; heavy; Clay"]),
        ("- only one", ["only one"]),
        ("Types:\n- only one", ["Types:", "only one", "Types: only one"]),
        ("- one\n  goes on\n- two", ["one goes on", "two", "one goes on; two"]),
        ("- one\n- two\n\nText.\n- three", ["one", "two", "one; two", "Text.", "three"]),
        ("- one\n\n## Next\n- two", ["one", "two"]),  # a heading ends a list
    ],
)
def test_a_list_is_said_item_by_item_and_as_a_whole(text: str, items: list[str]) -> None:
    assert said(text) == items


@pytest.mark.parametrize(
    ("text", "kind", "lines"),
    [
        ("def f():\n    return 1\n", "code", ["def f():", "return 1"]),
        ("```\n- a\n| b |\n# c\n```", "prose", ["- a", "| b |", "# c"]),  # inside a fence nothing is a list or a heading
        ("~~~\nx = 1\n~~~\nDone.", "prose", ["x = 1", "Done."]),
        ("```\nunclosed = 1", "prose", ["unclosed = 1"]),
        ("a, b, c = 1, 2, 3\nd, e, f = 4, 5, 6", "code", ["a, b, c = 1, 2, 3", "d, e, f = 4, 5, 6"]),  # no table
    ],
)
def test_code_is_said_line_by_line(text: str, kind: str, lines: list[str]) -> None:
    assert said(text, kind) == lines


def test_of_two_questions_in_a_row_the_last_lends_its_words() -> None:
    (unit,) = units(part("Is it red? Is it blue? It is green."))
    assert (unit.text, unit.read) == ("It is green.", "Is it blue? It is green.")


CODES = part("| Code | Meaning | Remedy |\n|---|---|---|\n| E-71 | cell drift | replace |\n| E-17 | low airflow | clean |")
STEPS = part("To reset the gateway:\n\n1. Hold the button.\n2. Wait for the green light.\n3. Release it.")
LIMITS = part("# Rate limits\n\nLIMIT = 30\nBURST = 5\nRETRY_CODES = (429, 502)\n", "code")


def test_an_answer_from_a_table_is_one_row_with_its_header() -> None:
    assert answer("What does E-17 mean?", CODES) == "Code: E-17; Meaning: low airflow; Remedy: clean."
    assert answer("Which remedy is there for cell drift?", CODES) == "Code: E-71; Meaning: cell drift; Remedy: replace."


def test_an_item_that_holds_the_words_asked_for_is_the_answer() -> None:
    assert answer("What colour has the light I wait for?", STEPS) == "Wait for the green light."


@pytest.mark.parametrize("sentences", [1, 3])
def test_an_answer_from_a_list_is_the_whole_list_and_not_its_introduction(sentences: int) -> None:
    whole = "To reset the gateway: Hold the button; Wait for the green light; Release it."
    assert answer("How do I reset the gateway?", STEPS, sentences=sentences) == whole


@pytest.mark.parametrize(
    "items", ["- Hold the button.\n- Release it.", "\n1) Hold the button.\n2) Release it.", "* Hold the button\n\n* Release it"]
)
@pytest.mark.parametrize("before", ["", "It is grey. ", "# Reset\n\n"])
def test_an_introduction_is_never_said_without_its_list(before: str, items: str) -> None:
    said = answer("How do I reset the gateway?", part(f"{before}To reset the gateway:\n{items}\n"), sentences=5)
    assert said == "To reset the gateway: Hold the button; Release it."


def test_a_list_and_its_items_are_not_both_said() -> None:
    text = "To reset the gateway:\n- Open the gateway reset lid.\n- Reset the gateway."
    said = answer("How do I reset the gateway with the lid?", part(text), sentences=5)
    assert said.lower().count("reset the gateway") <= 2
    assert said.count("lid") == 1


def test_a_sentence_that_only_begins_like_another_is_said_too() -> None:
    said = answer("What is the range?", part("The range is 5 m. The range is 5 mm."), sentences=2)
    assert said == "The range is 5 m. The range is 5 mm."


def test_behind_an_item_that_answers_no_bare_introduction_is_said() -> None:
    text = "Alpha steps:\n- Alpha steps begin with beta.\n- Release it."
    assert answer("Which alpha steps begin with beta?", part(text), sentences=3) == "Alpha steps begin with beta."


def test_a_line_that_ends_in_a_colon_without_a_list_can_be_said() -> None:
    assert answer("What is the alpha?", part("The alpha is this:\n\nBeta.")) == "The alpha is this:."


def test_an_answer_from_code_is_the_line() -> None:
    assert answer("What is the burst?", LIMITS) == "BURST = 5."


def test_every_unit_of_prose_and_lists_stands_in_the_passage() -> None:
    text = "It is 5 m. It is red.\n\n- peat soil\n- heavy clay\n\nChoose one."
    whole = "peat soil; heavy clay"
    assert [unit for unit in said(text) if unit not in text] == [whole]


def test_comma_separated_rows_of_a_later_chunk_have_no_header() -> None:
    assert said("FH-3,Bracket,19\nFH-4,Cell,11\n", "table", start=40) == ["FH-3; Bracket; 19", "FH-4; Cell; 11"]


def test_sentences_with_commas_are_no_table() -> None:
    lines = ["It is red, green, or blue.", "It is old, used, or new."]
    assert said("\n".join(lines)) == lines


def test_an_escaped_bar_does_not_end_a_cell() -> None:
    assert said("| A | B |\n|---|---|\n| x \\| y | 2 |") in (["A: x \\| y; B: 2"], ["A: x | y; B: 2"])


def test_a_table_of_two_columns_is_a_table() -> None:
    assert said("code,meaning\nE-71,cell drift\nE-17,low airflow\n", "table") == [
        "code: E-71; meaning: cell drift",
        "code: E-17; meaning: low airflow",
    ]


@pytest.mark.parametrize("kind", ["prose", "list", "code"])
def test_only_a_table_is_read_as_rows(kind: str) -> None:
    lines = ["Red,green,blue.", "Old,used,new."]
    assert "Red; green; blue." not in said("\n".join(lines), kind)
    assert said("\n".join(lines), "table", start=9) == ["Red; green; blue.", "Old; used; new."]


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("code\nE-71\nE-17\n", ["code: E-71", "code: E-17"]),
        ("code\tmeaning\nE-71\tdrift, slow\n", ["code: E-71; meaning: drift, slow"]),
        ("part;price\nFH-1;24,50\n", ["part: FH-1; price: 24,50"]),
        ("code,meaning\nE-71,drift; slow\n", ["code: E-71; meaning: drift; slow"]),
        ('code,meaning\nE-71,"drift,\nslow"\n', ["code: E-71; meaning: drift, slow"]),
        ("a,b\n1,2\n3,4,5\n6\n", ["a: 1; b: 2", "3; 4; 5", "6"]),  # a row of another width has no names
        ("a,b\n1|x,2\n", ["a: 1|x; b: 2"]),
    ],
)
def test_a_delimited_table_is_read_row_by_row(text: str, rows: list[str]) -> None:
    assert said(text, "table") == rows


def test_a_field_too_long_for_the_reader_is_no_error() -> None:
    assert said('a,"' + "x" * 140_000, "table")


def test_commas_in_the_cells_of_a_markdown_table_part_nothing() -> None:
    assert said("# Codes, all\n\n| E-71 | old, dry |\n| E-17 | new, wet |", "table", start=40) == [
        "E-71; old, dry",
        "E-17; new, wet",
    ]


@pytest.mark.parametrize("chunker", [Recursive(), Markdown(), Fixed()])
@pytest.mark.parametrize(("mark", "mime_type"), [(",", "text/csv"), ("\t", "text/tab-separated-values")])
def test_a_delimited_document_is_read_row_by_row_whoever_cut_it(chunker: Chunker, mark: str, mime_type: str) -> None:
    text = f"code{mark}meaning\nE-71{mark}cell drift\n"
    (made,) = chunker.chunk(document("a.csv", text, mime_type=mime_type))
    assert [unit.text for unit in units(made)] == ["code: E-71; meaning: cell drift"]


@pytest.mark.parametrize(
    ("row", "cells"),
    [
        (r"| \| | 2 |", "A: |; B: 2"),
        (r"| x | y \|", "A: x; B: y |"),  # the last bar belongs to the cell
        (r"| `a \| b` | c \| d |", "A: `a | b`; B: c | d"),
        ("| x ||", "A: x"),
        ("|| y |", "B: y"),
        ("| x | y", "A: x; B: y"),
    ],
)
def test_only_a_bare_bar_ends_a_cell(row: str, cells: str) -> None:
    assert said(f"| A | B |\n|---|---|\n{row}") == [cells]
