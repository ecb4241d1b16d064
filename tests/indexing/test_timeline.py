"""A dated history leads to the corpus as it stands, so every day before can be had by going back."""

import json
from pathlib import Path

import pytest

from harness.errors import GoldenSetError
from harness.indexing.timeline import Timeline, replay, standings
from harness.indexing.timeline_file import TIMELINE, load_timeline
from harness.types import Span
from tests.builders import document

PRICE = document("price.md", "# Prices\n\nAn hour costs 84 EUR. A visit costs 120 EUR.\n", places=((0, 1), (10, 7)))
RANGE = document("range.md", "The gateway reaches 400 metres.")
RESET = document("reset.md", "Hold the button for ten seconds.")
CORPUS = (PRICE, RANGE, RESET)
EVENTS = [
    {"date": "2026-03-01", "action": "add", "doc": "range.md"},
    {"date": "2026-03-05", "action": "change", "doc": "price.md", "was": {"costs 80 EUR": "is 9 EUR"}},
    {"date": "2026-03-05", "action": "withdraw", "doc": "reset.md"},
    {"date": "2026-03-09", "action": "change", "doc": "price.md", "was": {"84 EUR": "80 EUR", "120 EUR": "95 EUR"}},
    {"date": "2026-03-09", "action": "restore", "doc": "reset.md"},
]


def written(folder: Path, events: list[dict[str, object]]) -> Path:
    path = folder / TIMELINE
    path.write_text("".join(json.dumps(event) + "\n" for event in events))
    return path


@pytest.fixture
def timeline(tmp_path: Path) -> Timeline:
    return load_timeline(written(tmp_path, EVENTS), CORPUS)


@pytest.mark.parametrize(
    ("day", "there", "price"),
    [
        ("2026-02-28", ["price.md", "reset.md"], "An hour is 9 EUR. A visit costs 95 EUR."),
        ("2026-03-01", ["price.md", "range.md", "reset.md"], "An hour is 9 EUR. A visit costs 95 EUR."),
        ("2026-03-05", ["price.md", "range.md"], "An hour costs 80 EUR. A visit costs 95 EUR."),
        ("2026-03-08", ["price.md", "range.md"], "An hour costs 80 EUR. A visit costs 95 EUR."),
        ("2026-03-09", ["price.md", "range.md", "reset.md"], "An hour costs 84 EUR. A visit costs 120 EUR."),
    ],
)
def test_the_corpus_of_a_day_holds_what_happened_up_to_its_end(
    timeline: Timeline, day: str, there: list[str], price: str
) -> None:
    found = {item.doc_id: item for item in replay(timeline, CORPUS, day)}
    assert list(found) == there
    assert found["price.md"].text == f"# Prices\n\n{price}\n"


def test_after_all_events_the_corpus_is_as_it_stands(timeline: Timeline) -> None:
    assert replay(timeline, CORPUS, "2026-03-09") == replay(timeline, CORPUS, "9999-12-31") == CORPUS


def test_a_text_that_was_another_has_another_digest_and_the_places_of_its_lines(timeline: Timeline) -> None:
    (before,) = [item for item in replay(timeline, CORPUS, "2026-03-01") if item.doc_id == "price.md"]
    assert before.content_hash not in ("", PRICE.content_hash)
    assert (before.place(11, 20), before.places) == ("line 7", ((0, 1), (10, 7)))


def at(text: str) -> Span:
    """Where it stands in the final price list."""
    return Span("price.md", PRICE.text.index(text), PRICE.text.index(text) + len(text))


@pytest.mark.parametrize(
    ("final", "on_day"),
    [
        ("An hour costs 84 EUR.", "An hour is 9 EUR."),
        ("A visit costs", "A visit costs"),
        ("84", "is 9 EUR"),  # inside changed words: all that stood there before
        ("120 EUR.", "95 EUR."),
        ("# Prices", "# Prices"),
        ("An hour costs 84 EUR. A visit costs 120 EUR.", "An hour is 9 EUR. A visit costs 95 EUR."),
    ],
)
def test_a_place_of_the_final_document_is_found_on_an_earlier_day(timeline: Timeline, final: str, on_day: str) -> None:
    assert standings(timeline, CORPUS, "2026-03-01")["price.md"].words(at(final)) == on_day


