"""Title and fields of reStructuredText."""

from pathlib import Path
from typing import Any

import pytest
from docutils.parsers.rst import roles
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.corpus import rst
from harness.corpus.loader import load_corpus, load_file
from harness.corpus.rst import clean

PAGE = """.. _top:

=====
Probe
=====
:Author: Ann Bee
:Date: 2025-03-01
:Version: 2.10
:Tenant: north
:ACL: north, support
:orphan:

Care
----

Text.
"""


def test_title_and_fields_become_metadata_and_the_text_stays() -> None:
    cleaned = clean(PAGE)
    assert cleaned.text == PAGE
    assert cleaned.fields == {
        "title": "Probe",
        "author": "Ann Bee",
        "updated_at": "2025-03-01",
        "version": "2.10",
        "tenant": "north",
        "acl": ["north", "support"],
        "orphan": "",
    }


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("Only text.", {}),
        ("", {}),
        ("One\n===\n\nx\n\nTwo\n===\n\ny\n", {"title": "One"}),
        ("Text first.\n\nOne\n===\n\nx\n", {"title": "One"}),
        ("A *bold* ``name``\n=================\n", {"title": "A bold name"}),
        (".. contents:: Inside\n\nOne\n===\n\nx\n", {"title": "One"}),
        ("T\n=\n:Authors: Ann; Bob\n", {"title": "T", "author": "Ann, Bob"}),
        ("T\n=\n:Date: last spring\n", {"title": "T", "date": "last spring"}),
        ("T\n=\n:Version:\n", {"title": "T"}),
        ("T\n=\n:unknown:`role`\n\n.. unknown::\n", {"title": "T"}),
    ],
)
def test_what_docutils_finds(text: str, fields: dict[str, Any]) -> None:
    assert clean(text).fields == fields


@pytest.mark.parametrize(
    "directive", ["include:: {0}", "raw:: html\n   :file: {0}", "csv-table:: x\n   :file: {0}", "literalinclude:: {0}"]
)
def test_no_other_file_is_read_and_nothing_is_written(tmp_path: Path, capfd: pytest.CaptureFixture[str], directive: str) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("Secret\n======\n")
    assert clean(f".. {directive.format(secret)}\n\nNext\n====\n\n:bad:`x` **\n").fields == {"title": "Next"}
    assert capfd.readouterr() == ("", "")


SPELT = ["{}::", "{} ::", "{}::\t", "{}::\u2003"]
"""How docutils lets a directive be written, each in any case."""


@pytest.mark.parametrize("spelt", SPELT)
@pytest.mark.parametrize("name", ["date", "Date", "DATE", "replace", "Unicode", "image"])
def test_nothing_is_put_for_a_name_in_a_title(name: str, spelt: str) -> None:
    directive = spelt.format(name)
    for definition in (f".. |d| {directive} %Y\n", f"- .. |d| {directive} %Y\n", f".. |d|\n   {directive} %Y\n"):
        assert clean(f"As of |d|\n=========\n:Date: |d|\n\n{definition}").fields == {"title": "As of |d|", "date": "|d|"}


@pytest.mark.parametrize("spelt", SPELT)
@pytest.mark.parametrize("name", ["role", "Role", "default-role", "Default-Role", "DEFAULT-ROLE"])
def test_no_file_changes_how_another_is_read(name: str, spelt: str) -> None:
    one = f".. {spelt.format(name)} mine\n\nOne :mine:`b` `c`\n=================\n\n- .. {spelt.format(name)} strong\n"
    other = "Two :mine:`b` `c`\n=================\n"
    alone = clean(other)
    first = clean(one)
    assert (clean(other), clean(one), clean(other)) == (alone, first, alone)
    assert alone.fields == {"title": "Two :mine:`b` c"}
    assert first.fields == {"title": "One :mine:`b` c"}


def test_roles_of_docutils_stay_as_they_are() -> None:
    before = dict(roles._roles)
    clean("".join(f"{place} :: x\n.. Role:: r{number}\n\n" for number, place in enumerate(["", ".. default-role"])))
    assert {name for name in roles._roles if name.startswith("r")} == {name for name in before if name.startswith("r")}
    assert "" not in roles._roles


def test_substitutions_that_double_thirty_times_do_no_harm() -> None:
    doubling = "".join(f".. |a{number}| replace:: |a{number + 1}| |a{number + 1}|\n" for number in range(30))
    assert clean(f"T |a0|\n======\n\n{doubling}\n|a0|\n").fields == {"title": "T |a0|"}


@pytest.mark.parametrize("title", ["std::vector", "Use a::", "a :: b", "Date:: x", "::"])
def test_colons_of_a_title_stay(title: str) -> None:
    assert clean(f"{title}\n{'=' * 20}\n\nx\n").fields == {"title": title}


def test_a_title_underlined_with_colons_is_one() -> None:
    assert clean("Care\n::::\n:Author: Ann::\n").fields == {"title": "Care", "author": "Ann::"}


def test_only_the_head_of_a_long_file_is_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rst, "HEAD", 10)
    assert clean("T\n=\n\nText.\n\nLater\n=====\n").fields == {"title": "T"}


def test_a_wrong_field_is_a_fault_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "a.rst").write_text("T\n=\n:valid_from: soon\n")
    assert [f"{problem.code} {problem.where}" for problem in load_file(tmp_path / "a.rst").problems] == ["C009 a.rst valid_from"]


def test_metadata_yaml_goes_before_the_fields(tmp_path: Path) -> None:
    (tmp_path / "a.rst").write_text(PAGE)
    (tmp_path / "metadata.yaml").write_text("a.rst: {version: '3'}")
    (document,) = load_corpus(tmp_path)
    assert (document.version, document.author) == ("3", "Ann Bee")


_MARKUP = [
    "===\n",
    "T\n",
    ":A: b\n",
    ".. include:: x\n",
    "*",
    "`",
    "|",
    "::\n",
    "\n",
    "  ",
    ".. ",
    "+-+\n",
    "[1]_",
    "\\",
    "\x00",
    "é",
]


@settings(max_examples=150, deadline=None)
@given(st.one_of(st.text(), st.lists(st.sampled_from(_MARKUP), max_size=30).map("".join)))
def test_any_text_is_kept_as_it_is(text: str) -> None:
    assert clean(text).text == text


@pytest.mark.parametrize("text", ["(" * 20_000, "`" * 20_000, "- " * 9_000, "> " * 9_000, "+-" * 10_000])
def test_depth_and_length_do_no_harm(text: str) -> None:
    assert clean(text).text == text
