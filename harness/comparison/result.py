"""What a comparison finds."""

from dataclasses import dataclass

from harness.comparison.sides import Side


@dataclass(frozen=True, slots=True)
class Row:
    """One metric on the questions that both scored."""

    metric: str
    """Metric id."""
    a: float | None = None
    """Mean of A over these questions; over its own where nothing could be paired."""
    b: float | None = None
    """The same of B."""
    difference: float | None = None
    """Mean paired difference B - A, in the metric's own direction."""
    low: float | None = None
    """Lower end of its 95 % interval, questions clustered by group; None for counts."""
    high: float | None = None
    """Upper end."""
    p: float | None = None
    """Two-sided p of the sign-flip test, questions of one group flipped together; None for an invariant, which is counted."""
    adjusted: float | None = None
    """The same, adjusted for the number of metrics: by Holm over those that decide, by Benjamini-Hochberg over the further ones."""
    n: int = 0
    """Questions compared."""
    wins: int = 0
    """Questions on which B is better."""
    losses: int = 0
    """Questions on which B is worse."""
    ties: int = 0
    """Questions on which both are equal."""
    only_a: int = 0
    """Questions that only A has a number for."""
    only_b: int = 0
    """Questions that only B has a number for."""
    problem: str = ""
    """Why it cannot be compared; empty when it was."""


@dataclass(frozen=True, slots=True)
class Changed:
    """A question on which a metric differs."""

    question_id: str
    """The question."""
    direction: str
    """better or worse when all changes go that way, and B's answer in place of a refusal is not wrong; else mixed."""
    size: float
    """How much changed: sum over the metrics, each on a scale of 1, without signs."""
    values: tuple[tuple[str, float, float], ...]
    """Metric id, value of A, value of B: those that differ, in the order of the table."""
    lost_a: str = ""
    """What became of its evidence in A, such as answered or cut_by_reranker; empty when unknown."""
    lost_b: str = ""
    """The same in B."""
    first: str = ""
    """First ranking of the pipeline whose recall differs; empty when none does."""
    recall: tuple[float, float] = (0.0, 0.0)
    """Recall of A and of B in that ranking."""


@dataclass(frozen=True, slots=True)
class Flip:
    """A question that one side refused and the other answered."""

    question_id: str
    """The question."""
    answerable: bool
    """Whether it can be answered."""
    now_refused: bool
    """B refused what A answered; else B answered what A refused."""
    correct: bool | None = None
    """Whether the answer of the side that answered is correct or acceptable by its own scores; None when no score says so."""

    @property
    def right(self) -> bool | None:
        """Whether B does what it should; None when B answers what can be answered and no score says how well."""
        if self.answerable and not self.now_refused:
            return self.correct
        return self.answerable is not self.now_refused


@dataclass(frozen=True, slots=True)
class RunComparison:
    """A before, B after."""

    a: Side
    """Before."""
    b: Side
    """After."""
    where: str
    """all, tune, test or a label."""
    questions: tuple[str, ...]
    """Questions compared, sorted."""
    notes: tuple[str, ...]
    """What a reader should know of how the two go together."""
    rows: tuple[Row, ...] = ()
    """Metrics that decide, in the order given."""
    further: tuple[Row, ...] = ()
    """The other metrics."""
    changed: tuple[Changed, ...] = ()
    """Questions on which a metric that decides differs, the biggest changes first."""
    flips: tuple[Flip, ...] | None = None
    """Questions refused by one side only, sorted; None where a side gave no answers."""
    problem: str = ""
    """Why nothing can be compared; empty when something was."""