def change(doc: str, was: object, date: str = "2026-03-09") -> dict[str, object]:
    return {"date": date, "action": "change", "doc": doc, "was": was}


def event(date: str, action: str, doc: str = "reset.md") -> dict[str, object]:
    return {"date": date, "action": action, "doc": doc}


@pytest.mark.parametrize(
    ("events", "code", "said"),
    [
        ([event("2026-03-01", "add", "rnage.md")], "H001", "did you mean 'range.md'?"),
        ([event("March", "add")], "H002", "'March' is not a date"),
        ([event("2026-03-02", "add"), event("2026-03-01", "add", "range.md")], "H002", "2026-03-01 comes after 2026-03-02"),
        ([event("2026-03-01", "remove")], "G027", "'remove' is unknown"),
        ([{**event("2026-03-01", "add"), "was": {"a": "b"}}], "H003", "means nothing for 'add'"),
        ([event("2026-03-01", "change")], "H003", "is missing"),
        ([change("price.md", {"84 EUR": 9})], "H003", "no change of words"),
        ([change("price.md", {"84 EUR": "84 EUR"})], "H003", "no change of words"),
        ([change("price.md", {" ": "x"})], "H003", "no change of words"),
        ([change("price.md", {"EUR": "USD"})], "H004", "'EUR' stands 2 times in 'price.md' as it stood after 2026-03-09"),
        ([change("price.md", {"84 USD": "9 EUR"})], "H004", "'84 USD' stands 0 times"),
        ([change("price.md", {"costs 84": "is 9", "84 EUR": "80 EUR"})], "H004", "its words overlap"),
        ([event("2026-03-01", "withdraw")], "H005", "withdrawn in the end"),
        ([event("2026-03-01", "restore")], "H005", "it is there then"),
        ([event("2026-03-01", "add"), event("2026-03-02", "add")], "H005", "it is there then"),
        (
            [event("2026-03-01", "withdraw"), change("reset.md", {"ten": "five"}), event("2026-03-10", "restore")],
            "H005",
            "it is gone",
        ),
        ([{"date": "2026-03-01", "action": "add"}], "G005", "is missing"),
        ([{**event("2026-03-01", "add"), "why": "x"}], "G004", "field 'why' is unknown"),
    ],
)
def test_a_history_that_cannot_have_been_is_refused(
    tmp_path: Path, events: list[dict[str, object]], code: str, said: str
) -> None:
    with pytest.raises(GoldenSetError) as caught:
        load_timeline(written(tmp_path, events), CORPUS)
    assert [problem.code for problem in caught.value.problems] == [code]
    assert said in str(caught.value)
    assert f"{TIMELINE}:" in str(caught.value)


def test_all_problems_are_told_at_once(tmp_path: Path) -> None:
    lines = [event("never", "add", "a.md"), event("2026-03-01", "remove"), change("price.md", {})]
    with pytest.raises(GoldenSetError, match="4 problem") as caught:
        load_timeline(written(tmp_path, lines), CORPUS)
    assert [problem.code for problem in caught.value.problems] == ["H002", "H001", "G027", "H003"]


def test_words_of_an_earlier_change_are_looked_for_in_the_text_of_that_time(tmp_path: Path) -> None:
    lines = [change("price.md", {"80 EUR": "70 EUR"}, "2026-03-01"), change("price.md", {"84 EUR": "80 EUR"})]
    found = load_timeline(written(tmp_path, lines), CORPUS)
    assert "70 EUR" in replay(found, CORPUS, "2026-02-28")[0].text
    with pytest.raises(GoldenSetError, match="stands 0 times"):
        load_timeline(written(tmp_path, lines[:1]), CORPUS)


def test_a_file_without_a_line_is_refused(tmp_path: Path) -> None:
    with pytest.raises(GoldenSetError, match="G001"):
        load_timeline(written(tmp_path, []), CORPUS)
