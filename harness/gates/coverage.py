"""Was there anything to judge? Each answer is an outcome that cannot pass, with its reason, or None."""

from collections.abc import Collection
from difflib import get_close_matches

from harness.gates import changes, wording
from harness.gates.baseline import Baseline
from harness.gates.comparison import Measured, questions_of
from harness.gates.rules import Rule
from harness.metrics.catalog import nearest
from harness.types import Outcome, RunRecord

MAX_LAPSED = 0.1
"""Share of the questions scored in the baseline that may be not applicable now; with more the rest cannot pass for all."""

Problem = tuple[Outcome, str]
"""An outcome that cannot pass, and why."""


def of_run(rule: Rule, now: Measured, record: RunRecord, max_error_rate: float, minimum: int) -> Problem | None:
    """What is missing or broken in the run itself, without looking at a baseline."""
    asked = questions_of(record)
    failed = {item.question_id for item in record.failures}
    produced = {score.metric for score in record.scores}
    if not asked:
        return Outcome.MISSING, "the run has no questions; an empty set would pass every gate"
    if len(failed) > max_error_rate * len(asked):
        return Outcome.INVALID, f"{wording.part(len(failed), len(asked), 'question')} failed, {max_error_rate:.1%} are allowed"
    if unknown := _unknown_slice(rule, record):
        return Outcome.MISSING, unknown
    if not now.asked:
        of = f"{rule.slice!r} in " if rule.slice else "in "
        return Outcome.MISSING, f"no question of this run is {of}split {rule.scope!r}; ask all (split=all) or change the rule"
    if rule.metric not in produced:
        return Outcome.MISSING, _not_produced(rule, record, produced)
    if len(now.lost) > max_error_rate * len(now.asked):
        return Outcome.INVALID, wording.lost(rule, now)
    if _looks_at_one_run(rule) and len(now.lost) + len(now.skipped) > max_error_rate * len(now.asked):
        return Outcome.INVALID, wording.unmeasured(rule, now)
    if not now.values:
        return Outcome.MISSING, f"{rule.metric} applies to none of the {wording.count(len(now.asked), 'question')}"
    if rule.kind != "invariant" and len(now.asked) < minimum:
        return Outcome.INVALID, f"{rule.where!r} has {wording.count(len(now.asked), 'question')}; a gate needs {minimum}"
    return None


def of_scope(
    rule: Rule, now: Measured, record: RunRecord, accepted: Baseline | None, kept: Collection[str] | None = None
) -> Problem | None:
    """That the accepted run scored questions of the rule's scope that this run did not ask: a part cannot stand for the whole.

    Args:
        rule: any kind of rule.
        now: the run's scores in the rule's scope.
        record: the run.
        accepted: the baseline; None where there is none, or one of another golden set.
        kept: questions that may be compared when the golden set changed; None is all.
    """
    if accepted is None:
        return None
    labels = accepted.labels or record.labels
    scored = {name for name, value in accepted.scores.get(rule.metric, {}).items() if value is not None}
    inside = {name for name in scored if _in_scope(rule, accepted.splits.get(name, "test"), labels.get(name))}
    unasked = inside.difference(now.asked) & (inside if kept is None else set(kept))
    if not unasked:
        return None
    said = f"{wording.part(len(unasked), len(inside), 'question')} that the accepted run scored were not asked"
    return Outcome.INVALID, f"{said}: {changes.listed(unasked)}; ask them too (split=all), or choose another split in the rule"


def _in_scope(rule: Rule, split: str, labels: Collection[str] | None) -> bool:
    """Whether a question of the baseline lies in a rule's split and slice; labels that nobody knows cannot exclude it."""
    return rule.scope in ("all", split) and (not rule.slice or labels is None or rule.slice in labels)


def _looks_at_one_run(rule: Rule) -> bool:
    """Whether a rule concludes from this run's numbers alone, so that a skipped question is a lack like any other."""
    return rule.kind != "difference" or rule.floor is not None


