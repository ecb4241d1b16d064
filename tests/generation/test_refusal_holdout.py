"""The detector on sentences it was not built from: written apart, before anybody had seen its patterns, and never used to mend them."""

import json
from pathlib import Path

import pytest

from harness.generation.refusals import labelled_sentences, refuses

HELD_OUT = json.loads((Path(__file__).parent / "refusal_holdout.json").read_text("utf-8"))


@pytest.mark.parametrize("language", sorted(HELD_OUT))
def test_at_least_14_of_15_refusals_are_found(language: str) -> None:
    missed = [text for text in HELD_OUT[language]["refusals"] if not refuses(text)]
    assert len(HELD_OUT[language]["refusals"]) == 15
    assert len(missed) <= 1, missed


@pytest.mark.parametrize("language", sorted(HELD_OUT))
def test_at_most_1_of_15_answers_is_taken_for_a_refusal(language: str) -> None:
    wrong = [text for text in HELD_OUT[language]["answers"] if refuses(text)]
    assert len(HELD_OUT[language]["answers"]) == 15
    assert len(wrong) <= 1, wrong


def test_six_languages_are_held_out_and_none_of_their_sentences_was_built_from() -> None:
    built_from = {item.text for item in labelled_sentences()}
    held_out = {text for groups in HELD_OUT.values() for texts in groups.values() for text in texts}
    assert sorted(HELD_OUT) == ["ar", "de", "en", "fr", "ja", "zh"]
    assert len(held_out) == 180
    assert not held_out & built_from


def test_over_all_languages_88_of_90_refusals_are_found_with_1_false_alarm_in_90() -> None:
    found = sum(refuses(text) for groups in HELD_OUT.values() for text in groups["refusals"])
    wrong = sum(refuses(text) for groups in HELD_OUT.values() for text in groups["answers"])
    assert (found, wrong) == (88, 1)
