"""Variants side by side, and which differences are real."""

from collections.abc import Sequence

import pytest

from harness.errors import ConfigError
from harness.reporting.leaderboard import curse, leaderboard
from harness.reporting.markdown import leaderboard_markdown
from harness.reporting.terminal import leaderboard_table, plain_text
from harness.types import RunRecord
from tests.reporting.records import record

TERMINAL = """\
Leaderboard by Recall@5

             Recall@5         95 %     MRR@10       per
    Variant         ↑     interval  n       ↑  question
 ──────────────────────────────────────────────────────
 ★  best        0.900  0.800–1.000  4   0.700     20 ms
 =  near        0.800  0.700–0.900  4   0.650         –
    far         0.000  0.000–0.100  4       –         –

= 1 variant cannot be told apart from the best (paired sign-flip test, Holm-adjusted p ≥ 0.05)."""


def variant(name: str, values: Sequence[float], metric: str = "recall_at_5", **fields: object) -> RunRecord:
    """A run with one score per question and their mean."""
    scores = {f"q{place}": value for place, value in enumerate(values)}
    return record({metric: sum(values) / len(values)}, {metric: scores}, experiment=name, run_id=f"run-{name}", **fields)


BEST = [1, 1, 1, 1, 1, 1, 1, 1, 1, 0]
NEAR = [1, 1, 1, 1, 1, 1, 1, 1, 0, 0]
FAR = [0] * 10


def marks(records: Sequence[RunRecord], metric: str = "recall_at_5") -> list[tuple[str, str]]:
    """Names with their marks, best first."""
    return [(row.name, row.mark) for row in leaderboard(records, metric).rows]


def test_variants_are_sorted_and_those_that_may_equal_the_best_are_marked() -> None:
    given = [variant("far", FAR), variant("near", NEAR), variant("best", BEST)]
    assert marks(given) == [("best", "★"), ("near", "="), ("far", "")]


def test_p_values_are_two_sided_and_corrected_for_the_number_of_variants() -> None:
    rows = leaderboard([variant("best", BEST), variant("near", NEAR), variant("far", FAR)]).rows
    # far: nine losses of nine, one-sided 1/512, doubled, times two comparisons; near: one loss of one, 2 * 1/2
    assert [row.p for row in rows] == [None, 1.0, pytest.approx(2 * 2 / 512)]


def test_a_lower_is_better_metric_is_sorted_the_other_way() -> None:
    given = [variant("bad", [1] * 10, "over_refusal_rate"), variant("good", FAR, "over_refusal_rate")]
    assert marks(given, "over_refusal_rate") == [("good", "★"), ("bad", "")]


def test_questions_of_one_group_are_flipped_together() -> None:
    groups = {f"q{place}": "one document" for place in range(10)}
    assert marks([variant("best", BEST, groups=groups), variant("far", FAR, groups=groups)])[1] == ("far", "=")


def test_only_shared_questions_are_compared() -> None:
    other = record({"recall_at_5": 0.1}, {"recall_at_5": {"x1": 0.1}}, experiment="other")
    board = leaderboard([variant("best", BEST), other])
    assert board.rows[1].mark == "?"
    assert "? shares no scored question with the best." in board.notes


def test_equal_variants_stand_in_the_order_of_their_names() -> None:
    assert marks([variant("b", BEST), variant("a", BEST)]) == [("a", "★"), ("b", "=")]


def test_a_variant_without_the_metric_stands_last() -> None:
    empty = record({"recall_at_5": None}, experiment="empty")
    assert marks([empty, variant("far", FAR)]) == [("far", "★"), ("empty", "?")]


def test_repeated_names_carry_the_ending_of_their_run() -> None:
    given = [record(run_id="20261130-a-111111"), record(run_id="20261130-a-222222")]
    assert [row.name for row in leaderboard(given).rows] == ["hybrid (111111)", "hybrid (222222)"]


def test_different_golden_sets_are_pointed_out() -> None:
    given = [variant("a", BEST), variant("b", NEAR, fingerprints={"golden_set": "other"})]
    assert any("different golden sets" in note for note in leaderboard(given).notes)


def test_the_winners_curse_is_told_from_four_variants_on() -> None:
    three = [variant(name, BEST) for name in "abc"]
    assert not any("Winner's curse" in note for note in leaderboard(three).notes)
    notes = leaderboard([*three, variant("d", BEST)]).notes
    assert notes[-1].startswith("Winner's curse: the best of 4 equal variants on 4 questions looks up to 0.0")


def test_the_curse_matches_the_known_expectation_of_the_largest_of_25_normals() -> None:
    assert curse(25, 2 * 1.959964) == pytest.approx(1.965, abs=0.01)


@pytest.mark.parametrize(
    ("metric", "message"), [("recal_at_5", "did you mean 'recall_at_5'"), ("recall@5", "did you mean 'recall_at_5'")]
)
def test_an_unknown_metric_is_answered_with_the_nearest(metric: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        leaderboard([record()], metric)


def test_no_run_at_all_is_an_error() -> None:
    with pytest.raises(ConfigError, match="there is no run to compare"):
        leaderboard([])


def board_of_three() -> list[RunRecord]:
    """The best, one that may equal it, and one far behind."""
    values = {"best": (BEST, 0.9, 0.7), "near": (NEAR, 0.8, 0.65), "far": (FAR, 0.0, None)}
    return [
        record(
            {"recall_at_5": mean, "mrr_at_10": mrr},
            {"recall_at_5": {f"q{place}": value for place, value in enumerate(scores)}},
            experiment=name,
            run_id=f"run-{name}",
        )
        for name, (scores, mean, mrr) in values.items()
    ]


def test_the_leaderboard_on_the_terminal() -> None:
    assert plain_text(leaderboard_table(leaderboard(board_of_three(), seconds={"run-best": 0.02}))) == TERMINAL


def test_the_leaderboard_in_markdown_has_the_same_rows_and_notes() -> None:
    shown = leaderboard_markdown(leaderboard(board_of_three()))
    assert "| = | near | 0.800 | 0.700–0.900 | 4 | 0.650 |" in shown
    assert "= 1 variant cannot be told apart from the best" in shown


def test_a_hostile_name_stays_in_its_cell() -> None:
    board = leaderboard([record(experiment="x | <img src=http://evil> @team \x1b[31m[red]")])
    assert "| ★ | x \\| &lt;img src=http:/&#8203;/evil&gt; @&#8203;team \\[red\\] |" in leaderboard_markdown(board)
    assert "\x1b" not in plain_text(leaderboard_table(board))


def test_the_usual_depth_of_a_companion_is_shown() -> None:
    run = record({"recall_at_5": 0.5, "ndcg_at_1": 0.1, "ndcg_at_10": 0.2, "recall_at_1": 0.3})
    assert leaderboard([run]).columns == ("Recall@5 ↑", "95 % interval", "n", "nDCG@10 ↑")


def test_a_metric_nobody_scored_is_no_column() -> None:
    run = record({"recall_at_5": 0.5, "faithfulness": None})
    assert leaderboard([run]).columns == ("Recall@5 ↑", "95 % interval", "n")
