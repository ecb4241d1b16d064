"""An answer split into claims."""

import time

import pytest

from harness.judging.claims import RuleSplitter, claims, stating
from harness.protocols import ClaimSplitter
from harness.text import REFUSAL
from tests.contracts.claim_splitter import ClaimSplitterContract


class TestContract(ClaimSplitterContract):
    @pytest.fixture
    def splitter(self) -> ClaimSplitter:
        return RuleSplitter()


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("It is 5 m [a]. It is red [b].", ["It is 5 m.", "It is red."]),
        ("It is 5 m. [a] It is red. [b]", ["It is 5 m.", "It is red."]),
        ("- Peat [a]\n- Clay [a]", ["Peat", "Clay"]),
        ("1) Press the button.\n2) Wait.", ["Press the button.", "Wait."]),
        ("The types are:\n- Peat", ["Peat"]),
        ("# Range\n\nIt is 5 m.", ["It is 5 m."]),
        ("**Range**\n\nIt is 5 m.", ["It is 5 m."]),
        ("Sure! It is 5 m.", ["It is 5 m."]),
        ("Hello. It is 5 m. Let me know if you need more.", ["It is 5 m."]),
        ("It is 5 m. Do you want to know more?", ["It is 5 m."]),
        ("It is 5 m.\n\n```\nx = 1\n```\n\nIt is red.", ["It is 5 m.", "It is red."]),
        (f"It is 5 m. {REFUSAL}", ["It is 5 m."]),
        ("The passages do not mention the weight.", []),
        ("I don't know.", []),
        ("It is red, but the passages do not say since when and do not mention the weight.", None),
        ("The passages do not mention the weight, but I do not know why.", []),
        ("I could not find the weight.", []),
        (REFUSAL, []),
        ("[a]", []),
        ("...", []),
        ("", []),
    ],
)
def test_claims_are_the_sentences_that_state_something(answer: str, expected: list[str] | None) -> None:
    assert claims(answer) == ([answer] if expected is None else expected)
    assert list(RuleSplitter().split(answer)) == claims(answer)


def test_a_sentence_that_states_something_keeps_what_it_cites() -> None:
    found = stating("Sure! It is 5 m [a][b].\n- Red [c]\n\nWhy [d]?")
    assert [(sentence.text, sentence.ids) for sentence in found] == [("It is 5 m.", ("a", "b")), ("Red", ("c",))]


@pytest.mark.parametrize(
    "sentence", ["Historic rates apply.", "Surely it is red.", "Here the range is 5 m.", "Heyday is a brand."]
)
def test_words_that_begin_like_a_greeting_are_no_greeting(sentence: str) -> None:
    assert claims(sentence) == [sentence]


def test_a_megabyte_takes_a_moment() -> None:
    started = time.process_time()
    claims("It is 5 m [a]. " * 20_000 + "```\n" * 20_000 + "**" * 50_000)
    assert time.process_time() - started < 10


@pytest.mark.parametrize(
    ("text", "found"), [("It is.", []), ("They are. It is 5.", ["It is 5."]), ("No.", ["No."]), ("这是猫。", ["这是猫。"])]
)
def test_a_sentence_of_stop_words_alone_is_no_claim(text: str, found: list[str]) -> None:
    assert claims(text) == found
