"""How often the gate is wrong, by simulation: unchanged pipelines and a true drop, beside simpler rules on the same runs.

    python -m benchmarks.gate_study [--runs N] [--json FILE]

100 questions, each with its own chance to be answered well (beta, mean .8). An unchanged pipeline is run twice: its
answers are drawn anew (redrawn), or stay and are judged anew (same); a score is right or wrong (binary) or the share of
four claims that hold (claims). The true drop lowers every chance alike, by .05 on the mean. Every verdict of our rule is
`Gate.check` on two records.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from harness.gates.baseline import Baseline, from_record
from harness.gates.gate import Gate
from harness.gates.selftest import NAIVE, Rate
from harness.store import write_json
from harness.types import Aggregate, Outcome, RunRecord, Score, Verdict

Floats = NDArray[np.float64]

QUESTIONS = 100
MEAN, SPREAD = 0.8, 0.035
"""Mean and variance of a question's chance, so that redrawn yes/no scores differ with a standard deviation of .5."""
CLAIMS = {"binary": 1, "claims": 4}
"""Claims of an answer by kind of score."""
MISJUDGED = 0.0473
"""Chance that a judge changes its word on a claim, so that rejudged yes/no scores differ with a standard deviation of .3."""
DROP, MARGIN = 0.05, 0.05
METRICS = [f"{station}recall_at_{k}" for station in ("", "bm25/", "dense/", "fused/") for k in (1, 2, 3, 5, 10, 20)]
"""24 rules of one gate."""


@dataclass(frozen=True)
class Study:
    """One kind of score under one kind of rerun."""

    scores: str
    """binary or claims."""
    rerun: str
    """redrawn or same."""
    red: Rate
    """Our rule on unchanged pipelines."""
    naive: Rate
    """The mean must not drop by more than .02, on the same."""
    non_inferiority: Rate
    """Red unless a drop of .05 is ruled out (one-sided 95 %), on the same."""
    caught: Rate
    """Our rule is red on a true drop of .05."""
    inconclusive: Rate
    """It says that it cannot tell."""
    passed: Rate
    """It passes, wrongly."""
    unpaired: Rate
    """A two-sample t test at the same alpha sees the drop."""


def study(scores: str, rerun: str, runs: int, seed: int = 0) -> Study:
    """Simulates `runs` unchanged pipelines and as many with a true drop."""
    chance = np.random.default_rng([seed, list(CLAIMS).index(scores), rerun == "same"])
    same = [_pair(chance, scores, rerun, 0.0) for _ in range(runs)]
    worse = [_pair(chance, scores, rerun, DROP) for _ in range(runs)]
    quiet, told = [_verdict(*pair).outcome for pair in same], [_verdict(*pair).outcome for pair in worse]
    return Study(
        scores,
        rerun,
        red=Rate.of(item is Outcome.REGRESSED for item in quiet),
        naive=Rate.of(_naive(*pair) for pair in same),
        non_inferiority=Rate.of(_not_inferior(*pair) for pair in same),
        caught=Rate.of(item is Outcome.REGRESSED for item in told),
        inconclusive=Rate.of(item is Outcome.INCONCLUSIVE for item in told),
        passed=Rate.of(item in (Outcome.PASS, Outcome.IMPROVED) for item in told),
        unpaired=Rate.of(_unpaired(*pair) for pair in worse),
    )


def many_gates(runs: int, seed: int = 0) -> tuple[Rate, Rate]:
    """24 rules on unchanged pipelines with redrawn yes/no scores: share of runs with any red, ours and naive."""
    chance = np.random.default_rng([seed, 24])
    gate = Gate(rules=[{"metric": metric} for metric in METRICS])  # type: ignore[arg-type]
    ours, naive = [], []
    for _ in range(runs):
        pairs = {metric: _pair(chance, "binary", "redrawn", 0.0) for metric in METRICS}
        now, then = (
            _record({key: pair[1] for key, pair in pairs.items()}),
            _accepted({key: pair[0] for key, pair in pairs.items()}),
        )
        ours.append(any(item.outcome is Outcome.REGRESSED for item in gate.check(now, then)))
        naive.append(any(_naive(*pair) for pair in pairs.values()))
    return Rate.of(ours), Rate.of(naive)


