"""Was there anything to judge? Each answer is an outcome that cannot pass, with its reason, or None."""

from harness.gates import changes, wording
from harness.gates.baseline import Baseline
from harness.gates.comparison import Measured, questions_of
from harness.gates.rules import Rule
from harness.metrics.catalog import nearest
from harness.types import Outcome, RunRecord

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
    if not now.asked:
        return Outcome.MISSING, f"no question of this run is in split {rule.slice!r}; ask all (split=all) or change the rule"
    if rule.metric not in produced:
        return Outcome.MISSING, _not_produced(rule, record, produced)
    if len(now.lost) > max_error_rate * len(now.asked):
        return Outcome.INVALID, wording.lost(rule, now)
    if not now.values:
        return Outcome.MISSING, f"{rule.metric} applies to none of the {wording.count(len(now.asked), 'question')}"
    if rule.kind != "invariant" and len(now.asked) < minimum:
        return Outcome.INVALID, f"split {rule.slice!r} has {wording.count(len(now.asked), 'question')}; a gate needs {minimum}"
    return None


def of_pair(rule: Rule, now: Measured, record: RunRecord, accepted: Baseline | None, max_error_rate: float) -> Problem | None:
    """What keeps a run from being compared with its baseline."""
    if accepted is None:
        return Outcome.MISSING, "there is no accepted baseline, and a gate without one proves nothing; harness accept RUN"
    if changed := changes.of_golden_set(record, accepted):
        return Outcome.NOT_COMPARABLE, changed
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


def remarks(rule: Rule, now: Measured, record: RunRecord, accepted: Baseline) -> str:
    """What a reader of the verdict should know besides."""
    old = _scored(rule, now, accepted)
    left = len(set(old) - set(now.values))
    joined = len(set(now.values) - set(old))
    same = record.fingerprints.get("config") == accepted.fingerprints.get("config")
    changed = any(now.values[name] != value for name, value in old.items() if name in now.values)
    judged = rule.description.kind == "judged"
    notes = (
        (left, f"{wording.count(left, 'question')} scored in the baseline {'has' if left == 1 else 'have'} no number now"),
        (joined, f"{wording.count(joined, 'question')} scored now had no number in the baseline"),
        (same and changed and not judged, "the config is that of the baseline, yet scores changed"),
        (judged, "advisory: the judge is not calibrated"),
    )
    return "; ".join(text for applies, text in notes if applies)


def _scored(rule: Rule, now: Measured, accepted: Baseline) -> dict[str, float]:
    """The baseline's numbers on the questions of the slice."""
    asked = frozenset(now.asked)
    return {name: value for name, value in accepted.scores[rule.metric].items() if value is not None and name in asked}


def _not_produced(rule: Rule, record: RunRecord, produced: set[str]) -> str:
    if rule.metric in record.aggregates:
        return f"{rule.metric} is a number of the whole set without scores per question, so it cannot be paired; gate its parts"
    lacking = f"this run did not produce {rule.metric}"
    near = nearest(rule.metric, sorted(produced))
    if repr(rule.metric) in near.split(" or "):
        deep = rule.description.kind == "retrieval"
        return f"{lacking}: its rankings do not reach that depth, or settings.ks leaves it out" if deep else lacking
    return f"{lacking}{f'; near: {near}' if near else ''}"


def _other_judge(record: RunRecord, accepted: Baseline) -> str:
    before, after = accepted.fingerprints.get("judge", ""), record.fingerprints.get("judge", "")
    return f"the judges differ ({before!r} and {after!r}), so scores cannot be compared; accept a run with this judge"
