"""A sentence and its markers."""

import pytest

from harness.generation.citations import cited_ids
from harness.generation.said import joined, marked


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("It is 5 m.", "It is 5 m [a][b]."),
        ("It is 5 m", "It is 5 m [a][b]."),
        ("It is 5 m!", "It is 5 m [a][b]!"),
        ("五元。", "五元 [a][b]。"),
        ("五元", "五元 [a][b]。"),
        ("``` x = 1", "x = 1 [a][b]."),
        ("~~~ x = 1", "x = 1 [a][b]."),
        ("`x` is 1.", "`x` is 1 [a][b]."),
        ("Wait ...", "Wait [a][b] ."),
    ],
)
def test_markers_stand_before_the_final_stop(text: str, said: str) -> None:
    assert marked(text, ["a", "b"]) == said
    assert cited_ids(said) == ("a", "b")


def test_sentences_make_one_paragraph() -> None:
    assert joined(["It is 5 m [a].", "It is red [b]."], ["a", "b"]) == "It is 5 m [a]. It is red [b]."


def test_a_paragraph_each_where_backticks_of_two_sentences_would_meet() -> None:
    said = joined(["Press ` now [a].", "Release ` now [b]."], ["a", "b"])
    assert said == "Press ` now [a].\n\nRelease ` now [b]."
    assert cited_ids(said) == ("a", "b")


def test_the_same_source_behind_two_sentences_is_read_twice() -> None:
    said = joined(["Press ` now [a].", "Release ` now [a].", "Hold ` [a]."], ["a", "a", "a"])
    assert said.count("\n\n") == 2
