"""Rules, an accepted baseline and a record give verdicts.

Three verdicts, not two. "The mean must not drop by .02" turns red on an unchanged pipeline in 9 to 29 % of runs, and a
rule that asks for proof of no loss does so in 6 to 69 %. So a drop is called a regression only when a paired test is sure of it
and it is large enough to matter, a pass only when a drop that matters can be ruled out, and what lies between is
called inconclusive, with the size of drop that could have been seen at the first step of Holm. Questions of fewer than 5
groups, or of which over a tenth stopped to be applicable, can show a regression and no pass, unless nothing changed.
Coverage comes before all: what was not measured cannot pass, and what the accepted run scored has to be asked.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from pydantic import BeforeValidator, ConfigDict, Field
from pydantic.dataclasses import dataclass as validated

from harness.gates import coverage, quarantine, wording
from harness.gates.baseline import Baseline
from harness.gates.comparison import Comparison, Measured, compare, measured
from harness.gates.pairing import Pairing, pair
from harness.gates.rules import Rule, parse_rules
from harness.statistics.multiplicity import holm
from harness.types import Outcome, RunRecord, Verdict

MINIMUM_CLUSTERS = 5
"""Fewer groups of questions than this can show a regression, never that there is none: their interval is not to be trusted."""
MAX_ERROR_RATE = 0.02
"""Share of questions that may fail before a run is invalid, unless the gate says otherwise."""
_INVALID = frozenset({Outcome.MISSING, Outcome.INVALID, Outcome.NOT_COMPARABLE})


@dataclass(frozen=True, slots=True)
class _Held:
    """What all rules are held against."""

    record: RunRecord
    accepted: Baseline | None
    pairing: Pairing
    calibrated: Collection[str]


@dataclass(frozen=True, slots=True)
class Tested:
    """A difference rule that got as far as its test."""

    rule: Rule
    verdict: Verdict
    comparison: Comparison
    mean: float
    """The run's mean over all questions of the rule, compared or not: what a floor looks at."""
    worse: float
    better: float
    withheld: str = ""
    """Why it cannot pass, whatever the test says; empty when it can."""


