"""With one chunk per document the ranking metrics are trec_eval's: against pytrec_eval, and against trec_eval's own outputs."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import pytrec_eval

from harness.metrics.base import RankingMetric
from harness.metrics.mrr import ReciprocalRank
from harness.metrics.ndcg import NDCG
from harness.metrics.recall import Recall
from harness.metrics.success import Success
from harness.metrics.trec import Qrels, Run, order, qrels, qrels_lines, run, run_lines
from harness.types import Evidence, Question, Span, Trace
from tests.builders import chunk, question, ranking

LENGTH = 20
"""Characters of every document; its only chunk is the whole of it."""
DEEP = 1_000


def as_question(name: str, judgments: Mapping[str, int], level: int = 1) -> Question:
    """Every document judged relevant is one thing that must be found."""
    relevant = sorted(doc_id for doc_id, grade in judgments.items() if grade >= level)
    return Question(name, "?", evidence=tuple(Evidence((Span(doc_id, 0, LENGTH),)) for doc_id in relevant))


def as_trace(name: str, scores: Mapping[str, float]) -> Trace:
    """One chunk per document, in trec_eval's order: score, then document id, both descending."""
    single = {doc_id: float(np.float32(score)) for doc_id, score in scores.items()}
    return Trace(name, reranked=ranking(*(chunk(doc_id, 0, LENGTH) for doc_id in order(single))))


def measures(ks: tuple[int, ...]) -> dict[str, RankingMetric]:
    """Ours under trec_eval's names."""
    return {
        "recip_rank": ReciprocalRank(DEEP),
        **{f"recall_{k}": Recall(k) for k in ks},
        **{f"success_{k}": Success(k) for k in ks},
        **{f"ndcg_cut_{k}": NDCG(k) for k in ks},
    }


def ours(asked: Question, left: Trace, ks: tuple[int, ...]) -> dict[str, float | None]:
    return {name: metric.score(asked, left).value for name, metric in measures(ks).items()}


KS = (1, 3, 5, 10, 100)


@pytest.mark.parametrize("seed", range(5))
def test_the_numbers_are_those_of_pytrec_eval_on_random_rankings_with_ties(seed: int) -> None:
    random = np.random.default_rng(seed)
    judged: Qrels = {}
    scored: Run = {}
    for number in range(30):
        judged[f"q{number}"] = {f"d{doc}": 1 for doc in random.choice(200, size=random.integers(1, 15), replace=False)}
        hits = random.choice(200, size=random.integers(1, 120), replace=False)
        scored[f"q{number}"] = {f"d{doc}": float(random.integers(0, 40)) / 4 for doc in hits}
    wanted = {"recip_rank", *(f"{name}.{','.join(map(str, KS))}" for name in ("recall", "success", "ndcg_cut"))}
    oracle = pytrec_eval.RelevanceEvaluator(judged, wanted).evaluate(scored)
    for name, row in oracle.items():
        found = ours(as_question(name, judged[name]), as_trace(name, scored[name]), KS)
        assert found == pytest.approx({key: row[key] for key in found}, abs=1e-12)


def test_judgments_and_runs_come_out_in_trec_terms() -> None:
    asked = [question("q1", evidence=[[("a", 0, 5), ("b", 0, 5)], [("c", 2, 4)]]), question("q2", answerable=False)]
    assert qrels(asked) == {"q1": {"a": 1, "b": 1, "c": 1}}
    assert qrels_lines(qrels(asked)) == ["q1 0 a 1", "q1 0 b 1", "q1 0 c 1"]
    left = Trace("q1", reranked=ranking(chunk("b", 0, 5), chunk("a", 0, 5), chunk("b", 5, 9)))
    assert run([left]) == {"q1": {"b": 3.0, "a": 2.0}}
    assert run_lines({"q1": {"a": 1.0, "b": 1.0, "c": 2.0}}, "ours")[1:] == ["q1 Q0 b 2 1.000000 ours", "q1 Q0 a 3 1.000000 ours"]


PUBLIC = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "trec_eval_oracle"
QUERIES = ("301", "302", "303")


@cache
def read_qrels(name: str) -> Qrels:
    found: Qrels = {}
    for line in (PUBLIC / name).read_text().splitlines():
        query, _, doc_id, grade = line.split()
        found.setdefault(query, {})[doc_id] = int(grade)
    return found


@cache
def read_run(name: str) -> Run:
    found: Run = {}
    for line in (PUBLIC / name).read_text().splitlines():
        query, _, doc_id, _, score, *_ = line.split()
        found.setdefault(query, {})[doc_id] = float(score)
    return found


@cache
def read_output(name: str) -> dict[tuple[str, str], float]:
    rows = [line.split() for line in (PUBLIC / name).read_text().splitlines()]
    return {(query, measure): float(value) for measure, query, value in rows if query != "all" and "relstring" not in measure}


public = pytest.mark.skipif(not PUBLIC.is_dir(), reason=f"the public set {PUBLIC} is not here")


@public
@pytest.mark.public_data
@pytest.mark.parametrize(
    ("output", "judgments", "results", "level", "depth"),
    [
        ("out.test.aq", "qrels.test", "results.test", 1, DEEP),
        ("out.test.aqc", "qrels.test", "results.trunc", 1, DEEP),  # -c: a query without results counts 0
        ("out.test.aqcM", "qrels.test", "results.trunc", 1, 100),  # -M 100
        ("out.test.aql", "qrels.rel_level", "results.test", 2, DEEP),  # -l 2
        ("out.test.meas_params", "qrels.test", "results.test", 1, DEEP),
    ],
)
def test_trec_evals_own_outputs_are_reproduced_for_every_query(
    output: str, judgments: str, results: str, level: int, depth: int
) -> None:
    graded = level > 1
    compared = 0
    for (query, measure), expected in read_output(output).items():
        metric = ours_named(measure)
        if metric is None or (graded and measure.startswith("ndcg")):
            continue
        asked = as_question(query, read_qrels(judgments)[query], level)
        full = as_trace(query, read_run(results).get(query, {}))
        left = Trace(query, reranked=full.reranked.top(depth))
        assert metric.score(asked, left).value == pytest.approx(expected, abs=5.1e-5), (query, measure)
        compared += 1
    assert compared >= 3 * 7


def ours_named(measure: str) -> RankingMetric | None:
    """Our metric for a trec_eval measure, or None for what we have none."""
    name, _, depth = measure.rpartition("_")
    if measure == "recip_rank":
        return ReciprocalRank(DEEP)
    kinds: dict[str, type[RankingMetric]] = {"recall": Recall, "success": Success, "ndcg_cut": NDCG}
    return kinds[name](int(depth)) if name in kinds and depth.isdigit() else None
