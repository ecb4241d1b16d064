"""Question by question: what changed most, at which station, and whose refusal flipped."""

import pytest

from harness.attribution.stations import Attribution, Station
from harness.comparison.result import Flip
from tests.comparison.sides import found, side


def test_the_biggest_changes_come_first_and_unchanged_questions_not_at_all() -> None:
    a = side({"recall_at_5": [1, 1, 0, 1], "mrr_at_10": [1, 0.5, 0, 1]})
    b = side({"recall_at_5": [0, 1, 0, 0.5], "mrr_at_10": [0, 1, 0, 0]})
    got = found(a, b).changed
    assert [(item.question_id, item.direction, item.size) for item in got] == [
        ("q000", "worse", 2),
        ("q003", "worse", 1.5),
        ("q001", "better", 0.5),
    ]
    assert got[1].values == (("recall_at_5", 1, 0.5), ("mrr_at_10", 1, 0))


@pytest.mark.parametrize(
    ("metric", "then", "now", "direction", "size"),
    [
        ("recall_at_5", 0, 1, "better", 1),
        ("over_refusal_rate", 0, 1, "worse", 1),
        ("truthfulness", -1, 1, "better", 1),
        ("truthfulness", 1, 0, "worse", 0.5),
        ("tenant_leaks", 0, 7, "worse", 1),
    ],
)
def test_a_change_is_measured_in_shares_of_the_metrics_range(
    metric: str, then: float, now: float, direction: str, size: float
) -> None:
    (item,) = found(side({metric: [then]}), side({metric: [now]})).changed
    assert (item.direction, item.size) == (direction, size)


def test_a_question_whose_changes_go_both_ways_is_mixed_however_big_they_are() -> None:
    a, b = side({"recall_at_5": [0], "mrr_at_10": [0.5]}), side({"recall_at_5": [1], "mrr_at_10": [0.4]})
    assert [item.direction for item in found(a, b).changed] == ["mixed"]


def test_a_wrong_answer_in_place_of_a_refusal_is_mixed() -> None:
    """It is refused no more (+1), but untrue (0 to -1)."""
    a = side({"over_refusal_rate": [1], "truthfulness": [0]})
    b = side({"over_refusal_rate": [0], "truthfulness": [-1]})
    assert [item.direction for item in found(a, b).changed] == ["mixed"]


@pytest.mark.parametrize(("vital", "direction"), [(0, "mixed"), (1, "better")])
def test_a_refusal_less_is_better_only_where_the_answer_is_not_wrong(vital: float, direction: str) -> None:
    a = side({"over_refusal_rate": [1], "answer_correctness_vital": [0]})
    b = side({"over_refusal_rate": [0], "answer_correctness_vital": [vital]})
    assert [item.direction for item in found(a, b, "over_refusal_rate").changed] == [direction]


def test_the_first_ranking_whose_recall_differs_has_the_change() -> None:
    stations = ("bm25/", "dense/", "fused/", "", "context/")
    a = side({f"{name}recall_at_5": [1] for name in stations})
    b = side({f"{name}recall_at_5": [float(name in ("bm25/", "dense/"))] for name in stations})
    (item,) = found(a, b, "recall_at_5").changed
    assert (item.first, item.recall) == ("fused", (1, 0))


def test_a_change_of_the_answer_alone_has_no_such_ranking() -> None:
    a = side({"recall_at_5": [1], "truthfulness": [1]})
    b = side({"recall_at_5": [1], "truthfulness": [-1]})
    assert found(a, b).changed[0].first == ""


def test_of_several_depths_the_one_nearest_to_five_is_looked_at() -> None:
    a = side({"recall_at_1": [0], "recall_at_5": [1], "recall_at_20": [1]})
    b = side({"recall_at_1": [1], "recall_at_5": [1], "recall_at_20": [1]})
    assert found(a, b).changed[0].first == ""


def test_attributions_say_what_became_of_the_evidence() -> None:
    a = side({"recall_at_5": [1]}, attributions={"q000": Attribution("q000", Station.ANSWERED)})
    b = side({"recall_at_5": [0]}, attributions={"q000": Attribution("q000", Station.CUT_BY_RERANKER)})
    (item,) = found(a, b).changed
    assert (item.lost_a, item.lost_b) == ("answered", "cut_by_reranker")


def refusals(*cells: tuple[bool, bool]):
    """A run of questions given as (can be answered, was refused)."""
    over = [float(refused) if answerable else None for answerable, refused in cells]
    false = [float(not refused) if not answerable else None for answerable, refused in cells]
    return side({"over_refusal_rate": over, "false_answer_rate": false})


def test_four_kinds_of_flipped_refusals() -> None:
    questions = (True, False, True, False, True)
    before = (False, False, True, True, False)
    after = (True, True, False, False, False)
    got = found(refusals(*zip(questions, before, strict=True)), refusals(*zip(questions, after, strict=True))).flips
    assert got == (
        Flip("q000", answerable=True, now_refused=True),
        Flip("q001", answerable=False, now_refused=True),
        Flip("q002", answerable=True, now_refused=False),
        Flip("q003", answerable=False, now_refused=False),
    )
    assert [item.right for item in got] == [False, True, None, False]


@pytest.mark.parametrize(
    ("scores", "right"),
    [
        ({"truthfulness": [1]}, True),
        ({"truthfulness": [0.5]}, True),
        ({"truthfulness": [-1]}, False),
        ({"truthfulness": [-1], "answer_correctness_vital": [1]}, False),
        ({"truthfulness": [None], "answer_correctness_vital": [0.5]}, True),
        ({"answer_correctness_vital": [0.4]}, False),
        ({"truthfulness": ["error"]}, None),
        ({"token_f1": [1]}, None),
    ],
)
def test_an_answer_in_place_of_a_refusal_is_right_only_where_its_own_scores_say_so(scores: dict, right: bool | None) -> None:
    a = side({"over_refusal_rate": [1], "truthfulness": [0]})
    (flip,) = found(a, side({"over_refusal_rate": [0], **scores}), "over_refusal_rate").flips or ()
    assert flip.right is right


@pytest.mark.parametrize(("truthfulness", "correct"), [(1, True), (-1, False), (None, None)])
def test_a_refusal_in_place_of_an_answer_is_wrong_and_remembers_how_good_the_answer_was(truthfulness, correct) -> None:
    a = side({"over_refusal_rate": [0], "truthfulness": [truthfulness]})
    (flip,) = found(a, side({"over_refusal_rate": [1], "truthfulness": [0]}), "over_refusal_rate").flips or ()
    assert (flip.right, flip.correct) == (False, correct)


def test_with_repeats_a_question_is_refused_when_most_of_them_refused_it() -> None:
    a, b = side({"over_refusal_rate": [0.2, 0.6]}), side({"over_refusal_rate": [0.4, 0.4]})
    assert [item.question_id for item in found(a, b).flips or ()] == ["q001"]


def test_a_tie_between_repeats_is_no_refusal_whether_or_not_the_question_can_be_answered() -> None:
    """Half of the repeats refused q000 (answerable) and q001 (not): beside a run that always refused both have flipped."""
    tied = side({"over_refusal_rate": [0.5, None], "false_answer_rate": [None, 0.5]})
    refused, answered = refusals((True, True), (False, True)), refusals((True, False), (False, False))
    assert [item.question_id for item in found(tied, refused).flips or ()] == ["q000", "q001"]
    assert found(tied, answered).flips == ()


def test_without_answers_nothing_is_said_of_refusals() -> None:
    assert found(side({"recall_at_5": [1]}), refusals((True, True)), "recall_at_5").flips is None
