"""Questions for cells of tables."""

from harness.golden.drafting.tables import answers, tables
from tests.golden.drafting.documents import asked, document, quotes

MANUAL = document(
    "aq210.md",
    "# AQ-210\n\n| Quantity | Range | Accuracy |\n| --- | --- | --- |\n| PM10 | 0 to 100 | +/- 5 |\n| CO2 | 4 to 9 ppm | +/- 40 ppm |\n"
    "| 12 | 1 | 2 |\n|  | 3 | 4 |\n| Noise | - | +/- 1 |\n",
    "AQ-210 air quality sensor: user manual",
)
PRICES = document(
    "prices.csv",
    "part_number,product,unit,list_price_eur,lead_time_days\nFH-1-A,AQ-210 sensor,piece,379.00,8\nFH-1-B,Rain hood,piece,27.50,4\n",
    "Price list",
)


def test_a_cell_is_asked_for_by_row_column_and_product_and_the_row_is_quoted() -> None:
    found = asked(tables, MANUAL)["What is the accuracy of CO2 on the AQ-210?"]
    assert found.answers == ("+/- 40 ppm",)
    assert found.reference == "The accuracy of CO2 on the AQ-210 is +/- 40 ppm."
    assert quotes(found, MANUAL) == [["| CO2 | 4 to 9 ppm | +/- 40 ppm |"]]
    assert (found.kind, found.persona) == ("table", "")


def test_rows_without_a_name_and_cells_without_a_value_are_not_asked_for() -> None:
    assert set(asked(tables, MANUAL)) == {
        "What is the range of PM10 on the AQ-210?",
        "What is the accuracy of PM10 on the AQ-210?",
        "What is the range of CO2 on the AQ-210?",
        "What is the accuracy of CO2 on the AQ-210?",
        "What is the accuracy of noise on the AQ-210?",
    }


def test_a_bare_number_beside_another_needs_the_header_as_well() -> None:
    found = asked(tables, PRICES)["What is the list price of the rain hood in EUR?"]
    assert quotes(found, PRICES) == [
        ["FH-1-B,Rain hood,piece,27.50,4"],
        ["part_number,product,unit,list_price_eur,lead_time_days"],
    ]
    assert found.answers == ("27.50 EUR", "27.50")


def test_whole_amounts_are_accepted_without_cents() -> None:
    assert answers("379.00", "EUR") == ("379.00 EUR", "379 EUR", "379.00", "379")
    assert answers("Leeds", "EUR") == ("Leeds",)


def test_a_table_of_a_document_about_no_product_names_the_document() -> None:
    policy = document(
        "p.md",
        "| Channel | Delay |\n| --- | --- |\n| Text message | 20 seconds |\n| E-mail | 60 seconds |\n",
        "Alarm policy",
    )
    assert set(asked(tables, policy)) == {
        'According to the alarm policy, what is the delay of "Text message"?',
        "According to the alarm policy, what is the delay of E-mail?",
    }


def test_two_documents_of_one_name_are_told_apart_by_the_rest_of_their_titles() -> None:
    text = "| Channel | Delay |\n| --- | --- |\n| E-mail | 60 seconds |\n"
    both = [document(f"{name}.md", text, f"Guide: {name}") for name in ("rivers", "schools")]
    assert 'According to the guide "rivers", what is the delay of E-mail?' in asked(tables, *both)


def test_the_document_of_a_tenant_gives_its_persona_and_an_outdated_one_gives_nothing() -> None:
    text = "| Item | Amount |\n| --- | --- |\n| Penalty | 5 EUR |\n"
    mine = document("n.md", text, "Contract North", tenant="north")
    old = document("o.md", text, "Contract Old", valid_to="2026-06-30")
    soon = document("s.md", text, "Contract Soon", valid_from="2026-07-01")
    assert [candidate.persona for candidate in asked(tables, mine, old, soon).values()] == ["north"]


def test_yes_and_no_and_columns_of_one_value_are_not_asked_for() -> None:
    doc = document(
        "t.md", "| Topic | Retained | Protocol |\n| --- | --- | --- |\n| Aa | yes | TLS |\n| Bb | no | TLS |\n| Cc | no | TLS |\n"
    )
    assert asked(tables, doc) == {}
