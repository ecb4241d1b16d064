"""Thirty more questions as people ask them, and the statements that rules make of them."""

import time

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


@pytest.mark.parametrize(
    ("asked", "stated"),
    [
        ("What happens when the battery is empty?", "When the battery is empty,"),
        ("What will happen if the light is red?", "If the light is red,"),
        ("What happens to my data while the gateway is offline?", "While the gateway is offline, my data"),
        ("What should I do when the light is amber?", "When the light is amber, you should"),
        ("What does the gateway do when a file is missing?", "When a file is missing, the gateway"),
        ("What causes E-71 when the pump is off?", "Causes E-71 when the pump is off"),
        ("What has changed since 3.1 was released?", "Has changed since 3.1 was released"),
        ("What does that stand for and what is new?", "That stand for and what is new"),
        ("What causes are known?", "The causes that are known is"),  # here it is a noun
        ("Which steps before the upload are needed?", "The steps before the upload that are needed is"),
    ],
)
def test_a_verb_is_never_taken_for_the_noun_that_is_asked_for(asked: str, stated: str) -> None:
    assert declarative(asked) == stated


@pytest.mark.parametrize(
    ("asked", "stated"),
    [
        ("Which port can I use for LoRa?", "The port that you can use for LoRa is"),
        ("Which band must the AQ-210 use in Norway?", "The band that the AQ-210 must use in Norway is"),
        ("Which file may FH-12 send?", "The file that FH-12 may send is"),
        ("Which networks can the gateway connect to?", "The networks that the gateway can connect to is"),
        ("What load can the relay output of the GW-12 switch?", "The load that the relay output of the GW-12 can switch is"),
        ("What temperature must the sensor be kept at?", "The temperature that the sensor must be kept at is"),
        ("Which bands can customers use?", "The bands that customers can use is"),
        ("How many SMS can the alarm system send in a day?", "The number of SMS that the alarm system can send in a day is"),
        ("How many rules can one place have?", "The number of rules that one place can have is"),
        ("How many views can we create?", "The number of views that you can create is"),
        ("Which port can one use?", "The port that one can use is"),
        ("Which sensors can measure CO2?", "The sensors that can measure CO2 is"),  # the noun itself is the subject
        ("Which roles can access data in the portal?", "The roles that can access data in the portal is"),
    ],
)
def test_a_subject_behind_a_modal_goes_before_it(asked: str, stated: str) -> None:
    assert declarative(asked) == stated


@pytest.mark.parametrize("start", ["what a ", "how many ", "which a can the ", "what happens to ", "what does a do "])
@pytest.mark.parametrize("again", ["can the a ", "when do ", "is ", "a ", "7 to "])
def test_the_longest_question_takes_a_moment(start: str, again: str) -> None:
    started = time.process_time()
    declarative((start + again * LONGEST)[:LONGEST])
    assert time.process_time() - started < 1


def test_what_happens_is_no_noun() -> None:
    assert "The happens" not in declarative("What happens when the battery is empty?")


def test_a_modal_goes_behind_its_subject() -> None:
    assert declarative("Which port can the gateway use?") == "The port that the gateway can use is"
