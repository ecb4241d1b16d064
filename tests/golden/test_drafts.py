"""The review file."""

import json
from pathlib import Path

import pytest

from harness.errors import GoldenSetError
from harness.golden.drafts import read_lines, write_drafts
from tests.golden.folders import lines

DRAFT = {"id": "d1", "question": "How long?", "answerable": True, "reviewed": True}


def test_drafts_are_added_once_and_never_as_reviewed(tmp_path: Path) -> None:
    path = tmp_path / "drafts.jsonl"
    assert write_drafts(path, [DRAFT, DRAFT]) == 1
    assert write_drafts(path, [DRAFT, {**DRAFT, "id": "d2"}]) == 1
    assert [(row["id"], row["reviewed"]) for row in read_lines(path)] == [("d1", False), ("d2", False)]


def test_what_a_person_wrote_stays_and_a_missing_line_end_is_no_trap(tmp_path: Path) -> None:
    path = tmp_path / "drafts.jsonl"
    mine = json.dumps({**DRAFT, "id": "mine"})
    path.write_text(mine)
    write_drafts(path, [DRAFT])
    assert path.read_text().split("\n")[0] == mine
    assert [row["id"] for row in read_lines(path)] == ["mine", "d1"]


def test_nothing_new_leaves_no_file(tmp_path: Path) -> None:
    assert write_drafts(tmp_path / "drafts.jsonl", []) == 0
    assert not (tmp_path / "drafts.jsonl").exists()


def test_no_file_and_an_empty_file_hold_no_draft(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_text("\n")
    assert read_lines(tmp_path / "none.jsonl") == read_lines(tmp_path / "empty.jsonl") == ()


def test_every_broken_line_is_told(tmp_path: Path) -> None:
    path = tmp_path / "drafts.jsonl"
    path.write_text(
        '{"id": "d1", "question": "How long?", "answerable": true}\n{bad\n{"id": 3, "question": "?", "answerable": false}\n'
    )
    with pytest.raises(GoldenSetError) as caught:
        read_lines(path)
    assert [problem.where for problem in caught.value.problems] == ["drafts.jsonl:2", "drafts.jsonl:3 id"]


def test_what_a_person_has_yet_to_complete_is_no_fault_but_words_and_texts_that_no_question_may_hold_are(tmp_path: Path) -> None:
    path = tmp_path / "drafts.jsonl"
    open_ones = [{**DRAFT, "evidence": []}, {"id": "d2", "question": "How long?", "answerable": False}]
    path.write_bytes(lines(*open_ones))
    assert len(read_lines(path)) == 2
    bad = [
        {**DRAFT, "kind": "\x1b[2Jfactoid"},
        {**DRAFT, "id": "\x1b]0;x\x07"},
        {**DRAFT, "split": "prod"},
        {**DRAFT, "as_of": "today"},
    ]
    path.write_bytes(lines(*bad))
    with pytest.raises(GoldenSetError) as caught:
        read_lines(path)
    assert {problem.where for problem in caught.value.problems} == {
        "drafts.jsonl:1 kind", "drafts.jsonl:2 id", "drafts.jsonl:3 split", "drafts.jsonl:4 as_of",
    }  # fmt: skip
