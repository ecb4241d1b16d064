"""What a run report says, before it is Markdown or HTML."""

from collections.abc import Sequence
from dataclasses import dataclass

from harness.gates.baseline import Baseline
from harness.reporting.configs import changed_settings, flatten, safe_overrides
from harness.reporting.latency import Latency, latencies
from harness.reporting.names import count, overall
from harness.reporting.questions import Case, Confusion, cases, confusion
from harness.reporting.tables import Matrix, Results, depth_table, result_rows, station_table
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
    confusion: Confusion | None
    """The refusal table."""
    verdicts: tuple[Verdict, ...]
    """What the gates found."""
    outcome: Outcome | None
    """The outcome that decides."""
    cases: tuple[Case, ...]
    """Questions that went wrong."""
    latencies: tuple[Latency, ...]
    """Seconds per stage."""


def summarise(
    record: RunRecord,
    accepted: Baseline | None,
    verdicts: Sequence[Verdict],
    questions: Sequence[Question],
    traces: Sequence[Trace],
) -> Summary:
    """Gathers what a report shows from the record and its traces."""
    return Summary(
        record=record,
        facts=facts(record, accepted, len(questions)),
        overrides=safe_overrides(record.overrides),
        settings=tuple(flatten(record.config).items()),
        results=result_rows(record, accepted, verdicts),
        stations=station_table(record),
        depths=depth_table(record),
        confusion=confusion(questions, traces),
        verdicts=tuple(verdicts),
        outcome=overall(verdicts),
        cases=tuple(cases(record, questions, traces)),
        latencies=tuple(latencies(traces)),
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
