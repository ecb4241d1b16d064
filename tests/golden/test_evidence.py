"""Quotes to spans."""

from typing import Any

import pytest

from harness.golden.evidence import resolve
from harness.shapes import Fault
from harness.types import Span
from tests.builders import document

TEXT = "The fan spins.\nThe fan stops. It’s 5 °C – café."
DOCUMENTS = {name: document(name, TEXT) for name in ("manuals/fan.md", "café.md")}


def _resolve(quote: str, **hints: Any) -> Span | Fault:
    return resolve({"doc": "manuals/fan.md", "quote": quote, **hints}, DOCUMENTS, "evidence[0][0]")


def _fault(quote: str, **hints: Any) -> str:
    found = _resolve(quote, **hints)
    assert isinstance(found, Fault)
    return str(found.at("questions.jsonl:9"))


@pytest.mark.parametrize(
    ("quote", "hints", "start"),
    [
        ("fan spins", {}, 4),
        ("The fan", {"suffix": "stops"}, 15),
        ("The fan", {"prefix": "spins."}, 15),
        ("fan", {"prefix": "The", "suffix": "spins"}, 4),
        ("The fan", {"start": 15}, 15),
        ("fan spins", {"start": 40}, 4),
        ("cafe\u0301", {}, 42),
        ("spins.\r\nThe", {}, 8),
    ],
)
def test_a_quote_is_found(quote: str, hints: dict[str, Any], start: int) -> None:
    found = _resolve(quote, **hints)
    assert isinstance(found, Span)
    assert found.start == start


def test_without_a_quote_it_is_the_whole_document() -> None:
    assert resolve({"doc": "café.md"}, DOCUMENTS, "forbid[0]") == Span("café.md", 0, len(TEXT))


@pytest.mark.parametrize(
    ("quote", "character", "has", "asked"),
    [
        ("It's 5 °C", 2, "’", "'"),
        ("5 °C - café", 5, "–", "-"),
        ("The fan stopt.", 12, "s", "t"),
        ("X fan spins.", 0, "e", "X"),
        ("caf\u00e9. More", 5, "the end", " "),
    ],
)
def test_a_missing_quote_shows_the_first_differing_character(quote: str, character: int, has: str, asked: str) -> None:
    message = _fault(quote)
    assert message.startswith("error[G015] questions.jsonl:9 evidence[0][0].quote")
    assert f"First difference at character {character}: the document has {has!r}, the quote {asked!r}." in message


def test_a_missing_quote_shows_the_nearest_text() -> None:
    assert "Nearest: 'The fan stops.'" in _fault("The fan stopt.")


def test_a_quote_like_nothing_in_the_document_says_so() -> None:
    assert "Nothing in the document is like it" in _fault("Completely unrelated wording about taxes")


@pytest.mark.parametrize(
    ("hints", "code", "says"),
    [
        ({}, "G029", "stands 2 times in 'manuals/fan.md' (at 0, 15)"),
        ({"prefix": "nowhere"}, "G029", "not with this prefix and suffix"),
        ({"start": 3}, "G014", "does not stand at 3"),
    ],
)
def test_an_ambiguous_quote_needs_a_hint_that_fits(hints: dict[str, Any], code: str, says: str) -> None:
    message = _fault("The fan", **hints)
    assert message.startswith(f"error[{code}]")
    assert says in message


@pytest.mark.parametrize(
    ("doc", "code", "says"),
    [
        ("manuals/fans.md", "G013", "Closest: 'manuals/fan.md'"),
        ("x", "G013", "document 'x' is not in the corpus."),
        ("cafe\u0301.md", "G018", "not NFC-normalised"),
    ],
)
def test_an_unknown_document_names_the_nearest(doc: str, code: str, says: str) -> None:
    found = resolve({"doc": doc, "quote": "x"}, DOCUMENTS, "evidence[0][0]")
    assert isinstance(found, Fault)
    assert (found.code, says in found.what) == (code, True)


def test_a_long_document_is_searched_quickly() -> None:
    long = {"a.md": document("a.md", "The fan spins and stops again. " * 20_000)}
    assert isinstance(resolve({"doc": "a.md", "quote": "The fan never spins and stops"}, long, "x"), Fault)


@pytest.mark.parametrize(
    ("text", "quote", "near", "differs"),
    [
        ("A. Please see\nover-\nflow here.", "see over-flow here", "'see\\nover-", "at character 3: the document has '\\n'"),
        ("Some soft\u00adhyphen word.", "softhyphen word", "'soft\\xadhyphen", "at character 4"),
        ("Now use --force now.", "use —force now", "'use --force", "at character 4: the document has '-'"),
        ("x zero\u200bwidth y", "zerowidth y", "'zero", "at character 4"),
    ],
)
def test_the_nearest_text_starts_where_the_quote_does(text: str, quote: str, near: str, differs: str) -> None:
    found = resolve({"doc": "a.md", "quote": quote}, {"a.md": document("a.md", text)}, "evidence[0][0]")
    assert isinstance(found, Fault)
    assert f"Nearest: {near}" in found.what
    assert f"First difference {differs}" in found.what
