"""Aggregates by slice: how the questions of one kind, language, reason of refusal, tenant or tag fare."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from harness.evaluation import aggregate
from harness.types import Aggregate, Score


def by_slice(
    scores: Iterable[Score],
    labels: Mapping[str, Sequence[str]],
    groups: Mapping[str, str],
    wanted: Collection[str] | None = None,
) -> dict[str, dict[str, Aggregate]]:
    """Slice to metric id to aggregate, both sorted.

    A slice in which a metric scored nothing shows it with value None and n 0; no slice and no metric is left out. The 95 %
    intervals hold for one slice looked at alone: among many slices some lie off by chance.

    Args:
        scores: of a run.
        labels: question_id to the slices it belongs to, such as kind:table.
        groups: question_id to its cluster.
        wanted: metric ids to aggregate; None is every headline metric, that is those of no single station.
    """
    kept = [item for item in scores if (item.metric in wanted if wanted is not None else "/" not in item.metric)]
    metrics = sorted({item.metric for item in kept} if wanted is None else set(wanted))
    members: dict[str, list[Score]] = {label: [] for label in sorted({name for names in labels.values() for name in names})}
    for item in kept:
        for label in labels.get(item.question_id, ()):
            members[label].append(item)
    nothing = {metric: Aggregate(metric, None, 0) for metric in metrics}
    return {label: {**nothing, **aggregate(items, groups)} for label, items in members.items()}
