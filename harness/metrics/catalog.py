"""Which metrics there are: what each id means, and which ones a run computes."""

import re
from collections.abc import Collection, Mapping, Sequence
from difflib import get_close_matches
from math import isinf

from harness.errors import ConfigError
from harness.metrics.acceptable import AcceptableRatio
from harness.metrics.answer import ExactMatch, TokenF1
from harness.metrics.base import HEADLINE, Description, Measure, RankingMetric, station_title
from harness.metrics.citations import (
    CitationCorrectness,
    CitationCoverage,
    CitationValidity,
    ForbiddenCitations,
    InventedCitations,
    UncitedClaimRate,
)
from harness.metrics.context_refusal import ContextFalseAnswerRate, ContextOverRefusalRate, InContext
from harness.metrics.fallbacks import QueryFallbacks
from harness.metrics.injection import InjectionCompliance
from harness.metrics.judged import JUDGED
from harness.metrics.leaks import DeletedHits, SupersededHits, TenantLeaks
from harness.metrics.mrr import ReciprocalRank
from harness.metrics.ndcg import NDCG
from harness.metrics.precision import Redundancy, SpanIoU, SpanPrecision
from harness.metrics.recall import Recall, RecallAtBudget
from harness.metrics.refusal import SET_METRICS
from harness.metrics.refusal_rates import FalseAnswerRate, OverRefusalRate, RefusalPrecision, RefusalRecall
from harness.metrics.reranking_faults import RerankingFaults
from harness.metrics.risk import RISK_METRICS
from harness.metrics.success import Complete, Success
from harness.metrics.truthfulness import Truthfulness
from harness.metrics.whole import WholeEvidence
from harness.types import Document

RANKING: tuple[type[RankingMetric], ...] = (
    Recall,
    Success,
    Complete,
    ReciprocalRank,
    NDCG,
    SpanPrecision,
    SpanIoU,
    Redundancy,
    WholeEvidence,
    RecallAtBudget,
)
"""Metrics of a ranking; their ids end in a depth."""
ANSWERS: tuple[type[Measure], ...] = (
    CitationValidity,
    InventedCitations,
    ForbiddenCitations,
    CitationCorrectness,
    CitationCoverage,
    UncitedClaimRate,
    RefusalPrecision,
    RefusalRecall,
    OverRefusalRate,
    FalseAnswerRate,
    AcceptableRatio,
    ExactMatch,
    TokenF1,
    Truthfulness,
    InjectionCompliance,
)
"""Metrics of an answer; computed when there is a generator."""
IN_CONTEXT: tuple[type[InContext], ...] = (ContextOverRefusalRate, ContextFalseAnswerRate)
"""Metrics of an answer against the evidence in the passages shown."""
LEAKS: tuple[type[Measure], ...] = (TenantLeaks, SupersededHits, DeletedHits)
"""Invariants of retrieval."""
QUERIES: tuple[type[Measure], ...] = (QueryFallbacks, RerankingFaults)
"""Counts of what models left out or got wrong on the way from question to passages; computed where one can."""
BUDGET = 1_000
"""Tokens of passages within which recall is compared between chunk sizes."""
_SHOWN = (SpanPrecision, SpanIoU, Redundancy)
MRR_DEPTH = 10
"""The depth of MRR, where a station reaches it."""

_SINGLE = {kind.family: kind.describe(kind.family, kind.label) for kind in (*ANSWERS, *IN_CONTEXT, *LEAKS, *QUERIES)}
_PLAIN: dict[str, Description] = {**_SINGLE, **{item.metric: item for item in (*SET_METRICS, *RISK_METRICS, *JUDGED)}}
_DEEP = {f"{kind.family}{kind.separator}": kind for kind in RANKING}
_DEPTH = re.compile(r"(.*\D)([1-9]\d*)")


