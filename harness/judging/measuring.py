"""A judge's scores beside human labels: ranks, classes, and what other judges say of the same answers.

Labels and scores both lie in [0, 1], and both are called good from two thirds on (`GOOD`: 3 on a scale of 1 to 4). Ranks
need no such cut (Spearman); AUROC cuts the labels only; agreement and kappa cut both. Agreement stands beside that of
always saying what most labels say, the judge's Spearman beside the raters' own: one rater against the mean of the others.
"""

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

import numpy as np

from harness.judging.calibration import CalibrationRecord, Classes, Estimate, NotJudged, Rival
from harness.judging.labels import Labelled
from harness.statistics.agreement import auroc, base_rate, ceiling, interval_of, kappa, raw_agreement, spearman
from harness.statistics.clusters import Floats
from harness.types import Score

GOOD = 2 / 3
"""Share of the scale from which a label or a score is called good."""
_SEED = 7
_DIGITS = 6
_SLACK = 1e-9


def measure(
    labelled: Sequence[Labelled], scores: Mapping[str, Score], judge: str, metric: str, labels: str, labels_digest: str
) -> CalibrationRecord:
    """The record of a judge's scores beside the labels.

    Args:
        labelled: the labels.
        scores: the judge's score by label_id; a label without one is skipped for having no context.
        judge: the judge's identity.
        metric: what it scored.
        labels: name of the labels.
        labels_digest: SHA-256 of their file.
    """
    pairs = [(item, value) for item in labelled if (value := _value(scores.get(item.label_id))) is not None]
    truth = np.array([item.label for item, _ in pairs])
    given = np.array([value for _, value in pairs])
    groups = [item.group for item, _ in pairs]
    good, said = _good(truth), _good(given)
    rate = _finite(base_rate(good))
    return CalibrationRecord(
        judge=judge,
        metric=metric,
        labels=labels,
        labels_digest=labels_digest,
        n=len(labelled),
        judged=len(pairs),
        groups=len(set(filter(None, groups))) + groups.count(""),
        raters=max((len(item.ratings) for item in labelled), default=0),
        not_judged=_not_judged(labelled, scores, judge),
        base_rate=rate,
        spearman=_estimate(spearman, truth, given, groups),
        auroc=_estimate(auroc, good, given, groups),
        agreement=_estimate(raw_agreement, good, said, groups),
        majority=None if rate is None else max(rate, _rounded(1 - rate)),
        kappa=_estimate(kappa, good, said, groups),
        ceiling=_finite(ceiling([item.ratings for item, _ in pairs])),
        classes=_classes(truth, given),
        rivals=_rivals([item for item, _ in pairs]),
    )


def _value(score: Score | None) -> float | None:
    return score.value if score else None


def _good(values: Floats) -> Floats:
    return (values >= GOOD - _SLACK).astype(float)


def _estimate(statistic: Any, one: Floats, other: Floats, groups: Sequence[str]) -> Estimate:
    value = _finite(statistic(one, other)) if len(one) else None
    if value is None:
        return Estimate(None)
    interval = interval_of(statistic, (one, other), groups, _SEED)
    return Estimate(value, *map(_rounded, interval)) if interval else Estimate(value)


def _not_judged(labelled: Sequence[Labelled], scores: Mapping[str, Score], judge: str) -> tuple[NotJudged, ...]:
    lacking: dict[str, list[str]] = {}
    for item in labelled:
        score = scores.get(item.label_id)
        if score is None:
            lacking.setdefault("no_context", []).append("the label has no passage to judge against")
        elif score.value is None:
            lacking.setdefault(str(score.state), []).append(score.reason.removesuffix(f" [{judge}]"))
    return tuple(NotJudged(state, len(reasons), reasons[0]) for state, reasons in sorted(lacking.items()))


def _classes(truth: Floats, given: Floats) -> Classes | None:
    """Only for labels that are worst, middle or best."""
    if not len(truth) or set(truth.tolist()) != {0.0, 0.5, 1.0}:
        return None
    one, other = (np.digitize(values + _SLACK, [1 / 3, GOOD]).astype(float) for values in (truth, given))
    _, counts = np.unique(one, return_counts=True)
    majority = float(counts.max() / len(one))
    return Classes(_rounded(raw_agreement(one, other)), _rounded(majority), _finite(kappa(one, other, "quadratic")))


def _rivals(judged: Sequence[Labelled]) -> tuple[Rival, ...]:
    found = []
    for name in sorted({name for item in judged for name in item.rivals}):
        rows = [item for item in judged if name in item.rivals]
        truth, given = np.array([item.label for item in rows]), [item.rivals[name] for item in rows]
        found.append(Rival(name, len(rows), _finite(spearman(truth, given)), _finite(auroc(_good(truth), given))))
    return tuple(found)


def _finite(value: float) -> float | None:
    return _rounded(value) if isfinite(value) else None


def _rounded(value: float) -> float:
    return round(float(value), _DIGITS) + 0.0
