"""What a passage offers to an extractive answer."""

from harness.generation.units import units
from harness.types import Chunk, Span


def said(text: str, kind: str = "prose", start: int = 0, section: tuple[str, ...] = ()) -> list[str]:
    return [unit.text for unit in units(Chunk(Span("a.md", start, start + len(text)), text, kind=kind, section_path=section))]


def test_prose_gives_its_sentences_with_blanks_collapsed() -> None:
    assert said("It is\n5 m.  It is red.") == ["It is 5 m.", "It is red."]


def test_headings_and_rules_are_no_units() -> None:
    assert said("# Range\n\nIt is 5 m.\n\n---\n\n## Colour\n") == ["It is 5 m."]


def test_a_table_row_brings_the_cells_of_its_header() -> None:
    table = "| Quantity | Range |\n|---|:---|\n| CO2 | 400 to 10000 ppm |\n| Dust. Fine | 0 to 1 |"
    assert said(table) == ["Quantity: CO2; Range: 400 to 10000 ppm", "Quantity: Dust. Fine; Range: 0 to 1"]


def test_a_table_without_its_header_gives_bare_rows() -> None:
    assert said("| CO2 | 400 ppm |\n| O3 | 5 ppm |") == ["CO2; 400 ppm", "O3; 5 ppm"]


def test_comma_separated_rows_bring_the_header_of_the_first_chunk() -> None:
    text = 'part,product,price\nFH-1,"Filter, fine",24.50\nFH-2,Lamp,58.00\n'
    assert said(text, "table") == ["part: FH-1; product: Filter, fine; price: 24.50", "part: FH-2; product: Lamp; price: 58.00"]
    assert said("FH-3,Bracket,19.00\nFH-4,Cell,11.90\n", "table", start=80) == ["FH-3; Bracket; 19.00", "FH-4; Cell; 11.90"]


def test_a_list_gives_its_items_and_the_whole_behind_its_introduction() -> None:
    text = "There are two types:\n\n1. Peat.\n2. Heavy\n   clay\n\nChoose one."
    assert said(text) == ["There are two types:", "Peat.", "Heavy clay", "There are two types: Peat; Heavy clay", "Choose one."]


def test_a_list_without_introduction_is_matched_by_its_heading() -> None:
    text = "1. Peat\n2. Clay"
    whole = units(Chunk(Span("a.md", 0, len(text)), text, kind="list", section_path=("Manual", "Soil types")))[-1]
    assert (whole.text, whole.read) == ("Peat; Clay", "Soil types Peat; Clay")


def test_a_question_in_the_text_lends_its_words_to_its_answer() -> None:
    text = "How far does it reach? It is 5 m. It is red."
    found = units(Chunk(Span("faq.md", 0, len(text)), text))
    assert [unit.text for unit in found] == ["It is 5 m.", "It is red."]
    assert found[0].read == "How far does it reach? It is 5 m."


def test_code_gives_its_lines() -> None:
    assert said("LIMIT = 30\n\nRETRY = (429, 502)\n", "code") == ["LIMIT = 30", "RETRY = (429, 502)"]
    assert said("Use:\n```python\nLIMIT = 30\n```\n") == ["Use:", "LIMIT = 30"]


def test_nothing_gives_nothing() -> None:
    assert said("") == said("\n\n---\n") == []
