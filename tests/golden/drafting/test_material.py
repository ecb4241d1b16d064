"""What drafts are made of."""

import pytest

from harness.golden.drafting.material import Material, is_empty, is_english, lowered
from tests.golden.drafting.documents import TODAY, document, material

GERMAN = "Der Filter hält sechs Monate und darf nie gewaschen werden. Die Lampe muss jedes Jahr getauscht werden. " * 4
ENGLISH = "The filter lasts six months and must never be washed. The lamp has to be replaced every year. " * 4


def test_only_documents_that_somebody_may_see_today_are_sources_each_with_its_persona() -> None:
    found = material(
        document("all.md", "Text.\n"),
        document("north.md", "Text.\n", tenant="north"),
        document("staff.md", "Text.\n", acl=("support", "sales")),
        document("old.md", "Text.\n", valid_to=TODAY),
        document("new.md", "Text.\n", valid_from="2026-07-01"),
        document("both.md", "Text.\n", tenant="north", acl=("sales",)),
    )
    assert [(source.document.doc_id, source.persona) for source in found.sources] == [
        ("all.md", ""),
        ("north.md", "north"),
        ("staff.md", "support"),
    ]


def test_without_a_date_a_document_that_ends_some_day_is_left_out() -> None:
    docs = [document("a.md", "Text.\n"), document("b.md", "Text.\n", valid_to="2030-01-01")]
    assert [source.document.doc_id for source in Material(docs, "").sources] == ["a.md"]


@pytest.mark.parametrize(
    ("title", "cited"),
    [
        ("Warranty policy", "the warranty policy"),
        ("REST API reference", "the REST API reference"),
        ("Integration guide: MQTT", "the integration guide"),
        ("Alarms", 'the page "Alarms"'),
    ],
)
def test_a_document_is_cited_as_a_person_would(title: str, cited: str) -> None:
    assert material(document("a.md", "Text.\n", title)).sources[0].cited == cited


def test_a_product_of_one_title_is_the_name_one_of_several_is_not_enough() -> None:
    found = material(
        document("a.md", "x\n", "AQ-210 sensor: manual"),
        document("b.md", "x\n", "GW-12 gateway: manual"),
        document("c.md", "x\n", "GW-12 firmware 3.2: notes"),
        document("d.md", "x\n", "Prices"),
    )
    assert [source.name for source in found.sources] == ["AQ-210", "GW-12 gateway", "GW-12 firmware 3.2", ""]


def test_rules_draw_on_english_documents_only() -> None:
    assert (is_english(ENGLISH), is_english(GERMAN), is_english("Der Filter")) == (True, False, True)
    found = material(document("de.md", GERMAN), document("en.md", ENGLISH))
    assert [source.document.doc_id for source in found.english] == ["en.md"]
    assert len(found.sources) == 2


def test_a_fact_is_stated_when_subject_and_any_word_of_the_attribute_stand_together() -> None:
    found = material(
        document("m.md", "It weighs 2 kg.\n\nIt is red.\n", "AQ-210 sensor: manual"),
        document("p.csv", "part,price_eur,colour\nAQ-210,5,-\nAQ-220,6,blue\n", "Prices"),
        document("c.py", "# The AQ-220 hums.\n"),
    )
    assert found.stated("AQ-210", "weight when it weighs")
    assert found.stated("AQ-210", "list price")
    assert found.stated("AQ-220", "humming")
    assert not found.stated("AQ-210", "colour")
    assert not found.stated("AQ-220", "weighs")
    assert not found.stated("AQ-230", "price")
    assert not found.stated("AQ-210", "AQ-210")


def test_the_rows_of_a_table_without_a_proper_header_state_something_too() -> None:
    table = "| Part |  |\n| --- | --- |\n| FH-1-A | price 5 |\n"
    assert material(document("m.md", table, "Parts")).stated("FH-1-A", "price")


def test_an_identifier_is_known_wherever_it_stands() -> None:
    found = material(
        document("a.md", "See E-17, not E-170. GET /alarms/{id} works.\n"), document("n.md", "E-19\n", tenant="north")
    )
    assert [found.known(name) for name in ("E-17", "e-17", "E-1", "E-19", "GET /alarms/{id}", "PUT /alarms/{id}")] == [
        True, True, False, True, True, False,
    ]  # fmt: skip


def test_the_first_letter_is_lowered_but_not_that_of_a_name() -> None:
    assert [lowered(text) for text in ("Water content", "A key", "PM10 range", "E-mail", "iPhone case")] == [
        "water content", "a key", "PM10 range", "e-mail", "iPhone case",
    ]  # fmt: skip


def test_a_dash_or_nothing_is_an_empty_cell_but_the_word_none_is_a_value() -> None:
    assert [is_empty(cell) for cell in ("", " - ", "–", "n/a", "none", "0")] == [True, True, True, True, False, False]
