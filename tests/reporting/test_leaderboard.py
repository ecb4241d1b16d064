"""Variants side by side, and which differences are real."""

import re
from collections.abc import Sequence

import pytest

from harness.errors import ConfigError
from harness.reporting.leaderboard import leaderboard
from harness.reporting.leaderboard_html import leaderboard_page
from harness.reporting.leaderboard_notes import curse
from harness.reporting.markdown import leaderboard_markdown
from harness.reporting.terminal import leaderboard_table, plain_text
from harness.types import RunRecord, Usage
from tests.reporting.records import record
from tests.reporting.test_html import Reader

TERMINAL = """\
Leaderboard by Recall@5

             Recall@5         95 %     MRR@10       per
    Variant         ↑     interval  n       ↑  question
 ──────────────────────────────────────────────────────
 ★  best        0.900  0.800–1.000  4   0.700     20 ms
 =  near        0.800  0.700–0.900  4   0.650         –
    far         0.000  0.000–0.100  4       –         –

= 1 variant cannot be told apart from the best (paired sign-flip test, Holm-adjusted p ≥ 0.05).
The seconds of near and far are not known, so the front leaves them out: no question was answered, or outputs came from
a cache or recordings that do not say what they took. An empty HARNESS_CACHE_DIR takes them anew."""


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
    assert "? other: no scored question is shared with the best." in board.notes


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


