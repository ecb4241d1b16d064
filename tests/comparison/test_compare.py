"""Two runs held against each other: paired means, intervals, p-values, and what keeps them from being compared."""

import numpy as np
import pytest
from scipy import stats

from harness.comparison.sides import RUN, Side
from harness.errors import ConfigError
from harness.statistics.multiplicity import bh, holm
from harness.types import Failure
from tests.comparison.sides import found, row, side
from tests.gates.records import record

BEFORE = [1, 1, 1, 0, 0.5, 0]
AFTER = [1, 0, 0, 1, 0, 0]


def test_means_difference_and_counts_are_those_of_the_shared_questions() -> None:
    line = row(BEFORE, AFTER)
    assert (line.a, line.b) == (pytest.approx(3.5 / 6), pytest.approx(2 / 6))
    assert line.difference == pytest.approx(-1.5 / 6)
    assert (line.n, line.wins, line.losses, line.ties) == (6, 1, 3, 2)


def test_a_question_only_one_side_has_a_number_for_is_counted_and_left_out() -> None:
    line = row([1, 1, None, "error"], [0, None, 1, 1])
    assert (line.a, line.b, line.n) == (1, 0, 1)
    assert (line.only_a, line.only_b) == (1, 2)


def test_p_is_two_sided_as_the_permutation_test_of_scipy() -> None:
    def mean(sample, axis):
        return np.mean(sample, axis=axis)

    changes = np.subtract(AFTER, BEFORE)
    exact = stats.permutation_test((changes,), mean, permutation_type="samples", n_resamples=np.inf, vectorized=True)
    assert row(BEFORE, AFTER).p == pytest.approx(exact.pvalue)


def test_swapping_the_sides_turns_the_difference_and_keeps_the_p() -> None:
    one, other = row(BEFORE, AFTER), row(AFTER, BEFORE)
    assert other.difference == pytest.approx(-(one.difference or 0))
    assert (other.low, other.high) == (pytest.approx(-(one.high or 0)), pytest.approx(-(one.low or 0)))
    assert (other.wins, other.losses, other.p) == (one.losses, one.wins, one.p)


def test_a_rise_of_a_metric_where_less_is_better_is_a_loss_in_its_own_direction() -> None:
    line = row([0, 0, 0, 0], [1, 1, 0, 0], "over_refusal_rate")
    assert (line.difference, line.wins, line.losses) == (0.5, 0, 2)
    assert line.low is not None
    assert line.low < 0.5 < (line.high or 0)


def test_p_is_adjusted_by_holm_over_the_deciding_metrics() -> None:
    got = found(*several(), "recall_at_5", "mrr_at_10", further=("token_f1",))
    assert [line.p for line in got.rows] == [2 / 2**8, 2 / 2**6]
    assert [line.adjusted for line in got.rows] == holm([2 / 2**8, 2 / 2**6])


def test_p_of_the_further_metrics_is_adjusted_by_benjamini_hochberg_among_themselves() -> None:
    """.0078, .0313 and 1 of three: .0078 x 3, .0313 x 3 / 2, 1; a metric that cannot be compared does not count."""
    got = found(*several(), "recall_at_5", further=("mrr_at_10", "token_f1", "exact_match", "faithfulness"))
    ps = [2 / 2**6, 2 / 2**8, 1]
    adjusted = [line.adjusted for line in got.further]
    assert [line.p for line in got.further] == [*ps, None]
    assert adjusted == [*bh(ps), None]
    assert adjusted[:3] == pytest.approx(stats.false_discovery_control(ps))
    assert adjusted[:3] == pytest.approx([3 / 2**6, 3 * 2 / 2**8, 1])
    assert [line.adjusted for line in got.rows] == [2 / 2**8]


def several():
    """Two sides with three metrics that differ and one that does not."""
    a = {"recall_at_5": [1] * 8, "mrr_at_10": [1] * 8, "token_f1": [1] * 8, "exact_match": [1] * 8}
    b = {**a, "recall_at_5": [0] * 8, "mrr_at_10": [0.5] * 6 + [1, 1], "token_f1": [0] * 8}
    return side(a), side(b)


def test_questions_of_one_group_are_flipped_together() -> None:
    groups = {f"q{place:03d}": "one document" for place in range(8)}
    assert row([1] * 8, [0] * 8).p == 2 / 2**8
    assert row([1] * 8, [0] * 8, groups=groups).p == 1


def test_an_invariant_is_counted_and_not_tested() -> None:
    line = row([0, 0, 0], [0, 2, 1], "tenant_leaks")
    assert (line.a, line.b, line.losses) == (0, 1, 2)
    assert (line.p, line.low, line.high) == (None, None, None)


def test_runs_that_are_equal_differ_nowhere() -> None:
    got = found(side({"recall_at_5": BEFORE}), side({"recall_at_5": BEFORE}))
    assert (got.rows[0].difference, got.rows[0].p, got.changed, got.problem) == (0, 1, (), "")


def judged(judge: str):
    marks = {"config": "c", "golden_set": "g1", "corpus": "d1", "judge": judge}
    return side({"faithfulness": [1, 0], "recall_at_5": [1, 0]}, fingerprints=marks)


def test_a_judged_metric_is_compared_only_under_one_judge() -> None:
    same, other = found(judged("nli"), judged("nli")), found(judged("nli"), judged("lexical"))
    assert same.rows[0].problem == ""
    assert other.rows[0].problem == "the judges differ (nli and lexical)"
    assert (other.rows[0].a, other.rows[0].difference, other.rows[1].problem) == (0.5, None, "")


