"""The citation parser: dialects, look-alikes, removal, speed."""

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.generation.citations import Citation, cited_ids, find, strip, without_citations

OWN = "3f2a9c1b2d3e"
OTHER = "0123456789ab"

DIALECTS = [
    (f"The range is 5 m [{OWN}].", (OWN,)),
    (f"5 m.[{OWN}] It is red.", (OWN,)),
    (f"5 m[{OWN}]", (OWN,)),
    (f"[{OWN}][{OTHER}]", (OWN, OTHER)),
    (f"[{OWN} {OTHER}]", (OWN, OTHER)),
    (f"`GET /x` [{OWN}]", (OWN,)),
    ("[a][b]", ("a", "b")),
    ("[a, b]", ("a", "b")),
    ("[a; b]", ("a", "b")),
    ("[a，b]", ("a", "b")),
    ("[a | b]", ("a", "b")),
    ("[a, b, a] and [b]", ("a", "b")),
    ("【a】", ("a",)),
    ("价格是五元【a】。", ("a",)),
    ("在东京[1]。", ("1",)),
    ("【12†source】", ("12",)),
    ("【4:0†manual.pdf】", ("4:0",)),
    ("[Source: a]", ("a",)),
    ("[source:a]", ("a",)),
    ("[Sources: a, b]", ("a", "b")),
    ("[Source: a; Source: b]", ("a", "b")),
    ("[Passage 2]", ("2",)),
    ("[Document 3, 4]", ("3", "4")),
    ("[chunk_id: c9]", ("c9",)),
    ("[^a]", ("a",)),
    ("[^1][^2]", ("1", "2")),
    ("[[a]]", ("a",)),
    ("[[a], [b]]", ("a", "b")),
    ("[1-3]", ("1", "2", "3")),
    ("[1–3]", ("1", "2", "3")),
    ("[c1-c3]", ("c1", "c2", "c3")),
    ("[1, 4-5]", ("1", "4", "5")),
    ("[1]-[3]", ("1", "3")),
    ("[docs/a.md:12]", ("docs/a.md:12",)),
    ("[v1.2_x-3]", ("v1.2_x-3",)),
    ("[refunds-v2]", ("refunds-v2",)),
    ("[a, p. 5]", ("a",)),
    ("[0]", ("0",)),
    ("Great![1]", ("1",)),
    ("The value [a] `x [b]", ("a", "b")),
]

LOOK_ALIKES = [
    "`[a]`",
    "``x[`a]`` and ``[b]``",
    "```\n[a]\n```",
    "~~~python\nrow = [a]\n~~~",
    "```\n[a]",
    "arr[0]",
    "arr[0][1]",
    "f(x)[0]",
    "dict[str, int]",
    "self._rows[a]",
    "[2024-01-01]",
    "[2024/01/01]",
    "[01/02/2024]",
    "[12:30]",
    "[2024]",
    "[2023-2024]",
    "[0, 1]",
    "[0.5]",
    "[sic]",
    "[Sic]",
    "[emphasis added]",
    "[he] said",
    "[T]he",
    "[N/A]",
    "[TODO]",
    "[...]",
    "[]",
    "[ ]",
    "[a](https://example.com)",
    "![a](image.png)",
    "![alt][image-1]",
    "[the manual][ref]",
    "[^1]: The manual.",
    "[a]: https://example.com",
    "- [ ] open",
    "- [x] done",
    "  * [X] done",
    "1. [x] done",
    "\\[a\\]",
    "[1-900]",
    "[3-1 apples]",
    "[a b]",
    "[a\nb]",
]


@pytest.mark.parametrize(("text", "ids"), DIALECTS)
def test_a_citation_is_found_in_every_dialect(text: str, ids: tuple[str, ...]) -> None:
    assert cited_ids(text) == ids


@pytest.mark.parametrize("text", LOOK_ALIKES)
def test_what_only_looks_like_a_citation_is_none(text: str) -> None:
    assert cited_ids(text) == ()


def test_find_gives_offsets_of_the_whole_marker() -> None:
    assert find("x [a] y [[b]].") == [Citation(2, 5, ("a",)), Citation(8, 13, ("b",))]


def test_a_citation_after_code_is_still_found() -> None:
    assert cited_ids("```\n[a]\n```\nSo `x[0]` is 5 [b].") == ("b",)


def test_a_stray_backtick_hides_nothing_beyond_its_paragraph() -> None:
    assert cited_ids("A stray ` here.\n\nThe range is 5 m [a].\n\nAnother ` there.") == ("a",)


@pytest.mark.parametrize(
    ("text", "unwanted", "left"),
    [
        ("The range is 5 m [x].", "x", "The range is 5 m."),
        ("It is 5 m. [x] It is red [a].", "x", "It is 5 m. It is red [a]."),
        ("[x] The range", "x", "The range"),
        ("It is 5 m [x]", "x", "It is 5 m"),
        ("It is 5 m [a, x].", "x", "It is 5 m [a]."),
        ("It is 5 m [Source: x, a].", "x", "It is 5 m [a]."),
        ("It is 5 m [x][a].", "x", "It is 5 m [a]."),
        ("It is 5 m [a][x].", "x", "It is 5 m [a]."),
        ("It is 5 m [[x]].", "x", "It is 5 m."),
        ("It is 5 m [1-3].", "2", "It is 5 m [1, 3]."),
        ("五元【x】。", "x", "五元。"),
        ("`[x]` stays [a]", "x", "`[x]` stays [a]"),
        ("- [x1] One\n- Two", "x1", "- One\n- Two"),
        ("Nothing to do [a].", "x", "Nothing to do [a]."),
    ],
)
def test_strip_removes_the_markers_of_the_given_ids(text: str, unwanted: str, left: str) -> None:
    assert strip(text, [unwanted]) == left


def test_without_citations_removes_neighbours_together() -> None:
    assert without_citations("It is 5 m [a] [b][c]. And red 【d】.") == "It is 5 m. And red."


@pytest.mark.parametrize(
    "text",
    [
        "[" * 10**6,
        "[a" * 500_000,
        "`" * 10**6,
        "(`" * 500_000,
        "[^" * 500_000,
        "```\n" * 250_000,
        "[" + "a," * 500_000,
        "[" + " " * 10**6 + "]",
    ],
    ids=["brackets", "open", "ticks", "tick-pairs", "carets", "fences", "commas", "blanks"],
)
def test_a_megabyte_of_anything_takes_a_moment(text: str) -> None:
    started = time.process_time()
    find(text)
    assert time.process_time() - started < 5


def test_a_megabyte_of_opening_brackets_takes_well_under_a_second() -> None:
    started = time.process_time()
    assert cited_ids("[" * 2**20) == ()
    assert time.process_time() - started < 0.5


def test_time_grows_with_the_text_not_with_its_square() -> None:
    def seconds(markers: int) -> float:
        started = time.process_time()
        without_citations("It is 5 [a] m. [x]\n" * markers)
        return time.process_time() - started

    seconds(100)
    assert seconds(20_000) < 40 * max(seconds(2_000), 0.005)


@given(st.text(alphabet="[]【】ab1,;-:^`!( )\n.\\", max_size=60))
def test_any_text_is_parsed_and_nothing_is_left_to_remove_twice(text: str) -> None:
    found = find(text)
    assert all(0 <= one.start < one.end <= len(text) and one.ids for one in found)
    assert all(left.end <= right.start for left, right in pairwise(found))
    assert len(without_citations(text)) <= len(text)
    assert strip(text, []) == text
