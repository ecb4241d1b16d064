"""The gate measured on its own recorded scores: how often it calls an unchanged pipeline worse, and which drops it catches.

A/A: the run is held against itself, on questions drawn anew, with rerun noise of a stated size. Injected drops: the
scores of random questions fall until the mean has fallen by a known amount. The naive rule "the mean must not drop
by more than .02" is asked of the same pairs. Every verdict is the gate's own.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from statistics import median

import numpy as np

from harness.fingerprint import fingerprint
from harness.gates import quarantine
from harness.gates.baseline import Baseline, from_record
from harness.gates.comparison import measured
from harness.gates.gate import Gate
from harness.gates.gate import Tested as Tested
from harness.gates.pairing import pair
from harness.gates.rules import Rule
from harness.gates.simulation import Change, Pair, Recorded, Table, dropped, exchanged, p_values, pairs, redrawn
from harness.metrics.catalog import describe
from harness.statistics.intervals import wilson
from harness.statistics.resampling import members
from harness.types import Outcome, RunRecord, Verdict

_SURE = 0.01
NAIVE = 0.02
"""Drop of the mean above which the naive rule is red."""
NOISES = (0.1, 0.3, 1.0)
"""Shares of scores that a rerun draws anew."""
JUDGED_NOISE = 0.1
"""Share of a judged metric's scores that is drawn anew while a drop is injected; deterministic metrics have no rerun noise."""
DROPS = (0.02, 0.05, 0.10)
"""Injected falls of the mean."""
_FLOOR = "a floor looks at one run alone: no pair of runs tells how often it is wrong"


@dataclass(frozen=True, slots=True)
class Rate:
    """A share of simulated pairs."""

    count: int
    """Pairs in which it happened."""
    n: int
    """Pairs."""

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the share."""
        return wilson(self.count, self.n) if self.n else (0.0, 1.0)

    def as_json(self) -> dict[str, float]:
        """Count, n, share and both ends of the interval."""
        low, high = self.interval
        return {"count": self.count, "n": self.n, "share": round(self.share, 6), "low": round(low, 6), "high": round(high, 6)}

    @classmethod
    def of(cls, happened: Iterable[bool]) -> "Rate":
        """The share of true values."""
        found = [bool(item) for item in happened]
        return cls(sum(found), len(found))

    @property
    def share(self) -> float:
        """Count over n; 0 where there was no pair, which `n` says."""
        return self.count / self.n if self.n else 0.0


@dataclass(frozen=True, slots=True)
class FalseAlarms:
    """Unchanged pipelines under one kind of rerun noise."""

    noise: str
    """What a rerun changes, in words."""
    red: Rate
    """Pairs in which any rule that can fail the gate is red."""
    naive: Rate
    """Pairs in which the naive rule is red on any of the same metrics."""
    undecided: Rate
    """Pairs without red in which a rule is inconclusive."""
    rules: Mapping[str, int]
    """Red pairs by rule, advisory ones too; rules that were never red are left out."""


@dataclass(frozen=True, slots=True)
class Caught:
    """One drop injected into one rule, the others unchanged."""

    rule: str
    """Metric and slice."""
    drop: float
    """By how much the mean fell."""
    questions: int
    """Questions of the recorded run that the rule looks at."""
    red: Rate
    """Pairs in which it was caught."""
    inconclusive: Rate
    """Pairs in which nothing was decided."""
    passed: Rate
    """Pairs in which it passed: wrong, where the drop is as large as the rule's margin."""
    naive: Rate
    """Pairs in which the naive rule was red."""
    detectable: float | None
    """Minimum detectable effect that the gate states, median over the pairs; None where it can state none."""


@dataclass(frozen=True, slots=True)
class SelfTest:
    """What a gate is worth on one run's scores."""

    seed: int
    """From the digests of run and gate."""
    simulations: int
    """Pairs of each scenario."""
    alpha: float
    """The error rate that the gate declares."""
    identical: tuple[str, ...]
    """Difference rules that are red when the run is held against itself: none may be."""
    false_alarms: tuple[FalseAlarms, ...]
    """By rerun noise."""
    caught: tuple[Caught, ...]
    """By rule and drop."""
    left_out: Mapping[str, str]
    """Rules that could not be measured, and why."""
    deciding: int
    """Measured rules that can fail the gate; without any the gate was not measured."""

    @property
    def holds(self) -> bool:
        """A rule decides, identical scores are never red, no false-alarm rate is surely above what the gate declares.

        Surely: so many red pairs would come up in less than 1 % of self-tests of a gate that is as good as it declares
        (exact binomial, Bonferroni over the kinds of noise).
        """
        from scipy.stats import binom

        chances = [float(binom.sf(item.red.count - 1, item.red.n, self.alpha)) for item in self.false_alarms]
        quiet = all(chance >= _SURE / len(chances) for chance in chances)
        return self.deciding > 0 and not self.identical and quiet


