"""Which metrics a run computes."""

from collections.abc import Sequence

from harness.build.experiment import Experiment
from harness.golden.golden_set import GoldenSet
from harness.metrics.catalog import default_metrics
from harness.metrics.fallbacks import QueryFallbacks, can_fall_back
from harness.metrics.reranking_faults import RerankingFaults
from harness.pipeline import Pipeline
from harness.protocols import Metric
from harness.types import Document


def metrics_of(experiment: Experiment, golden: GoldenSet, documents: Sequence[Document]) -> Sequence[Metric]:
    """Those of every station, each at the depths that it reaches; the documents say what must not be seen."""
    pipeline, depth = experiment.pipeline, experiment.pipeline.depth
    depths = {
        **{name: depth.of(name) for name in sorted(pipeline.retrievers)},
        "fused": max(map(depth.of, pipeline.retrievers)),
        "reranked": depth.reranked,
        "context": depth.shown,
    }
    return default_metrics(
        stations=list(depths),
        generation=pipeline.generator is not None,
        ks=experiment.settings.ks,
        tau=golden.coverage,
        depths=depths,
        documents=documents,
        as_of=golden.as_of,
        fallible=_fallible(pipeline),
    )


def _fallible(pipeline: Pipeline) -> list[str]:
    """Ids of the counts of what models get wrong before an answer, where one can."""
    steps = (pipeline.history, pipeline.rewrite, pipeline.subqueries, pipeline.hyde)
    found = {QueryFallbacks.family: can_fall_back(steps), RerankingFaults.family: _counts_faults(pipeline.reranker)}
    return [name for name, can in found.items() if can]


def _counts_faults(reranker: object) -> bool:
    """Whether a reranker, or one inside of it, says by `counts_faults` that its rankings count what was mended."""
    inner = (getattr(reranker, name, None) for name in ("reranker", "inner"))
    return bool(getattr(reranker, "counts_faults", False)) or any(_counts_faults(each) for each in inner if each is not None)