def _pair(chance: np.random.Generator, scores: str, rerun: str, drop: float) -> tuple[Floats, Floats]:
    """Scores of the accepted run and of another, float64[questions] each."""
    weight = MEAN * (1 - MEAN) / SPREAD - 1
    good = chance.beta(MEAN * weight, (1 - MEAN) * weight, QUESTIONS)
    shape = (CLAIMS[scores], QUESTIONS)
    first = chance.random(shape) < good
    second = chance.random(shape) < good * (1 - drop / MEAN)
    if rerun == "same":
        kept = first & (chance.random(shape) >= drop / MEAN / (1 - 2 * MISJUDGED))
        first, second = first ^ (chance.random(shape) < MISJUDGED), kept ^ (chance.random(shape) < MISJUDGED)
    return first.mean(axis=0), second.mean(axis=0)


def _verdict(before: Floats, after: Floats) -> Verdict:
    gate = Gate(rules=[{"metric": "recall_at_5", "margin": MARGIN}])  # type: ignore[arg-type]
    (found,) = gate.check(_record({"recall_at_5": after}), _accepted({"recall_at_5": before}))
    return found


def _naive(before: Floats, after: Floats) -> bool:
    return float(before.mean() - after.mean()) > NAIVE + 1e-9


def _not_inferior(before: Floats, after: Floats) -> bool:
    from scipy.stats import t

    changes = after - before
    error = changes.std(ddof=1) / np.sqrt(len(changes))
    return bool(changes.mean() - t.ppf(0.95, len(changes) - 1) * error <= -MARGIN)


def _unpaired(before: Floats, after: Floats) -> bool:
    from scipy.stats import ttest_ind

    return bool(ttest_ind(after, before, alternative="less").pvalue < 0.01)


def _record(rows: dict[str, Floats]) -> RunRecord:
    names = [f"q{place:03d}" for place in range(QUESTIONS)]
    scores = tuple(Score(metric, *item) for metric, row in rows.items() for item in zip(names, row.tolist(), strict=True))
    means = {metric: Aggregate(metric, float(row.mean()), len(row)) for metric, row in rows.items()}
    marks = {"config": "c", "golden_set": "g", "corpus": "d", "judge": "j"}
    splits = dict.fromkeys(names, "test")
    return RunRecord("run", "", "study", {}, (), marks, {}, {}, scores, (), means, splits=splits, golden_set="study")


def _accepted(rows: dict[str, Floats]) -> Baseline:
    return from_record(_record(rows))


def as_json(studies: Sequence[Study], many: tuple[Rate, Rate]) -> dict[str, object]:
    """The record that published figures come from."""
    rates = ("red", "naive", "non_inferiority", "caught", "inconclusive", "passed", "unpaired")
    rows = [
        {"scores": item.scores, "rerun": item.rerun, **{name: getattr(item, name).as_json() for name in rates}}
        for item in studies
    ]
    return {
        "questions": QUESTIONS,
        "drop": DROP,
        "margin": MARGIN,
        "one_rule": rows,
        "24_rules": {"red": many[0].as_json(), "naive": many[1].as_json()},
    }


def main() -> None:
    """Prints the table and writes the record."""
    reader = argparse.ArgumentParser(description="The gate's own error rates, by simulation.")
    reader.add_argument("--runs", type=int, default=400, help="simulated pairs of each kind (default: %(default)s)")
    reader.add_argument("--json", default="", metavar="FILE", help="write the record there")
    arguments = reader.parse_args()
    studies = [study(scores, rerun, arguments.runs) for scores in CLAIMS for rerun in ("redrawn", "same")]
    many = many_gates(arguments.runs // 2)
    print(f"{'':16} unchanged: red     naive non-inf.   drop of {DROP:g}: red inconcl.    pass unpaired    n")
    for item in studies:
        before = "".join(f"{rate.share:10.1%}" for rate in (item.red, item.naive, item.non_inferiority))
        after = "".join(f"{rate.share:9.1%}" for rate in (item.caught, item.inconclusive, item.passed, item.unpaired))
        print(f"{item.scores:7} {item.rerun:8} {before:>30}   {after:>40} {item.red.n:7}")
    print(f"24 rules, unchanged: any red {many[0].share:.1%}, naive {many[1].share:.1%}, n = {many[0].n}")
    if arguments.json:
        write_json(Path(arguments.json), as_json(studies, many))


if __name__ == "__main__":
    main()
