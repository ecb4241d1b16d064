"""Every metric a run computes keeps the contract."""

import pytest

from harness.metrics.base import Measure
from harness.metrics.catalog import default_metrics
from tests.contracts.metric import MetricContract

METRICS = default_metrics(
    ["bm25", "fused", "reranked", "context"], generation=True, ks=(1, 5), fallible=("query_fallbacks", "reranking_faults")
)


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
class TestEveryDefaultMetric(MetricContract):
    @pytest.fixture(autouse=True)
    def _given(self, metric: Measure) -> None:
        self.metric = metric
