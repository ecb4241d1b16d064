"""The user's own synonyms."""

from pathlib import Path

import pytest

from harness.errors import ConfigError
from harness.querying.glossary_synonyms import synonyms

PAIR = [("aerial", "antenna"), ("antenna", "aerial")]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.yaml", "aerial: antenna"),
        ("a.yml", "aerial: [antenna]"),
        ("a.yaml", "- [aerial, antenna]"),
        ("a.csv", "aerial,antenna\n\n"),
        ("a.CSV", '\ufeffaerial," antenna "\r\n,,\n'),
    ],
)
def test_each_form_of_the_file_says_the_same(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text, "utf-8")
    assert synonyms(str(tmp_path / name)) == PAIR


def test_a_group_of_three_has_six_pairs(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("aerial,antenna,アンテナ\n", "utf-8")
    found = synonyms(str(tmp_path / "a.csv"))
    assert len(found) == 6
    assert ("antenna", "アンテナ") in found


def test_without_a_file_there_are_none() -> None:
    assert synonyms("") == []


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.yaml", "aerial: [1]", "something else than words"),
        ("a.yaml", "no: way", "something else than words"),
        ("a.yaml", "aerial: {x: y}", "something else than words"),
        ("a.yaml", "just words", "something else than words"),
        ("a.yaml", "", "something else than words"),
        ("a.yaml", "a: [", "is no YAML"),
        ("a.yaml", "aerial: aerial", "two different words"),
        ("a.yaml", "aerial: ' - '", "two different words"),
        ("a.csv", "aerial\n", "two different words"),
        ("a.txt", "aerial,antenna", "neither .yaml nor .csv"),
    ],
)
def test_a_file_of_another_form_is_refused_with_what_is_needed(tmp_path: Path, name: str, text: str, said: str) -> None:
    (tmp_path / name).write_text(text, "utf-8")
    with pytest.raises(ConfigError, match=said):
        synonyms(str(tmp_path / name))


def test_a_file_that_is_not_there_or_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b"\xff\xfe\xff")
    for name in ("a.csv", "b.csv"):
        with pytest.raises(ConfigError, match="cannot be read"):
            synonyms(str(tmp_path / name))


def test_what_is_wrong_with_the_file_is_said_of_the_setting_that_names_it() -> None:
    with pytest.raises(ConfigError) as raised:
        synonyms("nowhere.yaml")
    (problem,) = raised.value.problems
    assert (problem.where, "nowhere.yaml" in problem.what, "a CSV file" in problem.fix) == ("rewrite.file", True, True)
