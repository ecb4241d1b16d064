"""What a person reads when a run has ended: the table, the verdict, where everything lies, what to do next."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from harness.cli.console import out
from harness.gates.baseline import Baseline
from harness.reporting.escape import clean
from harness.reporting.leaderboard import leaderboard
from harness.reporting.terminal import leaderboard_table, run_table, verdict_line
from harness.types import Outcome, RunRecord, Trace, Verdict


def show(
    record: RunRecord,
    accepted: Baseline | None,
    verdicts: Sequence[Verdict],
    folder: Path,
    logged: bool = False,
    gated: bool = True,
) -> None:
    """Prints a finished run; `logged` says that MLflow has it, `gated` that a verdict was asked for."""
    console = out()
    console.print(run_table(record, accepted, verdicts))
    if gated:
        console.print(verdict_line(verdicts))
    for line in _reasons(verdicts):
        console.print(clean(line), soft_wrap=True, markup=False)
    if record.failures:
        console.print(
            clean(f"{len(record.failures)} questions failed; first: {record.failures[0].error}"), soft_wrap=True, markup=False
        )
    console.print(f"\nRun     {_short(folder)}", soft_wrap=True, markup=False)
    console.print(f"Report  {_short(folder / 'report.html')}", soft_wrap=True, markup=False)
    if logged:
        console.print("MLflow  python -m harness ui", soft_wrap=True, markup=False)
    console.print(f"Next    {_next(record, accepted, verdicts)}", soft_wrap=True, markup=False)


def _reasons(verdicts: Sequence[Verdict]) -> list[str]:
    """One line per reason of what did not pass, naming every metric it holds for."""
    metrics: dict[str, list[str]] = {}
    for verdict in verdicts:
        if verdict.outcome not in (Outcome.PASS, Outcome.IMPROVED):
            metrics.setdefault(verdict.reason, []).append(verdict.metric)
    return [f"  {', '.join(names)}: {reason}" for reason, names in metrics.items()]


def _next(record: RunRecord, accepted: Baseline | None, verdicts: Sequence[Verdict]) -> str:
    outcomes = {verdict.outcome for verdict in verdicts if not verdict.advisory}
    if outcomes & {Outcome.REGRESSED, Outcome.INVALID, Outcome.NOT_COMPARABLE}:
        return "open the report: it names the questions and the stage at which each was lost"
    if accepted is None:
        return f"python -m harness accept {record.run_id}   makes this run the accepted baseline"
    if Outcome.MISSING in outcomes:
        return "choose gate=retrieval for a run without answers, or gate=none to explore"
    if Outcome.IMPROVED in outcomes:
        return f"python -m harness accept {record.run_id}   keeps the improvement"
    return "python -m harness run -m +experiment=naive,hybrid,hybrid_rerank   compares variants"


def show_leaderboard(records: Sequence[RunRecord], folders: Sequence[Path], seconds: Mapping[str, float]) -> None:
    """Prints the leaderboard of a sweep and where its runs lie."""
    console = out()
    console.print(leaderboard_table(leaderboard(records, seconds=seconds)))
    for folder in folders:
        console.print(f"  {_short(folder)}", soft_wrap=True, markup=False)


def seconds_per_question(traces: Mapping[str, Trace]) -> float:
    """Mean wall seconds of all stages per question."""
    return sum(sum(trace.seconds.values()) for trace in traces.values()) / max(1, len(traces))


def _short(path: Path) -> str:
    here = Path.cwd()
    return path.relative_to(here).as_posix() if path.is_relative_to(here) else str(path)
