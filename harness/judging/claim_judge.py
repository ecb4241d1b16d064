"""The one engine behind every metric that asks: do these passages support that claim?

Who splits and who reads support are stages of their own: rules and words, a small model, an entailment model or a language
model give the same metrics, each under its own name.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated

from pydantic import ConfigDict, Field, SkipValidation
from pydantic.dataclasses import dataclass

from harness.errors import ConfigError, Problem, StageError
from harness.judging.calls import calls_of
from harness.judging.chosen import metric_problems
from harness.judging.cited import citation_precision, citation_recall, citation_support_precision, citation_support_recall
from harness.judging.companions import context_utilization, hallucination, noise_sensitivity, self_knowledge
from harness.judging.faithfulness import faithfulness
from harness.judging.nuggets import answer_correctness_all, answer_correctness_strict_vital, answer_correctness_vital
from harness.judging.reading import Finding, Reading
from harness.protocols import ClaimSplitter, SupportModel
from harness.types import Question, Score, State, Trace

_COMPUTED: tuple[Callable[[Reading], Finding], ...] = (
    faithfulness,
    citation_recall,
    citation_precision,
    citation_support_recall,
    citation_support_precision,
    hallucination,
    self_knowledge,
    noise_sensitivity,
    context_utilization,
    answer_correctness_strict_vital,
    answer_correctness_vital,
    answer_correctness_all,
)
BY_ID: Mapping[str, Callable[[Reading], Finding]] = {metric.__name__: metric for metric in _COMPUTED}
"""What computes each metric id."""


@dataclass(frozen=True, config=ConfigDict(extra="forbid", arbitrary_types_allowed=True))
class ClaimJudge:
    """Scores an answer by its claims, its sentences' citations and the question's nuggets.

    Each (claim, passages) is asked once a question. Where the splitter or the support model fails, the metrics that need that
    very verdict are errors with the judge's words; the others are scored.
    """

    splitter: SkipValidation[ClaimSplitter]
    """Who splits answers and references into claims."""
    support: SkipValidation[SupportModel]
    """Who reads whether passages support a claim."""
    partial_at: Annotated[float, Field(gt=0, le=1)] = 0.3
    """Probability from which a claim that is not supported counts as partly supported."""
    metrics: Annotated[tuple[str, ...], Field(min_length=1)] = tuple(BY_ID)
    """Ids of the metrics to score."""

    def __post_init__(self) -> None:
        problems = [
            Problem(
                "F001",
                f"judge.{name}",
                f"{type(part).__name__} is no {name}",
                "The judge needs one.",
                "see conf/judge/lexical.yaml",
            )
            for name, part, does in (("splitter", self.splitter, "split"), ("support", self.support, "support"))
            if not callable(getattr(part, does, None))
        ]
        problems += metric_problems(self.metrics, BY_ID)
        if problems:
            raise ConfigError("The judge does not hold.", problems)

    @property
    def identity(self) -> str:
        """Who reads support, who splits, and the threshold; its first word is the judge's short name."""
        return f"{self.support.identity}; {self.splitter.identity}; claims v1 partial_at={self.partial_at:g}"

    @property
    def calls_per_question(self) -> int:
        """Calls of language models for an answer of a usual size, at most."""
        return calls_of(self.metrics, self.splitter, self.support)

    def judge(self, question: Question, trace: Trace) -> Sequence[Score]:
        """One score per metric id, in the order of `metrics`."""
        reading = Reading(question, trace, self.splitter, self.support, self.partial_at)
        return [self._score(name, reading) for name in self.metrics]

    def _score(self, metric: str, reading: Reading) -> Score:
        try:
            found, state = BY_ID[metric](reading), State.SCORED
        except StageError as error:
            found, state = Finding(None, f"judge error: {error}"), State.ERROR
        if found.value is None and state is State.SCORED:
            state = State.NOT_APPLICABLE
        return Score(metric, reading.question.question_id, found.value, state, f"{found.reason} [{self.identity}]")
