"""What a person reads when a run has ended: the table, the verdict, where everything lies, what to do next."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from harness.cli.console import out
from harness.elapsed import timed
from harness.gates.baseline import Baseline
from harness.reporting.escape import clean
from harness.reporting.leaderboard import leaderboard
from harness.reporting.leaderboard_html import leaderboard_page
from harness.reporting.markdown import leaderboard_markdown
from harness.reporting.names import about, count, rule_title
from harness.reporting.steps import remarks
from harness.reporting.terminal import leaderboard_table, run_table, verdict_line
from harness.store import Journal, write_atomic
from harness.traces import spent
from harness.types import Outcome, Query, Ranking, RunRecord, State, Trace, Usage, Verdict

_AS_TOLD = "mend the run, the rule or the accepted baseline as the reason above says, or choose gate=none to explore"
_AGAIN = "run the same command again: what models said is kept; a run can be accepted when it is whole"
_SPLITS = ("all", "test", "tune")


def show(
    record: RunRecord,
    accepted: Baseline | None,
    verdicts: Sequence[Verdict],
    folder: Path,
    logged: bool = False,
    gated: bool = True,
    losses: str = "",
) -> None:
    """Prints a finished run; `logged` says that MLflow has it, `gated` that a verdict was asked for, `losses` where evidence went."""
    console = out()
    console.print(run_table(record, accepted, verdicts))
    if losses:
        console.print(f"Evidence: {losses}", soft_wrap=True, markup=False)
    if gated:
        console.print(verdict_line(verdicts))
    for line in (*_reasons(record, verdicts), *_failed(record), *_left_out(folder)):
        console.print(clean(line), soft_wrap=True, markup=False)
    console.print(f"\nRun     {_short(folder)}", soft_wrap=True, markup=False)
    console.print(f"Report  {_short(folder / 'report.html')}", soft_wrap=True, markup=False)
    if logged:
        console.print("MLflow  python -m harness ui", soft_wrap=True, markup=False)
    console.print(f"Next    {_next(record, accepted, verdicts)}", soft_wrap=True, markup=False)


def _reasons(record: RunRecord, verdicts: Sequence[Verdict]) -> list[str]:
    """One line per reason of what did not pass, naming every metric it holds for, with the commonest of its errors."""
    metrics: dict[str, list[str]] = {}
    for verdict in verdicts:
        if verdict.outcome not in (Outcome.PASS, Outcome.IMPROVED):
            reason = "; ".join(filter(None, (verdict.reason, _commonest_error(record, verdict.metric))))
            metrics.setdefault(reason, []).append(rule_title(verdict))
    return [f"  {', '.join(names)}: {reason}" for reason, names in metrics.items()]


def _failed(record: RunRecord) -> list[str]:
    size = len(record.failures)
    return [f"{count(size, 'question')} failed; first: {record.failures[0].error}"] if size else []


def _left_out(folder: Path) -> tuple[str, ...]:
    """Query steps that were left out and orders that were mended, as the run's traces tell it."""
    rows = Journal(folder / "traces.jsonl").read()
    return remarks([_of_steps(row) for row in rows])


def _of_steps(row: Mapping[str, Any]) -> Trace:
    """A trace with nothing but what steps say of themselves."""
    queries = tuple(Query(item["text"], fallback=item.get("fallback", "")) for item in row["queries"])
    return Trace(row["question_id"], queries, reranked=Ranking(faults=row.get("faults", {}).get("reranked", 0)))


def _commonest_error(record: RunRecord, metric: str) -> str:
    """`24 errors, most of them: no reply in 60 s`, or nothing where every score of the metric is whole."""
    errors = [score.reason for score in record.scores if score.metric == metric and score.state is State.ERROR]
    if not errors:
        return ""
    text, times = min(Counter(errors).items(), key=lambda item: (-item[1], item[0]))
    return f"{count(errors, 'error')}, {times:,} of them: {text}"


