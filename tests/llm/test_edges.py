"""Schemas, scripts and waits at their edges."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.errors import StageError
from harness.llm import calling
from harness.llm.calling import FIRST_WAIT, LONGEST_WAIT, Patience, Retryable, called, wait_before
from harness.llm.schema import response_format, strict
from harness.llm.scripted import Scripted
from harness.types import Request, Turn, Usage

OPEN: dict[str, Any] = {"type": "object", "properties": {"a": {"type": "string"}}}
CLOSED: dict[str, Any] = {**OPEN, "additionalProperties": False, "required": ["a"]}


@pytest.mark.parametrize(
    ("given_schema", "wanted"),
    [
        (OPEN, CLOSED),
        ({"type": "array", "items": OPEN}, {"type": "array", "items": CLOSED}),
        ({"anyOf": [OPEN, {"type": "null"}]}, {"anyOf": [CLOSED, {"type": "null"}]}),
        ({"$defs": {"X": OPEN}}, {"$defs": {"X": CLOSED}}),
        ({"type": "string", "default": "x"}, {"type": "string"}),
        ({"enum": ["a", "b"]}, {"enum": ["a", "b"]}),
        ({"type": "object"}, {"type": "object"}),  # nothing is known of its properties
        ({}, {}),
    ],
)
def test_a_schema_is_closed_at_every_depth(given_schema: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    assert strict(given_schema) == wanted


def test_closing_a_closed_schema_changes_nothing() -> None:
    assert strict(strict(OPEN)) == strict(OPEN)


@pytest.mark.parametrize(
    ("title", "name"),
    [("Verdict", "Verdict"), ("Claim list", "Claim_list"), ("Größe", "Gr__e"), ("", "reply"), ("x" * 80, "x" * 64)],
)
def test_the_name_of_a_schema_is_one_that_providers_take(title: str, name: str) -> None:
    assert response_format({"title": title})["json_schema"]["name"] == name


def reply(model: Scripted, *contents: str) -> str:
    return model.complete(Request(tuple(Turn("user", content) for content in contents))).text


def test_the_first_key_of_a_script_that_fits_wins() -> None:
    assert reply(Scripted({"range": "first", "long range": "second"}), "the long range") == "first"
    assert reply(Scripted({"long range": "second", "range": "first"}), "the long range") == "second"


def test_an_empty_key_fits_everything_that_no_other_key_does() -> None:
    model = Scripted({"range": "5 m", "": "I do not know."})
    assert [reply(model, text) for text in ("the range", "the colour")] == ["5 m", "I do not know."]


def test_only_the_last_turn_decides() -> None:
    assert reply(Scripted({"range": "5 m", "colour": "red"}), "the range", "the colour") == "red"


@pytest.mark.parametrize("replies", [[], {}])
def test_a_script_without_replies_is_an_error_and_no_empty_answer(replies: Any) -> None:
    with pytest.raises(StageError, match="scripted repl"):
        reply(Scripted(replies), "anything")


@given(st.integers(1, 20), st.none() | st.floats(0, 1_000))
def test_no_wait_is_shorter_than_the_back_off_or_than_the_server_asks(attempt: int, asked: float | None) -> None:
    assert wait_before(attempt, asked) >= max(asked or 0.0, min(FIRST_WAIT, LONGEST_WAIT))
    assert wait_before(attempt + 1, asked) >= wait_before(attempt, asked)


@pytest.mark.parametrize("attempts", range(1, 9))
def test_a_call_that_always_fails_is_made_exactly_as_often_as_allowed(attempts: int, monkeypatch: pytest.MonkeyPatch) -> None:
    calls, waits = [], list[float]()
    monkeypatch.setattr(calling, "sleep", waits.append)

    def fail(_seconds: float, held: object) -> None:
        calls.append(1)
        raise Retryable("no")

    with pytest.raises(StageError, match="last error: no"):
        called("model 'm'", "here", fail, Patience(attempts=attempts), Usage())
    assert (len(calls), len(waits)) == (attempts, attempts - 1)
