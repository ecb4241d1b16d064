"""What is timed, each against the package that people would use in its place."""

from collections.abc import Callable
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks.material import Instant, InstantJudge, asked, record, texts
from benchmarks.timing import Row, against, within
from harness import runs
from harness.evaluation import ask, score
from harness.metrics.base import Together
from harness.metrics.catalog import default_metrics
from harness.metrics.coverage import find
from harness.metrics.mrr import ReciprocalRank
from harness.metrics.ndcg import NDCG
from harness.metrics.recall import Recall
from harness.protocols import silent
from harness.retrieval.bm25_fast import Counts, Postings
from harness.retrieval.sparse import BM25
from harness.statistics.intervals import bca_columns
from harness.statistics.paired import sign_flip, sign_flips
from harness.store import Journal
from harness.traces import encode
from harness.types import Chunk, Query, Question, Span, Trace

RIVALS = ("pytrec-eval-terrier", "rank-bm25", "scipy")
"""Packages whose versions stand in the record."""

_SIX = [*(Recall(k) for k in (1, 5, 10, 20)), ReciprocalRank(10), NDCG(10)]
_MEASURES = {"recall_1,5,10,20", "recip_rank", "ndcg_cut_10"}
_STATIONS = ["bm25", "fused", "reranked", "context"]
_DRAWS = 10_000


def sparse_search() -> Row:
    """BM25 over 10,000 passages of 60 words, 20 queries of 8 words, top 20, against rank_bm25 with the same scores."""
    from rank_bm25 import BM25Okapi

    passages = texts(10_000, 60)
    chunks = [Chunk(Span(f"d{place}", 0, len(text)), text) for place, text in enumerate(passages)]
    index = BM25(tokenizer="plain").index(chunks, None, silent)  # type: ignore[arg-type]
    rival = BM25Okapi([text.split() for text in passages])
    queries = [" ".join(text.split()[:8]) for text in passages[:20]]
    sent = [Query(text) for text in queries]
    return against(
        "BM25 search",
        "rank_bm25",
        lambda: index.search(sent, 20),
        lambda: [np.argpartition(-rival.get_scores(text.split()), 20)[:20] for text in queries],
        45,
        "10,000 passages, 20 queries",
    )


def sparse_build() -> Row:
    """Postings of BM25 from the token lists of 100,000 passages of 60 words, against rank_bm25."""
    from rank_bm25 import BM25Okapi

    tokens = [text.split() for text in texts(100_000, 60)]

    def ours() -> Postings:
        counts = Counts()
        counts.add(tokens)
        return Postings(counts, "okapi", 1.5, 0.75)

    return against("BM25 index", "rank_bm25", ours, lambda: BM25Okapi(tokens), 1 / 0.85, "100,000 passages, token lists", 3)


def six_values() -> Row:
    """The numbers of six measures, from rankings of chunks, against pytrec_eval."""
    pairs, rival = _ranked()

    def ours() -> object:
        found = (find(question.evidence, trace.reranked, 0.9, 20) for question, trace in pairs)
        return [[metric.value(item) for metric in _SIX] for item in found]

    return against("Six ranking metrics, numbers", "pytrec_eval", ours, rival, 2.3, "10,000 questions, 100 hits")


def six_scores() -> Row:
    """The same with a score record for each number, as a run keeps them."""
    pairs, rival = _ranked()
    together = Together(_SIX)

    def ours() -> object:
        return [together.score_all(question, trace) for question, trace in pairs]

    return against("Six ranking metrics, score records", "pytrec_eval", ours, rival, None, "10,000 questions, 100 hits")


def sign_flip_one() -> Row:
    """Sign flips of one column against scipy's permutation test."""
    from scipy.stats import permutation_test

    values = _differences()[:, 0]

    def rival() -> object:
        return permutation_test((values,), np.mean, permutation_type="samples", n_resamples=_DRAWS, rng=1, batch=500)

    ours = list(values)
    size = "2,000 questions, 10,000 draws"
    return against("Sign-flip test", "scipy permutation_test", lambda: sign_flip(ours), rival, 25, size, rounds=3)


def sign_flip_many() -> Row:
    """Sign flips of 288 columns against those of one by scipy."""
    from scipy.stats import permutation_test

    table = _differences()

    def rival() -> object:
        return permutation_test((table[:, 0],), np.mean, permutation_type="samples", n_resamples=_DRAWS, rng=1, batch=500)

    size = "2,000 questions, 10,000 draws"
    return against("Sign-flip test, 288 columns", "scipy, one column", lambda: sign_flips(table), rival, None, size, rounds=3)


def bootstrap_many() -> Row:
    """BCa intervals of 288 columns against that of one by scipy."""
    from scipy.stats import bootstrap

    table = _differences()

    def rival() -> object:
        return bootstrap((table[:, 0],), np.mean, n_resamples=_DRAWS, method="BCa", rng=1)

    size = "2,000 questions, 10,000 draws"
    return against("BCa bootstrap, 288 columns", "scipy, one column", lambda: bca_columns(table, draws=_DRAWS), rival, 0.2, size)


def overhead() -> Row:
    """Asking, judging, scoring and writing 200 questions, model and judge at once, within 0.3 ms each."""
    questions, traces = asked(200, 20)
    metrics = default_metrics(_STATIONS, generation=True)
    chunks = list({hit.chunk.chunk_id: hit.chunk for trace in traces for hit in trace.reranked.hits}.values())
    numbers = count()

    with TemporaryDirectory() as place:

        def ours() -> object:
            folder = Path(place) / str(next(numbers))
            journal = Journal(folder / "traces.jsonl")
            answers = ask(Instant(traces), questions, {}, lambda trace: journal.append(encode(trace)))
            scores = score(questions, answers, metrics, InstantJudge())
            runs.save(folder, record(scores), "key", answers.traces.values(), chunks, "")
            return scores

        return within("Harness overhead", 200 * 0.3e-3, ours, 1, f"200 questions, {len(metrics)} metrics, files written")


def scoring() -> Row:
    """The metrics of the same 200 questions alone."""
    questions, traces = asked(200, 20)
    metrics = default_metrics(_STATIONS, generation=True)
    answers = ask(Instant(traces), questions, {}, lambda _: None)
    size = f"200 questions, {len(metrics)} metrics, 4 stations"
    return within("Scoring", 200 * 0.3e-3, lambda: score(questions, answers, metrics), 1, size)


def _ranked() -> tuple[list[tuple[Question, Trace]], Callable[[], object]]:
    """Questions with their traces, and pytrec_eval on the same."""
    import pytrec_eval

    questions, traces = asked(10_000, 100)
    qrels = {item.question_id: {span.doc_id: 1 for group in item.evidence for span in group.alternatives} for item in questions}
    rankings = {trace.question_id: {hit.chunk.span.doc_id: hit.score for hit in trace.reranked.hits} for trace in traces}
    pairs = list(zip(questions, traces, strict=True))
    return pairs, lambda: pytrec_eval.RelevanceEvaluator(qrels, _MEASURES).evaluate(rankings)


def _differences() -> np.ndarray:
    """Paired differences of 2,000 questions, 288 columns: 24 variants by 12 metrics."""
    return np.random.default_rng(0).normal(0, 0.3, (2_000, 288))


CASES: tuple[Callable[[], Row], ...] = (
    sparse_search,
    sparse_build,
    six_values,
    six_scores,
    sign_flip_one,
    sign_flip_many,
    bootstrap_many,
    scoring,
    overhead,
)
"""Every case, in the order of the table."""