QUESTIONS = 24
SPLITS = {f"q{place}": "tune" if place < QUESTIONS // 2 else "test" for place in range(QUESTIONS)}


def swept(name: str, tune: int, test: int, **fields: object) -> RunRecord:
    """A variant with so many right answers of the twelve tune and the twelve test questions."""
    half = QUESTIONS // 2
    values = [1] * tune + [0] * (half - tune) + [1] * test + [0] * (half - test)
    return variant(name, values, **{"splits": SPLITS, **fields})


SWEEP = [swept("lucky", 12, 2), swept("sound", 10, 11), swept("weak", 1, 1)]


def test_a_sweep_is_chosen_on_tune_and_claimed_on_test() -> None:
    board = leaderboard(SWEEP, by_split=True)
    assert board.columns[:6] == ("Recall@5 ↑ tune", "95 % interval", "n", "Recall@5 ↑ test", "test 95 % interval", "test n")
    assert [(row.name, row.cells[0], row.cells[3], row.cells[5]) for row in board.rows] == [
        ("lucky", "1.000", "0.167", "12"),
        ("sound", "0.833", "0.917", "12"),
        ("weak", "0.083", "0.083", "12"),
    ]


def test_ties_are_told_on_the_test_questions() -> None:
    rows = leaderboard(SWEEP, by_split=True).rows
    # sound wins nine of nine test questions: two-sided 2/512, Holm 4/512; weak loses one of one: p 1
    assert [row.p for row in rows] == [None, pytest.approx(4 / 512), 1.0]
    assert [row.mark for row in rows] == ["★", "", "="]


def test_a_choice_that_test_turns_over_is_told() -> None:
    told = "sound did better on test than the best of tune: the choice does not hold."
    assert told in leaderboard(SWEEP, by_split=True).notes
    assert not any("did better on test" in note for note in leaderboard(SWEEP[1:], by_split=True).notes)


def test_other_metrics_are_of_the_test_questions() -> None:
    scores = {
        "recall_at_5": dict.fromkeys(SPLITS, 1.0),
        "mrr_at_10": {name: float(split == "test") for name, split in SPLITS.items()},
    }
    board = leaderboard([record({"recall_at_5": 1.0, "mrr_at_10": 0.5}, scores, splits=SPLITS)], by_split=True)
    assert board.rows[0].cells[6] == "1.000"


def test_the_notes_say_which_questions_rank_and_which_claim() -> None:
    notes = leaderboard([*SWEEP, swept("other", 3, 3)], by_split=True).notes
    assert (
        notes[0] == "Ranked by the tune questions; ties and the other metrics are of the test questions, which had no part in it."
    )
    assert "told apart from the best on test" in notes[1]
    assert notes[-1].startswith("Winner's curse: the best of 4 equal variants on 12 tune questions")
    assert notes[-1].endswith("claim what it has on test.")


@pytest.mark.parametrize("tune", [0, 9])
def test_a_sweep_with_fewer_than_ten_questions_in_a_split_is_ranked_by_all(tune: int) -> None:
    splits = {name: "tune" if place < tune else "test" for place, name in enumerate(SPLITS)}
    board = leaderboard([swept("a", 12, 2, splits=splits), swept("b", 10, 11, splits=splits)], by_split=True)
    assert [row.name for row in board.rows] == ["b", "a"]
    assert board.columns[:3] == ("Recall@5 ↑", "95 % interval", "n")


def test_tables_of_baselines_are_ranked_by_all_questions() -> None:
    assert [row.name for row in leaderboard(SWEEP).rows] == ["sound", "lucky", "weak"]


SECONDS = {"run-best": 0.2, "run-near": 0.1, "run-far": 0.3}


def test_the_front_is_marked_when_the_seconds_of_every_variant_are_known() -> None:
    board = leaderboard(board_of_three(), seconds=SECONDS)
    assert [(row.name, row.mark, row.front) for row in board.rows] == [
        ("best", "★", False),
        ("near", "=◆", True),
        ("far", "", False),
    ]
    assert any(
        note.startswith("◆ on the front: no other variant is at least as good in quality and seconds") for note in board.notes
    )
    assert "= 1 variant cannot be told apart from the best" in board.notes[0]


def test_a_variant_whose_seconds_are_not_known_has_none_and_is_off_the_front() -> None:
    board = leaderboard(board_of_three(), seconds={**SECONDS, "run-near": None})
    assert [(row.name, row.mark, row.cells[-1]) for row in board.rows] == [
        ("best", "★◆", "200 ms"),
        ("near", "=", "–"),
        ("far", "", "300 ms"),
    ]
    assert any(note.startswith("The seconds of near are not known") for note in board.notes)
    assert any("as good in quality and seconds, and better in one." in note for note in board.notes)


def test_where_no_seconds_are_known_there_is_no_front_and_no_picture() -> None:
    board = leaderboard(board_of_three(), seconds=dict.fromkeys(SECONDS))
    assert not any(row.front for row in board.rows)
    assert any(note.startswith("The seconds of best and near and far are not known") for note in board.notes)
    assert "<svg" not in leaderboard_page(board)


def test_nothing_is_said_of_seconds_where_all_are_known_or_none_were_asked_for() -> None:
    for seconds in (SECONDS, None):
        assert not any("not known" in note for note in leaderboard(board_of_three(), seconds=seconds).notes)


def test_what_language_models_cost_is_a_column() -> None:
    usage = {name: Usage(900 * place, 100 * place, place, 0.0) for place, name in enumerate(SECONDS, 1)}
    runs = [swept(name.removeprefix("run-"), 1, 1) for name in SECONDS]
    board = leaderboard(runs, usage=usage)
    assert board.columns[-1] == "tokens per question"
    assert {row.name: row.cells[-1] for row in board.rows} == {"best": "42", "near": "83", "far": "125"}


def test_no_cost_is_shown_when_no_language_model_was_called() -> None:
    assert "per question" not in " ".join(leaderboard(board_of_three(), usage=dict.fromkeys(SECONDS, Usage())).columns)


def test_the_page_is_well_formed_shows_every_row_and_loads_nothing() -> None:
    page = leaderboard_page(leaderboard(board_of_three(), seconds=SECONDS))
    reader = Reader(re.sub(r"<svg class=.plot.*?</svg>", "", page, flags=re.DOTALL))
    assert reader.open == []
    assert not {"script", "img", "iframe", "link", "object", "a"} & set(reader.tags)
    assert page.count("<tr>") == 4
    assert '<td class="num">=◆</td><th>near</th>' in page
    assert '0.900<span class="ends">0.800–1.000</span><span class="ends">n 4</span>' in page


def test_the_page_draws_quality_against_seconds_the_same_every_time() -> None:
    pages = [leaderboard_page(leaderboard(board_of_three(), seconds=SECONDS)) for _ in range(2)]
    assert pages[0] == pages[1]
    assert pages[0].count('<svg class="plot"') == 1
    assert "seconds per question" in pages[0]


def test_the_page_draws_cost_too_when_there_is_one() -> None:
    usage = {name: Usage(10, 10, 1, 0.01 * place) for place, name in enumerate(SECONDS, 1)}
    page = leaderboard_page(leaderboard(board_of_three(), seconds=SECONDS, usage=usage))
    assert page.count('<svg class="plot"') == 2
    assert "US dollars per question" in page


def test_without_seconds_there_is_no_picture() -> None:
    assert "<svg" not in leaderboard_page(leaderboard(board_of_three()))


def test_a_hostile_name_stays_text_on_the_page() -> None:
    page = leaderboard_page(leaderboard([record(experiment="<script>x</script>\x1b[31m")]))
    assert "<script>" not in page
    assert "\x1b" not in page
