"""Drafts from the documents of a golden set."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from harness.golden.drafting.candidates import Candidate, draft_fields
from harness.golden.drafting.facts import facts
from harness.golden.drafting.identifiers import identifiers
from harness.golden.drafting.material import Material
from harness.golden.drafting.near_misses import near_misses
from harness.golden.drafting.placing import Places
from harness.golden.drafting.selection import Asked, select
from harness.golden.drafting.tables import tables

RULES = (facts, identifiers, near_misses, tables)
"""Each gives candidates from the material."""


def by_rules(material: Material) -> list[Candidate]:
    """All candidates of all rules."""
    return [candidate for rule in RULES for candidate in rule(material)]


def drafts(
    candidates: Iterable[Candidate], material: Material, earlier: Sequence[Mapping[str, Any]], limit: int
) -> list[dict[str, Any]]:
    """At most `limit` lines for the review file; `earlier` holds the lines of questions.jsonl and of the review file."""
    places = Places(earlier, material.as_of)
    taken = {str(row["id"]) for row in earlier}
    lines: list[dict[str, Any]] = []
    for candidate in select(candidates, material.documents, Asked(earlier, material.as_of), limit):
        fields = draft_fields(candidate, material.documents, taken)
        if fields is not None:
            group, split = places.of(fields, candidate.doc_id)
            lines.append({**fields, "group": group, "split": split})
            places.add(lines[-1])
            taken.add(fields["id"])
    return lines
