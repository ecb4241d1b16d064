"""Which sentence a citation belongs to."""

import pytest

from harness.generation.statements import statements


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It is 5 m [a]. It is red [b].", [("It is 5 m.", "a"), ("It is red.", "b")]),
        ("It is 5 m. [a] It is red. [b]", [("It is 5 m.", "a"), ("It is red.", "b")]),
        ("It is 5 m.[1] It is red.[2]", [("It is 5 m.", "1"), ("It is red.", "2")]),
        ("[a] It is 5 m.\n[b] It is red.", [("It is 5 m.", "a"), ("It is red.", "b")]),
        ("- One [a]\n- Two [b][c]", [("- One", "a"), ("- Two", "b c")]),
        ("It is 5 m.\n\nIt is red [a].", [("It is 5 m.", ""), ("It is red.", "a")]),
        ("It is 5 m [a].\n\n[b]", [("It is 5 m.", "a b")]),
        ("It is 5 m [a] wide and [b, a] high.", [("It is 5 m wide and high.", "a b")]),
        ("[a]", []),
        ("", []),
    ],
)
def test_every_sentence_has_its_own_citations(text: str, expected: list[tuple[str, str]]) -> None:
    assert [(found.text, " ".join(found.ids)) for found in statements(text)] == expected


def test_offsets_take_the_markers_in() -> None:
    text = "It is 5 m. [a] It is red."
    assert [text[found.start : found.end] for found in statements(text)] == ["It is 5 m. [a]", "It is red."]


def test_a_marker_in_code_is_no_citation() -> None:
    assert statements("Use `x[0]` or `[a]`.")[0].ids == ()


@pytest.mark.parametrize(
    ("text", "owned"),
    [
        ("[a1] It is 5 m. [b2] It floats. [c3] It sinks.", [("a1",), ("b2",), ("c3",)]),
        ("It is 5 m. [a1] [b2] It floats.", [("a1", "b2"), ()]),
        ("It is 5 m [a1]. [b2] It floats.", [("a1",), ("b2",)]),
    ],
)
def test_a_marker_between_two_sentences_goes_to_the_one_that_has_none_of_its_own(text, owned):
    assert [item.ids for item in statements(text)] == owned
