"""Failures are failures, never zeros, and nothing leaves a denominator silently."""

import threading
import time

import pytest

from harness.errors import StoreError
from harness.evaluation import Answers, aggregate, ask, score
from harness.metrics.recall import Recall
from harness.types import Failure, Score, State, Trace
from tests.builders import chunk, question, trace

QUESTIONS = [question(f"q{number}") for number in range(5)]


class Echo:
    """Answers with an empty trace; fails on the named questions."""

    def __init__(self, broken=()):
        self.broken = set(broken)
        self.asked: list[str] = []

    def answer(self, item):
        self.asked.append(item.question_id)
        if item.question_id in self.broken:
            raise RuntimeError("model went away")
        return Trace(item.question_id)


class Constant:
    """A metric that is 1 everywhere and broken on one question."""

    def __init__(self, name="constant", broken=""):
        self.name = name
        self.broken = broken

    def score(self, item, _trace):
        if item.question_id == self.broken:
            raise ZeroDivisionError("0/0")
        return Score(self.name, item.question_id, 1.0)


@pytest.mark.parametrize("workers", [1, 2, 8])
def test_traces_stand_in_the_order_of_the_questions(workers):
    answers = ask(Echo(), QUESTIONS, {}, lambda _: None, workers)
    assert list(answers.traces) == [item.question_id for item in QUESTIONS]


def test_each_finished_question_is_kept_once_and_not_asked_again():
    kept, system = [], Echo()
    ask(system, QUESTIONS, {"q1": Trace("q1"), "q3": Trace("q3")}, kept.append)
    assert sorted(system.asked) == sorted(item.question_id for item in kept) == ["q0", "q2", "q4"]


def test_a_question_that_fails_is_a_failure_and_the_others_go_on():
    answers = ask(Echo(broken={"q2"}), QUESTIONS, {}, lambda _: None)
    assert answers.failures == (Failure("q2", "pipeline", "RuntimeError: model went away"),)
    assert list(answers.traces) == ["q0", "q1", "q3", "q4"]


def test_a_failed_question_has_an_error_score_for_every_metric_and_judgement():
    class Judge:
        identity = "j"
        metrics = ("faithfulness",)

        def judge(self, item, _trace):
            return [Score("faithfulness", item.question_id, 0.5)]

    answers = ask(Echo(broken={"q2"}), QUESTIONS, {}, lambda _: None)
    scores = score(QUESTIONS, answers, [Constant()], Judge())
    errors = {(item.metric, item.question_id) for item in scores if item.state is State.ERROR}
    assert errors == {("constant", "q2"), ("faithfulness", "q2")}
    assert len(scores) == 10


def test_a_metric_that_breaks_is_an_error_with_its_reason():
    answers = ask(Echo(), QUESTIONS, {}, lambda _: None)
    broken = [item for item in score(QUESTIONS, answers, [Constant(broken="q4")]) if item.state is State.ERROR]
    assert [(item.question_id, item.value, item.reason) for item in broken] == [("q4", None, "ZeroDivisionError: 0/0")]


def test_a_ranking_metric_that_breaks_leaves_its_neighbours_alone():
    class Broken(Recall):
        def value(self, found):
            raise ZeroDivisionError("0/0")

    asked = question("q1", evidence=[[("a.md", 0, 10)]])
    answers = Answers({"q1": trace("q1", chunk("a.md", 0, 10))}, ())
    found = score([asked], answers, [Recall(1), Broken(3), Recall(5)])
    assert [(item.metric, item.value, item.state) for item in found] == [
        ("recall_at_1", 1.0, State.SCORED),
        ("recall_at_3", None, State.ERROR),
        ("recall_at_5", 1.0, State.SCORED),
    ]
    assert found[1].reason == "ZeroDivisionError: 0/0"


def test_scores_stand_by_question_in_the_order_of_the_metrics():
    asked = [question(name, evidence=[[("a.md", 0, 10)]]) for name in ("q1", "q2")]
    answers = Answers({name: trace(name, chunk("a.md", 0, 10)) for name in ("q1", "q2")}, ())
    metrics = [Recall(5), Constant("first"), Recall(1, "fused"), Recall(1)]
    names = ["recall_at_5", "first", "fused/recall_at_1", "recall_at_1"]
    found = [(item.question_id, item.metric) for item in score(asked, answers, metrics)]
    assert found == [(name, metric) for name in ("q1", "q2") for metric in names]