def test_a_metric_of_one_side_says_so_and_shows_its_mean() -> None:
    line = found(side({"recall_at_5": [1, 0]}), side({"mrr_at_10": [1, 1]}), "recall_at_5", "mrr_at_10")
    assert [(item.problem, item.a, item.b) for item in line.rows] == [
        ("not measured in B", 0.5, None),
        ("not measured in A", None, 1.0),
    ]
    assert line.problem == "no metric can be compared: not measured in B; not measured in A"


CONTENTS = {
    "questions": {"q000": "aa", "q001": "bb", "q002": "cc"},
    "evidence": {"q000": "e0", "q001": "e1", "q002": "e2"},
}


def edited(**questions: str):
    """A side whose golden set differs in the digests given."""
    marks = {"config": "c", "golden_set": f"g{questions}", "corpus": "d1", "judge": ""}
    contents = {**CONTENTS, "questions": {**CONTENTS["questions"], **questions}}
    return side({"recall_at_5": [1, 0, 1]}, fingerprints=marks, contents=contents)


def test_edited_questions_are_left_out_and_named() -> None:
    got = found(edited(), edited(q001="new"))
    assert got.questions == ("q000", "q002")
    assert got.notes == ("Only the 2 questions unedited in both are compared; left out: 1 edited (q001).",)


def test_when_every_question_was_edited_nothing_is_compared() -> None:
    got = found(edited(), edited(q000="x", q001="y", q002="z"))
    assert got.questions == ()
    assert got.problem.startswith("no question is known to be the same in both: 3 edited")


def test_runs_on_different_golden_sets_that_say_nothing_of_their_questions_are_not_compared() -> None:
    other = side({"recall_at_5": [1]}, fingerprints={"golden_set": "g2"})
    assert "does not say what its questions were scored against" in found(side({"recall_at_5": [1]}), other).problem


def test_runs_on_two_golden_sets_are_told_by_their_names() -> None:
    marks = {"golden_set": "g2"}
    other = Side("b", RUN, record({}, fingerprints=marks, golden_set="fernhill", splits={"other": "test"}))
    problem = found(side({"recall_at_5": [1]}), other).problem
    assert problem == "A was asked golden set 'smoke', B 'fernhill', which are different golden sets: they share no question"


def test_two_golden_sets_with_the_same_questions_under_other_terms_are_not_said_to_share_none() -> None:
    marks = {"golden_set": "g1", "corpus": "d1"}
    sides = [
        side(
            {"recall_at_5": [1, 0, 1]},
            fingerprints={**marks, "golden_terms": name},
            contents={**CONTENTS, "evidence": dict.fromkeys(CONTENTS["evidence"], name)},
            golden_set=name,
        )
        for name in ("smoke", "copy")
    ]
    problem = found(*sides).problem
    assert problem.startswith("A was asked golden set 'smoke', B 'copy', which are different golden sets: ")
    assert "3 scored against other documents or terms (q000, q001, q002)" in problem
    assert "share no question" not in problem


def test_two_golden_sets_whose_digests_match_are_compared_whatever_their_names() -> None:
    got = found(side({"recall_at_5": [1, 0]}), side({"recall_at_5": [1, 1]}, golden_set="copy"))
    assert (got.problem, got.questions) == ("", ("q000", "q001"))


def test_the_questions_that_only_one_was_asked_are_counted() -> None:
    got = found(side({"recall_at_5": [1, 0, 1]}), side({"recall_at_5": [1, 1]}))
    assert got.questions == ("q000", "q001")
    assert got.notes == ("A was asked 3 questions, B 2; 2 are in both.",)


def test_failures_and_repeats_are_told() -> None:
    failing = side({"recall_at_5": [1, 0]}, failures=(Failure("q001", "pipeline", "down"),), repeats=3)
    got = found(side({"recall_at_5": [1, 0]}), failing)
    assert got.notes == ("A asked each question 1 time, B 3 times.", "1 question failed in B.")


SPLITS = {"q000": "tune", "q001": "test", "q002": "test"}
LABELS = {"q000": ("kind:table",), "q001": ("kind:table",), "q002": ("kind:prose",)}


@pytest.mark.parametrize(
    ("where", "questions"),
    [("tune", ("q000",)), ("test", ("q001", "q002")), ("kind:table", ("q000", "q001")), ("all", ("q000", "q001", "q002"))],
)
def test_a_slice_compares_its_questions(where: str, questions: tuple[str, ...]) -> None:
    run = side({"recall_at_5": [1, 0, 1]}, splits=SPLITS, labels=LABELS)
    assert found(run, run, where=where).questions == questions


def test_labels_that_only_one_side_knows_are_enough() -> None:
    plain, labelled = side({"recall_at_5": [1, 0, 1]}), side({"recall_at_5": [1, 0, 1]}, labels=LABELS)
    assert found(labelled, plain, where="kind:prose").questions == ("q002",)
    assert found(plain, labelled, where="kind:prose").questions == ("q002",)


def test_an_unknown_slice_is_answered_with_the_nearest() -> None:
    run = side({"recall_at_5": [1, 0, 1]}, labels=LABELS)
    with pytest.raises(ConfigError, match="did you mean 'kind:table'"):
        found(run, run, where="kind:tabel")


def test_a_slice_without_a_shared_question_compares_nothing() -> None:
    run = side({"recall_at_5": [1, 0, 1]}, splits=dict.fromkeys(SPLITS, "test"))
    assert found(run, run, where="tune").problem == "none of the 3 shared questions is in 'tune'"
