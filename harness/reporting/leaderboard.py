"""Variants of a sweep side by side, with those marked that cannot be told apart from the best.

Choose on tune, claim on test: a sweep that asked both splits is ranked by its tune questions, and what is said of the
ranking (ties, the other metrics, the front) is said on the test questions, which took no part in the choice.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from harness.errors import ConfigError
from harness.evaluation import aggregate
from harness.metrics.catalog import nearest
from harness.reporting.costs import unpriced_questions
from harness.reporting.latency import duration
from harness.reporting.leaderboard_doubts import NOT_SHARED, over_budget, unlike
from harness.reporting.leaderboard_notes import ALPHA, BEST, TIED, UNCOMPARED, Said, notes
from harness.reporting.names import (
    arrow,
    higher_is_better,
    interval,
    is_headline,
    is_judged,
    judge_name,
    number,
    reading_order,
    title,
)
from harness.reporting.pareto import FRONT, Point, front, per_question, price
from harness.reporting.tables import USUAL
from harness.statistics.multiplicity import holm
from harness.statistics.paired import sign_flip
from harness.types import RunRecord, Usage

_COMPANIONS = ("mrr", "ndcg", "over_refusal_rate", "false_answer_rate", "citation_correctness", "faithfulness")
LEAST = 10
"""Questions that both splits need before a sweep is ranked by one of them."""


@dataclass(frozen=True, slots=True)
class Line:
    """One variant."""

    name: str
    """Experiment, with the run's own ending where names repeat."""
    record: RunRecord
    """Its run."""
    mark: str
    """★ best, = not to be told apart from the best, ? not comparable, or nothing; with ◆ behind it on the front."""
    p: float | None
    """Holm-adjusted p of the paired test against the best; None for the best itself and what cannot be compared with it."""
    cells: tuple[str, ...]
    """One text per column."""
    claimed: RunRecord
    """Its run on the questions of which something is claimed: those of test, or all."""
    seconds: float | None = None
    """Mean seconds per question, as if nothing had come from a cache; None where that is not known."""
    cost: float | None = None
    """US dollars or tokens per question."""
    front: bool = False
    """Whether it is on the front of quality, latency and cost."""
    doubt: str = ""
    """Why it cannot be compared with the best, or be the best; empty when it can."""


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
    unit: str = ""
    """Of the cost: US dollars or tokens; empty where no language model was called."""

    @property
    def title(self) -> str:
        """The metric as people read it."""
        return title(self.metric)


@dataclass(frozen=True, slots=True)
class _Variant:
    """One run, and the parts of it that rank it and speak for it."""

    record: RunRecord
    chosen: RunRecord
    claimed: RunRecord


def leaderboard(
    records: Sequence[RunRecord],
    metric: str = "recall_at_5",
    seconds: Mapping[str, float | None] | None = None,
    usage: Mapping[str, Usage] | None = None,
    by_split: bool = False,
) -> Leaderboard:
    """Sorts runs by a metric and compares each with the best on the questions both answered.

    Runs with too many failed questions stand last and none of them is the best. A run that was asked another golden set, or
    judged by another judge, has its place by its mean, but is not compared.

    Args:
        records: the runs.
        metric: headline metric id.
        seconds: mean seconds per question, by run_id; None of a run of which that is not known.
        usage: what the answers took of language models, by run_id.
        by_split: rank by the tune questions and claim on the test questions, where every run has enough of both.

    Raises:
        ConfigError: when there is no run, or no run has the metric.
    """
    known = sorted({name for record in records for name in record.aggregates if is_headline(name)}, key=reading_order)
    if metric not in known:
        raise ConfigError(_unknown(metric, known))
    companions = _companions(records, metric, known)
    split = by_split and all(_enough(record, metric) for record in records)
    variants = [_variant(record, (metric, *companions), split) for record in records]
    variants.sort(key=lambda item: (over_budget(item.record, metric), _place(item.chosen, metric)))
    doubts = [_doubt(variants[0], item, metric) for item in variants]
    adjusted = _adjusted([item.claimed for item in variants], doubts, metric)
    unit, costs = per_question(usage or {}, {record.run_id: len(record.splits) for record in records}, _unpriced(records, usage))
    points = [
        _point(item.claimed, "" if doubt else metric, seconds or {}, costs) for item, doubt in zip(variants, doubts, strict=True)
    ]
    marked = front(points)
    rows = tuple(
        Line(
            name=_name(item.record, records),
            record=item.record,
            mark=f"{UNCOMPARED if doubt else _mark(p)}{FRONT if on_front else ''}",
            p=p,
            cells=(
                *_cells(item, metric, companions, split),
                *([_time(point)] if seconds else []),
                *([price(point.cost, unit)] if unit else []),
            ),
            claimed=item.claimed,
            seconds=point.seconds,
            cost=point.cost,
            front=on_front,
            doubt=doubt,
        )
        for item, doubt, p, point, on_front in zip(variants, doubts, adjusted, points, marked, strict=True)
    )
    columns = (
        *_heads(f"{title(metric)}{_judge(metric, records)} {arrow(metric)}", split),
        *(f"{title(name)}{_judge(name, records)} {arrow(name)}" for name in companions),
        *(["per question"] if seconds else []),
        *([f"{unit} per question"] if unit else []),
    )
    said = Said(metric, split, bool(seconds), unit, [item.record for item in variants], [item.chosen for item in variants], rows)
    return Leaderboard(metric, columns, rows, notes(said), unit)


