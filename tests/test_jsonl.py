"""Strict JSON lines."""

import json
from pathlib import Path

import pytest

from harness import jsonl
from harness.jsonl import JsonError, parse_json, read_rows


def _read(folder: Path, data: bytes) -> tuple[list[tuple[str, dict[str, object]]], list[str]]:
    path = folder / "rows.jsonl"
    path.write_bytes(data)
    rows, problems = read_rows(path)
    return [(row.where, row.fields) for row in rows], [f"{problem.code} {problem.where}" for problem in problems]


def test_sound_lines_are_read_with_their_place(tmp_path: Path) -> None:
    assert _read(tmp_path, b'{"a": 1}\n\n{"b": "\xc3\xa9"}\n') == ([("rows.jsonl:1", {"a": 1}), ("rows.jsonl:3", {"b": "é"})], [])


def test_the_last_line_may_lack_its_line_end(tmp_path: Path) -> None:
    assert _read(tmp_path, b'{"a": 1}\n{"a": 2}')[1] == []


def test_windows_line_ends_do_no_harm(tmp_path: Path) -> None:
    assert _read(tmp_path, b'{"a": 1}\r\n{"a": 2}\r\n') == ([("rows.jsonl:1", {"a": 1}), ("rows.jsonl:2", {"a": 2})], [])


def test_a_faulty_line_does_not_hide_the_others(tmp_path: Path) -> None:
    rows, problems = _read(tmp_path, b'{"a": 1}\nnull\n{"a": NaN}\n{"a": 2}\n\xff\n')
    assert [where for where, _ in rows] == ["rows.jsonl:1", "rows.jsonl:4"]
    assert problems == ["G002 rows.jsonl:2", "G019 rows.jsonl:3", "G016 rows.jsonl:5"]


def test_a_line_separator_inside_a_text_is_no_line_end(tmp_path: Path) -> None:
    assert _read(tmp_path, '{"a": "x\u2028y\x85z"}\n'.encode())[0] == [("rows.jsonl:1", {"a": "x\u2028y\x85z"})]


@pytest.mark.parametrize("data", [b'{"a": 1}\n{"a": "x', b'{"a": 1}\n{"a": ', b'{"a": 1}\n{'])
def test_a_last_line_without_its_end_is_cut_off(tmp_path: Path, data: bytes) -> None:
    assert _read(tmp_path, data)[1] == ["G003 rows.jsonl:2"]


def test_a_key_twice_deep_inside_is_found(tmp_path: Path) -> None:
    assert _read(tmp_path, b'{"a": [{"b": 1, "b": 1}]}')[1] == ["G008 rows.jsonl:1"]


def test_after_a_byte_order_mark_the_lines_are_still_read(tmp_path: Path) -> None:
    assert _read(tmp_path, b'\xef\xbb\xbf{"a": 1}\n') == ([("rows.jsonl:1", {"a": 1})], ["G017 rows.jsonl:1"])


def test_a_file_too_large_is_refused_unread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsonl, "MAX_FILE", 5)
    assert _read(tmp_path, b'{"a": 1}') == ([], ["G020 rows.jsonl"])


@pytest.mark.parametrize("name", ["nowhere.jsonl", "."])
def test_what_is_no_file_is_a_problem_and_no_crash(tmp_path: Path, name: str) -> None:
    rows, (problem,) = read_rows(tmp_path / name)
    assert (rows, problem.code) == ([], "G001")


@pytest.mark.parametrize(("depth", "faults"), [(50, []), (51, ["G002 rows.jsonl:1"]), (100_000, ["G002 rows.jsonl:1"])])
def test_a_line_may_be_nested_fifty_deep(tmp_path: Path, depth: int, faults: list[str]) -> None:
    line = b'{"a": ' + b"[" * (depth - 1) + b"]" * (depth - 1) + b"}\n"
    assert _read(tmp_path, line)[1] == faults


def test_many_small_lists_are_not_deep(tmp_path: Path) -> None:
    assert _read(tmp_path, b'{"a": [' + b"[], " * 200 + b"[]]}\n")[1] == []


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "not valid JSON"),
        ("", "not valid JSON"),
        ("NaN", "contains NaN"),
        ("[-Infinity]", "contains -Infinity"),
        ("1e999", "contains '1e999', which is no finite number"),
        ("-1e999", "contains '-1e999', which is no finite number"),
        ("1" * 301, "a number of 301 digits"),
        ("1" * 5_000, "a number of 5,000 digits"),
        ("[" * 51 + "]" * 51, "nested more than 50 deep"),
        ("[" * 100_000, "nested too deeply"),
        ('{"a": ' * 100_000, "nested too deeply"),
        ('{"a": 1, "a": 2}', "appears twice"),
    ],
)
def test_a_text_that_is_no_sound_json_is_a_fault_that_says_what(text: str, says: str) -> None:
    for data in (text, text.encode()):
        with pytest.raises(JsonError, match=says):
            parse_json(data)


def test_bytes_that_are_no_utf_8_are_a_fault() -> None:
    with pytest.raises(JsonError, match="not UTF-8"):
        parse_json(b'"\xff"')


@pytest.mark.parametrize("text", ["-7", "0.1", "1e308", "5e-324", "1" * 300, "true", '{"a": [1, null, "x"]}'])
def test_sound_json_is_read_as_python_reads_it(text: str) -> None:
    assert parse_json(text) == parse_json(text.encode()) == json.loads(text)