def test_progress_counts_every_question_once():
    seen = []
    ask(Echo(), QUESTIONS, {"q1": Trace("q1")}, lambda _: None, 2, lambda *told: seen.append(told))
    assert seen == [("answering", done, 5) for done in (1, 2, 3, 4)]


def test_what_is_no_exception_stops_the_run_and_does_not_hang_it():
    class Leaving:
        def answer(self, item):
            raise SystemExit(3)

    with pytest.raises(SystemExit):
        ask(Leaving(), QUESTIONS, {}, lambda _: None, 2)


def test_a_mean_shows_its_denominator_and_every_other_state():
    scores = [
        Score("recall_at_5", "a", 1.0),
        Score("recall_at_5", "b", 0.0),
        Score("recall_at_5", "c", None, State.ERROR, "x"),
        Score("recall_at_5", "d", None, State.NOT_APPLICABLE),
        Score("recall_at_5", "e", None, State.SKIPPED),
    ]
    found = aggregate(scores, {})["recall_at_5"]
    assert (found.value, found.n, found.errors, found.not_applicable, found.skipped) == (0.5, 2, 1, 1, 1)
    assert found.low is not None
    assert found.low < 0.5 < found.high


def test_a_metric_that_scored_nothing_has_no_value():
    found = aggregate([Score("m", "a", None, State.ERROR, "x")], {})["m"]
    assert (found.value, found.n, found.low, found.errors) == (None, 0, None, 1)


def test_an_interrupt_stops_new_questions():
    started = []

    class Slow:
        def answer(self, item):
            started.append(item.question_id)
            time.sleep(0.05)
            return Trace(item.question_id)

    def stop(_trace):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ask(Slow(), [question(f"q{number}") for number in range(50)], {}, stop, workers=2)
    time.sleep(0.2)
    assert len(started) < 10


def test_no_more_questions_run_at_once_than_there_are_workers():
    running, most, lock = 0, 0, threading.Lock()

    class Watched:
        def answer(self, item):
            nonlocal running, most
            with lock:
                running += 1
                most = max(most, running)
            time.sleep(0.01)
            with lock:
                running -= 1
            return Trace(item.question_id)

    ask(Watched(), [question(f"q{number}") for number in range(20)], {}, lambda _: None, workers=3)
    assert 2 <= most <= 3


def test_progress_counts_up_to_the_number_of_questions():
    seen = []
    answers = Answers({item.question_id: trace(item.question_id) for item in QUESTIONS}, ())
    ask(Echo(), QUESTIONS, {}, lambda _: None, 1, lambda *step: seen.append(step))
    score(QUESTIONS, answers, [Constant()], progress=lambda *step: seen.append(step))
    assert {what for what, _, _ in seen} == {"answering", "scoring"}
    assert all(done <= total == 5 for _, done, total in seen)


def test_a_judge_that_breaks_gives_error_scores_and_the_run_goes_on():
    class Broken:
        identity = "j"
        metrics = ("faithfulness",)

        def judge(self, item, _trace):
            raise RuntimeError("no reply")

    answers = ask(Echo(), QUESTIONS, {}, lambda _: None)
    scores = [item for item in score(QUESTIONS, answers, [], Broken()) if item.metric == "faithfulness"]
    assert [(item.state, item.reason) for item in scores] == [(State.ERROR, "RuntimeError: no reply")] * 5


def test_a_damaged_cache_ends_the_run_and_fails_no_question():
    class Damaged:
        def answer(self, _item):
            raise StoreError("cannot read the cache")

    with pytest.raises(StoreError, match="cannot read the cache"):
        ask(Damaged(), QUESTIONS, {}, lambda _: None)


def test_a_count_has_no_interval():
    found = aggregate([Score("tenant_leaks", "a", 0.0), Score("tenant_leaks", "b", 2.0)], {})["tenant_leaks"]
    assert (found.value, found.n, found.low, found.high) == (1.0, 2, None, None)
