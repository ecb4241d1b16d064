"""How a column is asked for."""

import pytest

from harness.golden.drafting.wording import ask


@pytest.mark.parametrize(
    ("column", "label", "question"),
    [
        ("Meaning", "E-17", "What does E-17 mean?"),
        ("What to do", "E-17", "What should I do about E-17?"),
        ("Scope", "GET /devices", "Which scope does GET /devices require?"),
        ("list_price_eur", "FH-1", "What is the list price of FH-1 in EUR?"),
        ("lead_time_days", "FH-1", "What is the lead time of FH-1 in days?"),
        ("Weight (kg)", "FH-1", "What is the weight of FH-1 in kg?"),
        ("fits", "FH-1", "What does FH-1 fit?"),
        ("replaced_by", "FH-1", "What is FH-1 replaced by?"),
        ("stock_site", "FH-1", "Which stock site does FH-1 have?"),
        ("product", "FH-1", "What is FH-1?"),
        ("weighs", "FH-1", "What does FH-1 weigh?"),
        ("Value", "resolution", "What is the resolution?"),
        ("Delay of the channel", "SMS", "What is the delay of the channel for SMS?"),
    ],
)
def test_a_column_is_asked_for_as_a_person_would(column: str, label: str, question: str) -> None:
    wording = ask(column, label)
    assert wording is not None
    assert wording.question == question


@pytest.mark.parametrize(
    "column",
    ["unit", "Category", "People", "Views", "Kept in store", "Passed when", "What helps", "Done on", "Repeated", "Every", "%"],
)
def test_a_column_that_gives_no_good_question_is_not_asked_for(column: str) -> None:
    assert ask(column, "FH-1") is None


def test_a_name_is_asked_for_only_of_an_identifier() -> None:
    assert ask("Part", '"New insect screen"', " on the RG-25") is None


def test_a_column_whose_name_stands_in_the_label_is_not_asked_for() -> None:
    assert ask("Level", '"Level in the wells"') is None


@pytest.mark.parametrize(
    ("column", "label", "subject", "question", "statement"),
    [
        ("Accuracy", "PM10", " on the AQ-210", "What is the accuracy of PM10 on the AQ-210?", "The accuracy of PM10 on the AQ-210 is {answer}."),
        ("Value", "resolution", " on the WL-40", "What is the resolution of the WL-40?", "The resolution of the WL-40 is {answer}."),
    ],
)  # fmt: skip
def test_the_thing_that_a_table_belongs_to_is_named(column: str, label: str, subject: str, question: str, statement: str) -> None:
    wording = ask(column, label, subject)
    assert wording is not None
    assert (wording.question, wording.statement) == (question, statement)
