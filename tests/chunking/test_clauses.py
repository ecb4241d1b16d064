"""A sentence as statements that can be read alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.chunking.clauses import clauses, resolved
from tests.contracts.chunker import quick


@pytest.mark.parametrize(
    ("sentence", "statements"),
    [
        (
            "The battery lasts 18 months, and the filter lasts six months.",
            ["The battery lasts 18 months.", "The filter lasts six months."],
        ),
        ("The pump is on and the valve is shut.", ["The pump is on.", "The valve is shut."]),
        ("The user is named; the password is secret!", ["The user is named.", "The password is secret!"]),
        ("No reading was lost, but the clock was wrong.", ["No reading was lost.", "The clock was wrong."]),
        (
            "The pump is on, the valve is open, and the seal is new, and the lid is shut.",
            ["The pump is on, the valve is open.", "The seal is new.", "The lid is shut."],
        ),
        (
            "The gateway, which has two antennas, reaches 400 metres.",
            ["The gateway reaches 400 metres.", "The gateway has two antennas."],
        ),
        ("Every customer, who is\nnamed here, may object.", ["Every customer may object.", "Every customer is named here."]),
    ],
)
def test_statements_that_can_stand_alone_are_taken_apart(sentence: str, statements: list[str]) -> None:
    assert clauses(sentence) == statements


@pytest.mark.parametrize(
    "sentence",
    [
        "The pump and the valve are new.",
        "Check the pump and the valve.",
        "If the pump is on and the valve is shut, call us.",
        "We know that the pump is on and the valve is shut.",
        "The probe sends data to the gateway, and it stores them.",
        "One gateway is able to reach all but the far end is out of range.",
        "They can be read; through the gateway only the voltage, the load and the code are sent.",
        "The box holds: the pump is one part, and the valve is another.",
        "Is the pump on and the valve is shut?",
        "The probe, which somebody lost, is new.",
        "The probe, whose cable is short, is new.",
    ],
)
def test_a_sentence_stays_whole_where_a_cut_could_change_what_it_says(sentence: str) -> None:
    assert clauses(sentence) == [sentence]


@pytest.mark.parametrize(
    "sentence",
    [
        "Die Pumpe ist an, und das Ventil ist geschlossen, aber der Deckel war offen.",
        "Das Gerät, welches zwei Antennen hat, reicht weit; der Rest ist egal.",
        "Sie können ihn lesen, so an jedem Tag die Pumpe an ist.",
        "La pompe est en marche et la vanne est fermée, mais le joint a été changé.",
        "Le but est simple; on a deux pompes, dont une est neuve.",
        "Насос включён, а клапан закрыт.",
        "ポンプは動いており、弁は閉じています。",
        "المضخة تعمل والصمام مغلق.",
    ],
)
def test_sentences_in_other_languages_stay_as_they_are(sentence: str) -> None:
    assert clauses(sentence) == [sentence]
    assert resolved(sentence, "Gateway", "") == sentence


@quick
@given(
    st.text(max_size=80)
    | st.lists(st.sampled_from(["the", "pump", "is", ",", "and", ";", "which", "has", "It", "no"]), max_size=20).map(" ".join)
)
def test_no_word_is_lost_or_made_up(sentence: str) -> None:
    whole = " ".join(sentence.split())
    made = clauses(sentence)
    assert {word.lower().strip(".,;") for part in made for word in part.split()} <= {
        word.lower().strip(".,;") for word in whole.split()
    }
    joints = {"and", "but", "so", "yet", "which", "who", ""}
    kept = {word.lower().strip(".,;") for word in whole.split()} - joints
    assert kept <= {word.lower().strip(".,;") for part in made for word in part.split()}


@pytest.mark.parametrize(
    ("statement", "subject", "before", "expected"),
    [
        ("It is returned.", "Deposit", "", "Deposit is returned."),
        ("It lasts a year.", "Soil probe", "The soil probe is new.", "Soil probe lasts a year."),
        ("They are replaced.", "Filters", "", "Filters are replaced."),
    ],
)
def test_a_pronoun_becomes_the_subject_of_the_section(statement: str, subject: str, before: str, expected: str) -> None:
    assert resolved(statement, subject, before) == expected


@pytest.mark.parametrize(
    ("statement", "subject", "before"),
    [
        ("It lasts a year.", "Soil probe", "The cable is new."),
        ("They are replaced.", "Filter", ""),
        ("It is replaced.", "Filters", ""),
        ("It takes ten minutes.", "Reset", ""),
        ("It is possible to reset it.", "Gateway", ""),
        ("It may be that the lamp is off.", "Gateway", ""),
        ("It rains.", "Gateway", ""),
        ("This is new.", "Gateway", ""),
        ("It is new.", "What is repaired and where?", ""),
        ("It is new.", "2.4", ""),
        ("It is new.", "", ""),
        ("Its cable is new.", "Gateway", ""),
    ],
)
def test_a_pronoun_stays_where_it_may_stand_for_something_else(statement: str, subject: str, before: str) -> None:
    assert resolved(statement, subject, before) == statement


def test_a_sentence_may_be_as_long_as_it_likes() -> None:
    many = "the pump is on, and " * 1100 + "the end is near."
    assert len(clauses(many)) == 1101
    assert clauses("The " + "a " * 5000 + ", which is") == ["The " + "a " * 4999 + "a , which is"]


def test_a_long_sentence_without_a_verb_stays_whole() -> None:
    many = "the pump and " * 4000 + "the end"
    assert clauses(many) == [many]
