"""What stands in tune and test at once, as `golden check` tells it."""

from pathlib import Path
from typing import Any

import pytest

from harness.errors import Problem
from harness.golden import leaks
from harness.golden.golden_set import load
from harness.golden.ties import ties
from harness.jsonl import read_rows
from tests.golden.folders import FILTER, row, write

LASTS = "How many months does the filter of the air monitor last?"
PROBE = {"doc": "aq.md", "quote": "The probe lasts 9 months."}
AQ = {"doc": "aq.md", "quote": "# AQ"}


def _told(folder: Path, *rows: dict[str, Any], **card: Any) -> tuple[list[Problem], list[Problem]]:
    """Errors and warnings."""
    golden = load(write(folder, rows, card))
    asked = list(zip(read_rows(folder / "questions.jsonl")[0], golden.questions, strict=True))
    found = ties(golden.questions, golden.documents, golden.as_of).straddling
    return list(leaks.errors(asked, found)), list(leaks.warnings(asked, found))


def _apart(*rows: dict[str, Any]) -> list[dict[str, Any]]:
    """The rows, each of a group of its own and with evidence of a whole document."""
    return [{"group": f"g{number}", **item, "evidence": [[{"doc": "aq.md"}]]} for number, item in enumerate(rows)]


class TestNearCopies:
    def test_in_both_splits_they_are_told_at_the_first_line_of_the_second_side(self, tmp_path: Path) -> None:
        rows = _apart(row(id="a", question="Who?"), row(id="b", question=LASTS, split="tune"), row(id="c", question=LASTS))
        ((problem,), warnings) = _told(tmp_path, *rows)
        assert (problem.code, problem.where) == ("G034", "questions.jsonl:3 split")
        assert problem.what == "near-copies are in tune (line 2) and in test (line 3)."
        assert warnings == []

    @pytest.mark.parametrize("other", [{"persona": "north"}, {"as_of": "2025-05-05"}, {"split": "tune"}], ids=str)
    def test_of_another_asker_or_day_or_in_one_split_they_are_no_leak(self, tmp_path: Path, other: dict[str, Any]) -> None:
        rows = _apart(row(id="a", question=LASTS, split="tune"), row(id="b", question=LASTS, **other))
        assert _told(tmp_path, *rows) == ([], [])

    def test_the_cards_day_is_that_of_questions_without_one(self, tmp_path: Path) -> None:
        rows = _apart(row(id="a", question=LASTS, split="tune"), row(id="b", question=LASTS, as_of="2025-05-05"))
        assert len(_told(tmp_path, *rows, as_of="2025-05-05")[0]) == 1
        assert _told(tmp_path, *rows, as_of="2025-05-06") == ([], [])

    def test_many_of_one_template_are_told_in_one_line(self, tmp_path: Path) -> None:
        rows = _apart(*(row(id=f"q{n}", question=f"{LASTS} No {n}", split=("tune", "test")[n % 2]) for n in range(40)))
        ((problem,), _) = _told(tmp_path, *rows)
        assert problem.what == (
            "near-copies are in tune (line 1, 3, 5, 7, 9, and 15 more) and in test (line 2, 4, 6, 8, 10, and 15 more)."
        )

    def test_of_many_lots_twenty_are_told_and_the_others_counted(self, tmp_path: Path) -> None:
        rows = _apart(*(row(id=f"q{n}", question=f"{'x' * (n // 2 + 1)}?", split=("tune", "test")[n % 2]) for n in range(46)))
        errors, _ = _told(tmp_path, *rows)
        assert len(errors) == 21
        assert errors[-1].where == "questions.jsonl split"
        assert errors[-1].what == "3 more lots of near-copies are in both splits."


class TestGroups:
    def test_a_group_that_lines_name_is_told_with_them(self, tmp_path: Path) -> None:
        rows = [row(id=f"q{number}", question=f"{'x' * (number + 1)}?", group="story") for number in range(7)]
        ((problem,), _) = _told(tmp_path, *rows, row(id="t", question="Who?", split="tune", group="story"))
        assert problem.where == "questions.jsonl:8 group"
        assert problem.what == "group 'story' is in test (line 1, 2, 3, 4, 5, and 2 more) and in tune (line 8)."

    def test_groups_that_keep_to_a_split_are_fine(self, tmp_path: Path) -> None:
        rows = [row(id="a", group="x", split="tune", evidence=[[PROBE]]), row(id="b", question="Who?", group="y")]
        assert _told(tmp_path, *rows) == ([], [])

    @pytest.mark.parametrize("other", [{}, {"group": "aq.md"}], ids=["nobody names it", "one line names it"])
    def test_a_document_that_stands_for_a_group_is_a_warning_told_once(self, tmp_path: Path, other: dict[str, str]) -> None:
        rows = [row(id="a", split="tune", evidence=[[PROBE]], **other), row(id="b", question="Who pays?")]
        errors, (problem,) = _told(tmp_path, *rows)
        assert errors == []
        assert problem.what == "1 document is asked about in tune and test by questions without a group: 'aq.md'."
        assert problem.where == f"questions.jsonl:{2 if other else 1} group"


class TestSharedEvidence:
    def test_it_is_a_warning_with_document_place_and_lines(self, tmp_path: Path) -> None:
        half = {"doc": "aq.md", "quote": "filter lasts"}
        rows = [row(id="a", split="tune", group="g"), row(id="b", question="Who pays?", group="h", evidence=[[half]])]
        errors, (problem,) = _told(tmp_path, *rows)
        assert errors == []
        assert (problem.code, problem.where) == ("G034", "questions.jsonl:1 evidence")
        assert (
            problem.what
            == "1 places are quoted as evidence in tune and test: 'aq.md' 6-32 in tune (line 1) and in test (line 2)."
        )
        assert "harness golden split" in problem.fix

    def test_all_places_are_told_in_one_warning(self, tmp_path: Path) -> None:
        quotes = [FILTER, PROBE, AQ]
        rows = [
            row(id=f"{split}{n}", question=f"{split} {n}{n}?", split=split, group=f"{split}{n}", evidence=[[quote]])
            for n, quote in enumerate(quotes)
            for split in ("tune", "test")
        ]
        _, (problem,) = _told(tmp_path, *rows)
        assert problem.what.startswith("3 places are quoted")
        assert problem.what.count("in tune (line") == 3

    def test_of_many_places_five_are_told_and_the_others_counted(self, tmp_path: Path) -> None:
        (tmp_path / "corpus").mkdir()
        (tmp_path / "corpus" / "many.md").write_text("".join(f"Item{n} weighs {n} g.\n" for n in range(9)))
        rows = [
            row(id=f"{split}{n}", question=f"{split} {n}{n}?", split=split, group=f"{split}{n}", evidence=[[quote]])
            for n, quote in enumerate({"doc": "many.md", "quote": f"Item{n} weighs"} for n in range(9))
            for split in ("tune", "test")
        ]
        _, (problem,) = _told(tmp_path, *rows)
        assert problem.what.startswith("9 places are quoted")
        assert problem.what.endswith("; and 4 more.")
        assert problem.what.count("in tune (line") == 5
