"""Quotes that name one place, and ids."""

from harness.golden.drafting.candidates import Candidate, draft_fields, draft_id, place_of
from harness.golden.evidence import resolve
from harness.types import Span
from tests.golden.drafting.documents import document

TWICE = document("a.md", "Red wire. Keep it dry.\n\nBlue wire. Keep it dry.\n")
DOCUMENTS = {"a.md": TWICE}


def test_a_quote_that_stands_once_needs_nothing_else() -> None:
    assert place_of(Span("a.md", 0, 9), DOCUMENTS) == {"doc": "a.md", "quote": "Red wire."}


def test_a_quote_that_stands_twice_gets_what_stands_around_it() -> None:
    for start in (10, 35):
        place = place_of(Span("a.md", start, start + 12), DOCUMENTS)
        assert place is not None
        assert place["quote"] == "Keep it dry."
        assert set(place) > {"doc", "quote"}
        assert resolve(place, DOCUMENTS, "") == Span("a.md", start, start + 12)


def test_a_quote_that_nothing_around_tells_apart_gets_its_start() -> None:
    row = "| a | 1 |\n"
    repeated = document("r.md", row * 200)
    place = place_of(Span("r.md", 1000, 1009), {"r.md": repeated})
    assert place == {"doc": "r.md", "quote": "| a | 1 |", "start": 1000}


def test_the_same_content_has_the_same_id_unless_it_is_taken() -> None:
    first = draft_id("How long?")
    assert first == draft_id("How long?")
    assert first.startswith("draft-")
    assert draft_id("How long?", taken=[first]) not in (first, draft_id("How far?"))


def test_a_refusal_becomes_a_line_without_evidence_and_with_a_reason() -> None:
    refusal = Candidate("near_misses", "a.md", "How heavy?", "unanswerable", "rule x", reference="Not said.", tags=("near-miss",))
    assert draft_fields(refusal, DOCUMENTS, ()) == {
        "id": draft_id("How heavy?", ""),
        "question": "How heavy?",
        "answerable": False,
        "kind": "unanswerable",
        "reference": "Not said.",
        "refusal_reason": "not_in_document",
        "provenance": "Draft: rule x; no human review.",
        "reviewed": False,
        "tags": ["draft", "near-miss"],
    }
