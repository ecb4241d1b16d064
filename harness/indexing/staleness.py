"""What a replay of a dated corpus measured: records of days and cadences."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

NEVER = 0
"""The cadence of an index that is built once."""


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean over questions, of what each saw on its days."""

    value: float | None
    """The mean; None without questions."""
    low: float | None
    """Lower end of the 95 % interval."""
    high: float | None
    """Upper end."""
    n: int
    """Questions."""


@dataclass(frozen=True, slots=True)
class Day:
    """A day on which corpus, index, or what holds of them changed, and the days after it that are like it."""

    date: str
    """ISO date."""
    days: int
    """Days that it stands for, itself included."""
    synced: str
    """Day of the last sync."""
    asked: int
    """Questions asked on each of these days."""
    superseded_hits: int
    """Passages of outdated text on each of these days."""
    deleted_hits: int
    """Passages of withdrawn documents on each of these days."""
    stale_questions: int
    """Questions that were shown at least one of them."""
    recall: float | None
    """Mean Recall@5 against the corpus of the day; None when nothing could be asked."""


@dataclass(frozen=True, slots=True)
class Cadence:
    """What an index that is synced every so many days was like."""

    every: int
    """Days between two syncs; `NEVER` is an index that is built once."""
    syncs: int
    """Syncs after the first build, those that found nothing new included."""
    built: int
    """Texts embedded by the first build."""
    embedded: int
    """Texts embedded by all syncs after it."""
    question_days: int
    """Questions asked, over all days."""
    superseded_hits: int
    """Passages of outdated text, over all days."""
    deleted_hits: int
    """Passages of withdrawn documents, over all days."""
    stale: Mean
    """Share of its days on which a question was shown a superseded or deleted passage."""
    recall: Mean
    """Recall@5 against the corpus of the day."""
    days: tuple[Day, ...]
    """Day by day."""


@dataclass(frozen=True, slots=True)
class Freshness:
    """The measurements on one golden set."""

    golden_set: str
    """Its name."""
    golden_version: int
    """Its version."""
    start: str
    """First day asked; every index was built on the day before it."""
    end: str
    """Last day asked."""
    events: int
    """Changes of the corpus between the two."""
    config: Mapping[str, Any]
    """Config of the slots that decide what an index holds."""
    cadences: tuple[Cadence, ...]
    """In the order asked for, then the index that is built once."""
