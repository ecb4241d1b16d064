"""`harness calibrate refusal`: when to refuse before generation, chosen on a run's tune questions and claimed on its test questions.

Exits 0 when a rule was chosen, whether it is better than the run's own or not; 4 when tune has too few questions of a class, and
then no option is written; 2 when the run cannot be used.
"""

import argparse
from dataclasses import asdict, replace
from typing import Any

import numpy as np

from harness.answerability.calibrated import Parts, uncalibrated
from harness.answerability.classifier import Classifier
from harness.build.finished import stage_of
from harness.cli.calibrate.choosing import Rule, applied, chosen, confidences, decisions, varying
from harness.cli.calibrate.examples import Examples, Finished, read_run
from harness.cli.calibrate.rates import changes, objective, rates
from harness.cli.calibrate.writing import option_path
from harness.cli.console import note, out
from harness.cli.report import folder_of
from harness.errors import ConfigError
from harness.metrics.calibration import reliability
from harness.metrics.risk import curve
from harness.reporting.outcomes import plots
from harness.reporting.refusal_calibration import Calibration, Rates, Row, option, terminal
from harness.statistics.separation import separation
from harness.store import write_atomic

MIN_OF_A_CLASS = 20
"""Fewer answerable or unanswerable tune questions decide nothing."""
WAY_OUT = (
    "Run a golden set that has more in its split tune, such as golden_set=fernhill with split=all, "
    "or move questions there with `python -m harness golden split`"
)
"""What to do where tune decides nothing."""


def command(arguments: argparse.Namespace) -> int:
    """Prints the choice with its evidence and writes it as an option."""
    path = option_path("answerability", arguments.name, "refusal")
    if not 0 <= arguments.max_over_refusal <= 1:
        raise ConfigError(f"--max-over-refusal {arguments.max_over_refusal} is no share; give one from 0 to 1")
    run = read_run(folder_of(arguments))
    yes, no = _sizes(run.tune)
    if min(yes, no) < MIN_OF_A_CLASS:
        note(
            f"nothing is chosen: run {run.record.run_id!r} asked {yes} answerable and {no} unanswerable tune questions, "
            f"{MIN_OF_A_CLASS} of each are needed. {WAY_OUT}"
        )
        return 4
    found = calibration(run, arguments.method, arguments.max_over_refusal)
    if arguments.json:
        out().print(found.as_json(), markup=False, soft_wrap=True)
    else:
        out().print(terminal(found))
    if not arguments.no_save:
        write_atomic(path, option(found))
        note(f"Written as {path}\nUse it with answerability={arguments.name}")
    return 0


def calibration(run: Finished, method: str, cap: float) -> Calibration:
    """The rule chosen on tune and what it does on test.

    Raises:
        ConfigError: when the reranker's scores cannot be held against a threshold, or no signal varies.
    """
    parts = Parts(stage_of(run.record.config, "reranker"), None, ())
    if method != "classifier" and (problems := uncalibrated(f"--method {method}", parts)):
        raise ConfigError("The run's scores cannot be calibrated this way.", [replace(problems[0], fix="--method classifier")])
    rule = chosen(method, run.tune, cap)
    test = applied(rule, run.test)
    confidence = _confidence(rule, run.tune, test)
    source = replace(run.source, auroc=None if confidence.test.value is None else round(confidence.test.value, 4))
    constant = tuple(sorted(run.tune.values.keys() - set(varying(run.tune))))
    questions, traces = [item for item, _ in test.pairs], {item.question_id: trace for item, trace in test.pairs}
    tau = run.golden.coverage
    drawn = plots(curve(questions, traces, tau), reliability(questions, traces, tau))
    return Calibration(
        method=method,
        target=f"{type(rule).__module__}.{type(rule).__name__}",
        settings=_settings(rule),
        source=source,
        tune=_sizes(run.tune),
        test=_sizes(run.test),
        left_out=run.left_out,
        signals=_signals(run),
        constant=constant,
        confidence=confidence,
        objective=_objective(rule, run.tune),
        rates=_rates(test, run.test),
        curve=drawn[0].rows if drawn else (),
    )


def _sizes(given: Examples) -> tuple[int, int]:
    yes = int(given.answerable.sum())
    return yes, len(given.pairs) - yes


def _settings(rule: Rule) -> dict[str, Any]:
    return {name: value for name, value in asdict(rule).items() if name != "calibrated"}


def _signals(run: Finished) -> tuple[Row, ...]:
    """Every signal that varies on tune, by how far its AUROC there is from one half."""
    rows = [
        Row(
            name,
            separation(run.tune.answerable, run.tune.values[name], run.tune.groups),
            separation(run.test.answerable, run.test.values.get(name, np.zeros(0)), run.test.groups),
        )
        for name in varying(run.tune)
    ]
    return tuple(sorted(rows, key=lambda row: -abs((row.tune.value or 0.5) - 0.5)))


def _confidence(rule: Rule, tune: Examples, test: Examples) -> Row:
    said = decisions(test)
    values = said[1] if said else np.zeros(0)
    return Row(
        "confidence",
        separation(tune.answerable, confidences(rule, tune), tune.groups),
        separation(test.answerable, values, test.groups),
    )


def _rates(test: Examples, before: Examples) -> Rates:
    """The chosen rule's refusals beside those of the run's own rule."""
    new, own = decisions(test), decisions(before)
    if new is None or not test.pairs:
        return Rates((), (), ())
    return Rates(rates(test, new[0]), rates(before, own[0]) if own else (), changes(test, new[0], own[0]) if own else ())


def _objective(rule: Rule, tune: Examples) -> float:
    """Grounded refusal F1 on tune; of a classifier on predictions for groups left out of training."""
    said = np.array(confidences(rule, tune))
    found = decisions(applied(rule, tune))
    refused = said < rule.minimum if isinstance(rule, Classifier) or found is None else found[0]
    return objective(tune, refused)
