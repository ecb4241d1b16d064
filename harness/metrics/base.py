"""What every metric states about itself, and the two ways in which one can have nothing to say."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Annotated, ClassVar

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass as validated

from harness.metrics.coverage import Found, find
from harness.protocols import Metric
from harness.types import Question, Score, State, Trace

HEADLINE = "reranked"
"""The station whose metrics carry no prefix: what the pipeline as a whole retrieved."""


@dataclass(frozen=True, slots=True)
class Description:
    """What a reader needs to know to read a metric's number."""

    metric: str
    """Metric id, such as dense/recall_at_5."""
    title: str
    """What people read, such as Recall@5 (dense)."""
    formula: str
    """The definition in one line."""
    source: str
    """Paper or tool it comes from."""
    kind: str
    """retrieval, citations, refusal, answer, invariant or judged."""
    higher_is_better: bool = True
    """False: a rise is a loss."""
    deterministic: bool = True
    """The same trace always gives the same number; False for judged metrics."""
    low: float = 0.0
    """Smallest possible value."""
    high: float = 1.0
    """Largest possible value; inf for counts."""


class Measure:
    """A metric: the class says what it is, `score` applies it to one question."""

    family: ClassVar[str]
    label: ClassVar[str]
    formula: ClassVar[str]
    source: ClassVar[str]
    kind: ClassVar[str]
    higher_is_better: ClassVar[bool] = True
    deterministic: ClassVar[bool] = True
    low: ClassVar[float] = 0.0
    high: ClassVar[float] = 1.0

    @property
    def name(self) -> str:
        """Metric id in code, config and MLflow."""
        return self.family

    @property
    def title(self) -> str:
        """What people read."""
        return self.label

    def score(self, question: Question, trace: Trace) -> Score:
        """The metric on one question."""
        raise NotImplementedError

    def scored(self, question: Question, value: float, reason: str = "") -> Score:
        """A number."""
        return Score(self.name, question.question_id, float(value), State.SCORED, reason)

    def not_applicable(self, question: Question, reason: str) -> Score:
        """The metric says nothing about this question; it leaves the denominator."""
        return Score(self.name, question.question_id, None, State.NOT_APPLICABLE, reason)

    @classmethod
    def describe(cls, metric: str, title: str) -> Description:
        """The class's facts under one id."""
        return Description(
            metric, title, cls.formula, cls.source, cls.kind, cls.higher_is_better, cls.deterministic, cls.low, cls.high
        )


def without_evidence(question: Question) -> str:
    """Why a question cannot be scored against evidence; empty when it can."""
    if not question.answerable:
        return "unanswerable: there is nothing to find"
    return "" if question.evidence else "the question has no evidence"


@validated(frozen=True, config=ConfigDict(extra="forbid"))
class RankingMetric(Measure):
    """A metric of one station's ranking, cut at k, against the question's evidence."""

    k: Annotated[int, Field(ge=1, le=10_000)]
    """Depth: hits of the ranking that count (tokens, for the budgeted kind)."""
    station: str = HEADLINE
    """Which ranking of the trace: a retriever's name, fused, reranked or context."""
    tau: Annotated[float, Field(gt=0, le=1)] = 0.9
    """Share of an evidence span that must be covered."""

    kind: ClassVar[str] = "retrieval"
    separator: ClassVar[str] = "_at_"

    @cached_property
    def name(self) -> str:
        """Such as recall_at_5, or dense/recall_at_5 for a station other than the headline."""
        prefix = "" if self.station == HEADLINE else f"{self.station}/"
        return f"{prefix}{self.family}{self.separator}{self.k}"

    @property
    def title(self) -> str:
        """Such as Recall@5 (dense)."""
        return station_title(self.label.format(k=self.k), "" if self.station == HEADLINE else self.station)

    @property
    def depth(self) -> int:
        """Hits that can change the value."""
        return self.k

    def score(self, question: Question, trace: Trace) -> Score:
        """Not applicable without evidence, skipped without the station; an empty ranking is 0."""
        return Together((self,)).score_all(question, trace)[0]

    def value(self, found: Found) -> float:
        """The number, from where each piece of evidence was found."""
        raise NotImplementedError


class Together:
    """Metrics of one station and one tau: the evidence is looked for once, as deep as the deepest of them needs."""

    def __init__(self, metrics: Sequence[RankingMetric]) -> None:
        self.metrics = tuple(metrics)
        self.names = tuple(metric.name for metric in metrics)
        self.station, self.tau = metrics[0].station, metrics[0].tau
        self._depth = max(metric.depth for metric in metrics)
        self._values = tuple(metric.value for metric in metrics)

    def score_all(self, question: Question, trace: Trace) -> list[Score]:
        """One score per metric, in their order: not applicable without evidence, skipped without the station."""
        if reason := without_evidence(question):
            return [metric.not_applicable(question, reason) for metric in self.metrics]
        ranking = trace.reranked if self.station == HEADLINE else trace.stations().get(self.station)
        if ranking is None:
            reason = f"the trace has no station {self.station!r}"
            return [Score(name, question.question_id, None, State.SKIPPED, reason) for name in self.names]
        found = find(question.evidence, ranking, self.tau, self._depth)
        return Score.of(self.names, question.question_id, [float(value(found)) for value in self._values])


def together(metrics: Iterable[Metric]) -> list[Together | Metric]:
    """The metrics in their order, neighbours of one station and one tau joined; one with a `score` of its own stands alone."""
    kept: list[Together | Metric] = []
    for (joined, _, _), items in groupby(metrics, _shared):
        same = list(items)
        kept += [Together([item for item in same if isinstance(item, RankingMetric)])] if joined else same
    return kept


def _shared(metric: Metric) -> tuple[bool, str, float]:
    if isinstance(metric, RankingMetric) and type(metric).score is RankingMetric.score:
        return True, metric.station, metric.tau
    return False, "", 0.0


def station_title(title: str, station: str) -> str:
    """A title with its station behind it."""
    return f"{title} ({station})" if station else title
