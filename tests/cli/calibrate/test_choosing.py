"""Rules chosen on tune, against brute force and scikit-learn."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from harness.answerability.margin import Margin
from harness.answerability.threshold import Threshold
from harness.cli.calibrate.choosing import STRENGTH, applied, best_limit, chosen, decisions, held_out, trained
from harness.cli.calibrate.examples import Examples, examples
from harness.errors import ConfigError
from harness.metrics.refusal import cells, f1s
from harness.types import Query, Question, Trace
from tests.contracts.answerability import found


def asked(place: int, answerable: bool, scores: tuple[float, ...], group: str = "") -> tuple[Question, Trace]:
    stations = dict(found(scores))
    last = {name: stations.pop(name) for name in ("fused", "reranked", "context")}
    name = f"q{place}"
    return Question(name, answerable=answerable, text="?", group=group), Trace(name, (Query("?"),), stations, **last)


@pytest.fixture(scope="module")
def tune() -> Examples:
    """Answerable questions score higher, mostly; two questions a group."""
    chance = np.random.default_rng(3)
    rows = []
    for place in range(60):
        top = float(np.clip(0.5 + (0.15 if place % 3 else -0.15) + chance.normal(0, 0.15), 0, 1).round(3))
        rows.append(asked(place, bool(place % 3), (top, round(top * float(chance.random()), 3)), f"g{place // 2}"))
    return examples(rows)


def reached(refused: np.ndarray, answerable: np.ndarray) -> float:
    return float(f1s(cells(answerable, refused).sum(axis=0)[None])[0, 2])


@pytest.mark.parametrize("cap", [1.0, 0.3, 0.1, 0.0])
def test_the_limit_is_the_best_of_all_values_seen_that_keep_to_the_cap(tune: Examples, cap: float) -> None:
    signal, answerable = tune.values["top_score"], tune.answerable
    tried = {
        limit: reached(signal < limit, answerable)
        for limit in sorted(set(signal.tolist()))
        if (signal[answerable] < limit).mean() <= cap
    }
    limit, f1 = best_limit(signal, answerable, cap)
    assert f1 == pytest.approx(max(tried.values()))
    assert limit == next(value for value, got in tried.items() if got == pytest.approx(max(tried.values())))


def test_a_margin_is_the_best_pair_of_lead_and_minimum(tune: Examples) -> None:
    top, lead, answerable = tune.values["top_score"], tune.values["margin"], tune.answerable
    best = max(reached((top < least) | (lead < limit), answerable) for least, limit in product(set(top), set(lead)))
    rule = chosen("margin", tune, 1.0)
    assert isinstance(rule, Margin)
    refused, _ = decisions(applied(rule, tune)) or pytest.fail("not assessed")
    assert reached(refused, answerable) == pytest.approx(best)


def test_a_threshold_is_the_best_limit_of_the_best_score(tune: Examples) -> None:
    assert chosen("threshold", tune, 1.0) == Threshold(best_limit(tune.values["top_score"], tune.answerable)[0])


def test_the_classifier_says_what_scikit_learns_pipeline_says(tune: Examples) -> None:
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    rule = trained(tune)
    values = np.stack([tune.values[name] for name in rule.signals], axis=1)
    model = make_pipeline(StandardScaler(), LogisticRegression(C=STRENGTH, max_iter=1000)).fit(values, tune.answerable)
    _, confidence = decisions(applied(rule, tune)) or pytest.fail("not assessed")
    assert confidence == pytest.approx(model.predict_proba(values)[:, 1], abs=1e-4)


def test_the_classifiers_minimum_is_chosen_on_groups_that_training_left_out(tune: Examples) -> None:
    limit, _ = best_limit(held_out(tune), tune.answerable)
    assert trained(tune).minimum == pytest.approx(limit, rel=1e-5)
    flipped = Examples([(replace(item, answerable=not item.answerable), trace) for item, trace in tune.pairs[:2]], {})
    other = replace(tune, pairs=[*flipped.pairs, *tune.pairs[2:]])
    assert held_out(other)[:2] == pytest.approx(held_out(tune)[:2])
    assert held_out(other)[2:] != pytest.approx(held_out(tune)[2:])


def test_signals_that_never_vary_are_left_out(tune: Examples) -> None:
    assert "bm25_top" in tune.values
    assert "bm25_top" not in trained(tune).signals


@pytest.mark.parametrize(
    ("method", "says"),
    [("threshold", "nothing can be chosen by it"), ("margin", "nothing can"), ("classifier", "no signal varies")],
)
def test_where_nothing_varies_nothing_is_chosen(method: str, says: str) -> None:
    same = examples([asked(place, bool(place % 2), (0.5, 0.5), f"g{place}") for place in range(40)])
    with pytest.raises(ConfigError, match=says):
        chosen(method, same, 1.0)


def test_a_model_needs_more_than_one_group(tune: Examples) -> None:
    one = replace(tune, pairs=[(replace(item, group="g"), trace) for item, trace in tune.pairs])
    with pytest.raises(ConfigError, match="all tune questions are of one group"):
        trained(one)


def test_scores_that_are_no_numbers_are_an_error() -> None:
    with pytest.raises(ConfigError, match="top_score"):
        examples([asked(1, True, (float("nan"), 0.5))])