def _enough(record: RunRecord, metric: str) -> bool:
    scored = [record.splits.get(name, "") for name in _scores(record, metric)]
    return min(scored.count("tune"), scored.count("test")) >= LEAST


def _variant(record: RunRecord, metrics: Collection[str], split: bool) -> _Variant:
    return (
        _Variant(record, _on(record, "tune", metrics), _on(record, "test", metrics))
        if split
        else _Variant(record, record, record)
    )


def _on(record: RunRecord, split: str, metrics: Collection[str]) -> RunRecord:
    """The run on the questions of one split."""
    kept = tuple(score for score in record.scores if score.metric in metrics and record.splits.get(score.question_id) == split)
    return replace(record, scores=kept, aggregates=aggregate(kept, record.groups))


def _heads(own: str, split: bool) -> tuple[str, ...]:
    if not split:
        return own, "95 % interval", "n"
    return f"{own} tune", "95 % interval", "n", f"{own} test", "test 95 % interval", "test n"


def _unpriced(records: Sequence[RunRecord], usage: Mapping[str, Usage] | None) -> bool:
    """Whether a run asked a model whose price is not known."""
    asked = [record for record in records if usage and record.run_id in usage and usage[record.run_id].calls]
    return any(unpriced_questions(record.config) for record in asked)


def _point(claimed: RunRecord, metric: str, seconds: Mapping[str, float | None], costs: Mapping[str, float]) -> Point:
    """A variant beside the others; without a metric it has no scores that could be held against theirs."""
    sign = 1.0 if not metric or higher_is_better(metric) else -1.0
    scores = {name: sign * value for name, value in _scores(claimed, metric).items()}
    return Point(claimed.experiment, scores, claimed.groups, seconds.get(claimed.run_id), costs.get(claimed.run_id))


def _time(point: Point) -> str:
    return "–" if point.seconds is None else duration(point.seconds)


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


def _doubt(best: _Variant, other: _Variant, metric: str) -> str:
    """Why a variant cannot be held against the best; the best itself is in doubt where too much of it failed."""
    if reason := unlike(best.record, other.record, metric):
        return reason
    shared = _scores(best.claimed, metric).keys() & _scores(other.claimed, metric).keys()
    return "" if shared or other is best else NOT_SHARED


def _adjusted(ordered: Sequence[RunRecord], doubts: Sequence[str], metric: str) -> list[float | None]:
    compared = [place for place, doubt in enumerate(doubts) if place and not doubt]
    corrected = dict(zip(compared, holm([_against(ordered[0], ordered[place], metric) for place in compared]), strict=True))
    return [corrected.get(place) for place in range(len(ordered))]


def _against(best: RunRecord, other: RunRecord, metric: str) -> float:
    """Two-sided p of the paired differences (twice the smaller one-sided) on the shared questions, at least one."""
    ours, theirs = _scores(best, metric), _scores(other, metric)
    shared = sorted(ours.keys() & theirs.keys())
    sign = 1.0 if higher_is_better(metric) else -1.0
    losses = [sign * (theirs[name] - ours[name]) for name in shared]
    groups = [best.groups.get(name, name) for name in shared]
    return min(1.0, 2 * min(sign_flip(losses, groups), sign_flip([-loss for loss in losses], groups)))


def _scores(record: RunRecord, metric: str) -> dict[str, float]:
    return {score.question_id: score.value for score in record.scores if score.metric == metric and score.value is not None}


def _mark(p: float | None) -> str:
    return BEST if p is None else "" if p < ALPHA else TIED


def _companions(records: Sequence[RunRecord], metric: str, known: Sequence[str]) -> list[str]:
    scored = [name for name in known if any(_value(record, name) is not None for record in records)]
    scored.sort(key=lambda name: name not in USUAL)
    first = (next((name for name in scored if name.startswith(family)), metric) for family in _COMPANIONS)
    return [name for name in dict.fromkeys(first) if name != metric]


def _cells(item: _Variant, metric: str, companions: Sequence[str], split: bool) -> tuple[str, ...]:
    own = [text for part in ((item.chosen, item.claimed) if split else (item.record,)) for text in _own(part, metric)]
    return (*own, *(number(_value(item.claimed, name)) for name in companions))


def _own(record: RunRecord, metric: str) -> tuple[str, str, str]:
    found = record.aggregates.get(metric)
    return (number(found.value), interval(found.low, found.high), str(found.n)) if found else ("–", "", "0")


def _name(record: RunRecord, records: Sequence[RunRecord]) -> str:
    same = sum(other.experiment == record.experiment for other in records)
    return record.experiment if same == 1 else f"{record.experiment} ({record.run_id.rpartition('-')[2]})"


def _judge(metric: str, records: Sequence[RunRecord]) -> str:
    """` (lexical)` behind a judged metric: who judged, or that judges differ."""
    judges = {judge_name(record.fingerprints.get("judge", "")) for record in records} - {""}
    if not is_judged(metric) or not judges:
        return ""
    return f" ({judges.pop() if len(judges) == 1 else 'different judges'})"
