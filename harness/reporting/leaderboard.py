"""Variants of a sweep side by side, with those marked that cannot be told apart from the best."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist

from harness.errors import ConfigError
from harness.metrics.catalog import nearest
from harness.reporting.latency import duration
from harness.reporting.names import arrow, count, higher_is_better, interval, is_headline, is_judged, number, reading_order, title
from harness.reporting.tables import USUAL
from harness.statistics.multiplicity import holm
from harness.statistics.paired import sign_flip
from harness.types import RunRecord

BEST, TIED, UNCOMPARED = "★", "=", "?"
"""Marks: the best; not to be told apart from it; no shared question, so nothing can be said."""

ALPHA = 0.05
"""Holm-adjusted p below which a variant counts as different from the best."""

_COMPANIONS = ("mrr", "ndcg", "over_refusal_rate", "false_answer_rate", "citation_correctness", "faithfulness")
_FEW = 3


@dataclass(frozen=True, slots=True)
class Line:
    """One variant."""

    name: str
    """Experiment, with the run's own ending where names repeat."""
    record: RunRecord
    """Its run."""
    mark: str
    """★ best, = not to be told apart from the best, ? not comparable, or nothing."""
    p: float | None
    """Holm-adjusted p of the paired test against the best; None for the best itself."""
    cells: tuple[str, ...]
    """One text per column."""


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """Variants, best first."""

    metric: str
    """Metric id it is sorted by."""
    columns: tuple[str, ...]
    """Headings of the cells."""
    rows: tuple[Line, ...]
    """Variants, best first."""
    notes: tuple[str, ...]
    """How to read it."""

    @property
    def title(self) -> str:
        """The metric as people read it."""
        return title(self.metric)


def leaderboard(
    records: Sequence[RunRecord], metric: str = "recall_at_5", seconds: Mapping[str, float] | None = None
) -> Leaderboard:
    """Sorts runs by a metric and compares each with the best on the questions both answered.

    Args:
        records: the runs.
        metric: headline metric id.
        seconds: mean wall seconds per question, by run_id.

    Raises:
        ConfigError: when there is no run, or no run has the metric.
    """
    known = sorted({name for record in records for name in record.aggregates if is_headline(name)}, key=reading_order)
    if metric not in known:
        raise ConfigError(_unknown(metric, known))
    ordered = sorted(records, key=lambda record: _place(record, metric))
    adjusted = _adjusted(ordered, metric)
    companions, times = _companions(ordered, metric, known), seconds or {}
    rows = tuple(
        Line(_name(record, records), record, _mark(place, p), p, _cells(record, metric, companions, times))
        for place, (record, p) in enumerate(zip(ordered, adjusted, strict=True))
    )
    columns = (
        f"{title(metric)} {arrow(metric)}",
        "95 % interval",
        "n",
        *(f"{title(name)}{_judge(name, ordered)} {arrow(name)}" for name in companions),
    )
    return Leaderboard(metric, (*columns, *(["per question"] if times else [])), rows, _notes(ordered, metric, rows))


def _unknown(metric: str, known: Sequence[str]) -> str:
    if not known:
        return "there is no run to compare; start one with `python -m harness run +experiment=hybrid_rerank`"
    near = nearest(metric, known)
    return f"no run has the metric {metric!r}; {f'did you mean {near}?' if near else 'known: ' + ', '.join(known)}"


def _place(record: RunRecord, metric: str) -> tuple[bool, float, str, str]:
    value = _value(record, metric)
    if value is None:
        return True, 0.0, record.experiment, record.run_id
    return False, -value if higher_is_better(metric) else value, record.experiment, record.run_id


def _value(record: RunRecord, metric: str) -> float | None:
    aggregate = record.aggregates.get(metric)
    return aggregate.value if aggregate else None


def _adjusted(ordered: Sequence[RunRecord], metric: str) -> list[float | None]:
    raw = [_against(ordered[0], other, metric) for other in ordered[1:]]
    corrected = iter(holm([p for p in raw if p is not None]))
    return [None, *(None if p is None else next(corrected) for p in raw)]


