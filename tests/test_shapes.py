"""Shapes of values."""

from typing import Any

import pytest

from harness.shapes import bad_text, mismatches, suggestion, texts, unknown_word

SHAPE = {"id": str, "n?": int, "share?": float, "flags?": [bool], "inner?": [{"a": str, "b?": str}], "free?": dict}


def _faults(value: Any) -> list[tuple[str, str]]:
    return [(fault.code, fault.field) for fault in mismatches(value, SHAPE)]


@pytest.mark.parametrize(
    ("fields", "faults"),
    [
        ({}, []),
        ({"n": 3, "share": 0.5, "flags": [True], "inner": [{"a": "x"}], "free": {"any": 1}}, []),
        ({"share": 1}, []),
        ({"n": 3.0}, [("G009", "n")]),
        ({"n": True}, [("G009", "n")]),
        ({"share": "1"}, [("G009", "share")]),
        ({"share": True}, [("G009", "share")]),
        ({"flags": [True, 0, None]}, [("G009", "flags[1]"), ("G009", "flags[2]")]),
        ({"inner": [{}, {"a": 1, "c": 2}]}, [("G005", "inner[0].a"), ("G009", "inner[1].a"), ("G004", "inner[1].c")]),
        ({"free": []}, [("G009", "free")]),
        ({"other": 1}, [("G004", "other")]),
    ],
)
def test_every_mismatch_is_named_with_its_place(fields: dict[str, Any], faults: list[tuple[str, str]]) -> None:
    assert _faults({"id": "x", **fields}) == faults


def test_a_missing_name_and_a_wrong_type_come_together() -> None:
    assert _faults({"n": "x"}) == [("G005", "id"), ("G009", "n")]


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (7, 'text, got a whole number 7. Fix: write "7".'),
        (None, "text, got null."),
        ([], "text, got a list []."),
        (True, "text, got true or false True."),
    ],
)
def test_a_wrong_type_says_what_was_given(value: Any, says: str) -> None:
    (fault,) = mismatches({"id": value}, {"id": str})
    assert f"must be {says}" in str(fault.at("file:1"))


def test_texts_are_found_wherever_they_are() -> None:
    value = {"a": "1", "b": ["2", {"c": "3"}], "d": 4}
    assert list(texts(value)) == [("a", "1"), ("b[0]", "2"), ("b[1].c", "3")]


@pytest.mark.parametrize("text", ["plain", "line\nline\ttab\r", "café 日本語 🙂", "zero\u200bwidth", ""])
def test_ordinary_text_is_fine(text: str) -> None:
    assert list(bad_text("f", text, 100)) == []


@pytest.mark.parametrize(
    ("text", "says"), [("a\x00", "control character U+0000 at character 1"), ("\x1b[0m", "U+001B"), ("\x85", "U+0085"), ("\ud800", "lone surrogate U+D800")]
)  # fmt: skip
def test_control_characters_are_named(text: str, says: str) -> None:
    (fault,) = bad_text("f", text, 100)
    assert (fault.code, says in fault.what) == ("G021", True)


def test_the_limit_itself_is_allowed() -> None:
    assert [len(list(bad_text("f", "x" * length, 10))) for length in (10, 11)] == [0, 1]


@pytest.mark.parametrize(("word", "faults"), [("tune", 0), ("tunes", 1), ("TUNE", 1), ("", 1)])
def test_only_known_words_pass(word: str, faults: int) -> None:
    assert len(list(unknown_word("split", word, ("tune", "test")))) == faults


@pytest.mark.parametrize(("word", "hint"), [("tunes", "; did you mean 'tune'?"), ("zzz", ".")])
def test_a_near_word_is_suggested(word: str, hint: str) -> None:
    assert suggestion(word, ("tune", "test")) == hint
