"""Group and split of a draft: with the questions it belongs to, so that nothing straddles tune and test."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from harness.golden.drafting.sameness import Alike


class Places:
    """Where the questions of a set and of its review file stand."""

    def __init__(self, rows: Iterable[Mapping[str, Any]], as_of: str) -> None:
        self._alike = Alike(as_of)
        self._placed: list[tuple[str, str]] = []
        self._groups: dict[str, Counter[str]] = defaultdict(Counter)
        self._splits: dict[str, Counter[str]] = defaultdict(Counter)
        for row in rows:
            self.add(row)

    def add(self, row: Mapping[str, Any]) -> None:
        """One more question; one without a group has no place to share."""
        if group := row.get("group"):
            split = row.get("split", "test")
            self._alike.add(row)
            self._placed.append((group, split))
            self._splits[group][split] += 1
            for doc_id in {place["doc"] for places in row.get("evidence", []) for place in places}:
                self._groups[doc_id][group] += 1

    def of(self, row: Mapping[str, Any], doc_id: str) -> tuple[str, str]:
        """Group and split of a question of a document (empty is none); those that it names are used where nothing else says.

        A near-copy decides first, then the group that was given, then the group of most questions about the document.
        """
        for place in self._alike.near(row):
            return self._placed[place]
        group = row.get("group") or _most(self._groups.get(doc_id, {})) or doc_id
        return group, _most(self._splits.get(group, {})) or row.get("split", "test")


def _most(counted: Mapping[str, int]) -> str:
    """The most frequent name, the first in the alphabet among equals; empty when there is none."""
    return min(counted, key=lambda name: (-counted[name], name), default="")