def of_pair(rule: Rule, now: Measured, record: RunRecord, accepted: Baseline, max_error_rate: float) -> Problem | None:
    """What keeps a rule's metric from being compared with a baseline on the same golden set."""
    if rule.metric not in accepted.scores:
        return Outcome.MISSING, f"the accepted run {accepted.run_id!r} has no {rule.metric}; accept a run that has it"
    if rule.description.kind == "judged" and record.fingerprints.get("judge") != accepted.fingerprints.get("judge"):
        return Outcome.NOT_COMPARABLE, _other_judge(record, accepted)
    old = _scored(rule, now, accepted).keys()
    gone = old & {*now.lost, *now.skipped}
    if len(gone) > max_error_rate * len(old):
        return Outcome.INVALID, f"{wording.part(len(gone), len(old), 'question')} the baseline scored have no score now"
    if not old & set(now.values):
        return Outcome.MISSING, f"no question has {rule.metric} in both the run and the accepted baseline"
    return None


def lapsed(rule: Rule, now: Measured, accepted: Baseline) -> str:
    """Why a rule cannot pass: too many questions that the baseline scored are not applicable now. Empty when it can."""
    old = _scored(rule, now, accepted)
    left = _not_applicable(old, now)
    if len(left) <= MAX_LAPSED * len(old):
        return ""
    said = f"{wording.part(len(left), len(old), 'question')} that the baseline scored are not applicable now"
    return f"{said}, more than the {MAX_LAPSED:.0%} up to which the others can speak for all"


def _not_applicable(old: Collection[str], now: Measured) -> set[str]:
    return set(old) - {*now.values, *now.lost, *now.skipped}


def remarks(rule: Rule, now: Measured, record: RunRecord, accepted: Baseline) -> str:
    """What a reader of the verdict should know besides."""
    old = _scored(rule, now, accepted)
    left = set(old) - set(now.values)
    lapsed_now = _not_applicable(old, now)
    kinds = changes.counted({"not applicable": lapsed_now, "without a score": left - lapsed_now})
    joined = len(set(now.values) - set(old))
    same = record.fingerprints.get("config") == accepted.fingerprints.get("config")
    changed = any(now.values[name] != value for name, value in old.items() if name in now.values)
    judged = rule.description.kind == "judged"
    has = "has" if len(left) == 1 else "have"
    notes = (
        (left, f"{wording.count(len(left), 'question')} scored in the baseline {has} no number now: {', '.join(kinds)}"),
        (joined, f"{wording.count(joined, 'question')} scored now had no number in the baseline"),
        (same and changed and not judged, "the config is that of the baseline, yet scores changed"),
    )
    return "; ".join(text for applies, text in notes if applies)


def _scored(rule: Rule, now: Measured, accepted: Baseline) -> dict[str, float]:
    """The baseline's numbers on the questions of the slice."""
    asked = frozenset(now.asked)
    return {name: value for name, value in accepted.scores[rule.metric].items() if value is not None and name in asked}


def _unknown_slice(rule: Rule, record: RunRecord) -> str:
    """That no question of the run carries the rule's label, with the nearest that some do; empty when one does."""
    known = sorted({label for labels in record.labels.values() for label in labels})
    if not rule.slice or rule.slice in known:
        return ""
    if not known:
        return f"the run does not say which slices its questions belong to, so {rule.slice!r} selects none; run it again"
    near = get_close_matches(rule.slice, known, n=3)
    fix = f"did you mean {' or '.join(map(repr, near))}?" if near else f"known: {changes.listed(known)}"
    return f"no question of this run is in slice {rule.slice!r}; {fix}"


def _not_produced(rule: Rule, record: RunRecord, produced: set[str]) -> str:
    if rule.metric in record.aggregates:
        return f"{rule.metric} is a number of the whole set without scores per question, so it cannot be paired; gate its parts"
    lacking = f"this run did not produce {rule.metric}"
    deep = ": its rankings do not reach that depth, or settings.ks leaves it out" if rule.description.kind == "retrieval" else ""
    near = nearest(rule.metric, sorted(produced))
    offered = f"; near: {near}" if near and repr(rule.metric) not in near.split(" or ") else ""
    return f"{lacking}{deep}{offered}"


def _other_judge(record: RunRecord, accepted: Baseline) -> str:
    before, after = accepted.fingerprints.get("judge", ""), record.fingerprints.get("judge", "")
    return f"the judges differ ({before!r} and {after!r}), so scores cannot be compared; accept a run with this judge"
