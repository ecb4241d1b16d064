"""The accepted baseline: a small reviewed file with every question's score, so that later runs can be paired with it."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ConfigDict, TypeAdapter, ValidationError

from harness.errors import ConfigError, GateError
from harness.fingerprint import fingerprint
from harness.metrics.catalog import describe
from harness.store import write_json
from harness.text import names_a_file
from harness.types import Aggregate, RunRecord, Score, State

FORMAT = 1
"""Version of the file's layout."""
DIGITS = 6
"""Decimals kept of a score; runs are rounded the same before they are compared."""

ASIDE = frozenset({"tracking", "workers", "budget", "runs_dir", "reports_dir", "golden_set", "index"})
"""Settings that change no result: places and addresses, which a reviewed file should not hold."""

Scores = Mapping[str, Mapping[str, float | None]]
"""Metric id -> question_id -> value; None where the metric does not apply."""


@dataclass(frozen=True)
class Baseline:
    """What later runs of an experiment are held against."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    experiment: str
    """Variant name."""
    golden_set: str
    """Name of the golden set."""
    golden_version: int
    """Its version."""
    run_id: str
    """The run that was accepted."""
    fingerprints: Mapping[str, str]
    """SHA-256 of config, golden set, corpus, judge."""
    environment: Mapping[str, str]
    """Package versions, code revision."""
    statistics: Mapping[str, float]
    """Documents, chunks, mean chunk length."""
    aggregates: Mapping[str, Aggregate]
    """By metric id."""
    scores: Scores
    """Every metric, every question; errors and skipped questions are left out."""
    groups: Mapping[str, str] = field(default_factory=dict)
    """question_id to its cluster."""
    splits: Mapping[str, str] = field(default_factory=dict)
    """question_id to tune or test."""
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """question_id to its slices; empty in files from before they were kept."""
    repeats: int = 1
    """How often each question was asked."""
    flips: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """Metric to question_id to the share of repeats that differed."""
    contents: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """questions, documents and evidence (what each question is scored against): id to a short digest, to tell what changed;
    empty in files from before it was kept."""
    config: Mapping[str, Any] = field(default_factory=dict)
    """The resolved config of the accepted run without what lies `ASIDE`; empty in files from before it was kept."""


def from_record(record: RunRecord) -> Baseline:
    """The baseline that a run would be, numbers rounded.

    Where runs are logged is left out of its config: it changes no score, and its address may carry a password.
    """
    scores: dict[str, dict[str, float | None]] = {}
    for score in record.scores:
        if score.state in (State.SCORED, State.NOT_APPLICABLE):
            scores.setdefault(score.metric, {})[score.question_id] = rounded(score.value)
    return Baseline(
        experiment=record.experiment,
        golden_set=record.golden_set,
        golden_version=record.golden_version,
        run_id=record.run_id,
        fingerprints=dict(record.fingerprints),
        environment=dict(record.environment),
        statistics={name: round(float(value), DIGITS) for name, value in record.statistics.items()},
        aggregates={name: _rounded_aggregate(item) for name, item in record.aggregates.items()},
        scores=scores,
        groups=dict(record.groups),
        splits=dict(record.splits),
        labels={name: tuple(labels) for name, labels in record.labels.items()},
        repeats=record.repeats,
        flips={metric: dict(shares) for metric, shares in record.flips.items()},
        contents={kind: dict(marks) for kind, marks in record.contents.items()},
        config={name: value for name, value in record.config.items() if name not in ASIDE},
    )


def rounded(value: float | None) -> float | None:
    """A score as baselines keep it."""
    return None if value is None else round(float(value), DIGITS) + 0.0


def _rounded_aggregate(item: Aggregate) -> Aggregate:
    numbers = {name: rounded(getattr(item, name)) for name in ("value", "low", "high")}
    return Aggregate(**{**asdict(item), **numbers})


def check_name(kind: str, name: str) -> None:
    """That a golden set or an experiment (`kind`, in words) is called what a baseline's file can be called.

    Raises:
        GateError: for a name that is no plain file name.
    """
    if not names_a_file(name):
        raise GateError(f"{kind} {name!r} cannot name a baseline: use letters, digits, '.', '_' and '-', no leading dot")


def path_of(reports: Path, golden_set: str, experiment: str) -> Path:
    """Where the baseline of an experiment lies: reports/<golden_set>/<experiment>.json.

    Raises:
        GateError: for a name that is no plain file name.
    """
    check_name("golden set", golden_set)
    check_name("experiment", experiment)
    return reports / golden_set / f"{experiment}.json"


def save(path: Path, baseline: Baseline) -> None:
    """Writes a baseline with the digest of its content.

    Raises:
        StoreError: when the file cannot be written; the old one is untouched.
    """
    content = asdict(baseline)
    write_json(path, {"format": FORMAT, "digest": fingerprint(content), "baseline": content})


def load(path: Path) -> Baseline:
    """Reads a baseline and checks its digest.

    Raises:
        GateError: when the file is missing, no baseline, of another format, or not what was saved.
    """
    try:
        file = json.loads(path.read_bytes(), parse_constant=_no_number)
    except OSError as error:
        raise GateError(f"cannot read the accepted baseline {str(path)!r}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise _refused(path, f"it is not JSON ({error})") from error
    if not isinstance(file, dict) or set(file) != {"format", "digest", "baseline"}:
        raise _refused(path, "it has not the keys format, digest and baseline")
    if file["format"] != FORMAT:
        raise _refused(path, f"its format is {file['format']!r}, this harness reads {FORMAT}")
    return _checked(path, file["baseline"], file["digest"])


def _checked(path: Path, content: Any, wanted: Any) -> Baseline:
    found = fingerprint(content)
    if found != wanted:
        raise _refused(path, f"its content has digest {found[:12]}, the file says {str(wanted)[:12]}")
    try:
        return TypeAdapter(Baseline).validate_python(content)
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        raise _refused(path, f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}") from error


def _refused(path: Path, why: str) -> GateError:
    return GateError(
        f"the accepted baseline {str(path)!r} is refused: {why}. It is written by `harness accept RUN` only: restore it "
        "from version control or accept a run anew."
    )


def render(baseline: Baseline) -> str:
    """The baseline as a Markdown page."""
    headline = [name for name in baseline.aggregates if "/" not in name]
    stations = [name for name in baseline.aggregates if "/" in name]
    lines = [
        f"# {baseline.golden_set}: {baseline.experiment}",
        "",
        f"Accepted run `{baseline.run_id}` on golden set {baseline.golden_set!r} version {baseline.golden_version}, "
        f"{len(baseline.splits)} questions{_often(baseline)}. Written by `harness accept`; the numbers gates compare with are in "
        "the JSON beside it.",
        "",
        *_table(baseline, "Metric", headline),
        *_table(baseline, "After each station", stations),
        *_pairs("Index", {name: f"{value:,.6g}" for name, value in baseline.statistics.items()}),
        *_pairs("Digest", {name: f"`{value[:12]}`" for name, value in baseline.fingerprints.items() if value}),
        *_pairs("Environment", baseline.environment),
    ]
    return "\n".join(lines).rstrip() + "\n"


def _often(baseline: Baseline) -> str:
    """How often each question was asked, and how many flipped; nothing where it was once."""
    if baseline.repeats == 1:
        return ""
    flipping = {name for shares in baseline.flips.values() for name in shares}
    return f", each asked {baseline.repeats} times ({len(flipping)} with a score that flipped)"


def _table(baseline: Baseline, heading: str, names: list[str]) -> list[str]:
    rows = [_row(name, baseline.aggregates[name]) for name in sorted(names)]
    return [f"| {heading} | Value | 95 % interval | n |", "|---|---:|---|---:|", *rows, ""] if rows else []


def _row(name: str, item: Aggregate) -> str:
    value = "" if item.value is None else f"{item.value:.3f}"
    interval = "" if item.low is None or item.high is None else f"{item.low:.3f} to {item.high:.3f}"
    return f"| {_title(name)} | {value} | {interval} | {item.n} |"


def _title(name: str) -> str:
    try:
        found = describe(name)
    except ConfigError:
        return name
    return found.title if found.higher_is_better else f"{found.title} (lower is better)"


def _pairs(heading: str, pairs: Mapping[str, str]) -> list[str]:
    rows = [f"| {_cell(name)} | {_cell(value)} |" for name, value in sorted(pairs.items())]
    return [f"| {heading} | |", "|---|---|", *rows, ""] if rows else []


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _no_number(word: str) -> None:
    raise ValueError(f"{word} is no JSON number")


def as_record(baseline: Baseline) -> RunRecord:
    """The accepted run as a record again, for tables over several baselines."""
    scores = tuple(
        Score(metric, name, value, State.NOT_APPLICABLE if value is None else State.SCORED)
        for metric, values in baseline.scores.items()
        for name, value in values.items()
    )
    return RunRecord(
        run_id=baseline.run_id,
        created="",
        experiment=baseline.experiment,
        config=baseline.config,
        overrides=(),
        fingerprints=baseline.fingerprints,
        environment=baseline.environment,
        statistics=baseline.statistics,
        scores=scores,
        failures=(),
        aggregates=baseline.aggregates,
        groups=baseline.groups,
        splits=baseline.splits,
        labels=baseline.labels,
        repeats=baseline.repeats,
        flips=baseline.flips,
        contents=baseline.contents,
        golden_set=baseline.golden_set,
        golden_version=baseline.golden_version,
    )


def accepted_in(folder: Path) -> list[Baseline]:
    """All accepted baselines of one golden set, by experiment name."""
    return [load(path) for path in sorted(folder.glob("*.json"))]
