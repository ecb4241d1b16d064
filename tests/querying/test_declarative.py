"""Questions turned into statements by rules."""

import time
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.protocols import QueryTransformer
from harness.querying.declarative import DeclarativeHyde, declarative
from harness.types import Query
from tests.builders import question
from tests.contracts.query_step import QueryStepContract


@pytest.mark.parametrize(
    ("asked", "stated"),
    [
        ("What is the range of the AQ-210?", "The range of the AQ-210 is"),
        ("what are the limits?", "The limits are"),
        ("What will be the limit in firmware 3.3?", "The limit in firmware 3.3 will be"),
        ("What does code E-71 mean?", "Code E-71 means"),
        ("What does the lamp kit cost?", "The lamp kit costs"),
        ("What supply voltage does the WL-300 need?", "The supply voltage that the WL-300 needs is"),
        ("Which soil types can be chosen for the SM-50?", "The soil types that can be chosen for the SM-50 is"),
        ("Which household gadgets disturb pairing?", "Household gadgets disturb pairing"),
        ("How do I reset X?", "To reset X,"),
        ("How can we read the devices?", "To read the devices,"),
        ("How to pair a sensor", "To pair a sensor,"),
        ("How much does the AQ-210 weigh?", "The AQ-210 weighs"),
        ("How many sensors can be paired?", "The number of sensors that can be paired is"),
        ("How many sensors are there in the box?", "The number of sensors in the box are"),
        ("How many hours of sun does the panel need?", "The panel needs hours of sun"),
        ("How often must the filter be replaced?", "The filter must be replaced every"),
        ("How accurate is the CO2 reading?", "The CO2 reading is accurate to"),
        ("How long does a reading take?", "A reading take for"),
        ("When was firmware 3.2 released?", "Firmware 3.2 was released on"),
        ("Where is the reset button?", "The reset button is in"),
        ("Why does the probe read too dry?", "The probe read too dry because"),
        ("Who is the supplier?", "The supplier is"),
        ("Who wrote the manual?", "The person who wrote the manual is"),
        ("Can I wash the filter and use it again?", "You can wash the filter and use it again"),
        ("Is there a solar panel?", "There is a solar panel"),
        ("Does the AQ-210 support LoRa?", "The AQ-210 support LoRa"),
        ("Is the AQ-210 waterproof?", "The AQ-210 waterproof"),
        ("And what is the price?", "The price is"),
        ("My light is red. What does it mean?", "My light is red. It means"),
        ("Explain the warranty.", "Explain the warranty"),
        ("reset AQ-210", "Reset AQ-210"),
        ("What?", "What"),
    ],
)
def test_a_question_becomes_the_start_of_its_answer(asked: str, stated: str) -> None:
    assert declarative(asked) == stated


def test_the_statement_is_for_dense_retrieval_only() -> None:
    (query,) = DeclarativeHyde().transform(question(), [Query("What is the range?")])
    assert query == Query("What is the range?", hypothetical="The range is")


def test_each_query_has_a_statement_of_its_own_and_keeps_the_rest() -> None:
    queries = [
        Query("What is the range?", allowed=frozenset({"a.md"}), persona="north", notes=("before",)),
        Query("Is it white?"),
    ]
    found = DeclarativeHyde().transform(question(text="What is the range, and is it white?"), queries)
    assert [query.hypothetical for query in found] == ["The range is", "It white"]
    assert [replace(query, hypothetical="") for query in found] == queries


@given(st.text(max_size=80))
def test_any_text_gives_a_statement_without_an_error(text: str) -> None:
    assert bool(declarative(text)) == bool(text.strip(" \t\n\r\x0b\x0c\x1c\x1d\x1e\x1f\x85\xa0").split())


def test_a_sentence_too_long_for_a_question_stays_as_it_is() -> None:
    long = "what is " + "very " * 100 + "long"
    assert declarative(long) == "W" + long[1:]


def test_a_long_question_takes_a_moment() -> None:
    started = time.process_time()
    for start in ("how many ", "what ", "how much does ", "is ", "where was "):
        declarative(start + "word does " * 5_000)
    assert time.process_time() - started < 5


class TestDeclarativeHydeKeepsTheContract(QueryStepContract):
    @pytest.fixture
    def step(self) -> QueryTransformer:
        return DeclarativeHyde()
