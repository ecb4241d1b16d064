"""What stands in tune and test at once."""

from pathlib import Path
from typing import Any

import pytest

from harness.errors import Problem
from harness.golden.golden_set import load
from harness.golden.leaks import leaks
from harness.jsonl import read_rows
from tests.golden.folders import row, write

LASTS = "How many months does the filter of the air monitor last?"


def _leaks(folder: Path, *rows: dict[str, Any], stated: bool = True) -> list[Problem]:
    golden = load(write(folder, rows))
    return leaks(list(zip(read_rows(folder / "questions.jsonl")[0], golden.questions, strict=True)), stated)


def test_near_copies_in_both_splits_are_told_at_the_later_one(tmp_path: Path) -> None:
    rows = [row(id="a", question="Who?", group="1"), row(id="b", question=LASTS, split="tune"), row(id="c", question=LASTS)]
    (problem,) = _leaks(tmp_path, *rows)
    assert (problem.code, problem.where) == ("G034", "questions.jsonl:3 split")
    assert problem.what == "c in split test is a near-copy of line 2 (b, split tune)."


@pytest.mark.parametrize("other", [{"persona": "north"}, {"as_of": "2025-05-05"}, {"split": "tune"}], ids=str)
def test_the_same_words_of_another_asker_or_day_or_in_one_split_are_no_leak(tmp_path: Path, other: dict[str, Any]) -> None:
    assert _leaks(tmp_path, row(id="a", question=LASTS, split="tune"), row(id="b", question=LASTS, **other)) == []


def test_a_group_in_both_splits_is_told_with_its_lines(tmp_path: Path) -> None:
    rows = [row(id=f"q{number}", question=f"{'x' * (number + 1)}?", group="story") for number in range(7)]
    (problem,) = _leaks(tmp_path, *rows, row(id="t", question="Who?", split="tune", group="story"))
    assert problem.where == "questions.jsonl:8 group"
    assert problem.what == "group 'story' is in test (line 1, 2, 3, 4, 5, ...) and in tune (line 8)."


def test_groups_that_keep_to_a_split_are_fine(tmp_path: Path) -> None:
    rows = [row(id="a", group="x", split="tune"), row(id="b", question="Who?", group="y")]
    assert _leaks(tmp_path, *rows) == []
    assert _leaks(tmp_path, *rows, stated=False) == []


class TestGroupsThatNobodyNamed:
    ROWS = (row(id="a", split="tune"), row(id="b", question="Who pays?"))

    def test_they_are_no_error(self, tmp_path: Path) -> None:
        assert _leaks(tmp_path, *self.ROWS) == []

    def test_they_are_told_once_by_document(self, tmp_path: Path) -> None:
        (problem,) = _leaks(tmp_path, *self.ROWS, stated=False)
        assert problem.what == "1 documents are asked about in tune and test by questions without a group: 'aq.md'."
