"""Proposed evidence."""

from harness.golden.drafting.proposals import Searcher
from harness.types import Chunk, Span
from tests.golden.drafting.documents import TODAY, document

MANUAL = document("m.md", "# Battery\n\nHow long does it take? The battery of the SM-70 lasts 7 years. It is round.\n", "SM-70")
PARTS = document("p.csv", "part,fits\nLithium battery,SM-50\nLithium battery,SM-70\nRod set,SM-50\n", "Parts")
NOISE = [document(f"n{place}.md", "How long does it take to pay? Ask us.\n", f"Note {place}") for place in range(5)]
ALL = {item.doc_id: item for item in (MANUAL, PARTS, *NOISE)}


def found(question: str, *passages: Chunk) -> list[str]:
    return [place["quote"] for place in Searcher(ALL).proposals(question, passages, "", TODAY)]


def whole(doc_id: str) -> Chunk:
    return Chunk(Span(doc_id, 0, len(ALL[doc_id].text)), ALL[doc_id].text)


def test_the_sentence_with_the_rare_words_is_proposed_not_the_one_with_the_common_ones() -> None:
    assert found("How long does it take until an SM-70 is empty?", whole("m.md")) == ["The battery of the SM-70 lasts 7 years."]


def test_of_a_list_of_records_one_row_is_proposed() -> None:
    assert found("Which battery fits the SM-70?", whole("p.csv")) == ["Lithium battery,SM-70"]


def test_a_passage_that_no_longer_stands_in_the_document_is_left_out() -> None:
    assert found("battery", Chunk(Span("m.md", 0, 9), "# Cells!!")) == []
    assert found("battery", Chunk(Span("gone.md", 0, 9), "# Battery")) == []


def test_a_passage_without_a_word_of_the_question_and_masks_propose_nothing() -> None:
    assert found("Zebras, [email] and [number]?", whole("m.md"), whole("p.csv")) == []


def test_at_most_three_are_proposed_best_passage_first() -> None:
    passages = [whole(f"n{place}.md") for place in range(5)]
    places = Searcher(ALL).proposals("How long does it take to pay?", passages, "", TODAY)
    assert [place["doc"] for place in places] == ["n0.md", "n1.md", "n2.md"]


def test_search_finds_the_passage_with_the_words_of_the_question() -> None:
    assert Searcher(ALL).search("battery years", "", TODAY)[0].span.doc_id == "m.md"
