"""What is timed, each against the package that people would use in its place."""

import random
from collections.abc import Callable, Iterator

import numpy as np

from benchmarks.timing import medians
from harness.evaluation import ask, score
from harness.judging.lexical import LexicalJudge
from harness.metrics.catalog import default_metrics
from harness.protocols import silent
from harness.retrieval.sparse import BM25
from harness.statistics.paired import sign_flip
from harness.types import Answer, Chunk, Evidence, Hit, Query, Question, Ranking, Span, Trace

Row = tuple[str, str, float, str]
"""Case, rival, how many times the rival's speed, size."""


def all_cases() -> Iterator[Row]:
    """Runs the cases one after the other."""
    yield from (case() for case in (sparse_search, sign_flips, ranking_metrics, overhead))


def sparse_search() -> Row:
    """BM25 over 10,000 passages of 60 words, 20 queries of 8 words, top 20, against rank_bm25 with the same scores."""
    from rank_bm25 import BM25Okapi

    texts = _texts(10_000, 60)
    chunks = [Chunk(Span(f"d{place}", 0, len(text)), text) for place, text in enumerate(texts)]
    index = BM25(tokenizer="plain").index(chunks, None, silent)  # type: ignore[arg-type]
    rival = BM25Okapi([text.split() for text in texts])
    queries = [" ".join(text.split()[:8]) for text in texts[:20]]
    asked = [Query(text) for text in queries]
    return _row(
        "BM25 search",
        "rank_bm25",
        lambda: index.search(asked, 20),
        lambda: [np.argpartition(-rival.get_scores(text.split()), 20)[:20] for text in queries],
        "10,000 passages, 20 queries",
    )


def sign_flips() -> Row:
    """10,000 sign flips of 2,000 differences against scipy's permutation test."""
    from scipy.stats import permutation_test

    values = np.random.default_rng(0).normal(0, 0.3, 2_000)

    def rival() -> object:
        return permutation_test((values,), np.mean, permutation_type="samples", n_resamples=10_000, rng=1, batch=500)

    return _row(
        "Sign-flip test", "scipy permutation_test", lambda: sign_flip(list(values)), rival, "2,000 questions, 10,000 draws"
    )


def ranking_metrics() -> Row:
    """Six measures of 200 questions with 100 hits against pytrec_eval."""
    import pytrec_eval

    questions, traces = _asked(200, 100)
    chosen = ("recall_at_1", "recall_at_5", "recall_at_10", "recall_at_20", "mrr_at_10", "ndcg_at_10")
    metrics = [metric for metric in default_metrics(["reranked"], generation=False) if metric.name in chosen]
    qrels = {item.question_id: {span.doc_id: 1 for group in item.evidence for span in group.alternatives} for item in questions}
    runs = {trace.question_id: {hit.chunk.span.doc_id: hit.score for hit in trace.reranked.hits} for trace in traces}
    measures = {"recall_1,5,10,20", "recip_rank", "ndcg_cut_10"}
    return _row(
        "Six ranking metrics",
        "pytrec_eval",
        lambda: [metric.score(*pair) for pair in zip(questions, traces, strict=True) for metric in metrics],
        lambda: pytrec_eval.RelevanceEvaluator(qrels, measures).evaluate(runs),
        "200 questions, 100 hits",
    )


def overhead() -> Row:
    """Asking 200 questions of a system that answers at once, every metric and the offline judge, against 1 ms each."""
    questions, traces = _asked(200, 20)
    kept = {trace.question_id: trace for trace in traces}

    class Instant:
        def answer(self, question: Question) -> Trace:
            return kept[question.question_id]

    metrics = default_metrics(["bm25", "fused", "reranked", "context"], generation=True)
    judge = LexicalJudge()

    def ours() -> object:
        return score(questions, ask(Instant(), questions, {}, lambda _: None), metrics, judge)

    spent = medians({"ours": ours})["ours"]
    return ("Harness overhead", "a budget of 1 ms each", 0.2 / spent, f"200 questions, {len(metrics)} metrics")


def _row(case: str, rival: str, ours: Callable[[], object], theirs: Callable[[], object], size: str) -> Row:
    spent = medians({"ours": ours, "theirs": theirs})
    return case, rival, spent["theirs"] / spent["ours"], size


def _texts(count: int, length: int) -> list[str]:
    chance = random.Random(0)
    vocabulary = [f"w{number}" for number in range(20_000)]
    weights = [1 / (rank + 2.7) for rank in range(20_000)]
    return [" ".join(chance.choices(vocabulary, weights, k=length)) for _ in range(count)]


def _asked(count: int, hits: int) -> tuple[list[Question], list[Trace]]:
    chance = random.Random(0)
    chunks = [Chunk(Span(f"d{place}", 0, 200), f"passage {place} says so. " * 8) for place in range(hits * 2)]
    questions, traces = [], []
    for number in range(count):
        found = Ranking.of(Hit(chunk, chance.random()) for chunk in chance.sample(chunks, hits))
        gold = tuple(Evidence((chunk.span,)) for chunk in chance.sample(chunks, 3))
        top = found.top(5)
        cited = top.hits[0].chunk.chunk_id
        answer = Answer(f"Passage says so [{cited}].", (cited,))
        questions.append(Question(f"q{number}", "What?", evidence=gold, answers=("so",)))
        traces.append(Trace(f"q{number}", (), {"bm25": found}, found, found, top, None, answer))
    return questions, traces
