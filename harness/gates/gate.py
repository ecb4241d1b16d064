"""Rules, an accepted baseline and a record give verdicts.

Three verdicts, not two. "The mean must not drop by .02" turns red on an unchanged pipeline in 9 to 29 % of runs, and a
rule that asks for proof of no loss does so in 6 to 69 %. So a drop is called a regression only when a paired test is sure of it
and it is large enough to matter, a pass only when a drop that matters can be ruled out, and what lies between is
called inconclusive, with the size of drop that could have been seen. Coverage comes before all: what was not measured
cannot pass.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from pydantic import BeforeValidator, ConfigDict, Field
from pydantic.dataclasses import dataclass as validated

from harness.gates import coverage, wording
from harness.gates.baseline import Baseline
from harness.gates.comparison import Comparison, Measured, compare, measured
from harness.gates.rules import Rule, parse_rules
from harness.metrics.base import Description
from harness.statistics.multiplicity import holm
from harness.types import Outcome, RunRecord, Verdict

_INVALID = frozenset({Outcome.MISSING, Outcome.INVALID, Outcome.NOT_COMPARABLE})


@dataclass(frozen=True, slots=True)
class _Tested:
    """A difference rule that got as far as its test."""

    rule: Rule
    verdict: Verdict
    comparison: Comparison
    worse: float
    better: float


@validated(frozen=True, config=ConfigDict(extra="forbid"))
class Gate:
    """Holds a run against rules and the accepted baseline."""

    rules: Annotated[tuple[Rule, ...], BeforeValidator(parse_rules)]
    """What is asked; rules or mappings of their fields. All are checked or none."""
    alpha: Annotated[float, Field(gt=0, lt=0.5)] = 0.01
    """Chance that an unchanged pipeline is called regressed by any of the rules (Holm)."""
    max_error_rate: Annotated[float, Field(ge=0, lt=1)] = 0.02
    """Share of questions that may fail before nothing is concluded."""
    minimum_questions: Annotated[int, Field(ge=2)] = 10
    """Fewer than this prove nothing: they can show a regression, never a pass."""
    strict: bool = False
    """Inconclusive exits 3."""

    def check(self, record: RunRecord, accepted: Baseline | None) -> list[Verdict]:
        """One verdict per rule, in their order."""
        found = [self._examine(rule, record, accepted) for rule in self.rules]
        tests = [item for item in found if isinstance(item, _Tested)]
        families = [[item for item in tests if item.verdict.advisory is advisory] for advisory in (False, True)]
        concluded = {id(item): verdict for family in families for item, verdict in self._conclude(family)}
        return [concluded[id(item)] if isinstance(item, _Tested) else item for item in found]

    def exit_code(self, verdicts: Sequence[Verdict]) -> int:
        """0 pass or improved, 1 regressed, 3 inconclusive under strict, 4 when something was not measured.

        Advisory verdicts cannot fail the gate, but a gate in which nothing else was decided proves nothing: 4.
        """
        outcomes = {verdict.outcome for verdict in verdicts if not verdict.advisory}
        if not outcomes or outcomes & _INVALID:
            return 4
        if Outcome.REGRESSED in outcomes:
            return 1
        return 3 if self.strict and Outcome.INCONCLUSIVE in outcomes else 0

    def _examine(self, rule: Rule, record: RunRecord, accepted: Baseline | None) -> Verdict | _Tested:
        now, description = measured(record, rule.metric, rule.slice), rule.description
        blank = Verdict(rule.metric, Outcome.MISSING, slice=rule.slice)
        if problem := coverage.of_run(rule, now, record, self.max_error_rate, self.minimum_questions):
            return replace(blank, outcome=problem[0], reason=problem[1])
        advisory = description.kind == "judged"
        blank = replace(blank, actual=now.mean, n=len(now.values), advisory=advisory)
        if rule.kind == "invariant":
            return _invariant(blank, now)
        if rule.kind == "floor":
            return self._floor(blank, rule, now, description)
        if problem := coverage.of_pair(rule, now, record, accepted, self.max_error_rate):
            judged = advisory and problem[0] is Outcome.NOT_COMPARABLE
            return replace(blank, outcome=problem[0], reason=problem[1], advisory=judged)
        assert accepted is not None
        return self._test(blank, rule, compare(record, accepted, now, description), coverage.remarks(rule, now, record, accepted))

    def _floor(self, blank: Verdict, rule: Rule, now: Measured, description: Description) -> Verdict:
        blank = replace(blank, expected=rule.floor)
        if _breaks(rule, now.mean, description):
            return replace(blank, outcome=Outcome.REGRESSED, reason=wording.floor_broken(rule, now.mean))
        if len(now.values) < self.minimum_questions:
            return replace(blank, outcome=Outcome.INCONCLUSIVE, reason=wording.few(len(now.values), self.minimum_questions))
        return replace(blank, outcome=Outcome.PASS, reason=wording.floor_held(rule, now.mean))

    def _test(self, blank: Verdict, rule: Rule, comparison: Comparison, remarks: str) -> _Tested:
        low, high = comparison.interval() or (None, None)
        ends = (low, high) if comparison.sign > 0 else (_negated(high), _negated(low))
        verdict = replace(
            blank,
            reason=remarks,
            expected=comparison.before,
            actual=comparison.after,
            difference=comparison.sign * comparison.mean + 0.0,
            low=ends[0],
            high=ends[1],
            minimum_detectable_effect=comparison.detectable(self.alpha),
            n=len(comparison.questions),
            flipped=comparison.flipped,
        )
        return _Tested(rule, verdict, comparison, comparison.p_worse(), comparison.p_better())

    def _conclude(self, family: Sequence[_Tested]) -> list[tuple[_Tested, Verdict]]:
        worse, better = holm([item.worse for item in family]), holm([item.better for item in family])
        return [(item, self._decide(item, worse[place], better[place], len(family))) for place, item in enumerate(family)]

    def _decide(self, item: _Tested, worse: float, better: float, family: int) -> Verdict:
        rule, comparison, mean = item.rule, item.comparison, item.comparison.mean
        outcome, reason = Outcome.INCONCLUSIVE, ""
        interval = comparison.interval(confidence=0.90)
        if worse < self.alpha and mean <= -rule.practical_floor:
            outcome, reason = Outcome.REGRESSED, wording.regressed(mean, worse, family)
        elif rule.floor is not None and _breaks(rule, comparison.after, rule.description):
            outcome, reason = Outcome.REGRESSED, wording.floor_broken(rule, comparison.after)
        elif len(comparison.questions) < self.minimum_questions:
            reason = wording.few(len(comparison.questions), self.minimum_questions)
        elif comparison.unchanged:
            outcome, reason = Outcome.PASS, "no question changed"
        elif interval is None or interval[0] <= -rule.margin:
            reason = wording.inconclusive(rule, comparison, interval, self.alpha)
        elif better < self.alpha and mean >= rule.practical_floor:
            outcome, reason = Outcome.IMPROVED, wording.improved(mean, better, family)
        else:
            outcome, reason = Outcome.PASS, wording.passed(rule, interval)
        powerless = rule.floor is None and family * comparison.least_p() >= self.alpha
        advice = wording.powerless(rule) if powerless and outcome is Outcome.INCONCLUSIVE else ""
        words = "; ".join(part for part in (reason, advice, item.verdict.reason) if part)
        return replace(item.verdict, outcome=outcome, reason=words, p=worse)


def _invariant(blank: Verdict, now: Measured) -> Verdict:
    guilty = tuple(name for name, value in sorted(now.values.items()) if value > 0)
    total = sum(now.values.values())
    outcome = Outcome.REGRESSED if guilty else Outcome.PASS
    reason = wording.invariant_broken(total, len(guilty)) if guilty else f"0 on {wording.count(len(now.values), 'question')}"
    return replace(blank, outcome=outcome, reason=reason, expected=0.0, actual=total, flipped=guilty)


def _breaks(rule: Rule, mean: float, description: Description) -> bool:
    """Whether a mean lies on the wrong side of the rule's floor."""
    floor = rule.floor if rule.floor is not None else mean
    return mean < floor - 1e-9 if description.higher_is_better else mean > floor + 1e-9


def _negated(value: float | None) -> float | None:
    return None if value is None else 0.0 - value
