"""What weakens a golden set without being wrong."""

from pathlib import Path
from typing import Any

import pytest

from harness.errors import Problem
from harness.golden import doubts
from harness.golden.duplicates import copy_lots
from harness.golden.golden_set import load
from harness.golden.leaks import Asked
from harness.jsonl import read_rows
from tests.golden.folders import FILTER, refusal, row, write

PAYS = {"doc": "north.md", "quote": "North pays 5 euros."}
WASH = {"doc": "aq.md", "quote": "Never wash it."}
LASTS = "How many months does the filter of the air monitor last?"


def _asked(folder: Path, *rows: dict[str, Any]) -> Asked:
    golden = load(write(folder, rows))
    return list(zip(read_rows(folder / "questions.jsonl")[0], golden.questions, strict=True))


class TestRefusals:
    @pytest.mark.parametrize(("number", "split", "told"), [(28, "test", True), (29, "test", False), (40, "tune", True)])
    def test_fewer_than_29_in_test_are_too_few_to_show_90_percent(
        self, tmp_path: Path, number: int, split: str, told: bool
    ) -> None:
        rows = [refusal(id=f"u{place}", split=split) for place in range(number)]
        found = list(doubts.few_refusals(_asked(tmp_path, *rows)))
        assert [problem.code for problem in found] == ["G023"] * told
        assert all("30 show 90.5%" in problem.fix for problem in found)

    def test_a_set_without_sound_questions_is_not_told_so(self) -> None:
        assert not list(doubts.few_refusals([]))


class TestCopies:
    def _lines(self, folder: Path, *rows: dict[str, Any]) -> list[str]:
        asked = _asked(folder, *rows)
        return [problem.what for problem in doubts.copies(asked, copy_lots([question for _, question in asked]))]

    def test_they_are_told_by_line(self, tmp_path: Path) -> None:
        rows = [row(id="a", question=LASTS), row(id="b", question="Who?"), row(id="c", question=LASTS.upper())]
        assert self._lines(tmp_path, *rows) == ["2 of 3 questions are near-copies (lines 1, 3)."]

    @pytest.mark.parametrize(
        "other",
        [{"persona": "north"}, {"as_of": "2025-05-05"}, {"history": [{"role": "user", "content": "Hi"}]}, {"split": "tune"}],
        ids=["asker", "day", "turns", "split"],
    )
    def test_the_same_words_of_another_asker_day_history_or_split_are_none(self, tmp_path: Path, other: dict[str, Any]) -> None:
        assert self._lines(tmp_path, row(id="a", question=LASTS), row(id="b", question=LASTS, **other)) == []

    def test_of_a_lot_over_both_splits_each_side_is_told(self, tmp_path: Path) -> None:
        rows = [row(id=f"q{number}", question=LASTS, split=split) for number, split in enumerate(["tune", "test"] * 2 + ["test"])]
        assert self._lines(tmp_path, *rows) == ["5 of 5 questions are near-copies (lines 1, 3; 2, 4, 5)."]

    def test_of_a_large_lot_five_lines_are_told_and_the_others_counted(self, tmp_path: Path) -> None:
        rows = [row(id=f"q{number}", question=f"{LASTS} No {number}") for number in range(60)]
        assert self._lines(tmp_path, *rows) == ["60 of 60 questions are near-copies (lines 1, 2, 3, 4, 5, and 55 more)."]

    def test_of_many_lots_ten_are_told_and_the_others_counted(self, tmp_path: Path) -> None:
        (what,) = self._lines(tmp_path, *(row(id=f"q{n}", question=f"{'x' * (n // 2 + 1)}?") for n in range(26)))
        assert what.startswith("26 of 26 questions are near-copies (lines 1, 2; 3, 4; ")
        assert what.endswith("; 19, 20; and 3 more).")


KINDS = [
    ("a conflict as it should be", row(kind="conflict", conflict=True, evidence=[[FILTER], [PAYS]], persona="north", as_of="2025-05-05"), []),
    ("a conflict of one document, not said", row(kind="conflict"), ["conflict", "evidence"]),
    ("two hops", row(kind="multi_hop", evidence=[[FILTER], [PAYS]], persona="north", as_of="2025-05-05"), []),
    ("two hops in one document", row(kind="multi_hop", evidence=[[FILTER], [{"doc": "aq.md"}]]), ["evidence"]),
    ("a turn without turns", row(kind="multi_turn", history=[]), ["history"]),
    ("a turn after another", row(kind="multi_turn", history=[{"role": "user", "content": "Hi"}]), []),
    ("a tenant", row(kind="tenant", tenant="north"), []),
    ("a persona", row(kind="tenant", persona="north"), []),
    ("nobody", row(kind="tenant"), ["persona"]),
    ("an injection", row(kind="injection", forbid=[{"doc": "north.md"}]), []),
    ("an injection without harm", row(kind="injection"), ["forbid"]),
    ("a plain question", row(), []),
    ("no kind", row(kind=None), []),
]  # fmt: skip


@pytest.mark.parametrize(("fields", "told"), [case[1:] for case in KINDS], ids=[case[0] for case in KINDS])
def test_a_kind_needs_its_fields(tmp_path: Path, fields: dict[str, Any], told: list[str]) -> None:
    found = list(doubts.disagreements(_asked(tmp_path, fields)))
    assert [(problem.code, problem.where) for problem in found] == [("G035", f"questions.jsonl:1 {field}") for field in told]


class TestStaleStarts:
    def _found(self, folder: Path, **fields: Any) -> list[Problem]:
        asked = _asked(folder, row(**fields))
        return list(doubts.stale_starts(asked, {document.doc_id: document for document in load(folder).documents}))

    @pytest.mark.parametrize("start", [6, None])
    def test_a_right_start_or_none_is_fine(self, tmp_path: Path, start: int | None) -> None:
        place = FILTER if start is None else {**FILTER, "start": start}
        assert self._found(tmp_path, evidence=[[place]]) == []

    def test_a_wrong_one_beside_a_unique_quote_is_told(self, tmp_path: Path) -> None:
        (problem,) = self._found(tmp_path, evidence=[[FILTER], [{"doc": "aq.md", "quote": "The probe", "start": 3}]])
        assert (problem.code, problem.where) == ("G014", "questions.jsonl:1 evidence[1][0].start")
        assert problem.what.startswith("says 3, the quote stands at 49")

    def test_so_is_one_beside_a_prefix_that_tells(self, tmp_path: Path) -> None:
        (problem,) = self._found(tmp_path, forbid=[{**WASH, "prefix": "9 months.", "start": 33}])
        assert problem.where == "questions.jsonl:1 forbid[0].start"


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", []),
        (b"{}\n{}\n", []),
        (b"{}\n\n{}", []),
        (b"{}\r\n{}\r\n", ["questions.jsonl:1 2 lines"]),
        (b"{}\n{} \n", ["questions.jsonl:2 1 lines"]),
        (b"{}\n\t\n", ["questions.jsonl:2 1 lines"]),
    ],
)
def test_line_ends_that_tools_rewrite_are_told(tmp_path: Path, data: bytes, told: list[str]) -> None:
    path = tmp_path / "questions.jsonl"
    path.write_bytes(data)
    assert [f"{problem.where} {problem.what.split(' end')[0]}" for problem in doubts.line_ends(path)] == told