@validated(frozen=True, config=ConfigDict(extra="forbid"))
class Gate:
    """Holds a run against rules and the accepted baseline."""

    rules: Annotated[tuple[Rule, ...], BeforeValidator(parse_rules)]
    """What is asked; rules or mappings of their fields. All are checked or none."""
    alpha: Annotated[float, Field(gt=0, lt=0.5)] = 0.01
    """Chance that an unchanged pipeline is called regressed by any of the rules (Holm)."""
    max_error_rate: Annotated[float, Field(ge=0, lt=1)] = MAX_ERROR_RATE
    """Share of questions that may fail before nothing is concluded."""
    minimum_questions: Annotated[int, Field(ge=2)] = 10
    """Fewer than this prove nothing: they can show a regression, never a pass."""
    quarantine: Annotated[float, Field(ge=0, lt=1)] = 0.2
    """A question that flips in more than this share of repeats leaves the paired test, by name."""
    max_quarantined: Annotated[float, Field(ge=0, lt=1)] = 0.1
    """Share of a rule's questions that may be left out so; with more the rule is invalid."""
    shared_only: bool = False
    """When the golden set changed, compare the questions that are unedited in both; their verdicts say so."""
    strict: bool = False
    """Inconclusive exits 3."""

    def check(self, record: RunRecord, accepted: Baseline | None, calibrated: Collection[str] = frozenset()) -> list[Verdict]:
        """One verdict per rule, in their order.

        Args:
            record: the run.
            accepted: the baseline; None where there is none, which no difference rule can pass.
            calibrated: judged metrics whose judge was held against human labels; the others are advisory.
        """
        held = _Held(record, accepted, pair(record, accepted, self.shared_only), calibrated)
        found = [self._examine(rule, held) for rule in self.rules]
        tests = [item for item in found if isinstance(item, Tested)]
        concluded: dict[int, Verdict] = {}
        for advisory in (False, True):
            family = [item for item in tests if item.verdict.advisory is advisory]
            concluded |= self.conclude(family, self.declared(advisory, calibrated))
        verdicts = [concluded[id(item)] if isinstance(item, Tested) else item for item in found]
        return [wording.with_standing(*pair, calibrated) for pair in zip(self.rules, verdicts, strict=True)]

    def declared(self, advisory: bool, calibrated: Collection[str]) -> int:
        """How many difference rules share an error rate, whether or not this run let them be tested."""
        return sum(rule.kind == "difference" and rule.is_advisory(calibrated) is advisory for rule in self.rules)

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

    def _examine(self, rule: Rule, held: _Held) -> Verdict | Tested:
        record = held.record
        now = measured(record, rule.metric, rule.scope, rule.slice)
        blank = Verdict(rule.metric, Outcome.MISSING, slice=rule.where)
        if problem := coverage.of_run(rule, now, record, self.max_error_rate, self.minimum_questions):
            return replace(blank, outcome=problem[0], reason=problem[1])
        accepted = None if held.pairing.problem else held.accepted
        if problem := coverage.of_scope(rule, now, record, accepted, held.pairing.questions):
            return replace(blank, outcome=problem[0], reason=problem[1])
        blank = replace(blank, actual=now.mean, n=len(now.values), advisory=rule.is_advisory(held.calibrated))
        if rule.kind == "invariant":
            return _invariant(blank, now)
        if rule.kind == "floor":
            return self._floor(blank, rule, now)
        return self._pair(blank, rule, now, held)

    def _pair(self, blank: Verdict, rule: Rule, whole: Measured, held: _Held) -> Verdict | Tested:
        pairing, record, accepted = held.pairing, held.record, held.accepted
        if accepted is None or pairing.problem:
            return _unpaired(blank, pairing.problem)
        now = whole
        if pairing.questions is not None:
            now, blank = whole.only(pairing.questions), replace(blank, slice=f"{rule.where}, unedited")
        if problem := coverage.of_pair(rule, now, record, accepted, self.max_error_rate):
            return _unpaired(blank, problem)
        paired = {name for name in now.values if accepted.scores[rule.metric].get(name) is not None}
        unstable = quarantine.unstable(rule.metric, paired, self.quarantine, accepted.flips, record.flips)
        if problem := quarantine.too_many(rule.metric, unstable, len(paired), self.max_quarantined, self.quarantine):
            return replace(blank, outcome=problem[0], reason=problem[1])
        comparison = compare(record, accepted, now.only(paired - {*unstable}), rule.description)
        remarks = (quarantine.words(unstable, self.quarantine), pairing.remark, coverage.remarks(rule, now, record, accepted))
        tested = self._test(replace(blank, reason="; ".join(filter(None, remarks))), rule, whole.mean, comparison)
        return replace(tested, withheld=coverage.lapsed(rule, now, accepted))

    def _floor(self, blank: Verdict, rule: Rule, now: Measured) -> Verdict:
        blank = replace(blank, expected=rule.floor)
        if _breaks(rule, now.mean):
            return replace(blank, outcome=Outcome.REGRESSED, reason=wording.floor_broken(rule, now.mean))
        if len(now.values) < self.minimum_questions:
            return replace(blank, outcome=Outcome.INCONCLUSIVE, reason=wording.few(len(now.values), self.minimum_questions))
        return replace(blank, outcome=Outcome.PASS, reason=wording.floor_held(rule, now.mean))

    def _test(self, blank: Verdict, rule: Rule, mean: float, comparison: Comparison) -> Tested:
        low, high = comparison.interval() or (None, None)
        ends = (low, high) if comparison.sign > 0 else (_negated(high), _negated(low))
        verdict = replace(
            blank,
            expected=comparison.before,
            actual=comparison.after,
            difference=comparison.sign * comparison.mean + 0.0,
            low=ends[0],
            high=ends[1],
            n=len(comparison.questions),
            flipped=comparison.flipped,
        )
        return Tested(rule, verdict, comparison, mean, comparison.p_worse(), comparison.p_better())

    def conclude(self, tests: Sequence[Tested], family: int) -> dict[int, Verdict]:
        """Verdicts by the id of their test; `family` counts the declared rules, so that an untested one buys nothing."""
        untested = [1.0] * (family - len(tests))
        worse = holm([*(item.worse for item in tests), *untested])
        better = holm([*(item.better for item in tests), *untested])
        return {id(item): self._decide(item, worse[place], better[place], family) for place, item in enumerate(tests)}

    def _decide(self, item: Tested, worse: float, better: float, family: int) -> Verdict:
        rule, comparison, mean = item.rule, item.comparison, item.comparison.mean
        outcome, reason = Outcome.INCONCLUSIVE, ""
        first_step = self.alpha / family
        if worse < self.alpha and mean <= -rule.practical_floor:
            outcome, reason = Outcome.REGRESSED, wording.regressed(mean, worse, family)
        elif rule.floor is not None and _breaks(rule, item.mean):
            outcome, reason = Outcome.REGRESSED, wording.floor_broken(rule, item.mean)
        elif len(comparison.questions) < self.minimum_questions:
            reason = wording.few(len(comparison.questions), self.minimum_questions)
        elif item.withheld:
            reason = item.withheld
        elif comparison.unchanged:
            outcome, reason = Outcome.PASS, "no question changed"
        elif comparison.clusters < MINIMUM_CLUSTERS:
            reason = wording.few_clusters(comparison.clusters, MINIMUM_CLUSTERS)
        elif (interval := comparison.interval(confidence=0.90)) is None or interval[0] <= -rule.margin:
            reason = wording.inconclusive(rule, comparison, interval, first_step)
        elif better < self.alpha and mean >= rule.practical_floor:
            outcome, reason = Outcome.IMPROVED, wording.improved(mean, better, family)
        else:
            outcome, reason = Outcome.PASS, wording.passed(rule, interval)
        powerless = rule.floor is None and family * comparison.least_p() >= self.alpha
        advice = wording.powerless(rule) if powerless and outcome is Outcome.INCONCLUSIVE else ""
        words = "; ".join(part for part in (reason, advice, item.verdict.reason) if part)
        seen = comparison.detectable(first_step)
        return replace(item.verdict, outcome=outcome, reason=words, p=worse, minimum_detectable_effect=seen)


def _invariant(blank: Verdict, now: Measured) -> Verdict:
    guilty = tuple(name for name, value in sorted(now.values.items()) if value > 0)
    total = sum(now.values.values())
    outcome = Outcome.REGRESSED if guilty else Outcome.PASS
    reason = wording.invariant_broken(total, len(guilty)) if guilty else wording.invariant_held(now)
    return replace(blank, outcome=outcome, reason=reason, expected=0.0, actual=total, flipped=guilty)


def _unpaired(blank: Verdict, problem: coverage.Problem | None) -> Verdict:
    """A rule that could not be compared. Only scores of another kind leave an advisory rule advisory: a lack is a lack."""
    outcome, reason = problem or (Outcome.MISSING, "there is no accepted baseline")
    return replace(blank, outcome=outcome, reason=reason, advisory=blank.advisory and outcome is Outcome.NOT_COMPARABLE)


def _breaks(rule: Rule, mean: float) -> bool:
    """Whether a mean lies on the wrong side of the rule's floor."""
    floor = rule.floor if rule.floor is not None else mean
    return mean < floor - 1e-9 if rule.description.higher_is_better else mean > floor + 1e-9


def _negated(value: float | None) -> float | None:
    return None if value is None else 0.0 - value