def _against(best: RunRecord, other: RunRecord, metric: str) -> float | None:
    """Two-sided p of the paired differences (twice the one-sided); None without a shared question."""
    ours, theirs = _scores(best, metric), _scores(other, metric)
    shared = sorted(ours.keys() & theirs.keys())
    if not shared:
        return None
    sign = 1.0 if higher_is_better(metric) else -1.0
    losses = [sign * (theirs[name] - ours[name]) for name in shared]
    return min(1.0, 2 * sign_flip(losses, groups=[best.groups.get(name, name) for name in shared], seed=0))


def _scores(record: RunRecord, metric: str) -> dict[str, float]:
    return {score.question_id: score.value for score in record.scores if score.metric == metric and score.value is not None}


def _mark(place: int, p: float | None) -> str:
    if place == 0:
        return BEST
    return UNCOMPARED if p is None else "" if p < ALPHA else TIED


def _companions(records: Sequence[RunRecord], metric: str, known: Sequence[str]) -> list[str]:
    scored = [name for name in known if any(_value(record, name) is not None for record in records)]
    scored.sort(key=lambda name: name not in USUAL)
    first = (next((name for name in scored if name.startswith(family)), metric) for family in _COMPANIONS)
    return [name for name in dict.fromkeys(first) if name != metric]


def _cells(record: RunRecord, metric: str, companions: Sequence[str], seconds: Mapping[str, float]) -> tuple[str, ...]:
    aggregate = record.aggregates.get(metric)
    own = (number(aggregate.value), interval(aggregate.low, aggregate.high), str(aggregate.n)) if aggregate else ("–", "", "0")
    time = [duration(seconds[record.run_id]) if record.run_id in seconds else "–"] if seconds else []
    return (*own, *(number(_value(record, name)) for name in companions), *time)


def _name(record: RunRecord, records: Sequence[RunRecord]) -> str:
    same = sum(other.experiment == record.experiment for other in records)
    return record.experiment if same == 1 else f"{record.experiment} ({record.run_id.rpartition('-')[2]})"


def _notes(ordered: Sequence[RunRecord], metric: str, rows: Sequence[Line]) -> tuple[str, ...]:
    notes = []
    tied = sum(row.mark == TIED for row in rows)
    if len(rows) > 1:
        few = count(tied, "variant") if tied else "no variant"
        notes.append(f"{TIED} {few} cannot be told apart from the best (paired sign-flip test, Holm-adjusted p ≥ {ALPHA}).")
    if any(row.mark == UNCOMPARED for row in rows):
        notes.append(f"{UNCOMPARED} shares no scored question with the best.")
    if len({record.fingerprints.get("golden_set") for record in ordered}) > 1:
        notes.append("The runs were asked different golden sets; their means are not comparable.")
    return (*notes, *_inert(ordered), *_winners_curse(ordered, metric))


def _judge(metric: str, records: Sequence[RunRecord]) -> str:
    """` (lexical)` behind a judged metric: who judged, or that judges differ."""
    judges = {record.fingerprints.get("judge", "").partition(" ")[0] for record in records} - {""}
    if not is_judged(metric) or not judges:
        return ""
    return f" ({judges.pop() if len(judges) == 1 else 'different judges'})"


def _inert(records: Sequence[RunRecord]) -> list[str]:
    """Variants that agree on every score of every question: what differs between them does nothing here."""
    by_scores: dict[frozenset[tuple[str, str, float | None]], list[str]] = {}
    for record in records:
        key = frozenset((score.metric, score.question_id, score.value) for score in record.scores)
        by_scores.setdefault(key, []).append(_name(record, records))
    same = [names for key, names in by_scores.items() if key and len(names) > 1]
    return [f"{' and '.join(names)} agree on every score: what differs between them does nothing here." for names in same]


def _winners_curse(ordered: Sequence[RunRecord], metric: str) -> list[str]:
    best = ordered[0].aggregates.get(metric)
    if len(ordered) <= _FEW or best is None or best.low is None or best.high is None:
        return []
    return [
        f"Winner's curse: the best of {len(ordered)} equal variants on {count(best.n, 'question')} looks up to "
        f"{curse(len(ordered), best.high - best.low):.3f} better than it is; choose on tune, claim on test."
    ]


def curse(variants: int, width: float) -> float:
    """By how much the best of several equal variants overstates itself when their errors are independent.

    Expected maximum of that many normal deviates (Blom 1958) times the standard error of a 95 % interval's width.
    """
    normal = NormalDist()
    return normal.inv_cdf((variants - 0.375) / (variants + 0.25)) * width / (2 * normal.inv_cdf(0.975))