def _next(record: RunRecord, accepted: Baseline | None, verdicts: Sequence[Verdict]) -> str:
    outcomes = {verdict.outcome for verdict in verdicts if not verdict.advisory}
    if record.failures:
        return f"mend what failed and {_AGAIN}"
    if outcomes & {Outcome.REGRESSED, Outcome.INVALID, Outcome.NOT_COMPARABLE}:
        return "open the report: it names the questions and the stage at which each was lost"
    partial = _partial(record)
    if accepted is None:
        return partial or f"python -m harness accept {record.run_id}   makes this run the accepted baseline"
    if Outcome.MISSING in outcomes:
        return _mend(record, next(item for item in verdicts if item.outcome is Outcome.MISSING and not item.advisory))
    if Outcome.INCONCLUSIVE in outcomes and _strict(record):
        return "a larger golden set could tell, or give the rule a floor; gate.strict=false lets inconclusive pass"
    if Outcome.IMPROVED in outcomes:
        return partial or f"python -m harness accept {record.run_id}   keeps the improvement"
    return "python -m harness run -m +experiment=naive,hybrid,hybrid_rerank   compares variants"


def _partial(record: RunRecord) -> str:
    """What to do first with a run that `accept` refuses because a part of it is not there; empty for a whole one."""
    if any(score.state is State.ERROR for score in record.scores):
        return f"mend what a metric could not score and {_AGAIN}"
    if record.config.get("split", "all") != "all":
        return "run it with split=all: a baseline holds all questions"
    return ""


def _strict(record: RunRecord) -> bool:
    gate = record.config.get("gate")
    return isinstance(gate, Mapping) and bool(gate.get("strict"))


def _mend(record: RunRecord, missing: Verdict) -> str:
    """What would measure a rule that was not measured."""
    label = missing.slice.partition(", ")[0]
    if label not in _SPLITS and not any(label in labels for labels in record.labels.values()):
        return f"mend the slice {label!r} of the rule: no question carries that label"
    if any(score.metric == missing.metric for score in record.scores):
        return _AS_TOLD
    kind = about(missing.metric).kind
    if kind == "retrieval":
        return "raise depth.reranked, or depth.candidates for a station before it, and name the depth in ks; or mend the rule"
    if not record.config.get("generator"):
        return "choose gate=retrieval for a run without answers, or gate=none to explore"
    if kind == "judged":
        return "choose a judge that scores it, such as judge=lexical, or take the rule out of the gate"
    return _AS_TOLD


def show_leaderboard(
    records: Sequence[RunRecord], folders: Sequence[Path], seconds: Mapping[str, float | None]
) -> tuple[Path, ...]:
    """Prints the leaderboard of a sweep and where its runs lie; returns the pages that were written beside them."""
    usage = {record.run_id: _usage(folder) for record, folder in zip(records, folders, strict=True)}
    board = leaderboard(records, seconds=seconds, usage=usage, by_split=True)
    started = "-".join(records[0].run_id.split("-")[:2])
    html, text = (folders[0].parent / f"leaderboard-{started}{ending}" for ending in (".html", ".md"))
    write_atomic(html, leaderboard_page(board))
    write_atomic(text, leaderboard_markdown(board) + "\n")
    console = out()
    console.print(leaderboard_table(board))
    console.print(f"\nLeaderboard  {_short(html)}", soft_wrap=True, markup=False)
    for folder in folders:
        console.print(f"  {_short(folder)}", soft_wrap=True, markup=False)
    return html, text


def _usage(folder: Path) -> Usage:
    """What the questions of a run took of models."""
    return sum((spent(record) for record in Journal(folder / "traces.jsonl").read()), Usage())


def seconds_per_question(traces: Mapping[str, Trace]) -> float | None:
    """Mean seconds of all stages per question, as if nothing had come from a cache; None where that is not known, or none was answered."""
    if not traces or not all(timed(trace.seconds) for trace in traces.values()):
        return None
    return sum(sum(trace.seconds.values()) for trace in traces.values()) / len(traces)


def _short(path: Path) -> str:
    here = Path.cwd()
    return path.relative_to(here).as_posix() if path.is_relative_to(here) else str(path)
