"""Group and split of a draft: with the questions it belongs to, so that nothing straddles tune and test."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from harness.golden.duplicates import THRESHOLD, similarity

Rows = Sequence[Mapping[str, Any]]
"""Lines of questions.jsonl and of a review file."""


def placed(question: str, persona: str, doc_id: str, rows: Rows, group: str = "", split: str = "test") -> tuple[str, str]:
    """Group and split of a question of a document (empty is none); `group` and `split` are used where nothing else says.

    A near-copy decides first, then the group that was given, then the group of most questions about the document.
    """
    for row in rows:
        same = str(row.get("persona") or row.get("tenant") or "") == persona
        if same and row.get("group") and similarity(question, row["question"]) >= THRESHOLD:
            return row["group"], row.get("split", "test")
    group = group or _most(row["group"] for row in rows if row.get("group") and _cites(row, doc_id)) or doc_id
    return group, _most(row.get("split", "test") for row in rows if row.get("group") == group) or split


def _cites(row: Mapping[str, Any], doc_id: str) -> bool:
    return any(place["doc"] == doc_id for group in row.get("evidence", []) for place in group)


def _most(names: Iterable[str]) -> str:
    """The most frequent name, the first in the alphabet among equals; empty when there is none."""
    counted = Counter(names)
    return min(counted, key=lambda name: (-counted[name], name), default="")
