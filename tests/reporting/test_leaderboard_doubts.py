"""Runs that cannot be held against the best: another judge, another golden set, too much that failed."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from harness.evaluation import aggregate
from harness.reporting.leaderboard import Leaderboard, leaderboard
from harness.types import RunRecord, Score, State
from tests.reporting.records import record

HARD = {f"q{place}": 1.0 if place % 2 else 0.0 for place in range(100)}
EASY = {name: value for name, value in HARD.items() if value}


def variant(
    name: str, values: Mapping[str, float], metric: str = "recall_at_5", failed: int = 0, judge: str = "", golden: str = "g"
) -> RunRecord:
    """A run; the first questions without a value are errors."""
    lost = [name for name in HARD if name not in values][:failed]
    scores = (
        *(Score(metric, key, value) for key, value in values.items()),
        *(Score(metric, key, None, State.ERROR, "boom") for key in lost),
    )
    made = record(experiment=name, run_id=f"run-{name}", fingerprints={"judge": judge, "golden_set": golden})
    return replace(made, scores=scores, aggregates=aggregate(scores, {}))


def told(board: Leaderboard) -> list[tuple[str, str, float | None]]:
    return [(row.name, row.mark, row.p) for row in board.rows]


def test_a_run_that_failed_on_the_hard_questions_is_not_the_best() -> None:
    board = leaderboard([variant("crashed", EASY, failed=50), variant("whole", HARD)])
    assert told(board) == [("whole", "★", None), ("crashed", "?", None)]
    assert "? crashed: more than 2 % of the questions failed, so the mean of the others ranks nothing." in board.notes
    assert (
        "crashed: 50 of 100 questions failed; with 0 to 1 for each of them the mean lies between 0.500 and 1.000." in board.notes
    )


def test_where_every_run_failed_too_often_none_is_the_best() -> None:
    board = leaderboard([variant("a", EASY, failed=3), variant("b", EASY, failed=3)])
    assert told(board) == [("a", "?", None), ("b", "?", None)]


@pytest.mark.parametrize("failed", [1, 2, 3])
def test_two_in_a_hundred_may_fail_and_are_told(failed: int) -> None:
    kept = {name: value for place, (name, value) in enumerate(HARD.items()) if place >= failed}
    board = leaderboard([variant("x", kept, failed=failed)])
    assert board.rows[0].mark == ("★" if failed <= 2 else "?")
    assert any(note.startswith(f"x: {failed} of 100 questions failed") for note in board.notes)


def test_scores_of_two_judges_are_not_tested_against_each_other_and_the_heading_says_so() -> None:
    runs = [variant("a", HARD, "faithfulness", judge="lexical v3"), variant("b", EASY, "faithfulness", judge="strict_llm v1")]
    board = leaderboard(runs, "faithfulness")
    assert told(board) == [("b", "★", None), ("a", "?", None)]
    assert board.columns[0] == "Faithfulness (different judges) ↑"
    assert "? a: another judge than that of the best scored it." in board.notes


def test_the_heading_of_a_judged_metric_names_its_judge() -> None:
    runs = [variant(name, HARD, "faithfulness", judge="lexical v3") for name in "ab"]
    board = leaderboard(runs, "faithfulness")
    assert (board.columns[0], board.rows[1].mark) == ("Faithfulness (lexical) ↑", "=")


def test_another_judge_does_not_matter_to_what_no_judge_scored() -> None:
    board = leaderboard([variant("a", HARD, judge="lexical v3"), variant("b", HARD, judge="strict_llm v1")])
    assert [row.mark for row in board.rows] == ["★", "="]


def test_runs_on_other_golden_sets_are_not_compared_although_their_questions_are_called_the_same() -> None:
    board = leaderboard([variant("a", HARD), variant("b", HARD, golden="h"), variant("c", HARD, golden="h")])
    assert told(board) == [("a", "★", None), ("b", "?", None), ("c", "?", None)]
    assert "? b and c: another golden set than the best was asked." in board.notes


def test_only_what_is_compared_counts_in_the_correction() -> None:
    worse = dict.fromkeys(HARD, 0.0)
    runs = [variant("a", HARD), variant("b", worse), variant("c", worse, golden="h")]
    alone = leaderboard(runs[:2]).rows[1].p
    assert leaderboard(runs).rows[1].p == alone


def test_what_is_not_compared_is_not_on_the_front_however_fast_it_is() -> None:
    runs = [variant("a", HARD), variant("b", HARD), variant("c", HARD, golden="h"), variant("d", EASY, failed=50)]
    board = leaderboard(runs, seconds={"run-a": 2.0, "run-b": 1.0, "run-c": 0.1, "run-d": 0.1})
    assert [(row.name, row.front) for row in board.rows] == [("a", False), ("b", True), ("c", False), ("d", False)]
