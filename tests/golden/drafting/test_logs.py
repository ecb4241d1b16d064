"""Logged user queries."""

from pathlib import Path

import pytest

from harness.errors import GoldenSetError
from harness.golden.drafting.logs import logged, read_log
from tests.golden.drafting.documents import document
from tests.golden.folders import lines


def test_a_log_is_read_with_all_its_fields(tmp_path: Path) -> None:
    fields = {
        "question": "And the fan?",
        "history": [{"role": "user", "content": "How long does the filter last?"}],
        "persona": "north",
        "as_of": "2026-01-01",
        "answer": "6 months",
        "feedback": "wrong",
    }
    (tmp_path / "log.jsonl").write_bytes(lines(fields))
    (row,) = read_log(tmp_path / "log.jsonl")
    assert (row.fields, row.where) == (fields, "log.jsonl:1")


def test_every_fault_of_a_log_is_told_at_once(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(
        lines(
            {"question": 3},
            "{bad",
            {"question": " "},
            {"qestion": "x"},
            {"question": "x", "history": [{"role": "bot", "content": "y"}], "as_of": "today"},
            {"question": "a\x07b"},
        )
    )
    with pytest.raises(GoldenSetError) as caught:
        read_log(path)
    assert sorted((problem.where, problem.code) for problem in caught.value.problems) == [
        ("log.jsonl:1 question", "G009"),
        ("log.jsonl:2", "G002"),
        ("log.jsonl:3 question", "G005"),
        ("log.jsonl:4 question", "G005"),
        ("log.jsonl:5 as_of", "G028"),
        ("log.jsonl:5 history[0].role", "G027"),
        ("log.jsonl:6 question", "G021"),
    ]


def test_what_a_log_says_besides_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    turn = {"role": "user", "content": "Hi", "ts": 3}
    path.write_bytes(lines({"question": "x", "timestamp": 1767225600, "user": {"id": 7}, "history": [turn], "note": "a\x07"}))
    assert [row.fields for row in read_log(path)] == [{"question": "x", "history": [{"role": "user", "content": "Hi"}]}]


def test_a_missing_log_is_a_problem_not_a_traceback(tmp_path: Path) -> None:
    with pytest.raises(GoldenSetError, match="is missing"):
        read_log(tmp_path / "none.jsonl")


def test_personal_data_is_masked_in_every_field_and_counted() -> None:
    fields = {
        "question": "I am a@b.org, help?",
        "history": [{"role": "user", "content": "My number: 0660 1234567"}],
        "answer": "Dear a@b.org, 5901234123457 is the EAN",
    }
    (wish,), masked = logged([("log log.jsonl:1", fields)], [document("p.md", "EAN 5901234123457\n")])
    assert masked == 3
    assert wish.fields == {"question": "I am [email], help?", "history": [{"role": "user", "content": "My number: [number]"}]}
    assert wish.provenance == (
        "promoted from log log.jsonl:1; the system answered 'Dear [email], 5901234123457 is the EAN'; "
        "whether it can be answered is a guess: a person has to decide"
    )
