"""Answers are written by a model that read somebody's document: they are shown as text everywhere."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.reporting.escape import clean, code, markdown, one_line


@pytest.mark.parametrize(
    ("hostile", "harmless"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]0;new title\x07text", "text"),
        ("\x1b]8;;http://evil\x1b\\click\x1b]8;;\x1b\\", "click"),
        ("\x1b[2J\x1b[Hwiped", "wiped"),
        ("a\x00b\x08c\rd", "abcd"),
        ("\x9b31mred", "red"),
        ("user\u202etxt.exe", "usertxt.exe"),
        ("lone \ud800 surrogate", "lone  surrogate"),
        ("two\r\nlines", "two\nlines"),
    ],
)
def test_terminal_codes_and_control_characters_are_removed(hostile: str, harmless: str) -> None:
    assert clean(hostile) == harmless


@pytest.mark.parametrize("command", ["::set-output name=x::y", "  ::error::z", "\u2003\t::error::z", "##[group]x", " ##[group]x"])
def test_a_line_never_starts_a_workflow_command(command: str) -> None:
    shown = clean(f"first\n{command}").splitlines()[1].lstrip()
    assert not shown.startswith(("::", "##["))


def test_colons_inside_a_line_stay() -> None:
    assert clean("std::vector") == "std::vector"


@pytest.mark.parametrize(
    ("text", "limit", "shown"),
    [
        ("two\n  words", 20, "two words"),
        ("one two three", 13, "one two three"),
        ("one two three four", 13, "one two…"),
        ("abcdefghijkl", 5, "abcd…"),
    ],
)
def test_long_text_is_cut_at_a_blank(text: str, limit: int, shown: str) -> None:
    assert one_line(text, limit) == shown
    assert len(one_line(text, limit)) <= limit


@pytest.mark.parametrize(
    ("hostile", "harmless"),
    [
        ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
        ("a | b", r"a \| b"),
        ("hi @everyone", "hi @&#8203;everyone"),
        ("fixes #12", "fixes #&#8203;12"),
        ("![x](http://evil/p.png)", r"\!\[x\](http:/&#8203;/evil/p.png)"),
        ("www.evil.com", "www&#8203;.evil.com"),
        ("**bold** _it_ `code`", r"\*\*bold\*\* \_it\_ \`code\`"),
        ("é@octocat", "é@&#8203;octocat"),
        ("a@b.com", "a@&#8203;b.com"),
        ("a@5.com", "a@&#8203;5.com"),
        ("é@5", "é@&#8203;5"),
        ("octocat/hello#1", "octocat/hello#&#8203;1"),
        ("GH-12 or gh-3", "GH-&#8203;12 or gh-&#8203;3"),
        ("see " + "a1" * 20, "see " + "a1a1a1&#8203;" * 6 + "a1a1&#8203;"),
        ("octocat@abc1234", "octocat@&#8203;abc1234"),
        ("&#64;everyone", "&amp;#&#8203;64;everyone"),
    ],
)
def test_markdown_shows_markup_as_text(hostile: str, harmless: str) -> None:
    assert markdown(hostile) == harmless


@pytest.mark.parametrize("name", ["Recall@5", "MRR@10, nDCG@10.", "hybrid_rerank", "C#", "0.5 - 0.7", "c0ffeec0ffee"])
def test_ordinary_names_stay_readable_in_markdown(name: str) -> None:
    assert markdown(name) == name


LINKED = st.text(st.sampled_from("aé日f019@#-/. GgHh_"), max_size=60)


@given(LINKED)
def test_no_text_is_a_mention_an_address_an_issue_or_a_commit(text: str) -> None:
    shown = markdown(text).replace("&#8203;", "\u200b").replace("\\", "")
    assert not re.search(r"(?a)(?:^|\W)@\w", shown), "a mention, for a site that takes é for no letter"
    assert not re.search(r"\w@[\w-]+\.\w", shown), "an address"
    assert not re.search(r"#\d|(?i:gh-\d)", shown), "an issue"
    assert not re.search(r"(?i)(?<![a-z0-9])[0-9a-f]{40}(?![a-z0-9])", shown), "a commit"


@pytest.mark.parametrize(
    "text", ["\n", " ", "\t", " \n", "\n\t", ":", "\n::", "##[", "\x1b[", "\x1b]", "\x9b0", "\r\n", "a1", "@", "\u2003"]
)
def test_a_megabyte_of_anything_is_made_harmless_in_linear_time(text: str) -> None:
    """What takes squared time takes hours on this."""
    assert not re.search(r"(?m)^[ \t]*(::|##\[)", clean(text * (2**20 // len(text))))
    assert len(markdown(text * (2**20 // len(text)))) < 2_000


def test_a_code_span_cannot_be_left_nor_break_its_table() -> None:
    assert code("a`|b\n`c") == "`a'¦b 'c`"
    assert code("") == ""


NASTY = st.text(st.sampled_from("\x1b\x9b[]();:|<>&@#!*_`~\\\n\r\t\x00\x07 a1mHwww.http://"), max_size=60)


@given(NASTY)
def test_no_text_keeps_a_control_character(text: str) -> None:
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", clean(text))


@given(NASTY)
def test_a_markdown_cell_is_one_line_without_html_bars_or_images(text: str) -> None:
    cell = markdown(text)
    bare = re.sub(r"\\[\\`*\[\]|!~_]", "", cell)
    assert not re.search(r"[\n<>|`*\[\]!~]", bare)
    assert "://" not in bare


@given(NASTY)
def test_a_code_span_holds_no_backtick_but_its_own(text: str) -> None:
    span = code(text)
    assert span.count("`") in (0, 2)
    assert "|" not in span


@given(NASTY, st.integers(2, 40))
def test_one_line_never_exceeds_its_limit(text: str, limit: int) -> None:
    line = one_line(text, limit)
    assert len(line) <= limit
    assert "\n" not in line
