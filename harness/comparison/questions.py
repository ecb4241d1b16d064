"""Question by question: what changed, at which station, and who refuses now."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from harness.comparison.result import Changed, Flip
from harness.comparison.sides import Side
from harness.gates.baseline import rounded
from harness.metrics.base import HEADLINE, Description
from harness.types import RunRecord

Values = Mapping[str, Mapping[str, float]]
"""Metric id to question_id to value."""

_RECALL = "recall_at_"
_LAST = ("fused", HEADLINE, "context")
_REFUSALS = (("over_refusal_rate", True), ("false_answer_rate", False))
_ACCEPTABLE = 0.5


def values(record: RunRecord) -> Values:
    """The scored values of a run, rounded as baselines are."""
    found: dict[str, dict[str, float]] = {}
    for score in record.scores:
        if score.value is not None:
            found.setdefault(score.metric, {})[score.question_id] = rounded(score.value) or 0.0
    return found


def changed_questions(
    a: Side, b: Side, metrics: Sequence[Description], chosen: Iterable[str], flips: Iterable[Flip] = ()
) -> tuple[Changed, ...]:
    """Questions on which one of the metrics differs, the biggest changes first; a wrong answer among the flips is not better."""
    wrong = {item.question_id for item in flips if item.right is False}
    before, after = values(a.record), values(b.record)
    recalls = _recalls(before, after)
    found = [_changed(name, a, b, metrics, before, after, recalls, wrong) for name in chosen]
    return tuple(sorted((item for item in found if item.values), key=lambda item: (-item.size, item.question_id)))


def _changed(
    name: str,
    a: Side,
    b: Side,
    metrics: Sequence[Description],
    before: Values,
    after: Values,
    recalls: Mapping[str, str],
    wrong: Collection[str],
) -> Changed:
    pairs = [(item, before[item.metric].get(name), after[item.metric].get(name)) for item in metrics]
    differing = [(item, then, now) for item, then, now in pairs if then is not None and now is not None and then != now]
    gains = [_gain(*row) for row in differing]
    first = next((station for station, metric in recalls.items() if before[metric].get(name) != after[metric].get(name)), "")
    recall = (before[recalls[first]].get(name, 0.0), after[recalls[first]].get(name, 0.0)) if first else (0.0, 0.0)
    return Changed(
        question_id=name,
        direction=_direction(gains, name in wrong),
        size=sum(map(abs, gains)),
        values=tuple((item.metric, then, now) for item, then, now in differing),
        lost_a=_lost(a, name),
        lost_b=_lost(b, name),
        first=first,
        recall=recall,
    )


def _direction(gains: Sequence[float], wrong: bool) -> str:
    """The way all changes go; mixed when they do not go one way, or would go up to a wrong answer."""
    if all(gain < 0 for gain in gains):
        return "worse"
    return "better" if all(gain > 0 for gain in gains) and not wrong else "mixed"


def _gain(about: Description, then: float, now: float) -> float:
    """What B gained, in shares of the metric's range; a count weighs no more than a whole range."""
    change = (now - then) * (1 if about.higher_is_better else -1)
    width = about.high - about.low
    return change / width if width != float("inf") else max(-1.0, min(1.0, change))


def _lost(side: Side, name: str) -> str:
    known = (side.attributions or {}).get(name)
    return known.station.value if known else ""


def _recalls(before: Values, after: Values) -> dict[str, str]:
    """Station to its recall metric, at the depth nearest to 5 that both have, in the order of the pipeline."""
    shared = sorted(name for name in before.keys() & after.keys() if _base(name).startswith(_RECALL) and _depth(name))
    found: dict[str, str] = {}
    for name in sorted(shared, key=lambda item: (abs(_depth(item) - 5), item)):
        found.setdefault(name.rpartition("/")[0] or HEADLINE, name)
    return {station: found[station] for station in sorted(found, key=_place)}


def _place(station: str) -> tuple[int, str]:
    return (_LAST.index(station) + 1, "") if station in _LAST else (0, station)


def _base(metric: str) -> str:
    return metric.rpartition("/")[2]


def _depth(metric: str) -> int:
    digits = _base(metric).removeprefix(_RECALL)
    return int(digits) if digits.isdigit() else 0


def flipped(a: RunRecord, b: RunRecord, chosen: Iterable[str]) -> tuple[Flip, ...] | None:
    """Questions that one run refused and the other answered; None when one of them gave no answers.

    Args:
        a: before.
        b: after.
        chosen: questions looked at. With several repeats a question counts as refused when most repeats refused it; half of them
            are not most.
    """
    before, after = _refused(a), _refused(b)
    if not before or not after:
        return None
    known = sorted(name for name in chosen if name in before and name in after and before[name] != after[name])
    correct = _correct(a), _correct(b)
    return tuple(
        Flip(name, answerable, refused, correct[0 if refused else 1].get(name) if answerable else None)
        for name, (answerable, refused) in ((name, after[name]) for name in known)
        if before[name][1] is not refused
    )


def _correct(record: RunRecord) -> dict[str, bool]:
    """question_id to whether its answer is correct or acceptable: by truthfulness, or by the vital nuggets where there is none."""
    scores = values(record)
    vital = {name: value >= _ACCEPTABLE for name, value in scores.get("answer_correctness_vital", {}).items()}
    return vital | {name: value > 0 for name, value in scores.get("truthfulness", {}).items()}


def _refused(record: RunRecord) -> dict[str, tuple[bool, bool]]:
    """question_id to (can be answered, was refused)."""
    scores = values(record)
    return {
        name: (answerable, (value if answerable else 1 - value) > 0.5)
        for metric, answerable in _REFUSALS
        for name, value in scores.get(metric, {}).items()
    }
