"""compare(a, b, metrics) -> what differs between two runs, on the questions they share.

Means say little of two runs that were asked different questions, so everything is paired by question id, and a question
that was edited between the two, or whose documents were, is left out and counted.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from difflib import get_close_matches

from harness.comparison.questions import changed_questions, flipped
from harness.comparison.result import Row, RunComparison
from harness.comparison.sides import Side
from harness.errors import ConfigError, Problem
from harness.gates.baseline import Baseline, from_record
from harness.gates.comparison import Comparison, Measured, measured, questions_of
from harness.gates.comparison import compare as paired
from harness.gates.pairing import Pairing, pair
from harness.gates.wording import count
from harness.metrics.base import Description
from harness.statistics.multiplicity import bh, holm
from harness.types import RunRecord

SPLITS = ("all", "tune", "test")
"""Slices that are no label."""


def compare(
    a: Side, b: Side, metrics: Sequence[Description], where: str = "all", further: Sequence[Description] = ()
) -> RunComparison:
    """Holds B against A.

    Args:
        a: before.
        b: after.
        metrics: those that decide: p-values are Holm-adjusted over those of them that can be compared, and a question has
            changed when one of them differs. Invariants are counted, not tested.
        where: all, tune, test or a label such as kind:table.
        further: the others: p-values are adjusted by Benjamini-Hochberg, over those of them that can be compared.

    Raises:
        ConfigError: for a slice that neither run knows.
    """
    members = _members(a.record, b.record, where)
    accepted = from_record(a.record)
    pairing = pair(replace(b.record, repeats=a.record.repeats), accepted, shared_only=True)
    kept = _shared(a.record, b.record, pairing)
    chosen = tuple(sorted(kept & members))
    notes = _notes(a.record, b.record, pairing, kept)
    blank = RunComparison(a, b, where, chosen, notes)
    if not chosen:
        return replace(blank, problem=_nothing(a.record, b.record, pairing, kept, where))
    rows = _adjusted([_row(a.record, b.record, accepted, item, chosen) for item in metrics], holm)
    others = _adjusted([_row(a.record, b.record, accepted, item, chosen) for item in further], bh)
    if all(row.problem for row in (*rows, *others)):
        reasons = "; ".join(dict.fromkeys(row.problem for row in (*rows, *others))) or "neither has a metric"
        return replace(blank, rows=rows, further=others, problem=f"no metric can be compared: {reasons}")
    known = {item.metric: item for item in metrics}
    flips = flipped(a.record, b.record, chosen)
    changed = changed_questions(a, b, [known[row.metric] for row in rows if not row.problem], chosen, flips or ())
    return replace(blank, rows=rows, further=others, changed=changed, flips=flips)


def _members(a: RunRecord, b: RunRecord, where: str) -> frozenset[str]:
    """Questions of either run in a split or under a label."""
    if where in SPLITS:
        return frozenset((*questions_of(a, where), *questions_of(b, where)))
    known = sorted({label for record in (a, b) for labels in record.labels.values() for label in labels})
    if where not in known:
        near = get_close_matches(where, (*SPLITS, *known), n=3)
        fix = f"did you mean {' or '.join(map(repr, near))}?" if near else f"known: {', '.join((*SPLITS, *known))}."
        raise ConfigError("There is no such slice.", [Problem("C001", "--slice", f"neither run knows {where!r}", fix=fix)])
    return frozenset((*questions_of(a, "all", where), *questions_of(b, "all", where)))


def _shared(a: RunRecord, b: RunRecord, pairing: Pairing) -> frozenset[str]:
    """Questions that both were asked and that are the same in both."""
    if pairing.problem:
        return frozenset()
    both = frozenset(questions_of(a)) & frozenset(questions_of(b))
    return both if pairing.questions is None else both & pairing.questions


def _nothing(a: RunRecord, b: RunRecord, pairing: Pairing, kept: Collection[str], where: str) -> str:
    """Why there is no question to compare."""
    reason = pairing.problem[1] if pairing.problem else "the two share no question"
    if a.golden_set != b.golden_set and not kept:
        same_ids = frozenset(questions_of(a)) & frozenset(questions_of(b))
        why = reason if same_ids else "they share no question"
        return f"A was asked golden set {a.golden_set!r}, B {b.golden_set!r}, which are different golden sets: {why}"
    if not kept:
        return reason
    return f"none of the {count(len(kept), 'shared question')} is in {where!r}"


def _notes(a: RunRecord, b: RunRecord, pairing: Pairing, kept: Collection[str]) -> tuple[str, ...]:
    asked = [len(questions_of(record)) for record in (a, b)]
    fewer = f"A was asked {count(asked[0], 'question')}, B {asked[1]}; {len(kept)} are in both"
    often = f"A asked each question {count(a.repeats, 'time')}, B {count(b.repeats, 'time')}"
    failed = [
        f"{count(len(record.failures), 'question')} failed in {side}" for side, record in (("A", a), ("B", b)) if record.failures
    ]
    found = (
        pairing.remark,
        fewer if kept and not pairing.remark and max(asked) > len(kept) else "",
        often if a.repeats != b.repeats else "",
        *failed,
    )
    return tuple(f"{text[0].upper()}{text[1:]}." for text in found if text)


def _row(a: RunRecord, b: RunRecord, accepted: Baseline, about: Description, chosen: Collection[str]) -> Row:
    inside = frozenset(chosen)
    before, now = measured(a, about.metric, "all").only(inside), measured(b, about.metric, "all").only(inside)
    blank = Row(
        about.metric,
        a=_mean(before),
        b=_mean(now),
        only_a=len(before.values.keys() - now.values.keys()),
        only_b=len(now.values.keys() - before.values.keys()),
    )
    if problem := _problem(a, b, about, before, now):
        return replace(blank, problem=problem)
    found = paired(b, accepted, now, about)
    return _filled(blank, found, tested=about.kind != "invariant")


def _mean(side: Measured) -> float | None:
    return side.mean if side.values else None


def _problem(a: RunRecord, b: RunRecord, about: Description, before: Measured, now: Measured) -> str:
    """Why a metric cannot be compared."""
    absent = [side for side, record in (("A", a), ("B", b)) if not _has(record, about.metric)]
    judges = [record.fingerprints.get("judge", "") for record in (a, b)]
    if absent:
        return f"not measured in {' and '.join(absent)}"
    if about.kind == "judged" and judges[0] != judges[1]:
        return f"the judges differ ({' and '.join(_called(judges))})"
    return "" if before.values.keys() & now.values.keys() else "no question has a number in both"


def _called(judges: Sequence[str]) -> list[str]:
    """The start of each identity, or all of it where that does not tell them apart."""
    short = [" ".join(judge.split()[:2]) or "none" for judge in judges]
    return short if len(set(short)) > 1 else [judge or "none" for judge in judges]


def _has(record: RunRecord, metric: str) -> bool:
    return any(score.metric == metric for score in record.scores)


def _filled(blank: Row, found: Comparison, tested: bool) -> Row:
    low, high = (found.interval() if tested else None) or (None, None)
    ends = (low, high) if found.sign > 0 else (_negated(high), _negated(low))
    return replace(
        blank,
        a=found.before,
        b=found.after,
        difference=found.sign * found.mean + 0.0,
        low=ends[0],
        high=ends[1],
        p=min(1.0, 2 * min(found.p_worse(), found.p_better())) if tested else None,
        n=len(found.questions),
        wins=sum(change > 0 for change in found.differences),
        losses=sum(change < 0 for change in found.differences),
        ties=sum(change == 0 for change in found.differences),
    )


def _negated(value: float | None) -> float | None:
    return None if value is None else 0.0 - value


def _adjusted(rows: Sequence[Row], method: Callable[[Sequence[float]], list[float]]) -> tuple[Row, ...]:
    tested = [(row.metric, row.p) for row in rows if row.p is not None]
    adjusted = dict(zip((metric for metric, _ in tested), method([p for _, p in tested]), strict=True))
    return tuple(replace(row, adjusted=adjusted.get(row.metric)) for row in rows)
