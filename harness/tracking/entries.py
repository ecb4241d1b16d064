"""A run record as MLflow's params, metrics and tags: flat names, numbers as numbers, nothing secret."""

import math
import re
from collections.abc import Mapping, Sequence

from harness.reporting.configs import flatten
from harness.reporting.names import WHOLE_RUN, interval, is_judged, number, overall, rule_title, worst
from harness.types import Outcome, RunRecord, Verdict

_REFUSED_BY_MLFLOW = re.compile(r"[^\w\-. :/]")
_HELD = {Outcome.PASS: 1.0, Outcome.IMPROVED: 1.0, Outcome.REGRESSED: 0.0}
_LONGEST_KEY, _LONGEST_PARAM, _LONGEST_TAG = 250, 6000, 5000


def params(record: RunRecord) -> dict[str, str]:
    """Every setting under the name it has on the command line: `chunker.size`, `retrievers.bm25.k1`, `fuser.k`."""
    return {safe_name(name): text[:_LONGEST_PARAM] for name, text in flatten(record.config).items()}


def metrics(record: RunRecord, verdicts: Sequence[Verdict]) -> dict[str, float]:
    """Every aggregate that has a value under its own id, judged ones with their judge behind it, seconds and gates.

    Seconds are `latency/<stage>_p50`; `gate.<metric>` is 1 when the rule held and 0 when it regressed. A rule that decided
    nothing has no number; its outcome, like that of all, is a tag of the same name.
    """
    judge = record.fingerprints.get("judge", "")
    values = {metric_name(name, judge): item.value for name, item in record.aggregates.items() if item.value is not None}
    values |= {
        safe_name(f"latency/{stage}_{end}"): value for stage, ends in record.latency.items() for end, value in ends.items()
    }
    values |= {name: _HELD[outcome] for name, outcome in _gates(verdicts).items() if outcome in _HELD}
    return {name: round(value, 9) for name, value in values.items() if math.isfinite(value)}


def _gates(verdicts: Sequence[Verdict]) -> dict[str, Outcome]:
    """The outcome under each gate name; of several rules that share one, the outcome that weighs most."""
    shared: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        shared.setdefault(safe_name(gate_name(verdict)), []).append(verdict)
    return {name: worst(items).outcome for name, items in shared.items()}


def metric_name(metric: str, judge: str) -> str:
    """`faithfulness.support_proxy`: a judged number never stands without its judge; other metrics keep their id."""
    return safe_name(f"{metric}.{judge.partition(' ')[0]}" if judge and is_judged(metric) else metric)


def gate_name(verdict: Verdict) -> str:
    """`gate.recall_at_5`, with the slice behind it unless it is the whole run."""
    return f"gate.{verdict.metric}" if verdict.slice in WHOLE_RUN else f"gate.{verdict.metric}.{verdict.slice}"


def run_name(record: RunRecord) -> str:
    """What MLflow lists: variant, golden set and the end of the run's id, the part that is read first in front."""
    return f"{record.experiment} {record.golden_set} {record.run_id.rpartition('-')[2]}"


def tags(record: RunRecord, verdicts: Sequence[Verdict]) -> dict[str, str]:
    """What the runs list is filtered and sorted by."""
    outcome, revision = overall(verdicts), record.environment.get("git_revision", "")
    unscored = sorted(name for name, item in record.aggregates.items() if item.value is None)
    values = {
        "harness.kind": "variant",
        "harness.experiment": record.experiment,
        "harness.run_id": record.run_id,
        "harness.golden_set": record.golden_set,
        "harness.golden_version": str(record.golden_version),
        "harness.golden_digest": record.fingerprints.get("golden_set", ""),
        "harness.judge": record.fingerprints.get("judge", ""),
        "harness.fingerprint": record.fingerprints.get("config", ""),
        "harness.git_revision": revision,
        "harness.verdict": str(outcome) if outcome else "advisory only" if verdicts else "not gated",
        "harness.unscored": ", ".join(unscored),
        "mlflow.source.name": f"harness run +experiment={record.experiment}",
        "mlflow.source.type": "LOCAL",
        "mlflow.source.git.commit": revision,
        "mlflow.note.content": note(record, verdicts),
        **{name: outcome.value for name, outcome in _gates(verdicts).items()},
    }
    return {name: text[:_LONGEST_TAG] for name, text in values.items() if text}


def note(record: RunRecord, verdicts: Sequence[Verdict]) -> str:
    """The description on the run's page: what ran and what the gates found."""
    lines = [f"**{record.experiment}** on {record.golden_set} v{record.golden_version}", ""]
    for verdict in verdicts:
        aggregate = record.aggregates.get(verdict.metric)
        ends = interval(aggregate.low, aggregate.high) if aggregate else ""
        shown = f"{number(verdict.actual)} ({ends})" if ends else number(verdict.actual)
        lines.append(f"- {rule_title(verdict)} {shown}: **{verdict.outcome}**{', advisory' if verdict.advisory else ''}")
    return "\n".join([*lines, "", "Full report: artifacts, report.html"])


def safe_name(name: str) -> str:
    """A key MLflow accepts: letters, digits, `_ - . space : /`, at most 250 characters."""
    return _REFUSED_BY_MLFLOW.sub("_", name)[:_LONGEST_KEY]


def sweep_tags(name: str, extra: Mapping[str, str]) -> dict[str, str]:
    """Tags of the parent of a sweep's runs."""
    return {"harness.kind": "sweep", "harness.experiment": name, "mlflow.source.type": "LOCAL", **extra}
