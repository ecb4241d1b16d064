"""Labels, scores and records for tests of calibration."""

from dataclasses import replace

from harness.judging.calibration import CalibrationRecord, Classes, Estimate
from harness.judging.labels import Labelled
from harness.types import Score, State


def label(name: str, *ratings: float, group: str = "", **rivals: float) -> Labelled:
    """A labelled answer."""
    return Labelled(
        name, "faithfulness", ratings, group=group, rivals={key.replace("_", " "): value for key, value in rivals.items()}
    )


def scores(**values: float | None) -> dict[str, Score]:
    """Scores by label_id; None is an answer without claims."""
    return {
        name: Score("faithfulness", name, value)
        if value is not None
        else Score("faithfulness", name, None, State.NOT_APPLICABLE, "the answer states no claim [a judge v1]")
        for name, value in values.items()
    }


GOOD_RECORD = CalibrationRecord(
    judge="lexical v2 minimum=0.6",
    metric="faithfulness",
    labels="mine",
    labels_digest="ab" * 32,
    n=120,
    judged=120,
    groups=40,
    raters=3,
    not_judged=(),
    base_rate=0.75,
    spearman=Estimate(0.6, 0.5, 0.7),
    auroc=Estimate(0.9, 0.85, 0.95),
    agreement=Estimate(0.8, 0.7, 0.9),
    majority=0.75,
    kappa=Estimate(0.5, 0.4, 0.6),
    ceiling=0.55,
)
"""A record that is good enough."""


def record(**changes: object) -> CalibrationRecord:
    """The good record with changes."""
    return replace(GOOD_RECORD, **changes)  # type: ignore[arg-type]


THREE_CLASSES = Classes(0.7, 0.5, 0.4)
"""A three-way agreement."""
