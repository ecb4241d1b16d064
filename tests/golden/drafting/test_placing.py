"""Group and split of a draft."""

from time import process_time
from typing import Any

from harness.golden.drafting.placing import Places

TODAY = "2026-06-30"


def row(
    group: str, split: str, doc: str = "a.md", question: str = "What else is there to know?", **fields: Any
) -> dict[str, Any]:
    return {"group": group, "split": split, "question": question, "evidence": [[{"doc": doc, "quote": "x"}]], **fields}


def placed(question: str, doc_id: str, rows: list[dict[str, Any]], **fields: Any) -> tuple[str, str]:
    return Places(rows, TODAY).of({"question": question, **fields}, doc_id)


ROWS = [row("aq", "tune"), row("aq", "tune"), row("prices", "test"), row("b", "test", "b.md")]


def test_a_draft_joins_the_group_of_most_questions_about_its_document_and_its_split() -> None:
    assert placed("How long?", "a.md", ROWS) == ("aq", "tune")
    assert placed("How long?", "b.md", ROWS) == ("b", "test")


def test_a_document_that_nobody_asked_about_is_a_group_of_test() -> None:
    assert placed("How long?", "c.md", ROWS) == ("c.md", "test")


def test_a_near_copy_takes_the_draft_into_its_own_group_and_split() -> None:
    copy = row("sm", "tune", "s.md", "How often should I renew the desiccant tube of the NL-100?")
    asked = "How often should I renew the desiccant tube of the PW-30?"
    assert placed(asked, "b.md", [*ROWS, copy]) == ("sm", "tune")


def test_the_same_words_of_another_asker_on_another_day_or_after_other_turns_are_no_near_copy() -> None:
    asked = "How often should I renew the desiccant tube?"
    history = [{"role": "user", "content": "The NL-100?"}]
    for fields in ({"persona": "north"}, {"tenant": "north"}, {"as_of": "2020-01-01"}, {"history": history}):
        copy = row("sm", "tune", "s.md", asked, **fields)
        assert placed(asked, "b.md", [*ROWS, copy]) == ("b", "test")
        assert placed(asked, "b.md", [*ROWS, copy], **fields) == ("sm", "tune")


def test_a_question_without_a_day_is_asked_on_that_of_the_set() -> None:
    copy = row("sm", "tune", "s.md", "How often should I renew it?", as_of=TODAY)
    assert placed("How often should I renew it?", "b.md", [copy]) == ("sm", "tune")


def test_a_group_that_was_given_is_kept_with_the_split_that_it_has_here() -> None:
    assert placed("How long?", "b.md", ROWS, group="aq", split="test") == ("aq", "tune")
    assert placed("How long?", "b.md", ROWS, group="new", split="tune") == ("new", "tune")


def test_a_hundred_questions_among_six_thousand_are_placed_in_a_moment() -> None:
    rows = [row(f"g{number}", "test", question=f"What is word{number} of number {number}?") for number in range(6000)]
    started = process_time()
    places = Places(rows, TODAY)
    found = [places.of({"question": f"What is word{number} of the number {number}?"}, "z.md") for number in range(100)]
    assert found == [(f"g{number}", "test") for number in range(100)]
    assert process_time() - started < 5
