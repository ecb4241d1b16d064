"""Questions asked several times: every repeat asks anew, nothing vanishes in the fold, and what flips is known by name."""

from dataclasses import dataclass
from pathlib import Path

import pytest
from pydantic import ConfigDict, SkipValidation
from pydantic.dataclasses import dataclass as validated

from harness.cache import CachedLLM
from harness.evaluation import Answers
from harness.generation.llm import LLMGenerator
from harness.llm.scripted import Scripted
from harness.protocols import LLM
from harness.querying.hyde import Hyde
from harness.repeats import Again, again, folded, joined, named
from harness.store import Store
from harness.types import Completion, Failure, Request, Score, State, Trace, Turn
from tests.builders import chunk, question, ranking

ASKED = Request((Turn("user", "Why?"),))
STATES = {"e": State.ERROR, "s": State.SKIPPED, "-": State.NOT_APPLICABLE}


class Counting:
    """Answers each request with the number of requests so far."""

    identity = "counting"

    def __init__(self) -> None:
        self.asked: list[Request] = []

    def complete(self, request: Request) -> Completion:
        self.asked.append(request)
        return Completion(f"answer {len(self.asked)}")


def score(value: float | str, metric: str = "m", question_id: str = "q1") -> Score:
    if isinstance(value, str):
        return Score(metric, question_id, None, STATES[value], f"why {value}")
    return Score(metric, question_id, value, reason="counted")


@pytest.mark.parametrize(
    ("repeats", "state", "value"),
    [
        ([1.0, 1.0, 1.0], State.SCORED, 1.0),
        ([1.0, 0.0, 0.5], State.SCORED, 0.5),
        ([1.0, "-", 0.0], State.SCORED, 0.5),
        (["-", 1.0, 1.0], State.SCORED, 1.0),
        ([1.0, "s", 0.0], State.SCORED, 0.5),
        (["-", "-", "-"], State.NOT_APPLICABLE, None),
        (["-", "s", "-"], State.SKIPPED, None),
        ([1.0, "e", 1.0], State.ERROR, None),
        (["e", "e", "e"], State.ERROR, None),
        (["-", "-", "e"], State.ERROR, None),
    ],
)
def test_repeats_fold_into_one_score(repeats: list[float | str], state: State, value: float | None) -> None:
    ((found,), _) = folded([[score(item)] for item in repeats])
    assert (found.state, found.value) == (state, value)


@pytest.mark.parametrize(
    ("repeats", "share"),
    [
        ([1.0, 1.0, 1.0, 1.0, 1.0], None),
        ([1.0, 0.0, 1.0, 1.0, 1.0], 0.25),
        ([0.0, 1.0, 1.0, 1.0, 1.0], 1.0),
        ([1.0, "-", 0.5, 1.0, 1.0], 0.5),
        (["-", "-", "-", "-", "-"], None),
        ([0.1 + 0.2, 0.3, 0.3, 0.3, 0.3], None),
        ([1.0, "e", 1.0, 1.0, 1.0], 0.25),
    ],
)
def test_a_flip_rate_is_the_share_of_later_repeats_that_differ_from_the_first(
    repeats: list[float | str], share: float | None
) -> None:
    _, flips = folded([[score(item)] for item in repeats])
    assert flips == ({} if share is None else {"m": {"q1": share}})


@pytest.mark.parametrize(
    ("repeats", "reason"),
    [
        ([1.0, 1.0], "counted"),
        ([1.0, 0.0], "mean of 2 repeats; first: counted"),
        (["-", 1.0], "mean of the 1 with a number, of 2 repeats; first: counted"),
        (["-", "-"], "why -"),
        ([1.0, "e"], "repeat 2 of 2: why e"),
    ],
)
def test_a_folded_score_says_what_it_is_the_mean_of(repeats: list[float | str], reason: str) -> None:
    assert folded([[score(item)] for item in repeats])[0][0].reason == reason


def test_asked_once_nothing_is_folded_and_nothing_flips() -> None:
    once = [score(0.25), score("e", "other")]
    assert folded([once]) == (tuple(once), {})


