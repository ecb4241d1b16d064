"""Questions for cells of tables."""

from time import process_time

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

CODES = document(
    "codes.md",
    "| Code | Meaning | What to do |\n| --- | --- | --- |\n| E-17 | Airflow low | Replace the filter |\n| E-21 | Voltage low | Check the cable |\n",
    "Error codes",
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


def test_a_row_of_an_error_code_is_asked_for_in_each_column() -> None:
    found = asked(tables, CODES)
    assert found["What does E-17 mean?"].answers == ("Airflow low",)
    assert found["What should I do about E-21?"].answers == ("Check the cable",)
    assert quotes(found["What does E-17 mean?"], CODES) == [["| E-17 | Airflow low | Replace the filter |"]]
    assert {candidate.kind for candidate in found.values()} == {"exact_identifier"}
    assert {candidate.rule for candidate in found.values()} == {"identifiers"}


def test_a_row_without_a_product_is_asked_for_with_its_document_unless_its_code_says_enough() -> None:
    prices = document(
        "s.md", "| Code | Package | Price |\n| --- | --- | --- |\n| SV-1 | Survey | 9 |\n| SV-2 | Visit | 8 |\n", "Fees"
    )
    assert set(asked(tables, prices)) == {
        "What is SV-1?",
        "What is SV-2?",
        'According to the page "Fees", what is the price of SV-1?',
        'According to the page "Fees", what is the price of SV-2?',
    }


def test_what_words_are_called_is_not_asked_for_nor_what_a_clause_says() -> None:
    text = "| Step | Every | Part |\n| --- | --- | --- |\n| New screen | 2 weeks | FH-1-B |\n| New seal | 3 weeks | FH-2-B |\n"
    assert asked(tables, document("t.md", text, "RG-25 gauge: manual")) == {}


def test_a_table_of_thousands_of_rows_is_read_in_a_moment() -> None:
    rows = "".join(f"FH-{number}-A,{number}.50\n" for number in range(5000))
    started = process_time()
    assert len(asked(tables, document("p.csv", f"part_number,price_eur\n{rows}", "Prices"))) == 5000
    assert process_time() - started < 10
