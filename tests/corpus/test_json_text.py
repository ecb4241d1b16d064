"""JSON as documents."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.corpus import json_text
from harness.corpus.json_text import clean
from harness.corpus.loader import load_corpus, load_file
from harness.types import Document


@pytest.mark.parametrize("raw", ['{"a": 1}', '[{"a": 1},\n {"b": [2.50]}]\n', "[]", "{}", '[1, "x"]'])
def test_it_is_kept_as_it_was_written(tmp_path: Path, raw: str) -> None:
    (tmp_path / "a.json").write_text(raw)
    (document,) = load_corpus(tmp_path)
    assert (document.text, document.mime_type, document.title) == (raw, "application/json", "a")


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        ('{"a": 1', "not valid JSON: Expecting ',' delimiter"),
        ("{'a': 1}", "not valid JSON"),
        ("[" * 100_000, "nested too deeply"),
        ("[" * 60 + "]" * 60, "nested more than 50 deep"),
        ('{"a": 1, "a": 2}', "key 'a' appears twice"),
        ('{"a": NaN}', "contains NaN"),
        ("7", "holds one int, and an object or an array is needed"),
        ('"x"', "holds one str"),
    ],
)
def test_what_is_no_object_or_array_is_one_problem(tmp_path: Path, raw: str, says: str) -> None:
    (tmp_path / "a.json").write_text(raw)
    (problem,) = load_file(tmp_path / "a.json").problems
    assert (problem.code, problem.where) == ("C010", "a.json")
    assert says in problem.what


def test_a_huge_file_is_refused_unparsed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_text, "MAX_CHARACTERS", 10)
    with pytest.raises(ValueError, match="limit for JSON 10"):
        clean("[" + " " * 20)


def test_an_empty_file_is_called_empty(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(" \n")
    assert [problem.code for problem in load_file(tmp_path / "a.json").problems] == ["C002"]


_VALUES = st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.lists(inner), max_leaves=20)


@given(st.one_of(st.lists(_VALUES), st.dictionaries(st.text(), _VALUES)), st.sampled_from([None, 1]))
def test_all_that_python_writes_is_read(value: Any, indent: int | None) -> None:
    raw = json.dumps(value, indent=indent)
    assert clean(raw).text == raw


@given(st.text())
def test_any_text_is_read_or_refused_in_words(raw: str) -> None:
    try:
        assert clean(raw).text == raw
    except ValueError as error:
        assert str(error)


def test_a_place_is_its_line(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('[\n {"a": "first"},\n {"a": "second"}\n]')
    (document,) = load_corpus(tmp_path)
    assert isinstance(document, Document)
    start = document.text.index("second")
    assert document.place(start, start + 6) == "line 3"
