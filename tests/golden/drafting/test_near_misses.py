"""Questions that look answerable and are not."""

from harness.golden.drafting.near_misses import near_misses
from tests.golden.drafting.documents import asked, document

CODES = "| Code | Meaning |\n| --- | --- |\n| E-17 | Airflow low |\n| E-18 | Fan slow |\n| E-30 | Lamp old |\n"
PARTS = "part_number,part,price_eur\nFH-1-A,Filter,24.50\nFH-1-B,Filter,31.00\nFH-1-C,Filter,44.80\nFH-9-K,Fan,39.00\n"


def test_an_identifier_beside_existing_ones_is_asked_for() -> None:
    (found,) = asked(near_misses, document("codes.md", CODES)).values()
    assert found.question == "What does E-19 mean?"
    assert (found.kind, found.answerable, found.evidence, found.tags) == ("unanswerable", False, (), ("near-miss",))
    assert found.reference == "E-19 stands in no document; codes.md lists E-18."


def test_an_identifier_that_stands_in_any_document_even_a_hidden_or_outdated_one_is_not_asked_for() -> None:
    hidden = document("n.md", "See E-19.\n", tenant="north")
    old = document("o.md", "E-19: noise.\n", valid_to="2020-01-01")
    assert asked(near_misses, document("codes.md", CODES), hidden) == {}
    assert asked(near_misses, document("codes.md", CODES), old) == {}


def test_the_next_part_number_of_a_series_is_asked_for() -> None:
    assert set(asked(near_misses, document("parts.csv", PARTS))) == {"What is the price of FH-1-D in EUR?"}


def test_an_endpoint_is_asked_for_with_a_method_that_it_does_not_have() -> None:
    api = "| Method and path | Scope |\n| --- | --- |\n| GET /alarms/{id} | read |\n| PUT /alarms/{id} | admin |\n"
    assert set(asked(near_misses, document("api.md", api))) == {"Which scope does DELETE /alarms/{id} require?"}


def test_an_empty_cell_of_a_filled_column_is_asked_for_unless_another_document_fills_it() -> None:
    rows = "part_number,part,weight_kg\nFH-1-A,Filter,2\nFH-3-A,Fan,3\nFH-5-A,Lamp,-\nFH-7-A,Cell,4\n"
    question = "What is the weight of FH-5-A in kg?"
    assert question in asked(near_misses, document("parts.csv", rows))
    told = document("lamp.md", "The weight of FH-5-A is 7 kg.\n")
    assert question not in asked(near_misses, document("parts.csv", rows), told)


def test_a_part_without_a_row_in_the_price_list_is_asked_for_unless_its_price_stands_elsewhere() -> None:
    manual = document("m.md", "Hold the cable with the well cap (FH-6-A).\n")
    question = "What is the price of the well cap FH-6-A in EUR?"
    prices = document("parts.csv", PARTS)
    assert asked(near_misses, prices, manual)[question].documents == ("parts.csv", "m.md")
    assert question not in asked(near_misses, prices, manual, document("n.md", "The price of the FH-6-A is 5 EUR.\n"))


def test_a_device_that_the_price_list_has_under_its_name_is_not_asked_for_by_number() -> None:
    manual = document("wl.md", "This manual belongs to the water logger with the part number FH-6-A.\n", "WL-40: manual")
    listed = document("more.csv", "product,price_eur\nWL-40 logger,500\nWL-45 logger,700\n")
    assert not any("FH-6-A" in question for question in asked(near_misses, document("parts.csv", PARTS), manual, listed))


SIBLING = (
    "# {0}\n\n## Limits\n\n{1}\n\n## Care\n\nKeep it dry.\n\n| Quantity | Range |\n| --- | --- |\n| Rain | 1 |\n| Wind | 2 |\n{2}"
)


def test_a_row_and_a_fact_that_only_the_sibling_has_are_asked_for() -> None:
    rich = document("a.md", SIBLING.format("WX-9", "The serial speed is 9600 baud.", "| Hail | 3 |\n"), "WX-9 station: manual")
    poor = document("b.md", SIBLING.format("WS-1", "It is small.", ""), "WS-1 station: manual")
    found = asked(near_misses, rich, poor)
    assert set(found) == {"What is the range of hail on the WS-1?", "What is the serial speed of the WS-1?"}
    assert {candidate.documents for candidate in found.values()} == {("b.md", "a.md")}


def test_what_the_sibling_says_in_a_sentence_is_not_missing() -> None:
    rich = document("a.md", SIBLING.format("WX-9", "The serial speed is 9600 baud.", "| Hail | 3 |\n"), "WX-9 station: manual")
    poor = document("b.md", SIBLING.format("WS-1", "It ignores hail and has no serial port.", ""), "WS-1 station: manual")
    assert asked(near_misses, rich, poor) == {}
