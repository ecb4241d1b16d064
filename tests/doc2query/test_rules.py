import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from harness.doc2query.rules import Rules
from harness.text import words
from tests.builders import chunk
from tests.contracts.question_writer import QuestionWriterContract


class TestRules(QuestionWriterContract):
    @pytest.fixture
    def writer(self) -> Rules:
        return Rules()


def asked(text: str, **fields: object) -> list[str]:
    return list(Rules(most=50).questions(chunk(text=text, **fields)))


@pytest.mark.parametrize(
    ("sentence", "question"),
    [
        ("The battery lasts 18 months at one reading an hour.", "How long does the battery last?"),
        ("The cells last for about two years.", "How long do the cells last?"),
        ("A restart takes 40 seconds.", "How long does a restart take?"),
        (
            "A replacement filter for the air monitor costs 19 euros.",
            "How much does a replacement filter for the air monitor cost?",
        ),
        ("A second copy also costs $4.50.", "How much does a second copy cost?"),
        ("The pump FH-4410-B weighs 12 kg.", "How much does the pump FH-4410-B weigh?"),
        ("The logger holds 30240 means.", "How much does the logger hold?"),
        ("The gateway reaches sensors up to 400 metres away.", "How far does the gateway reach?"),
        ("The broker listens on port 8883.", "On which port does the broker run?"),
        ("The certificate expires on 19 May 2025.", "When does the certificate expire?"),
        ("Refunds are paid within 14 days.", "When are Refunds paid?"),
        ("The device was shipped on 2026-03-01.", "When was the device shipped?"),
        ("The key is rotated every 90 days.", "How often is the key rotated?"),
        ("Raw values are kept for 60 months.", "How long are Raw values kept?"),
        ("The limit is 5 MB per file.", "What is the limit?"),
        ("An uplink is a message from a sensor.", "What is an uplink?"),
        ("Uplinks are the messages of sensors.", "What are Uplinks?"),
        ("The upload must not exceed 5 MB.", "What is the limit for the upload?"),
        ("A return requires the receipt.", "What does a return require?"),
        ("The soil probe runs on two AA cells.", "What does the soil probe run on?"),
        ("The clock can be set with the app.", "How can the clock be set?"),
        ("- **The warranty** covers the pump.", "What does the warranty cover?"),
        ("To reset the gateway, hold the button.", "How do I reset the gateway?"),
        (
            "Hold the button for ten seconds to reset the gateway to factory settings.",
            "How do I reset the gateway to factory settings?",
        ),
    ],
)
def test_a_statement_gives_the_question_that_it_answers(sentence: str, question: str) -> None:
    assert asked(sentence) == [question]


@pytest.mark.parametrize(
    "sentence",
    [
        "It is a small device.",
        "This takes 5 minutes.",
        "If the battery is a lithium cell, wait.",
        "The sensor that is the oldest requires care.",
        "Tighten the two screws so that they cover the gap.",
        "Outdoors the sensor needs a shield.",
        "Deletion runs on the last day.",
        "Hello there, how are you?",
        "12 is 5 more than 7.",
    ],
)
def test_a_sentence_that_names_no_subject_by_itself_gives_none(sentence: str) -> None:
    assert asked(sentence) == []


def test_the_subject_is_written_small_where_the_text_writes_it_so() -> None:
    text = "Refunds are paid within 14 days. All refunds go to the card."
    assert asked(text) == ["When are refunds paid?"]


@pytest.mark.parametrize(
    ("heading", "question"),
    [
        ("How to reset the gateway", "How do I reset the gateway?"),
        ("Resetting the gateway", "How do I reset the gateway?"),
        ("3.2 Changing your e-mail address", "How do I change your e-mail address?"),
        ("Install Python", "How do I install Python?"),
        ("Send it back", "How do I send it back?"),
        ("Why is my account frozen?", "Why is my account frozen?"),
    ],
)
def test_a_heading_gives_what_it_promises(heading: str, question: str) -> None:
    assert asked("See the list of steps.", section_path=("Guide", heading)) == [question]


@pytest.mark.parametrize("heading", ["Return policy", "Order status", "Battery"])
def test_any_other_heading_gives_its_topic(heading: str) -> None:
    text = "See the list at the end."
    assert asked(text, title="Manual", section_path=(heading,)) == [f"What does Manual say about {heading}?"]
    assert asked(text, title=heading) == [f"What should I know about {heading}?"]


@pytest.mark.parametrize(
    "text", ["See the list.", "# Return policy", "# Resetting the gateway\n\nSee below.", "Fernhill 2024 page 3"]
)
def test_nothing_is_asked_of_a_text_of_a_few_words(text: str) -> None:
    assert asked(text, title="Return policy") == []
    assert asked(text, title="Resetting the gateway") == []


def test_a_short_answer_below_a_question_has_that_question() -> None:
    assert asked("Yes.", section_path=("Does it float?",)) == ["Does it float?"]


TABLE = "| Port | Use | Permitted values |\n| --- | --- | --- |\n| X1 | Power | 9 to 24 V |\n| X2 | | |\n"


def test_a_table_gives_what_each_column_says_of_each_row() -> None:
    assert asked(TABLE, kind="table") == ["What is the use of X1?", "What are the permitted values of X1?"]


