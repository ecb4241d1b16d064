"""The days of a dated corpus: on which it changed, or what holds of it did, and on which an index would be synced."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property

from harness.golden.golden_set import GoldenSet
from harness.indexing.timeline import Standing, Timeline, standings


@dataclass(frozen=True)
class History:
    """A golden set and the days before it."""

    golden: GoldenSet
    """Questions, and the documents as they are now."""
    timeline: Timeline
    """How they became so."""

    @property
    def before(self) -> str:
        """The day before the first event, on which every index is built."""
        return later(self.timeline.days[0], -1)

    @property
    def end(self) -> str:
        """The last day asked: that of the card, or of the last event when the card names none or an earlier one."""
        return max(self.golden.as_of, self.timeline.days[-1])

    def standings(self, day: str) -> Mapping[str, Standing]:
        """By doc_id the documents as they stood at the end of a day."""
        if day not in self._known:
            self._known[day] = standings(self.timeline, self.golden.documents, day)
        return self._known[day]

    @cached_property
    def _known(self) -> dict[str, Mapping[str, Standing]]:
        return {}

    def due(self, every: int) -> list[str]:
        """Days on which a sync is due, the first build not among them."""
        length = days_between(self.before, self.end)
        return [later(self.before, step) for step in range(every, length + 1, every)] if every else []

    def news(self, after: str, day: str) -> bool:
        """Whether something happened after one day and not after another."""
        return any(after < event <= day for event in self.timeline.days)

    def syncs(self, every: int) -> list[str]:
        """The days of `due` on which something is new since the one before."""
        due = self.due(every)
        return [day for last, day in zip([self.before, *due], due, strict=False) if self.news(last, day)]

    @cached_property
    def turning(self) -> frozenset[str]:
        """Days asked on which a document begins or ceases to hold, or is withdrawn by its own `deleted_at`.

        A document has the same dates on all of its days: the history changes words, and dates are no words of the text.
        """
        dated = ((one.valid_from, one.valid_to, one.deleted_at) for one in self.golden.documents)
        return frozenset(day for days in dated for day in days if self.before < day <= self.end)

    def changing(self, every: int) -> list[str]:
        """Days on which corpus, index, or what holds of them change, ascending."""
        return sorted({*self.timeline.days, *self.turning, *self.syncs(every)})


def later(day: str, days: int) -> str:
    """The ISO date so many days later."""
    return (date.fromisoformat(day) + timedelta(days=days)).isoformat()


def days_between(start: str, end: str) -> int:
    """Days from one ISO date to another."""
    return (date.fromisoformat(end) - date.fromisoformat(start)).days
