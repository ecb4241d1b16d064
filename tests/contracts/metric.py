"""What every metric keeps, whatever it measures."""

from math import isfinite

from harness.metrics.base import Measure
from harness.metrics.catalog import describe
from harness.types import Answer, Question, State, Trace
from tests.builders import chunk, question, ranking, trace

GOLD = chunk("a.md", 0, 10)
OTHER = chunk("b.md", 0, 10)


def situations() -> list[tuple[Question, Trace]]:
    """Answerable and not, found and not, answered, refused and silent."""
    asked = question("q1", evidence=[[("a.md", 0, 10)]], answers=("two years",))
    hidden = question("q1", answerable=False, kind="tenant", forbid=())
    answers = [None, Answer("Two years."), Answer(f"Two years [{GOLD.chunk_id}]."), Answer("No.", refused=True)]
    traces = [trace("q1", *chunks, answer=answer) for chunks in ((), (GOLD, OTHER), (OTHER,)) for answer in answers]
    return [(item, left) for item in (asked, hidden, question("q1")) for left in [*traces, Trace("q1", context=ranking(GOLD))]]


class MetricContract:
    """Subclass it and give `metric`."""

    metric: Measure

    def test_every_score_carries_the_metric_and_the_question(self) -> None:
        scores = [self.metric.score(*pair) for pair in situations()]
        assert {(score.metric, score.question_id) for score in scores} == {(self.metric.name, "q1")}

    def test_numbers_stay_in_the_declared_range(self) -> None:
        values = [score.value for pair in situations() if (score := self.metric.score(*pair)).value is not None]
        assert all(isfinite(value) and self.metric.low <= value <= self.metric.high for value in values)

    def test_a_missing_number_has_a_reason(self) -> None:
        silent = [score for pair in situations() if (score := self.metric.score(*pair)).state is not State.SCORED]
        assert all(score.value is None and score.reason for score in silent)

    def test_the_same_trace_gives_the_same_score(self) -> None:
        assert [self.metric.score(*pair) for pair in situations()] == [self.metric.score(*pair) for pair in situations()]

    def test_the_catalog_describes_it(self) -> None:
        found = describe(self.metric.name)
        assert (found.title, found.higher_is_better) == (self.metric.title, self.metric.higher_is_better)
        assert found.formula and found.source
