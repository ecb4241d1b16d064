"""Group and split of a draft."""

from typing import Any

from harness.golden.drafting.placing import placed


def row(
    group: str, split: str, doc: str = "a.md", question: str = "What else is there to know?", **fields: Any
) -> dict[str, Any]:
    return {"group": group, "split": split, "question": question, "evidence": [[{"doc": doc, "quote": "x"}]], **fields}


ROWS = [row("aq", "tune"), row("aq", "tune"), row("prices", "test"), row("b", "test", "b.md")]


def test_a_draft_joins_the_group_of_most_questions_about_its_document_and_its_split() -> None:
    assert placed("How long?", "", "a.md", ROWS) == ("aq", "tune")
    assert placed("How long?", "", "b.md", ROWS) == ("b", "test")


def test_a_document_that_nobody_asked_about_is_a_group_of_test() -> None:
    assert placed("How long?", "", "c.md", ROWS) == ("c.md", "test")


def test_a_near_copy_takes_the_draft_into_its_own_group_and_split() -> None:
    copy = row("sm", "tune", "s.md", "How often should I renew the desiccant tube of the NL-100?")
    asked = "How often should I renew the desiccant tube of the PW-30?"
    assert placed(asked, "", "b.md", [*ROWS, copy]) == ("sm", "tune")
    assert placed(asked, "north", "b.md", [*ROWS, copy]) == ("b", "test")


def test_a_group_that_was_given_is_kept_with_the_split_that_it_has_here() -> None:
    assert placed("How long?", "", "b.md", ROWS, "aq", "test") == ("aq", "tune")
    assert placed("How long?", "", "b.md", ROWS, "new", "tune") == ("new", "tune")
