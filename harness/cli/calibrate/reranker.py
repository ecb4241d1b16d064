"""`harness calibrate reranker`: the probability that a passage holds evidence, learned on a run's tune questions, measured on its
test questions.

Exits 0 when a curve was learned; 4 when tune has too few passages of a class, and then no option is written; 2 when the run
cannot be used.
"""

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from harness.answerability.calibrated import identity_of, scale_of
from harness.build.finished import stage_of
from harness.cli.calibrate.examples import Finished, read_run
from harness.cli.calibrate.refusal import WAY_OUT
from harness.cli.calibrate.writing import option_path
from harness.cli.console import note, out
from harness.cli.report import folder_of
from harness.errors import ConfigError
from harness.metrics.coverage import NEVER, find
from harness.metrics.signals import Pairs
from harness.reporting.reranker_calibration import Fit, Learned, option, terminal
from harness.reranking.calibrated import Calibrated
from harness.reranking.logits import logit
from harness.statistics.clusters import Floats
from harness.statistics.separation import separation
from harness.store import write_atomic
from harness.types import Ranking

MIN_OF_A_CLASS = 20
"""Fewer relevant or irrelevant passages of tune questions teach nothing."""


@dataclass(frozen=True)
class Passages:
    """Reranked passages of one split."""

    scores: Floats
    """float64[n]: what the reranker gave."""
    relevant: NDArray[np.bool_]
    """bool[n]: the passage covers evidence of its question alone."""
    groups: list[str]
    """Cluster of each passage: its question's."""


def command(arguments: argparse.Namespace) -> int:
    """Prints the curve with its evidence and writes it as an option."""
    path = option_path("reranker", arguments.name, "reranker")
    run = read_run(folder_of(arguments))
    reranker = stage_of(run.record.config, "reranker")
    if not reranker.calibrated:
        inner = "the same pipeline with the reranker whose logits they are" if hasattr(reranker, "reranker") else "a pipeline"
        raise ConfigError(
            f"the run's reranker {type(reranker).__name__} gives {scale_of(reranker)}, no score in [0, 1]; run {inner}, such as "
            "reranker=cross_encoder, lexical or an API's, and calibrate that"
        )
    tune, test = (passages(item.pairs, run.golden.coverage) for item in (run.tune, run.test))
    yes = int(tune.relevant.sum())
    if min(yes, len(tune.relevant) - yes) < MIN_OF_A_CLASS:
        note(
            f"nothing is learned: the tune questions of run {run.record.run_id!r} have {yes} relevant and "
            f"{len(tune.relevant) - yes} other passages reranked, {MIN_OF_A_CLASS} of each are needed. {WAY_OUT}"
        )
        return 4
    found = learned(run, reranker, arguments.method, tune, test)
    out().print(json.dumps(asdict(found), indent=2) if arguments.json else terminal(found), markup=False, soft_wrap=True)
    if not arguments.no_save:
        write_atomic(path, option(found, run.record.config["reranker"]))
        note(
            f"Written as {path}\nUse it with reranker={arguments.name} answerability=never: its scores are probabilities, on which a "
            "minimum for plain scores means something else.\nThen `python -m harness calibrate refusal` chooses one on that run"
        )
    return 0


def passages(pairs: Pairs, tau: float) -> Passages:
    """Every reranked passage of the questions; of an unanswerable question none is relevant."""
    rows = [
        (hit.score, bool(question.evidence) and _covers(question.evidence, Ranking((hit,)), tau), question.group)
        for question, trace in pairs
        for hit in trace.reranked.hits
    ]
    scores = np.array([row[0] for row in rows], dtype=float)
    return Passages(scores, np.array([row[1] for row in rows], dtype=bool), [row[2] for row in rows])


def _covers(evidence: Any, ranking: Ranking, tau: float) -> bool:
    return any(rank != NEVER for rank in find(evidence, ranking, tau).whole)


def learned(run: Finished, reranker: Any, method: str, tune: Passages, test: Passages) -> Learned:
    """The curve and what it does on both splits.

    Raises:
        ConfigError: when a higher score is not a sign of relevance on tune.
    """
    settings = _platt(tune) if method == "platt" else _isotonic(tune)
    curve = Calibrated(reranker, identity_of(reranker), method, **settings)  # type: ignore[arg-type]
    return Learned(
        method=method,
        reranker=identity_of(reranker),
        run=f"{run.record.experiment} {run.record.fingerprints['config'][:16]}",
        golden_set=f"{run.golden.name} v{run.golden.version}",
        questions=run.golden.digest,
        settings=settings,
        tune=_fit(curve, tune),
        test=_fit(curve, test) if len(test.scores) else None,
    )


def _platt(tune: Passages) -> dict[str, Any]:
    """Logistic regression on the logits with Platt's targets, (N+ + 1) / (N+ + 2) and 1 / (N- + 2), so that parted classes have an end.

    Each passage stands there twice, as relevant and as not, weighted by its target and what is left of 1.
    """
    from sklearn.linear_model import LogisticRegression

    yes = int(tune.relevant.sum())
    target = np.where(tune.relevant, (yes + 1) / (yes + 2), 1 / (len(tune.relevant) - yes + 2))
    rows, labels = np.tile(_logits(tune), 2)[:, None], np.repeat([True, False], len(target))
    shares = np.concatenate([target, 1 - target])
    model: Any = LogisticRegression(C=1e6, max_iter=10_000, tol=1e-8).fit(rows, labels, sample_weight=shares)
    slope, intercept = float(model.coef_[0, 0]), float(model.intercept_[0])
    if slope <= 0:
        raise ConfigError(
            f"on tune a higher score is no sign of relevance (slope {slope:.3g}): this reranker cannot be calibrated"
        )
    return {"slope": _short(slope), "intercept": _short(intercept)}


def _isotonic(tune: Passages) -> dict[str, Any]:
    from sklearn.isotonic import IsotonicRegression

    model: Any = IsotonicRegression(y_min=0, y_max=1, out_of_bounds="clip").fit(tune.scores, tune.relevant.astype(float))
    if len(model.X_thresholds_) < 2 or model.y_thresholds_[0] == model.y_thresholds_[-1]:
        raise ConfigError(
            "on tune a higher score is no sign of relevance (the curve is level): this reranker cannot be calibrated"
        )
    return {"knots": model.X_thresholds_.tolist(), "probabilities": model.y_thresholds_.tolist()}


def _logits(given: Passages) -> Floats:
    return np.array([logit(score) for score in given.scores])


def _fit(curve: Calibrated, given: Passages) -> Fit:
    probabilities = np.array([curve.probability(score) for score in given.scores])
    return Fit(
        passages=len(given.scores),
        relevant=int(given.relevant.sum()),
        auroc=separation(given.relevant, given.scores, given.groups),
        brier_before=_brier(given.scores, given.relevant),
        brier_after=_brier(probabilities, given.relevant),
        brier_constant=_brier(np.full(len(given.scores), given.relevant.mean()), given.relevant),
        mean_before=float(given.scores.mean()),
        mean_after=float(probabilities.mean()),
    )


def _brier(probabilities: Floats, relevant: Sequence[bool] | NDArray[np.bool_]) -> float:
    """Mean squared difference between probability and outcome (Brier 1950)."""
    return float(np.mean((probabilities - np.asarray(relevant, dtype=float)) ** 2))


def _short(number: float) -> float:
    """Six significant digits."""
    return float(f"{number:.6g}")
