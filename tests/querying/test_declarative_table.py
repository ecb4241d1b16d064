"""Thirty more questions as people ask them, and the statements that rules make of them."""

import pytest

from harness.querying.declarative import LONGEST, declarative


@pytest.mark.parametrize(
    ("asked", "stated"),
    [
        # what, which, who
        ("What is the warranty period of the gateway?", "The warranty period of the gateway is"),
        ("What was the price in 2024?", "The price in 2024 was"),
        ("What does the warranty cover?", "The warranty covers"),
        ("What temperature does the sensor support?", "The temperature that the sensor supports is"),
        ("Which firmware is required for LoRa?", "The firmware that is required for LoRa is"),
        ("Who maintains the portal?", "The person who maintains the portal is"),
        ("What is E-71", "E-71 is"),
        ("WHAT IS THE RANGE?", "THE RANGE is"),
        ("   what    is  the range ? ", "The range is"),
        # how
        ("How do customers return a device?", "To return a device,"),
        ("How should I store the logger?", "To store the logger,"),
        ("How can I reset it?!", "To reset it,"),
        ("How much does shipping cost within the EU?", "Shipping costs within the EU"),
        ("How much power does the gateway use?", "The gateway uses power"),
        ("How many readings can be stored?", "The number of readings that can be stored is"),
        ("How far can sensors be from the gateway?", "Sensors can be from the gateway up to"),
        ("How soon must a defect be reported?", "A defect must be reported within"),
        ("How often should I calibrate the probe?", "You should calibrate the probe every"),
        ("How long is the warranty?", "The warranty is for"),
        # when, where, why
        ("When can I return the device?", "You can return the device on"),
        ("When does the sale end?", "The sale end on"),
        ("Where can the sensor be mounted?", "The sensor can be mounted in"),
        ("Why is the LED red?", "The LED is red because"),
        # yes or no
        ("Are there discounts for schools?", "There are discounts for schools"),
        ("May I open the case?", "You may open the case"),
        ("Do you ship to Norway?", "You ship to Norway"),
        ("Has the price changed?", "The price changed"),
        # politeness and what stands before
        ("Please, what is the range?", "The range is"),
        ("Hi, how do I pair a sensor?", "To pair a sensor,"),
        ("It broke. Can I return it?", "It broke. You can return it"),
    ],
)
def test_a_question_as_people_ask_it_becomes_the_start_of_its_answer(asked: str, stated: str) -> None:
    assert declarative(asked) == stated


@pytest.mark.parametrize("name", ["AQ-210", "FH-4410-B", "E-71", "Firmware 3.2", "`max_calls`", "868 MHz"])
def test_an_identifier_is_never_taken_apart(name: str) -> None:
    for asked in (f"What is {name}?", f"How do I find {name}?", f"Where is {name}?", f"Does it support {name}?"):
        assert name.lower() in declarative(asked).lower()


@pytest.mark.parametrize("question_word", ["what", "which", "who", "when", "where", "why", "how"])
def test_no_question_word_is_left_at_the_start(question_word: str) -> None:
    stated = declarative(f"{question_word} is the reset button of the gateway?")
    assert not stated.lower().startswith(question_word)
    assert "reset button of the gateway" in stated


def test_the_same_question_with_and_without_its_mark_is_the_same_statement() -> None:
    for asked in ("What is the range", "How do I reset it", "Is there a lamp", "Where do I mount it"):
        assert declarative(asked) == declarative(f"{asked}?") == declarative(f"  {asked} ??")


def test_the_longest_question_is_still_turned_and_a_longer_one_is_not() -> None:
    fits = "what is " + "x" * (LONGEST - 8)
    assert declarative(fits).endswith(" is")
    assert declarative(fits + "x").startswith("What is")


@pytest.mark.xfail(
    strict=True, reason="the rule `what NOUN is ...` takes a verb for the noun: `The happens when the battery ...`"
)
def test_what_happens_is_no_noun() -> None:
    assert "The happens" not in declarative("What happens when the battery is empty?")


@pytest.mark.xfail(strict=True, reason="`that {modal} {subject} {verb}` keeps the question's word order")
def test_a_modal_goes_behind_its_subject() -> None:
    assert declarative("Which port can the gateway use?") == "The port that the gateway can use is"