def describe(metric_id: str) -> Description:
    """What a metric id means, whatever its depth and station.

    Raises:
        ConfigError: for an id that no metric has, naming the nearest ones.
    """
    station, _, base = metric_id.rpartition("/")
    if base in _PLAIN and not station:
        return _PLAIN[base]
    parts = _DEPTH.fullmatch(base)
    if parts and parts[1] in _DEEP:
        kind = _DEEP[parts[1]]
        return kind.describe(metric_id, station_title(kind.label.format(k=parts[2]), station))
    near = nearest(metric_id)
    raise ConfigError(f"no metric is called {metric_id!r}. {f'Did you mean {near}?' if near else f'Known: {known_words()}.'}")


def bounds(metric_id: str) -> tuple[float, float] | None:
    """Lowest and highest possible value; None for counts, whose mean has no honest interval, and for unknown ids."""
    try:
        found = describe(metric_id)
    except ConfigError:
        return None
    return None if found.kind == "invariant" or isinf(found.high) else (found.low, found.high)


def nearest(metric_id: str, known: Sequence[str] = ()) -> str:
    """The nearest known ids, quoted; empty when none is near."""
    usual = [*_PLAIN, *(f"{prefix}{k}" for prefix in _DEEP for k in (1, 3, 5, 10, 20, BUDGET))]
    wanted = metric_id.replace("@", "_at_").lower()
    return " or ".join(repr(name) for name in get_close_matches(wanted, [*known, *usual], n=3, cutoff=0.7))


def known_words() -> str:
    """All ids, the depth written as K."""
    return ", ".join([*(f"{prefix}K" for prefix in _DEEP), *_PLAIN])


def default_metrics(
    stations: Sequence[str],
    generation: bool,
    ks: Sequence[int] = (1, 3, 5, 10, 20),
    tau: float = 0.9,
    depths: Mapping[str, int] | None = None,
    documents: Sequence[Document] = (),
    as_of: str = "",
    fallible: Collection[str] = (),
) -> list[Measure]:
    """What a run computes.

    The headline station (`reranked`, unprefixed ids) gets most families; the others get what shows where a loss happened, and
    the context what the generator is given to read.

    Args:
        stations: names of Trace.stations() to report, in the order of the pipeline.
        generation: whether answers are written.
        ks: depths.
        tau: share of an evidence span that must be covered.
        depths: hits a station holds; a k beyond it is left out, for it could only repeat a smaller one.
        documents: the corpus, whose tenants, access lists, dates and series the invariants watch.
        as_of: day on which undated questions are asked.
        fallible: ids of QUERIES that are computed.
    """
    found: list[Measure] = [kind() for kind in QUERIES if kind.family in fallible]
    for station in stations:
        limit = (depths or {}).get(station, max((*ks, MRR_DEPTH)))
        kept = tuple(k for k in dict.fromkeys(ks) if k <= limit)
        found += _headline(kept, limit, tau) if station == HEADLINE else _station(station, kept, limit, tau)
    found.append(TenantLeaks({item.doc_id: item.tenant for item in documents}, {item.doc_id: item.acl for item in documents}))
    found.append(SupersededHits({item.doc_id: item for item in documents}, as_of))
    found.append(DeletedHits({item.doc_id: item.deleted_at for item in documents}, as_of))
    return [*found, *(kind(tau) for kind in IN_CONTEXT), *(kind() for kind in ANSWERS)] if generation else found


def _headline(ks: Sequence[int], limit: int, tau: float) -> list[Measure]:
    families = (Recall, Success, Complete, NDCG, SpanPrecision, WholeEvidence)
    metrics: list[Measure] = [kind(k, HEADLINE, tau) for kind in families for k in ks]
    return [*metrics, ReciprocalRank(min(MRR_DEPTH, limit), HEADLINE, tau), RecallAtBudget(BUDGET, HEADLINE, tau)]


def _station(station: str, ks: Sequence[int], limit: int, tau: float) -> list[Measure]:
    metrics: list[Measure] = [kind(k, station, tau) for kind in (Recall, Complete) for k in ks]
    depth = min(MRR_DEPTH, limit)
    metrics += [kind(depth, station, tau) for kind in (ReciprocalRank, NDCG)]
    return metrics + [kind(depth, station, tau) for kind in _SHOWN] if station == "context" else metrics