def test_a_row_reads_its_columns_from_the_preface() -> None:
    header, row = "\n".join(TABLE.splitlines()[:2]), "| X9 | Alarm | - |"
    assert asked(row, kind="table", preface=header) == ["What is the use of X9?"]


def test_questions_about_a_table_are_spread_over_its_rows_and_columns() -> None:
    header = "id,name,price\n"
    text = header + "".join(f"P{number},pump {number},{number}\n" for number in range(9))
    assert Rules(most=3).questions(chunk(text=text, kind="table")) == (
        *("What is the name of P0?", "What is the price of P3?", "What is the name of P6?"),
    )
    every = {f"What is the {column} of P{number}?" for column in ("name", "price") for number in range(9)}
    assert set(asked(text, kind="table")) == every


def test_the_name_of_a_column_is_asked_for_in_words() -> None:
    assert asked("part,list_price_eur\nP1,19", kind="table") == ["What is the list price eur of P1?"]
    assert asked("| part | lead_time_days |\n| - | - |\n| P1 | 5 |", kind="table") == ["What are the lead time days of P1?"]


def test_a_row_of_json_is_no_header() -> None:
    assert asked('{"id": 1, "name": "pump"}\n{"id": 2, "name": "seal"}', kind="table") == []


@pytest.mark.parametrize("mark", [",", "\t", ";", "|"])
def test_a_delimited_table_is_read_by_its_first_line_or_its_preface(mark: str) -> None:
    first, second = mark.join(("plan", "price")), mark.join(("Basic", f'"19{mark} monthly"'))
    assert asked(f"{first}\n{second}", kind="table") == ["What is the price of Basic?"]
    assert asked(second, kind="table", preface=first, position=4) == ["What is the price of Basic?"]
    assert asked(second, kind="table", position=4) == []


@pytest.mark.parametrize("column", ["What happens", "Done on", "New", "Announced", "Every"])
def test_a_column_whose_name_is_no_noun_gives_none(column: str) -> None:
    assert asked(f"| Old | {column} |\n| --- | --- |\n| a | b |", kind="table") == []


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("def is_genuine(secret):\n    return 1", "is_genuine"),
        ("class Client:\n    pass", "Client"),
        ("export async function sendAll(x) {", "sendAll"),
        ("func (s *Server) Close() error {", "Close"),
        ("pub fn read() {", "read"),
        ("export interface Options {", "Options"),
    ],
)
def test_code_gives_what_each_definition_does(code: str, name: str) -> None:
    assert asked(code, kind="code") == [f"What does {name} do?"]
    assert asked(f"See:\n\n```\n{code}\n```\n") == [f"What does {name} do?"]


def test_statements_inside_code_and_tables_are_none() -> None:
    assert asked("```\nThe limit is 5 MB.\n```\n| The limit is 5 MB |") == []


def test_prose_about_a_class_is_no_code() -> None:
    assert asked("class action suits differ") == []


def test_there_are_at_most_as_many_as_wanted_each_once_in_a_fixed_order() -> None:
    text = "The limit is 5 MB. The limit is 7 MB. The fee is 2 euros. A return requires the receipt."
    found = Rules(most=3).questions(chunk(text=text, section_path=("Sending files",)))
    assert found == ("How do I send files?", "What is the limit?", "What is the fee?")


@pytest.mark.parametrize(
    ("text", "heading"),
    [
        ("Die Batterie ist ein Akku und hält 18 Monate. Der Preis ist 5 EUR.", "Batterie"),
        ("La batterie est un accumulateur. Le prix est de 5 euros.", "Installation"),
        ("De batterij is een accu. Het gewicht is 5 kg.", "Update"),
        ("電池は十八か月もちます。", "電池"),
        ("تدوم البطارية ثمانية عشر شهرا.", "البطارية"),
        ("Батарея работает 18 месяцев.", "Батарея"),
    ],
)
def test_other_languages_give_their_own_questions_only(text: str, heading: str) -> None:
    assert asked(text, title=heading) == []
    for own in ("Wie lange hält sie?", "断网时数据会丢吗？", "كم تدوم؟"):
        assert asked(text, section_path=(heading, own)) == [own]


TEXT = st.text(st.characters(exclude_categories=()), max_size=200)
PIECES = st.lists(
    st.sampled_from(
        ["The", "pump", "is", "a", "|", "---", "\n", "```", "def", "x", "costs", "5 EUR", ".", "#", '"', "\t", "lasts"]
    ),
    max_size=40,
).map(" ".join)


@settings(max_examples=150, deadline=None)
@given(text=TEXT | PIECES, heading=TEXT | PIECES, kind=st.sampled_from(["prose", "table", "code", "list"]), preface=PIECES)
def test_any_text_in_any_script_gives_distinct_questions_and_never_an_error(
    text: str, heading: str, kind: str, preface: str
) -> None:
    found = Rules().questions(chunk(text=text, title=heading, section_path=(heading,), kind=kind, preface=preface))
    assert len({tuple(words(question)) for question in found}) == len(found) <= 6
    assert all(words(question) and len(question) <= 200 for question in found)


@pytest.mark.parametrize("most", [0, 101, "many"])
def test_a_bad_limit_is_an_error_that_names_the_field(most: object) -> None:
    with pytest.raises(ValidationError, match="most"):
        Rules(most=most)  # type: ignore[arg-type]


def test_two_limits_are_two_identities() -> None:
    assert Rules(3).identity != Rules(4).identity
