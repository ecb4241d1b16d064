"""Questions that look answerable and are not."""

from collections import Counter
from time import process_time

from harness.golden.drafting.draft import by_rules
from harness.golden.drafting.near_misses import near_misses
from tests.golden.drafting.documents import asked, document, material

CODES = "| Code | Meaning |\n| --- | --- |\n| E-17 | Airflow low |\n| E-18 | Fan slow |\n| E-30 | Lamp old |\n"
PARTS = "part_number,part,price_eur\nFH-1-A,Filter,24.50\nFH-1-B,Filter,31.00\nFH-1-C,Filter,44.80\nFH-9-K,Fan,39.00\n"


def test_an_identifier_beside_existing_ones_is_asked_for() -> None:
    (found,) = asked(near_misses, document("codes.md", CODES)).values()
    assert found.question == "What does E-19 mean?"
    assert (found.kind, found.evidence, found.tags) == ("unanswerable", (), ("near-miss",))
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


def test_a_part_without_a_row_in_the_price_list_is_asked_for_unless_its_price_stands_elsewhere() -> None:
    manual = document("m.md", "Hold the cable with the well cap (FH-6-A).\n")
    question = "What is the price of the well cap FH-6-A in EUR?"
    prices = document("parts.csv", PARTS)
    found = asked(near_misses, prices, manual)[question]
    assert (found.doc_id, found.reference) == ("parts.csv", "FH-6-A is named in m.md but has no row in parts.csv.")
    assert question not in asked(near_misses, prices, manual, document("n.md", "The price of the FH-6-A is 5 EUR.\n"))


def test_a_device_that_the_price_list_has_under_its_name_is_not_asked_for_by_number() -> None:
    manual = document("wl.md", "This manual belongs to the water logger with the part number FH-6-A.\n", "WL-40: manual")
    listed = document("more.csv", "product,price_eur\nWL-40 logger,500\nWL-45 logger,700\n")
    assert not any("FH-6-A" in question for question in asked(near_misses, document("parts.csv", PARTS), manual, listed))


def test_a_part_of_a_list_of_another_kind_of_numbers_is_not_missing_there() -> None:
    manual = document("m.md", "Hold the cable with the well cap (ZZ-6-A).\n")
    assert not any("ZZ-6-A" in question for question in asked(near_misses, document("parts.csv", PARTS), manual))


def test_only_lists_that_anybody_may_see_have_gaps_to_ask_for() -> None:
    assert asked(near_misses, document("codes.md", CODES, tenant="north")) == {}


def test_a_thousand_documents_alike_are_drafted_from_in_a_moment() -> None:
    text = (
        "# AQ-{0}: manual\n\n## Power\n\nThe battery is charged within 4 hours. Use the well cap (FH-{0}-A).\n\n## Codes\n\n"
        "| Code | Meaning |\n| --- | --- |\n| K-{1} | Hot |\n| K-{2} | Cold |\n\n## Data\n\n| Property | Value |\n| --- | --- |\n"
        "| Range | 5 m |\n"
    )
    docs = [document(f"m{n}.md", text.format(1000 + n, 3 * n, 3 * n + 1), f"AQ-{1000 + n}: manual") for n in range(1000)]
    started = process_time()
    candidates = by_rules(material(*docs, document("parts.csv", PARTS)))
    assert Counter(item.rule for item in candidates)["near_misses"] > 900
    assert process_time() - started < 10
