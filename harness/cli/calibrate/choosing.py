"""A refusal rule chosen on tune questions, by the highest grounded refusal F1 under a cap on over-refusal."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from harness.answerability.classifier import Classifier, Weight
from harness.answerability.margin import Margin
from harness.answerability.threshold import Threshold
from harness.cli.calibrate.examples import Examples
from harness.errors import ConfigError
from harness.metrics.refusal import f1s
from harness.statistics.clusters import Floats, named

Rule = Threshold | Margin | Classifier
"""What can be chosen."""

STRENGTH = 0.1
"""Inverse strength of the ridge penalty on standardised signals (scikit-learn's C)."""
_FOLDS = 5
_TRIED = 100
"""Minima of the best score that are tried for a margin."""


def chosen(method: str, tune: Examples, cap: float) -> Rule:
    """The rule with its numbers.

    Args:
        method: threshold, margin or classifier.
        tune: the questions to choose on; both classes are among them.
        cap: highest share of answerable tune questions that may be refused.

    Raises:
        ConfigError: when no signal varies, or the questions cannot be parted into groups.
    """
    top = tune.values["top_score"]
    if method == "classifier":
        return trained(tune, cap)
    if not np.ptp(top):
        raise ConfigError(f"the best passage's score is {top[0]:.4g} on every tune question: nothing can be chosen by it")
    return _margin(tune, cap) if method == "margin" else Threshold(best_limit(top, tune.answerable, cap)[0])


def best_limit(signal: Floats, answerable: NDArray[np.bool_], cap: float = 1.0) -> tuple[float, float]:
    """The value seen that, as lowest one to answer from, gives the highest grounded refusal F1, and that F1; of equals the lowest.

    Args:
        signal: float64[n], higher is more answerable.
        answerable: bool[n], of both classes.
        cap: highest share of answerable questions below the limit.
    """
    values = np.unique(signal)
    yes, no = np.sort(signal[answerable]), np.sort(signal[~answerable])
    wrong, right = np.searchsorted(yes, values), np.searchsorted(no, values)
    full = np.ones(len(values))
    refused = wrong + right
    counts = np.stack([right, len(no) * full, refused, len(yes) - wrong, len(yes) * full, len(signal) - refused], axis=1)
    reached = np.where(wrong <= cap * len(yes), np.round(f1s(counts.astype(float))[:, 2], 12), -1.0)
    place = int(np.argmax(reached))
    return float(values[place]), float(reached[place])


def _margin(tune: Examples, cap: float) -> Margin:
    """Every minimum (of many a spread of them) with its best margin; where the minimum is missed, the margin counts as -1."""
    top, margin = tune.values["top_score"], tune.values["margin"]
    minima = np.unique(np.quantile(top, np.linspace(0, 1, _TRIED), method="lower"))
    found = [(*best_limit(np.where(top >= least, margin, -1.0), tune.answerable, cap), float(least)) for least in minima]
    limit, _, least = max(found, key=lambda item: (item[1], -item[2]))
    return Margin(margin=max(0.0, limit), minimum=max(0.0, least if limit > -1.0 else float(top.min())))


def trained(tune: Examples, cap: float = 1.0) -> Classifier:
    """A ridge logistic model over all signals that vary; its minimum is chosen on predictions for groups left out of training."""
    names = varying(tune)
    values = np.stack([tune.values[name] for name in names], axis=1)
    minimum, _ = best_limit(held_out(tune), tune.answerable, cap)
    mean, scale, weights, intercept = _fitted(values, tune.answerable)
    signals = {
        name: Weight(*(_short(number) for number in found))
        for name, found in zip(names, zip(weights, mean, scale, strict=True), strict=True)
    }
    return Classifier(signals, _short(intercept), _short(minimum))


def varying(tune: Examples) -> list[str]:
    """Signals that differ between questions.

    Raises:
        ConfigError: when none does.
    """
    names = [name for name, column in tune.values.items() if np.std(column) > 1e-9]
    if not names:
        raise ConfigError("no signal varies over the tune questions: nothing can be learned from them")
    return names


def held_out(tune: Examples) -> Floats:
    """float64[n]: the probability of each question by a model that has not seen its group, in up to 5 folds.

    Raises:
        ConfigError: when the questions are of one group, or a class stands in one fold alone.
    """
    from sklearn.model_selection import GroupKFold

    groups, labels = named(len(tune.pairs), tune.groups), tune.answerable
    values = np.stack([tune.values[name] for name in varying(tune)], axis=1)
    folds = min(_FOLDS, len(set(groups)))
    if folds < 2:
        raise ConfigError("all tune questions are of one group: a model's minimum cannot be chosen on questions it has not seen")
    found = np.zeros(len(labels))
    for seen, left in GroupKFold(folds).split(values, labels, groups):
        if len(set(labels[seen].tolist())) < 2:
            raise ConfigError("without one fifth of the groups the tune questions are all of one class; more groups are needed")
        mean, scale, weights, intercept = _fitted(values[seen], labels[seen])
        found[left] = 1 / (1 + np.exp(-(intercept + ((values[left] - mean) / scale) @ weights)))
    return found


def _fitted(values: Floats, answerable: NDArray[np.bool_]) -> tuple[Floats, Floats, Floats, float]:
    """Means, scales, weights and intercept of a logistic regression on standardised columns."""
    from sklearn.linear_model import LogisticRegression

    mean, scale = values.mean(axis=0), values.std(axis=0)
    scale = np.where(scale > 1e-9, scale, 1.0)
    model: Any = LogisticRegression(C=STRENGTH, max_iter=1_000).fit((values - mean) / scale, answerable)
    return mean, scale, model.coef_[0], float(model.intercept_[0])


def _short(number: float) -> float:
    """Six significant digits."""
    return float(f"{number:.6g}")


def applied(rule: Rule, given: Examples) -> Examples:
    """The questions with what the rule says of them, as a run with it would have it."""
    pairs = [
        (question, replace(trace, assessment=rule.assess(trace.queries[0], trace.stations()))) for question, trace in given.pairs
    ]
    return Examples(pairs, given.values)


def decisions(given: Examples) -> tuple[NDArray[np.bool_], Floats] | None:
    """Which questions are refused before generation, and the confidence; None where a question was not assessed."""
    said = [trace.assessment for _, trace in given.pairs]
    known = [item for item in said if item is not None]
    if len(known) < len(said):
        return None
    return np.array([not item.answerable for item in known], dtype=bool), np.array([item.confidence for item in known])


def confidences(rule: Rule, tune: Examples) -> Sequence[float]:
    """What the rule says of the questions it was chosen on; of a classifier the held-out predictions."""
    if isinstance(rule, Classifier):
        return [float(value) for value in held_out(tune)]
    found = decisions(applied(rule, tune))
    return [] if found is None else [float(value) for value in found[1]]
