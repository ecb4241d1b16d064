"""How stale does an index become between two syncs? Replays a dated corpus and asks the golden questions of the index as it was left.

The questions are asked every day. On a day, first the corpus changes, then a sync that is due runs, then the questions are asked. A
day is as the day before, so it is counted and not asked again, when neither corpus nor index changed and no document began or ceased
to hold (`valid_from`, `valid_to`, `deleted_at`). An index that is synced daily is therefore never stale: its row is the floor.

A passage among the first `DEPTH` is superseded when its text stands no more in its document, and deleted when its document is
withdrawn. Recall is judged against the corpus of the day: evidence whose words changed since the last sync is not found by the
passage that holds the old ones, whatever share of its characters they are.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from harness.indexing.history import History, days_between, later
from harness.indexing.opened import open_index
from harness.indexing.staleness import NEVER, Cadence, Day, Freshness, Mean
from harness.indexing.sync import sync
from harness.indexing.timeline import Standing
from harness.metrics.coverage import find
from harness.pipeline import IndexedPipeline, Pipeline
from harness.protocols import Progress, silent
from harness.retrieval.filters import visible
from harness.statistics.intervals import mean_interval
from harness.types import Evidence, Question, Span

DEPTH = 5
"""Passages looked at."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What one question saw on one day."""

    superseded: int
    """Passages of outdated text."""
    deleted: int
    """Passages of withdrawn documents."""
    recall: float
    """Share of its evidence that was found."""


def measure(
    history: History,
    pipeline: Pipeline,
    config: Mapping[str, Any],
    every: Sequence[int],
    folder: Path,
    progress: Progress = silent,
) -> Freshness:
    """Replays the history once per cadence, and once without any sync.

    Args:
        history: golden set and timeline.
        pipeline: asked up to its reranker; its generator is left out.
        config: resolved config of the slots that decide what an index holds.
        every: days between two syncs, one cadence each.
        folder: an empty one, for the indexes.
        progress: is told of the days.
    """
    cadences = [*every, NEVER]
    total = sum(len(history.changing(cadence)) for cadence in cadences)
    found: list[Cadence] = []
    for cadence in cadences:
        replayed = _Replay(history, replace(pipeline, generator=None, verification=None), config, folder / f"every-{cadence}")
        found.append(replayed.run(cadence, progress, sum(len(item.days) for item in found), total))
    golden = history.golden
    return Freshness(
        golden.name,
        golden.version,
        history.timeline.days[0],
        history.end,
        len(history.timeline.events),
        config,
        tuple(found),
    )


class _Replay:
    """One index on its way through the days."""

    def __init__(self, history: History, pipeline: Pipeline, config: Mapping[str, Any], folder: Path) -> None:
        self.history, self.pipeline, self.config, self.folder = history, pipeline, config, folder
        self.embedded = self._sync(history.before)
        self.system = self._opened()

    def _sync(self, day: str) -> int:
        documents = [standing.document for standing in self.history.standings(day).values()]
        self.synced = day
        return sync(self.folder, documents, self.pipeline, self.config, day).embedded

    def _opened(self) -> IndexedPipeline:
        return open_index(self.folder, self.pipeline, self.synced)

    def run(self, every: int, progress: Progress, done: int, total: int) -> Cadence:
        """Goes through all days; `done` of `total` days were replayed before."""
        history, built = self.history, self.embedded
        syncs, changing = frozenset(history.syncs(every)), history.changing(every)
        days: list[Day] = []
        seen: dict[str, list[tuple[int, Seen]]] = defaultdict(list)
        for place, day in enumerate(changing):
            progress("replay days", done + place, total)
            if day in syncs:
                self.embedded += self._sync(day)
                self.system = self._opened()
            until = changing[place + 1] if place + 1 < len(changing) else later(history.end, 1)
            today = self._ask(day)
            days.append(_day(day, days_between(day, until), self.synced, today))
            for name, what in today.items():
                seen[name].append((days[-1].days, what))
        progress("replay days", done + len(changing), total)
        return self._cadence(every, built, days, seen)

    def _ask(self, day: str) -> dict[str, Seen]:
        """What each question that can be answered on a day saw then."""
        golden, truth = self.history.golden, self.history.standings(day)
        documents = [standing.document for standing in truth.values()]
        allowed = cache(lambda persona, asked_on: visible(documents, persona, asked_on))
        system, found = replace(self.system, as_of=day), {}
        for question in golden.questions:
            seen = allowed(question.persona, question.as_of or day)
            groups = [tuple(span for span in item.alternatives if span.doc_id in seen) for item in question.evidence]
            if groups and all(groups):
                found[question.question_id] = self._seen(question, groups, system, truth)
        return found

    def _seen(
        self, question: Question, groups: Sequence[Sequence[Span]], system: IndexedPipeline, truth: Mapping[str, Standing]
    ) -> Seen:
        indexed = self.history.standings(self.synced)
        current = [
            Evidence(tuple(indexed[span.doc_id].span(span) for span in group if _same(span, indexed, truth))) for group in groups
        ]
        top = system.answer(question).reranked.top(DEPTH)
        held = [(hit.chunk.text, truth.get(hit.chunk.span.doc_id)) for hit in top.hits]
        return Seen(
            superseded=sum(standing is not None and text not in standing.document.text for text, standing in held),
            deleted=sum(standing is None for _, standing in held),
            recall=find(tuple(current), top, self.history.golden.coverage).share(DEPTH),
        )

    def _cadence(self, every: int, built: int, days: Sequence[Day], seen: Mapping[str, Sequence[tuple[int, Seen]]]) -> Cadence:
        names = sorted(seen)
        stale = [_mean_of(seen[name], lambda item: float(item.superseded + item.deleted > 0)) for name in names]
        recall = [_mean_of(seen[name], lambda item: item.recall) for name in names]
        groups = {question.question_id: question.group for question in self.history.golden.questions}
        clusters = [groups[name] for name in names]
        return Cadence(
            every,
            len(self.history.due(every)),
            built,
            self.embedded - built,
            sum(day.days * day.asked for day in days),
            sum(day.days * day.superseded_hits for day in days),
            sum(day.days * day.deleted_hits for day in days),
            _mean(stale, clusters),
            _mean(recall, clusters),
            tuple(days),
        )


def _same(span: Span, indexed: Mapping[str, Standing], truth: Mapping[str, Standing]) -> bool:
    """Whether the index holds the words of the day at a place."""
    return span.doc_id in indexed and indexed[span.doc_id].words(span) == truth[span.doc_id].words(span)


def _day(day: str, days: int, synced: str, seen: Mapping[str, Seen]) -> Day:
    found = seen.values()
    return Day(
        day,
        days,
        synced,
        len(found),
        sum(item.superseded for item in found),
        sum(item.deleted for item in found),
        sum(item.superseded + item.deleted > 0 for item in found),
        sum(item.recall for item in found) / len(found) if found else None,
    )


def _mean_of(seen: Sequence[tuple[int, Seen]], value: Callable[[Seen], float]) -> float:
    """The mean over a question's days."""
    return sum(days * value(item) for days, item in seen) / sum(days for days, _ in seen)


def _mean(values: Sequence[float], groups: Sequence[str]) -> Mean:
    low, high = mean_interval(values, groups, bounds=(0.0, 1.0)) or (None, None)
    return Mean(sum(values) / len(values) if values else None, low, high, len(values))
