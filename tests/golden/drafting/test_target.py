"""The golden set that drafts are for."""

from pathlib import Path

import pytest

from harness.errors import GoldenSetError
from harness.golden.drafting.target import read_target
from tests.golden.folders import lines, row, write


def test_questions_retired_ones_too_and_drafts_are_known(tmp_path: Path) -> None:
    folder = write(tmp_path / "set", [row(), row(id="q2", retired=True)], {"as_of": "2025-06-01"})
    (folder / "drafts.jsonl").write_bytes(lines(row(id="d1", evidence=[])))
    target = read_target(folder, folder / "drafts.jsonl")
    assert [item["id"] for item in target.earlier] == ["q1", "q2", "d1"]
    assert (target.name, target.as_of, sorted(target.documents)) == ("set", "2025-06-01", ["aq.md", "north.md"])


def test_a_corpus_without_questions_and_card_will_do(tmp_path: Path) -> None:
    folder = write(tmp_path / "set")
    (folder / "questions.jsonl").write_text("")
    (folder / "golden_set.yaml").unlink()
    target = read_target(folder, folder / "drafts.jsonl")
    assert (target.questions, target.drafts, target.as_of) == ((), (), "")


@pytest.mark.parametrize("name", ["questions.jsonl", "drafts.jsonl"])
def test_lines_that_cannot_be_read_are_told_all_at_once(tmp_path: Path, name: str) -> None:
    folder = write(tmp_path / "set")
    (folder / name).write_bytes(lines(row(), "{bad", row(id="q3", evidence="aq.md")))
    with pytest.raises(GoldenSetError) as caught:
        read_target(folder, folder / "drafts.jsonl")
    assert [problem.where for problem in caught.value.problems] == [f"{name}:2", f"{name}:3 evidence"]
