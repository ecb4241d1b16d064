"""The history of fernhill's corpus leads to the corpus as it stands, and changes what its questions ask for."""

from functools import cache
from pathlib import Path

from harness.golden.golden_set import GoldenSet, load
from harness.indexing.history import History, days_between, later
from harness.indexing.timeline import replay
from harness.indexing.timeline_file import TIMELINE, load_timeline

FOLDER = Path(__file__).parents[2] / "golden_sets" / "fernhill"


@cache
def history() -> History:
    golden: GoldenSet = load(FOLDER)
    return History(golden, load_timeline(FOLDER / TIMELINE, golden.documents))


def test_it_ends_with_the_corpus_and_spans_the_120_days_before_the_cards_day() -> None:
    found = history()
    assert replay(found.timeline, found.golden.documents, found.golden.as_of) == found.golden.documents
    assert found.end == found.golden.as_of
    assert 110 <= days_between(found.timeline.days[0], found.end) <= 125


def test_everything_that_can_happen_happens_more_than_once() -> None:
    actions = [event.action for event in history().timeline.events]
    assert all(actions.count(action) >= 2 for action in ("add", "change", "withdraw", "restore"))
    assert 24 <= len(actions) <= 30


def test_no_document_is_there_before_it_holds() -> None:
    found = history()
    documents = {item.doc_id: item for item in found.golden.documents}
    added = [event for event in found.timeline.events if event.action == "add"]
    assert all(documents[event.doc_id].valid_from <= event.date for event in added)


def test_every_change_alters_evidence_that_a_question_asks_for() -> None:
    found = history()
    spans = [span for asked in found.golden.questions for item in asked.evidence for span in item.alternatives]
    for event in found.timeline.events:
        if event.action == "change":
            own = [span for span in spans if span.doc_id == event.doc_id]
            before, after = (found.standings(day)[event.doc_id] for day in (later(event.date, -1), event.date))
            assert any(before.words(span) != after.words(span) for span in own), event.where