def selftest(
    gate: Gate,
    record: RunRecord,
    accepted: Baseline | None = None,
    calibrated: Collection[str] = frozenset(),
    simulations: int = 200,
) -> SelfTest:
    """Measures a gate on the recorded scores of a run.

    Args:
        gate: the rules.
        record: a finished run.
        accepted: another run of the same golden set, whose recorded differences serve as rerun noise too.
        calibrated: judged metrics that may fail the gate.
        simulations: pairs of each scenario.
    """
    seed = int(fingerprint("selftest", record.fingerprints, gate)[:8], 16)
    left_out = {f"{_name(rule)} floor {rule.floor:g}": _FLOOR for rule in gate.rules if rule.floor is not None}
    tested = [replace(rule, floor=None) for rule in gate.rules if rule.kind == "difference"]
    if not tested:
        return SelfTest(seed, simulations, gate.alpha, (), (), (), left_out, 0)
    gate = replace(gate, rules=tuple(tested))
    held = list(zip(tested, gate.check(record, from_record(record), calibrated), strict=True))
    left_out |= {_name(rule): why for rule, verdict in held if (why := _unfit(rule, verdict))}
    rules = [rule for rule in tested if _name(rule) not in left_out]
    red = [_name(rule) for rule, verdict in held if verdict.outcome is Outcome.REGRESSED]
    trial = _Trial(gate, _recorded(gate, record, rules), calibrated, seed, simulations)
    return SelfTest(
        seed=seed,
        simulations=simulations,
        alpha=gate.alpha,
        identical=tuple(red),
        false_alarms=tuple(trial.false_alarms(*noise) for noise in _noises(trial.recorded, record, accepted)) if rules else (),
        caught=tuple(trial.caught(place, drop) for place in range(len(rules)) for drop in DROPS),
        left_out=left_out,
        deciding=sum(not rule.is_advisory(calibrated) for rule in rules),
    )


def _name(rule: Rule) -> str:
    return f"{rule.metric} ({rule.where})"


def _unfit(rule: Rule, verdict: Verdict) -> str:
    """Why drops of this rule cannot be simulated; empty when they can."""
    if verdict.outcome not in (Outcome.PASS, Outcome.INCONCLUSIVE):
        return verdict.reason
    about = rule.description
    return "" if isfinite(about.low if about.higher_is_better else about.high) else "a count has no worst score to fall to"


def _recorded(gate: Gate, record: RunRecord, rules: Sequence[Rule]) -> Recorded:
    """The questions that the gate compares: scored, and not quarantined."""
    rows = []
    for rule in rules:
        values = measured(record, rule.metric, rule.scope, rule.slice).values
        unstable = quarantine.unstable(rule.metric, values, gate.quarantine, record.flips)
        rows.append({name: value for name, value in values.items() if name not in unstable})
    names = tuple(sorted({name for row in rows for name in row}))
    table = np.array([[row.get(name, np.nan) for name in names] for row in rows]).reshape(len(rows), len(names))
    clusters = members(len(names), [record.groups.get(name, "") for name in names])
    return Recorded(tuple(rules), names, table, tuple(clusters))


def _noises(recorded: Recorded, record: RunRecord, accepted: Baseline | None) -> Iterator[tuple[str, Change]]:
    """Rerun noise in words, and what it does to scores."""
    for share in NOISES:
        yield f"{share:.0%} of the scores drawn anew", redrawn(np.full(recorded.values.shape, share))
    flips = _table(recorded, lambda metric, name: record.flips.get(metric, {}).get(name, 0.0))
    if flips.any():
        yield f"scores drawn anew as often as they flipped in {record.repeats} repeats", redrawn(flips)
    if accepted is not None and pair(record, accepted).problem is None:
        scores = accepted.scores
        then = _table(recorded, lambda metric, name: scores.get(metric, {}).get(name))
        if np.nan_to_num(recorded.values - then).any():
            yield "recorded differences to the accepted run, their signs drawn anew", exchanged(recorded.values - then)


