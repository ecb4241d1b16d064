"""What is found out about a run beyond its scores: where evidence was lost, what the answerability signal is worth."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from harness.attribution.attribute import attribute
from harness.attribution.stations import Attribution
from harness.judging.calibration import CalibrationRecord
from harness.metrics.calibration import Reliability, reliability
from harness.metrics.risk import RiskCoverage, curve
from harness.pipeline import IndexedPipeline
from harness.types import Question, Trace


@dataclass(frozen=True, slots=True)
class Analysis:
    """The analysis of one run; what is not known is empty."""

    attributions: Mapping[str, Attribution] = field(default_factory=dict)
    """Where each question's evidence was lost, by question_id."""
    risk: RiskCoverage = field(default_factory=lambda: RiskCoverage((), None, 0))
    """Risk and coverage of the answerability signal."""
    reliability: Reliability = field(default_factory=lambda: Reliability((), None))
    """Its confidence against what was answerable."""
    calibrations: Mapping[str, CalibrationRecord] | None = None
    """By metric the record that calibrates the run's judge; None when nobody looked for one."""
    copies: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """doc_id to the doc_ids of its copies that are not searched themselves."""


def analyse(
    questions: Sequence[Question],
    traces: Mapping[str, Trace],
    tau: float,
    system: IndexedPipeline,
    calibrations: Mapping[str, CalibrationRecord] | None = None,
) -> Analysis:
    """The analysis of a run that has just been asked.

    Args:
        questions: those that were asked.
        traces: what the system did, by question_id.
        tau: share of an evidence span that must be covered.
        system: what was asked; its indexes are searched deeper for lost evidence.
        calibrations: of the run's judge, by metric.
    """
    return Analysis(
        attribute(questions, traces, tau, system.recipe.depth, system),
        curve(questions, traces, tau),
        reliability(questions, traces, tau),
        calibrations,
        {document.doc_id: document.copies for document in system.documents if document.copies},
    )
