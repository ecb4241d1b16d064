"""From failed questions and logged queries to drafts."""

from collections.abc import Mapping
from typing import Any

from harness.golden.drafting.promote import Promoted, Wish, promote
from harness.golden.drafting.target import Target
from harness.types import Chunk, Document, Span
from tests.golden.drafting.documents import TODAY, document

FILTER = document("aq.md", "# AQ\n\nThe filter lasts 6 months. Never wash it.\n\nThe fan lasts 9 years.\n", "AQ sensor")
SECRET = document("north.md", "North pays 5 euros for a filter.\n", "Contract", tenant="north")
QUOTE = {"doc": "aq.md", "quote": "The filter lasts 6 months."}


def target(
    *questions: Mapping[str, Any], drafts: tuple[Mapping[str, Any], ...] = (), documents: tuple[Document, ...] = (FILTER, SECRET)
) -> Target:
    return Target("set", {item.doc_id: item for item in documents}, TODAY, questions, drafts)


def wish(
    question: str = "How long does a filter last?",
    station: str = "context",
    forced: bool = False,
    shown: tuple[Chunk, ...] = (),
    **fields: Any,
) -> Wish:
    return Wish({"question": question, **fields}, station, "promoted from run r, question q: lost", shown, forced)


def only(result: Promoted) -> dict[str, Any]:
    (draft,) = result.drafts
    return draft


def test_a_failed_question_keeps_its_truth_where_its_evidence_stands_in_the_set() -> None:
    draft = only(
        promote([wish(id="q9", evidence=[[QUOTE]], answers=["6 months"], tags=["hard"], split="tune", group="aq")], target())
    )
    assert draft["id"].startswith("draft-")
    assert (draft["evidence"], draft["answers"], draft["split"], draft["group"]) == ([[QUOTE]], ["6 months"], "tune", "aq")
    assert draft["tags"] == ["hard", "promoted", "context"]
    assert draft["provenance"] == "promoted from run r, question q: lost; evidence and answers as they were"
    assert draft["reviewed"] is False


def test_where_its_evidence_does_not_stand_the_passages_shown_propose_some() -> None:
    shown = (Chunk(Span("gone.md", 0, 5), "Gone."), Chunk(Span("aq.md", 6, len(FILTER.text)), FILTER.text[6:]))
    draft = only(
        promote([wish(evidence=[[{"doc": "gone.md", "quote": "Gone."}]], answers=["x"], reference="x", shown=shown)], target())
    )
    assert draft["evidence"] == [[QUOTE]]
    assert "answers" not in draft
    assert "reference" not in draft
    assert draft["provenance"].endswith("the evidence is only proposed: a person has to choose and complete it")


def test_a_logged_query_gets_what_bm25_finds_among_what_its_asker_may_see() -> None:
    mine = only(promote([wish("What does a filter cost in euros?", "", persona="north")], target()))
    theirs = only(promote([wish("What does a filter cost in euros?", "")], target()))
    assert {place["doc"] for place in mine["evidence"][0]} == {"aq.md", "north.md"}
    assert {place["doc"] for place in theirs["evidence"][0]} == {"aq.md"}
    assert (mine["persona"], mine["answerable"], mine["tags"]) == ("north", True, ["promoted"])


def test_a_query_that_nothing_fits_is_kept_without_evidence_and_counted() -> None:
    result = promote([wish("Zebras?", "")], target())
    assert only(result)["evidence"] == []
    assert result.without_evidence == 1


def test_an_unanswerable_question_stays_one() -> None:
    draft = only(
        promote([wish("How heavy?", "false_answer", answerable=False, kind="unanswerable", refusal_reason="future")], target())
    )
    assert (draft["answerable"], draft["refusal_reason"], "evidence" in draft) == (False, "future", False)
    assert draft["provenance"].endswith("that nothing answers it here has to be checked by a person")


def test_a_question_that_the_set_asks_is_skipped_unless_it_was_named() -> None:
    asked = {"id": "q1", "question": "How  long does a filter last?", "answerable": True}
    result = promote([wish("how long does a filter last?")], target(asked))
    assert (result.drafts, result.in_set) == ([], ["how long does a filter last?"])
    assert (
        only(promote([wish("how long does a filter last?", forced=True)], target(asked)))["question"]
        == "how long does a filter last?"
    )


def test_another_persona_date_or_history_makes_another_question() -> None:
    asked = {"id": "q1", "question": "How long?", "answerable": True}
    others = [
        wish("How long?", persona="north"),
        wish("How long?", as_of="2020-01-01"),
        wish("How long?", history=[{"role": "user", "content": "The fan?"}]),
    ]
    assert len(promote(others, target(asked)).drafts) == 3
    assert promote([wish("How long?", as_of=TODAY)], target(asked)).in_set == ["How long?"]


def test_what_waits_in_the_review_file_is_not_added_again_even_when_named() -> None:
    first = only(promote([wish(forced=True)], target()))
    again = promote([wish(forced=True), wish(forced=True)], target(drafts=(first,)))
    assert (again.drafts, len(again.in_drafts)) == ([], 2)


def test_evidence_that_the_asker_may_not_see_is_not_kept() -> None:
    hidden = [[{"doc": "north.md", "quote": "North pays 5 euros for a filter."}]]
    draft = only(promote([wish("What does North pay for the filter?", evidence=hidden, persona="south")], target()))
    assert {place["doc"] for place in draft["evidence"][0]} == {"aq.md"}
