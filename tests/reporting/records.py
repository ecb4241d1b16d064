"""Hand-made runs for the tests of reporting and tracking."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from harness.attribution.stations import Attribution, GroupLoss, Station
from harness.gates.baseline import Baseline, from_record
from harness.metrics.calibration import Bin, Reliability
from harness.metrics.risk import RiskCoverage
from harness.reporting.analysis import Analysis
from harness.types import Aggregate, Answer, Failure, Outcome, Question, RunRecord, Score, Trace, Verdict
from tests.builders import chunk, question, trace

CONFIG: Mapping[str, Any] = {
    "chunker": {"_target_": "harness.chunking.recursive.Recursive", "size": 512, "overlap": 64},
    "retrievers": {"bm25": {"_target_": "harness.retrieval.sparse.BM25", "k1": 1.2}, "dense": {"prefetch": True}},
    "fuser": {"_target_": "harness.fusion.rrf.RRF", "k": 60},
    "reranker": None,
    "generator": {"model": "local", "api_key": "sk-CANARY-123456", "api_key_env": "OPENAI_API_KEY", "max_tokens": 256},
}
"""A resolved config with a secret in it."""


def record(
    values: Mapping[str, float | None] | None = None,
    scores: Mapping[str, Mapping[str, float]] | None = None,
    failures: Sequence[Failure] = (),
    **fields: Any,
) -> RunRecord:
    """A run with the given means (n = 4, ends ± 0.1) and the given scores: metric to question_id to value."""
    means = {"recall_at_5": 0.75} if values is None else values
    known: dict[str, Any] = {
        "run_id": "20261130-101500-hybrid-a1b2c3",
        "created": "2026-11-30T10:15:00+00:00",
        "experiment": "hybrid",
        "config": CONFIG,
        "overrides": ("fuser.k=60",),
        "fingerprints": {"config": "c0ffee" * 10 + "c0ff", "golden_set": "9f3a" * 16},
        "environment": {"git_revision": "abc123def4567890"},
        "statistics": {"documents": 3, "chunks": 12},
        "golden_set": "smoke",
        "golden_version": 3,
    }
    return RunRecord(
        **{**known, **fields},
        scores=tuple(Score(name, key, value) for name, row in (scores or {}).items() for key, value in row.items()),
        failures=tuple(failures),
        aggregates={name: aggregate(name, value) for name, value in means.items()},
    )


def aggregate(metric: str, value: float | None, n: int = 4) -> Aggregate:
    """A mean with an interval of ± 0.1 inside [0, 1]; without a value nothing was scored."""
    if value is None:
        return Aggregate(metric, None, 0, not_applicable=n)
    return Aggregate(metric, value, n, max(0.0, value - 0.1), min(1.0, value + 0.1))


def verdict(metric: str = "recall_at_5", outcome: Outcome = Outcome.PASS, **fields: Any) -> Verdict:
    """A gate's word."""
    return Verdict(metric, outcome, **fields)


def asked() -> list[Question]:
    """Two answerable questions and two that must be refused."""
    seen = [[("a.md", 0, 10)]]
    return [
        question("q1", "How long is the warranty?", seen, answers=("two years",)),
        question("q2", "Which port does the gateway use?", seen, answers=("8443",)),
        question("q3", "Who won the 2031 cup?", answerable=False, reason="future"),
        question("q4", "What does Bluepeak pay?", answerable=False, reason="wrong_tenant"),
    ]


def answered(*answers: Answer) -> list[Trace]:
    """One trace per answer, q1 first, with 20 ms of retrieval and 1.5 s of generation."""
    traces = [trace(f"q{place}", chunk(), answer=answer) for place, answer in enumerate(answers, 1)]
    return [_timed(item) for item in traces]


def _timed(item: Trace) -> Trace:
    seconds = {"retrieve_bm25": 0.02, "generate": 1.5}
    return Trace(item.question_id, (), item.retrieved, item.fused, item.reranked, item.context, None, item.answer, seconds)


