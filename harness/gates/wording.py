"""The reasons of verdicts, in words."""

from collections.abc import Collection
from dataclasses import replace
from math import isinf

from harness.gates import changes
from harness.gates.comparison import Comparison, Measured
from harness.gates.rules import Rule
from harness.statistics.intervals import Interval
from harness.types import Verdict


def count(number: int, noun: str) -> str:
    """`1 question`, `2 questions`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def part(some: int, of: int, noun: str) -> str:
    """`3 of 20 questions (15.0%)`."""
    return f"{some} of {count(of, noun)} ({some / of:.1%})"


def few(compared: int, minimum: int) -> str:
    """Too few to prove anything."""
    return f"{count(compared, 'question')} compared; fewer than {minimum} prove nothing"


def lost(rule: Rule, now: Measured) -> str:
    """Errors over budget, with what the mean could be."""
    text = f"{part(len(now.lost), len(now.asked), 'question')} have no {rule.metric} because of errors"
    low, high = now.bounds(rule.description)
    return text if isinf(high) else f"{text}; its mean lies between {low:.3f} and {high:.3f}"


def unmeasured(rule: Rule, now: Measured) -> str:
    """Errors and skipped questions over budget."""
    gone = [*now.lost, *now.skipped]
    return f"{part(len(gone), len(now.asked), 'question')} have no {rule.metric}: {_gone(now)}"


def invariant_held(now: Measured) -> str:
    """An invariant that holds, with the questions of which nothing is known."""
    held = f"0 on {count(len(now.values), 'question')}"
    return f"{held}; not measured: {_gone(now)}" if now.lost or now.skipped else held


def few_clusters(clusters: int, minimum: int) -> str:
    """Too few clusters for any interval to be trusted."""
    return f"the questions form {count(clusters, 'group')}; with fewer than {minimum} no drop can be ruled out"


def _gone(now: Measured) -> str:
    return ", ".join(changes.counted({"lost": now.lost, "skipped": now.skipped}))


def regressed(mean: float, p: float, family: int) -> str:
    """A sure drop."""
    return f"worse by {-mean:.3f}, p = {p:.2g}{_holm(family)}"


def improved(mean: float, p: float, family: int) -> str:
    """A sure rise."""
    return f"better by {mean:.3f}, p = {p:.2g}{_holm(family)}; accept it to hold it"


def powerless(rule: Rule) -> str:
    """Too few clusters, or too many rules beside it, for any p below alpha."""
    return f"even a {_loss(rule)} on every question could not turn this rule red here; give it a floor or add questions"


def passed(rule: Rule, interval: Interval) -> str:
    """A loss that matters is ruled out."""
    worst = f"at most {max(0.0, -interval[0]):.3f}"
    return f"a {_loss(rule)} of {rule.margin:g} can be ruled out: {worst} (95 %, one-sided)"


def inconclusive(rule: Rule, comparison: Comparison, interval: Interval | None, alpha: float) -> str:
    """Neither; what would tell. `alpha` is that of the first step of Holm, alpha over the size of the family."""
    seen, needed = comparison.detectable(alpha), comparison.needed(rule.margin, alpha)
    worst = f" (it may be {-interval[0]:.3f})" if interval else ""
    able = "" if isinf(seen) else f"; this comparison can see {_loss(rule)}s of {seen:.3f} or more"
    more = f", {count(needed, 'question')} would see {rule.margin:g}" if needed > len(comparison.questions) else ""
    return f"a {_loss(rule)} of {rule.margin:g} cannot be ruled out{worst}{able}{more}"


def floor_broken(rule: Rule, mean: float) -> str:
    """On the wrong side of a floor."""
    side = "below the floor" if rule.description.higher_is_better else "above the ceiling"
    return f"{mean:.3f} is {side} of {rule.floor:g}"


def floor_held(rule: Rule, mean: float) -> str:
    """On the right side of a floor."""
    side = "not below the floor" if rule.description.higher_is_better else "not above the ceiling"
    return f"{mean:.3f} is {side} of {rule.floor:g}"


def invariant_broken(total: float, guilty: int) -> str:
    """An invariant that does not hold."""
    return f"{total:g} where 0 is tolerated, on {count(guilty, 'question')}"


def with_standing(rule: Rule, verdict: Verdict, calibrated: Collection[str]) -> Verdict:
    """The verdict with the reason why it is advisory, or gating although its judge is not calibrated."""
    uncalibrated = rule.description.kind == "judged" and rule.metric not in calibrated
    if verdict.advisory and rule.advisory:
        why = "advisory: the rule says so"
    elif verdict.advisory:
        why = "advisory: the judge is not calibrated; `harness calibrate judge LABELS.jsonl`"
    elif uncalibrated and rule.advisory is False and verdict.actual is not None:
        why = "the judge is not calibrated, and the rule says advisory: false"
    else:
        return verdict
    return replace(verdict, reason="; ".join(part for part in (verdict.reason, why) if part))


def _loss(rule: Rule) -> str:
    """What a change for the worse is called."""
    return "drop" if rule.description.higher_is_better else "rise"


def _holm(family: int) -> str:
    return f" (Holm over {count(family, 'rule')})" if family > 1 else ""