def _table(recorded: Recorded, value: Callable[[str, str], float | None]) -> Table:
    rows = [[value(rule.metric, name) for name in recorded.questions] for rule in recorded.rules]
    return np.array(rows, dtype=float)


@dataclass(frozen=True)
class _Trial:
    """One gate on one table of scores."""

    gate: Gate
    recorded: Recorded
    calibrated: Collection[str]
    seed: int
    simulations: int

    def false_alarms(self, noise: str, change: Change) -> FalseAlarms:
        """How often the gate is red although both runs of each pair are of the same kind."""
        verdicts = [self.concluded(tests) for tests in self._tests(self.recorded, change)]
        red = [[name for name, item in pair.items() if item.outcome is Outcome.REGRESSED] for pair in verdicts]
        deciding = [[item for item in pair.values() if not item.advisory] for pair in verdicts]
        outcomes = [{item.outcome for item in pair} for pair in deciding]
        return FalseAlarms(
            noise=noise,
            red=Rate.of(Outcome.REGRESSED in found for found in outcomes),
            naive=Rate.of(any(_loss(item) > NAIVE + 1e-9 for item in pair) for pair in deciding),
            undecided=Rate.of(Outcome.REGRESSED not in found and Outcome.INCONCLUSIVE in found for found in outcomes),
            rules=dict(sorted(Counter(name for names in red for name in names).items())),
        )

    def caught(self, place: int, drop: float) -> Caught:
        """What the gate says when one rule's mean falls by a known amount."""
        alone = self.recorded.only(place)
        rule = alone.rules[0]
        share = 0.0 if rule.description.deterministic else JUDGED_NOISE
        noise = redrawn(np.full(alone.values.shape, share)) if share else None
        fell = [test for tests in self._tests(alone, dropped(drop, noise)) for test in tests]
        verdicts = [self.concluded([test])[_name(rule)] for test in fell]
        stated = [item.minimum_detectable_effect or 0.0 for item in verdicts]
        return Caught(
            rule=_name(rule),
            drop=drop,
            questions=int(np.count_nonzero(~np.isnan(alone.values))),
            red=Rate.of(item.outcome is Outcome.REGRESSED for item in verdicts),
            inconclusive=Rate.of(item.outcome is Outcome.INCONCLUSIVE for item in verdicts),
            passed=Rate.of(item.outcome in (Outcome.PASS, Outcome.IMPROVED) for item in verdicts),
            naive=Rate.of(_loss(item) > NAIVE + 1e-9 for item in verdicts),
            detectable=median(stated) if stated and isfinite(median(stated)) else None,
        )

    def _tests(self, recorded: Recorded, change: Change) -> Iterator[list[Tested]]:
        """The tests of each pair, all p-values of a rule computed at once."""
        made = list(pairs(recorded, change, self.simulations, self.seed))
        clusters, rows = len(recorded.clusters), range(len(recorded.rules))
        p = [p_values(np.array([item.totals(row, clusters) for item in made]), self.seed) for row in rows]
        for number, item in enumerate(made):
            seen = [row for row in rows if item.looks_at(row)]
            yield [self._test(item, recorded.rules[row], row, *(side[number] for side in p[row])) for row in seen]

    def _test(self, item: Pair, rule: Rule, row: int, worse: float, better: float) -> Tested:
        compared = item.comparison(row, rule, self.seed)
        verdict = Verdict(
            metric=rule.metric,
            outcome=Outcome.INCONCLUSIVE,
            slice=rule.where,
            difference=compared.sign * compared.mean,
            advisory=rule.is_advisory(self.calibrated),
        )
        return Tested(rule, verdict, compared, compared.after, float(worse), float(better))

    def concluded(self, tests: Sequence[Tested]) -> dict[str, Verdict]:
        """The gate's verdicts by rule; rules without a test are unchanged."""
        found: dict[str, Verdict] = {}
        for advisory in (False, True):
            family = [test for test in tests if test.verdict.advisory is advisory]
            verdicts = self.gate.conclude(family, self.gate.declared(advisory, self.calibrated))
            found |= {_name(test.rule): verdicts[id(test)] for test in family}
        return found


def _loss(verdict: Verdict) -> float:
    """By how much a mean got worse."""
    sign = 1 if describe(verdict.metric).higher_is_better else -1
    return -sign * (verdict.difference or 0.0)