def pipeline_scores() -> dict[str, dict[str, float]]:
    """q1 keeps its evidence to the end; the reranker loses that of q2, which only BM25 had found."""
    return {
        "bm25/recall_at_5": {"q1": 1, "q2": 1},
        "dense/recall_at_5": {"q1": 1, "q2": 0},
        "fused/recall_at_5": {"q1": 1, "q2": 1},
        "reranked/recall_at_5": {"q1": 1, "q2": 0},
        "context/recall_at_5": {"q1": 1, "q2": 0},
        "recall_at_5": {"q1": 1, "q2": 0},
    }


def attributions() -> dict[str, Attribution]:
    """q1 is answered, the reranker cuts the evidence of q2, q3 is answered falsely, q4 failed."""
    ranks: dict[str, int | None] = {"bm25": 3, "dense": None, "fused": 4, "reranked": 7, "context": None}
    kept = GroupLoss(0, Station.ANSWERED, dict.fromkeys(ranks, 1), 50)
    cut = GroupLoss(0, Station.CUT_BY_RERANKER, ranks, 50, CUT, "The gateway listens on port 8443.")
    return {
        "q1": Attribution("q1", Station.ANSWERED, (kept,), stated=True),
        "q2": Attribution("q2", Station.CUT_BY_RERANKER, (cut,), CUT, stated=None),
        "q3": Attribution("q3", Station.ANSWERED_ALTHOUGH_UNANSWERABLE, remedy="answerability.minimum above 0.935 refuses"),
        "q4": Attribution("q4", Station.ERROR),
    }


def analysis() -> Analysis:
    """The attributions, a risk-coverage curve of three questions and one bin of their confidence."""
    risk = RiskCoverage(((0.9, 1 / 3, 0.0), (0.2, 1.0, 2 / 3)), 0.444, 3)
    return Analysis(attributions(), risk, Reliability((Bin(0.9, 1.0, 3, 0.95, 1 / 3),), 0.617))


CUT = "fused rank 4, reranked rank 7: depth.shown=7 or reranker=none keeps it at rank 4"
"""The remedy of q2."""


def baseline(values: Mapping[str, float | None], **fields: Any) -> Baseline:
    """An accepted baseline with the given means."""
    return replace(from_record(record(**fields)), aggregates={name: aggregate(name, value) for name, value in values.items()})


def full_run() -> RunRecord:
    """Two retrievers, a reranker that loses q2, a wrong answer to q3 and a failure on q4."""
    means = {"recall_at_5": 0.5, "over_refusal_rate": 0.5, "bm25/recall_at_5": 1.0, "dense/recall_at_5": 0.5}
    scores = {name: row for name, row in pipeline_scores().items() if not name.startswith("reranked")}
    return record(means, scores, [Failure("q4", "generator", "TimeoutError: no reply in 60 s")])


def full_verdicts() -> list[Verdict]:
    """A regression with all its numbers, and an advisory rule."""
    numbers = {"expected": 0.8, "actual": 0.5, "difference": -0.3, "low": -0.5, "high": -0.1, "p": 0.004, "n": 3}
    lost = verdict(
        outcome=Outcome.REGRESSED,
        reason="mean drop 0.300",
        slice="test",
        minimum_detectable_effect=0.07,
        flipped=("q2",),
        **numbers,
    )
    return [lost, verdict("faithfulness", Outcome.MISSING, reason="not measured", advisory=True)]


def full_traces() -> list[Trace]:
    """A right answer, a wrong refusal, a false answer."""
    refusal = Answer("I cannot find this in the knowledge base.", refused=True)
    return answered(Answer("Two years [3f2a]."), refusal, Answer(HOSTILE))


HOSTILE = "<script>alert(1)</script> | @everyone ![x](http://evil/p.png) \x1b[31mred\x1b[0m"
"""An answer that tries everything at once."""
