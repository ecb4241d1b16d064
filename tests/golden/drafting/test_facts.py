"""Questions for sentences that state a number."""

import pytest

from harness.golden.drafting.facts import facts
from tests.golden.drafting.documents import asked, document, quotes

TITLE = "AQ-210 air quality sensor: user manual"


@pytest.mark.parametrize(
    ("sentence", "question", "answer"),
    [
        ("Replace the inlet filter (FH-5102-B) every 9 months.", "How often should I replace the inlet filter of the AQ-210?", "every 9 months"),
        ("The sensor wakes every 10 minutes, measures and sleeps.", "How often does the AQ-210 wake?", "every 10 minutes"),
        ("Up to 24 sensors of this model can share one bus.", "How many sensors of the AQ-210 can share one bus?", "24"),
        ("The sensor keeps up to 900 readings and sends them.", "How many readings can the AQ-210 keep?", "900 readings"),
        ("The factory Modbus address is 21 and the speed is fixed.", "What is the factory Modbus address of the AQ-210?", "21"),
        ("The useful warning time is 125 minutes.", "What is the useful warning time of the AQ-210?", "125 minutes"),
        ("A reading takes 1.6 seconds.", "How long does a reading of the AQ-210 take?", "1.6 seconds"),
    ],
)  # fmt: skip
def test_a_sentence_of_a_manual_is_asked_about_by_the_name_of_the_product(sentence: str, question: str, answer: str) -> None:
    doc = document("m.md", f"# Manual\n\nText. {sentence}\n", TITLE)
    found = asked(facts, doc)
    assert {text: item.answers for text, item in found.items()} == {question: (answer,)}
    assert quotes(found[question], doc) == [[sentence]]


@pytest.mark.parametrize(
    ("sentence", "question", "answer"),
    [
        ("An account can hold 5 connections at the same time.", "how many connections can an account hold at the same time?", "5 connections"),
        ("A paper copy costs 12 EUR.", "how much does a paper copy cost?", "12 EUR"),
        ("Soil probes are covered for 24 months from delivery.", "for how long are soil probes covered?", "24 months"),
        ("Hidden damage must be reported within 5 working days.", "within what time must hidden damage be reported?", "5 working days"),
        ("A quote is valid for 6 weeks.", "for how long is a quote valid?", "6 weeks"),
    ],
)  # fmt: skip
def test_a_sentence_of_a_policy_is_asked_about_with_the_name_of_the_policy(sentence: str, question: str, answer: str) -> None:
    found = asked(facts, document("p.md", f"{sentence}\n", "Warranty policy"))
    assert {text: item.answers for text, item in found.items()} == {f"According to the warranty policy, {question}": (answer,)}


@pytest.mark.parametrize(
    "sentence",
    [
        "It takes 5 minutes.",
        "The value must be entered within 15 minutes.",
        "On a standard plan raw readings are kept for 25 months.",
        "The housing is rated IP67.",
        "Keep two probes at least 60 cm apart.",
        "A loan lasts 1 week at least.",
    ],
)
def test_a_sentence_that_gives_no_clear_question_is_left_alone(sentence: str) -> None:
    assert asked(facts, document("p.md", f"{sentence}\n", "Loan policy")) == {}


def test_a_firmware_is_named_with_its_version() -> None:
    notes = [
        document(f"{version}.md", "The upload interval is 5 minutes by default.\n", f"GW-12 firmware {version}: release notes")
        for version in ("3.1", "3.2")
    ]
    assert "What is the upload interval with GW-12 firmware 3.2?" in asked(facts, *notes)
