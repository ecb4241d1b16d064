"""What a run report says, before it is Markdown or HTML."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from harness.gates.baseline import Baseline
from harness.judging.calibration import CalibrationRecord
from harness.reporting.analysis import Analysis
from harness.reporting.configs import changed_settings, flatten, safe_overrides
from harness.reporting.costs import Costs, costs
from harness.reporting.latency import Latency, latencies
from harness.reporting.names import count, number, overall
from harness.reporting.outcomes import Plot, plots
from harness.reporting.questions import Case, Confusion, cases, confusion
from harness.reporting.slices import Slices, slice_table
from harness.reporting.steps import remarks
from harness.reporting.tables import Matrix, Results, Row, depth_table, result_rows, station_table
from harness.reporting.waterfall import Waterfall, summarise_losses
from harness.types import Outcome, Question, RunRecord, Trace, Verdict


@dataclass(frozen=True, slots=True)
class Summary:
    """The content of one run report."""

    record: RunRecord
    """The run."""
    facts: tuple[tuple[str, str], ...]
    """Label and text of what ran."""
    overrides: tuple[str, ...]
    """What the command line changed."""
    settings: tuple[tuple[str, str], ...]
    """Every setting of the config by its dotted name."""
    results: Results
    """Metrics."""
    stations: Matrix
    """Metrics after every station."""
    depths: Matrix
    """Ranking metrics of the headline station by depth."""
    waterfall: Waterfall
    """Where evidence was lost."""
    confusion: Confusion | None
    """The refusal table."""
    plots: tuple[Plot, ...]
    """What the answerability signal is worth."""
    slices: Slices
    """Metrics by kind, reason, language, tenant and tag."""
    verdicts: tuple[Verdict, ...]
    """What the gates found."""
    outcome: Outcome | None
    """The outcome that decides."""
    cases: tuple[Case, ...]
    """Questions that went wrong."""
    latencies: tuple[Latency, ...]
    """Seconds per stage."""
    costs: Costs
    """What language models took, by stage."""


def summarise(
    record: RunRecord,
    accepted: Baseline | None,
    verdicts: Sequence[Verdict],
    questions: Sequence[Question],
    traces: Sequence[Trace],
    analysis: Analysis = Analysis(),
) -> Summary:
    """Gathers what a report shows from the record, its traces and their analysis."""
    return Summary(
        record=record,
        facts=(*facts(record, accepted, len(questions)), *(("Remark", line) for line in remarks(traces))),
        overrides=safe_overrides(record.overrides),
        settings=tuple(flatten(record.config).items()),
        results=_with_calibration(result_rows(record, accepted, verdicts), analysis.calibrations),
        stations=station_table(record),
        depths=depth_table(record),
        waterfall=summarise_losses(analysis.attributions, questions),
        confusion=confusion(questions, traces),
        plots=plots(analysis.risk, analysis.reliability),
        slices=slice_table(record),
        verdicts=tuple(verdicts),
        outcome=overall(verdicts),
        cases=tuple(cases(record, questions, traces, analysis.attributions, analysis.copies)),
        latencies=tuple(latencies(traces)),
        costs=costs(traces, record.config),
    )


def facts(record: RunRecord, accepted: Baseline | None, asked: int) -> tuple[tuple[str, str], ...]:
    """What ran, in a few lines; unknown ones are left out."""
    sizes = ", ".join(f"{name.replace('_', ' ')} {size:,.6g}" for name, size in sorted(record.statistics.items()))
    lines = (
        ("Experiment", record.experiment),
        ("Golden set", f"{record.golden_set} v{record.golden_version}, {count(asked, 'question')}"),
        ("Golden digest", record.fingerprints.get("golden_set", "")[:12]),
        ("Config", record.fingerprints.get("config", "")[:12]),
        ("Code revision", record.environment.get("git_revision", "")[:12]),
        ("Corpus", sizes),
        ("Run", record.run_id),
        ("Accepted baseline", f"{accepted.run_id}, {_kinship(record, accepted)}" if accepted else "none"),
        *(("Remark", line) for line in changed_settings(record, accepted).splitlines()),
    )
    return tuple((label, text) for label, text in lines if text)


def _kinship(record: RunRecord, accepted: Baseline) -> str:
    changed = [name for name, mark in sorted(accepted.fingerprints.items()) if record.fingerprints.get(name) != mark]
    return f"differs in {', '.join(name.replace('_', ' ') for name in changed)}" if changed else "same config and inputs"


def _with_calibration(results: Results, known: Mapping[str, CalibrationRecord] | None) -> Results:
    """The same rows, with each judge's agreement with people beside its name; unchanged when nobody looked for records."""
    if known is None:
        return results
    return Results(
        *(tuple(_judged(row, known) for row in rows) for rows in (results.headline, results.further, results.stations))
    )


def _judged(row: Row, known: Mapping[str, CalibrationRecord]) -> Row:
    if not row.judge:
        return row
    record = known.get(row.metric)
    agreement = f"calibrated on {record.labels}, AUROC {number(record.auroc.value)}" if record else "advisory: not calibrated"
    return replace(row, judge=f"{row.judge}, {agreement}")
