"""A metric of a run beside the same metric of the accepted baseline, question by question."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from harness.fingerprint import fingerprint
from harness.gates.baseline import Baseline, rounded
from harness.metrics.base import Description
from harness.statistics.clusters import named
from harness.statistics.intervals import Interval, mean_interval
from harness.statistics.paired import sign_flip, smallest_p
from harness.statistics.power import minimum_detectable_effect, required_questions
from harness.types import RunRecord, State


@dataclass(frozen=True, slots=True)
class Measured:
    """What a run says of one metric on one slice."""

    asked: tuple[str, ...]
    """Questions of the slice."""
    values: Mapping[str, float]
    """Scored questions, rounded as baselines are."""
    lost: tuple[str, ...]
    """Questions of which nothing is known: an error, or no score at all."""
    skipped: tuple[str, ...]
    """Questions left out on purpose."""

    @property
    def mean(self) -> float:
        """Mean of the scored questions; there must be one."""
        return sum(self.values.values()) / len(self.values)

    def bounds(self, description: Description) -> Interval:
        """The mean if every lost question had the lowest, and the highest, possible value."""
        total, n = sum(self.values.values()), len(self.values) + len(self.lost)
        return (total + len(self.lost) * description.low) / n, (total + len(self.lost) * description.high) / n

    def only(self, kept: Collection[str]) -> "Measured":
        """The same on some of the questions."""
        return Measured(
            asked=tuple(name for name in self.asked if name in kept),
            values={name: value for name, value in self.values.items() if name in kept},
            lost=tuple(name for name in self.lost if name in kept),
            skipped=tuple(name for name in self.skipped if name in kept),
        )


def questions_of(record: RunRecord, split: str = "all", label: str = "") -> tuple[str, ...]:
    """Ids of the record's questions in a split that carry a label, whether they have scores or failed; sorted."""
    known = {*record.splits, *(score.question_id for score in record.scores), *(item.question_id for item in record.failures)}
    inside = (name for name in known if split in ("all", record.splits.get(name, "test")))
    return tuple(sorted(name for name in inside if not label or label in record.labels.get(name, ())))


def measured(record: RunRecord, metric: str, split: str, label: str = "") -> Measured:
    """The metric's scores on the questions of a split that carry a label (empty: all of them)."""
    asked = questions_of(record, split, label)
    scores = {score.question_id: score for score in record.scores if score.metric == metric}
    present = [scores[name] for name in asked if name in scores]
    values = {score.question_id: rounded(score.value) or 0.0 for score in present if score.value is not None}
    known = {score.question_id for score in present if score.state is not State.ERROR}
    skipped = tuple(score.question_id for score in present if score.state is State.SKIPPED)
    return Measured(asked, values, tuple(name for name in asked if name not in known), skipped)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Paired differences of one metric, turned so that lower is worse."""

    questions: tuple[str, ...]
    """Questions that both scored."""
    differences: tuple[float, ...]
    """Per question; negative is worse, whatever the metric's direction."""
    before: float
    """Baseline's mean over these questions."""
    after: float
    """The run's mean over them."""
    sign: int
    """-1 where lower values are better."""
    groups: tuple[str, ...]
    """Cluster of each question."""
    seed: int
    """From the digests of what is compared."""
    reach: Interval | None
    """Smallest and largest possible difference; None for counts."""

    @property
    def mean(self) -> float:
        """Mean difference; negative is worse."""
        return sum(self.differences) / len(self.differences)

    @property
    def clusters(self) -> int:
        """How many clusters the questions form; one without a name is its own."""
        return len(set(named(len(self.groups), self.groups)))

    @property
    def unchanged(self) -> bool:
        """No question differs."""
        return not any(self.differences)

    @property
    def flipped(self) -> tuple[str, ...]:
        """Questions that differ, the worst first."""
        return tuple(name for change, name in sorted(zip(self.differences, self.questions, strict=True)) if change)

    def p_worse(self) -> float:
        """One-sided p that it got worse."""
        return sign_flip(self.differences, self.groups, self.seed)

    def p_better(self) -> float:
        """One-sided p that it got better."""
        return sign_flip([-change for change in self.differences], self.groups, self.seed)

    def least_p(self) -> float:
        """The p of a change for the worse on every question: no smaller one can come of these clusters."""
        return smallest_p(len(self.differences), self.groups)

    def interval(self, confidence: float = 0.95) -> Interval | None:
        """Of the mean difference, lower is worse; of no width when nothing differs."""
        if self.unchanged:
            return 0.0, 0.0
        return mean_interval(self.differences, self.groups, self.seed, confidence, self.reach)

    def detectable(self, alpha: float) -> float:
        """The smallest drop this comparison could have seen; under Holm alpha is that of the whole family over its size."""
        return minimum_detectable_effect(self.differences, self.groups, alpha)

    def needed(self, effect: float, alpha: float) -> int:
        """How many questions would see a drop of `effect`."""
        return required_questions(self.differences, self.groups, effect, alpha)


def compare(record: RunRecord, accepted: Baseline, now: Measured, description: Description) -> Comparison:
    """Pairs a run's scores with the baseline's by question id."""
    metric, sign = description.metric, 1 if description.higher_is_better else -1
    old = {name: value for name, value in accepted.scores[metric].items() if value is not None}
    shared = tuple(sorted(set(now.values) & set(old)))
    changes = tuple(rounded(sign * (now.values[name] - old[name])) or 0.0 for name in shared)
    count = max(1, len(shared))
    width = description.high - description.low
    digests = [marks.get(key, "") for marks in (accepted.fingerprints, record.fingerprints) for key in ("golden_set", "config")]
    return Comparison(
        questions=shared,
        differences=changes,
        before=sum(old[name] for name in shared) / count,
        after=sum(now.values[name] for name in shared) / count,
        sign=sign,
        groups=tuple(record.groups.get(name, "") for name in shared),
        seed=int(fingerprint(metric, *digests)[:8], 16),
        reach=(-width, width) if width != float("inf") else None,
    )
