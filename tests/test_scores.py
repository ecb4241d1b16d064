"""Scores as lines: one question a line, a number by itself, everything else with its reason."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.scores import lines, read
from harness.types import Score, State

SCORES = (
    Score("recall_at_5", "q1", 0.1 + 0.2),
    Score("faithfulness", "q1", 0.5, State.SCORED, "1 of 2 claims supported [lexical]"),
    Score("mrr_at_10", "q1", 0.0),
    Score("recall_at_5", "q2", None, State.NOT_APPLICABLE, "unanswerable: there is nothing to find"),
    Score("faithfulness", "q2", None, State.ERROR, "TimeoutError: no reply"),
    Score("mrr_at_10", "q2", None, State.SKIPPED),
)


def test_a_person_reads_one_question_a_line():
    assert [json.loads(line) for line in lines(SCORES)] == [
        {
            "question_id": "q1",
            "scores": {
                "recall_at_5": 0.1 + 0.2,
                "faithfulness": [0.5, "1 of 2 claims supported [lexical]"],
                "mrr_at_10": 0.0,
            },
        },
        {
            "question_id": "q2",
            "scores": {
                "recall_at_5": ["not_applicable", "unanswerable: there is nothing to find"],
                "faithfulness": ["error", "TimeoutError: no reply"],
                "mrr_at_10": ["skipped", ""],
            },
        },
    ]


def written(tmp_path, scores):
    path = tmp_path / "scores.jsonl"
    path.write_text("".join(lines(scores)), "utf-8")
    return path


def test_what_is_written_is_read_back_with_states_and_reasons(tmp_path):
    assert read(written(tmp_path, SCORES)) == SCORES
    assert read(written(tmp_path, ())) == ()


def test_a_users_metric_may_give_numbers_of_numpy(tmp_path):
    own = Score("own", "q1", np.float32(0.5)), Score("count", "q1", np.int64(3))
    assert read(written(tmp_path, own)) == (Score("own", "q1", 0.5), Score("count", "q1", 3))


def test_scores_that_stand_by_metric_come_back_by_question(tmp_path):
    by_metric = sorted(SCORES, key=lambda score: score.metric)
    assert set(read(written(tmp_path, by_metric))) == set(SCORES)
    assert [score.question_id for score in read(written(tmp_path, by_metric))] == ["q1"] * 3 + ["q2"] * 3


@st.composite
def scores(draw):
    name, reason = draw(st.text(max_size=5)), draw(st.text(max_size=9))
    state = draw(st.sampled_from(list(State)))
    value = draw(st.floats(allow_nan=False, allow_infinity=False)) if state is State.SCORED else None
    return Score(name, draw(st.sampled_from(["q1", "q2\u2028", 'q"3'])), value, state, reason)


@given(st.lists(scores(), unique_by=lambda score: (score.metric, score.question_id)))
def test_no_bit_and_no_character_is_lost(tmp_path_factory, found):
    assert set(read(written(tmp_path_factory.mktemp("scores"), found))) == set(found)


@pytest.mark.parametrize(
    "line",
    [
        '{"question_id":"q1"}',
        '{"question_id":"q1","scores":{"m":["lost","x"]}}',
        '{"question_id":"q1","scores":{"m":null}}',
        "[]",
        "{",
    ],
)
def test_a_damaged_line_is_an_error(tmp_path, line):
    path = tmp_path / "scores.jsonl"
    path.write_text(line + "\n")
    with pytest.raises((KeyError, TypeError, ValueError)):
        read(path)


def test_a_line_is_far_smaller_than_a_line_a_score(tmp_path):
    many = [Score(f"recall_at_{k}", f"q{number}", k / 7) for number in range(50) for k in range(20)]
    single = sum(len(json.dumps({"metric": item.metric, "question_id": item.question_id, "value": item.value})) for item in many)
    assert written(tmp_path, many).stat().st_size < single / 1.8