def test_scores_stand_in_the_order_of_the_first_repeat_whatever_the_order_of_the_others() -> None:
    first = [score(1.0, "b", "q2"), score(0.0, "a", "q1")]
    scores, flips = folded([first, [score(1.0, "a", "q1"), score(1.0, "b", "q2")]])
    assert [(item.metric, item.question_id, item.value) for item in scores] == [("b", "q2", 1.0), ("a", "q1", 0.5)]
    assert flips == {"a": {"q1": 1.0}}


@pytest.mark.parametrize("lacking", [0, 1])
def test_a_score_that_one_repeat_lacks_is_an_error_and_never_vanishes(lacking: int) -> None:
    repeats = [[score(1.0)], [score(1.0)]]
    repeats[lacking] = []
    ((found,), flips) = folded(repeats)
    assert (found.state, found.reason) == (State.ERROR, f"repeat {lacking + 1} of 2: no score")
    assert flips == {"m": {"q1": 1.0}}


def test_a_repeat_asks_the_model_anew_and_asks_it_once(tmp_path: Path) -> None:
    model = Counting()
    cached = CachedLLM(model, Store(tmp_path / "stages.sqlite"))
    texts = [[again(cached, number).complete(ASKED).text for number in range(3)] for _ in range(2)]
    assert texts == [["answer 1", "answer 2", "answer 3"]] * 2
    assert len(model.asked) == 3


def test_the_first_repeat_is_the_very_request_of_a_run_without_repeats() -> None:
    model = Counting()
    stage = Hyde(model)
    assert again(stage, 0) is stage
    again(model, 0).complete(ASKED)
    assert model.asked == [ASKED]


def test_a_stage_that_numbers_its_own_requests_meets_no_other_repeat() -> None:
    model = Counting()
    for number in range(3):
        for own in range(2):
            again(model, number).complete(Request(ASKED.turns, repeat=own))
    assert len({item.repeat for item in model.asked}) == 6


def test_a_repeated_stage_is_the_same_stage_with_the_same_identity() -> None:
    model = Scripted({"Why": "Because."})
    stage = again(LLMGenerator(model, max_tokens=99), 1)
    assert isinstance(stage.llm, Again)
    assert (stage.max_tokens, stage.llm.identity) == (99, model.identity)
    assert stage.generate(question(text="Why?"), ranking(chunk())).text == "Because."


def test_what_holds_no_model_stays_the_very_same_object() -> None:
    @dataclass(frozen=True)
    class Plain:
        parts: tuple[str, ...] = ("a", "b")

    stage = Plain()
    assert again(stage, 3) is stage
    assert again(None, 3) is None


@validated(frozen=True, config=ConfigDict(extra="forbid", arbitrary_types_allowed=True))
class Reader:
    """A judge's part that reads with a model."""

    llm: SkipValidation[LLM]


@dataclass(frozen=True)
class Deep:
    """A judge whose models lie in parts, lists and mappings."""

    reader: Reader
    several: tuple[Reader, ...] = ()
    listed: tuple[object, ...] | list[object] = ()
    by_name: object = None


def test_a_model_is_found_however_deep_it_lies() -> None:
    model = Counting()
    judge = again(Deep(Reader(model), (Reader(model),), [model], {"a": Reader(model)}), 2)
    found = [judge.reader.llm, judge.several[0].llm, judge.listed[0], judge.by_name["a"].llm]  # type: ignore[index]
    assert found == [Again(model, 2)] * 4


def test_the_traces_are_those_of_the_first_repeat_and_the_failures_those_of_all() -> None:
    first = Answers({"q1": Trace("q1"), "q2": Trace("q2")}, (Failure("q3", "pipeline", "boom"),))
    second = Answers({"q1": Trace("q1")}, (Failure("q2", "pipeline", "late"), Failure("q3", "pipeline", "again")))
    both = joined([first, second])
    assert both.traces is first.traces
    assert [(item.question_id, item.error) for item in both.failures] == [("q3", "repeat 1: boom"), ("q2", "repeat 2: late")]
    assert joined([first]) == first


def test_progress_says_which_repeat_is_going_on() -> None:
    said: list[str] = []
    keep = lambda what, _done, _total: said.append(what)  # noqa: E731
    named(keep, 0, 1)("answering", 1, 2)
    named(keep, 1, 3)("answering", 1, 2)
    assert said == ["answering", "answering, repeat 2"]
