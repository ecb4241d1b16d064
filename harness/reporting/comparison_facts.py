"""What a reader of a comparison needs to know of its two sides: what they are, what differs, what was left out."""

from collections.abc import Iterable

from harness.comparison.result import Row, RunComparison
from harness.comparison.sides import Side
from harness.gates.baseline import ASIDE
from harness.reporting.configs import UNSET, flatten
from harness.reporting.names import count, reading_order, title
from harness.types import RunRecord

_SILENT = frozenset({*ASIDE, "gate"})
"""Slots whose settings change no score."""


def idle(row: Row) -> bool:
    """Whether it is an invariant that holds on both sides: nothing to tell."""
    return not row.problem and row.p is None and not row.a and not row.b


def facts(a: Side, b: Side) -> Iterable[tuple[str, str, str]]:
    """Label, A, B: what the two are."""
    for label, read in (
        ("Compared as", lambda side: side.kind),
        ("Experiment", lambda side: side.record.experiment),
        ("Run", lambda side: side.record.run_id),
        ("Golden set", lambda side: f"{side.record.golden_set} v{side.record.golden_version}"),
        ("Golden digest", lambda side: side.record.fingerprints.get("golden_set", "")[:12]),
        ("Corpus digest", lambda side: side.record.fingerprints.get("corpus", "")[:12]),
        ("Corpus", _sizes),
        ("Judge", lambda side: side.record.fingerprints.get("judge", "")),
        ("Code revision", lambda side: side.record.environment.get("git_revision", "")[:12]),
    ):
        yield label, read(a), read(b)


def _sizes(side: Side) -> str:
    return ", ".join(f"{name.replace('_', ' ')} {size:,.6g}" for name, size in sorted(side.record.statistics.items()))


def settings(a: RunRecord, b: RunRecord) -> list[tuple[str, str, str]]:
    """Settings that differ, by name; those that change no score are left out, secrets are hidden."""
    before, after = ({name: text for name, text in flatten(record.config).items() if _counts(name)} for record in (a, b))
    if not before or not after:
        return []
    pairs = [(name, before.get(name, UNSET), after.get(name, UNSET)) for name in sorted(before | after)]
    return [pair for pair in pairs if pair[1] != pair[2]]


def _counts(name: str) -> bool:
    return name.partition(".")[0] not in _SILENT


def notes(found: RunComparison) -> Iterable[str]:
    """How the comparison is to be read, a sentence or two each."""
    a, b = found.a, found.b
    where = f" in {found.where}" if found.where != "all" else ""
    tested = sum(row.p is not None for row in found.rows)
    yield f"{count(len(found.questions), 'question')}{where} compared, paired by id; p is two-sided, Holm over {count(tested, 'metric')}."
    if a.record.run_id == b.record.run_id:
        yield f"A and B are one run ({a.record.run_id}), compared with itself."
    yield from found.notes
    unknown = [name for name, side in (("A", a), ("B", b)) if not side.record.config]
    if unknown:
        yield f"The config of {' and '.join(unknown)} is not known: it was accepted before configs were kept."
    untraced = [f"{name} ({side.kind})" for name, side in (("A", a), ("B", b)) if side.traces is None]
    if untraced:
        keep = "keeps" if len(untraced) == 1 else "keep"
        yield f"{' and '.join(untraced)} {keep} no traces: passages and answers cannot be shown."
    if quiet := [title(row.metric) for row in found.rows if idle(row)]:
        yield f"0 in both: {', '.join(quiet)}."
    whole = sorted(
        (
            metric
            for metric in {*a.record.aggregates, *b.record.aggregates}
            if "/" not in metric and not _per_question(found, metric)
        ),
        key=reading_order,
    )
    if whole:
        few, more = ", ".join(map(title, whole[:2])), f" and {len(whole) - 2} more" if len(whole) > 2 else ""
        yield f"Numbers of a whole set cannot be paired and are left out: {few}{more}."


def _per_question(found: RunComparison, metric: str) -> bool:
    return any(score.metric == metric for side in (found.a, found.b) for score in side.record.scores)
