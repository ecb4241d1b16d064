"""From a failed question of a run, or a query of a log, to a draft that a person completes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from harness.golden.drafting.candidates import draft_id, without_empty
from harness.golden.drafting.placing import Places
from harness.golden.drafting.proposals import Searcher
from harness.golden.drafting.target import Target
from harness.golden.duplicates import asker
from harness.golden.evidence import resolve
from harness.retrieval.filters import sees
from harness.text import normalise
from harness.types import Chunk, Span

_TRUTH = ("evidence", "answers", "reference", "nuggets", "forbid", "conflict")
"""Fields that are true only of the documents the question was written for."""


@dataclass(frozen=True, slots=True)
class Wish:
    """A question that somebody asked, to be taken into a set."""

    fields: Mapping[str, Any]
    """question, and what is known of history, persona, as_of, answers and evidence."""
    station: str
    """What failed, as a tag; empty for a logged query."""
    provenance: str
    """Where it comes from."""
    shown: Sequence[Chunk] = ()
    """Passages that the run showed for it."""
    forced: bool = False
    """Taken even when the set asks it already."""


@dataclass
class Promoted:
    """What became of the wishes."""

    drafts: list[dict[str, Any]] = field(default_factory=list)
    """New lines of the review file."""
    in_set: list[str] = field(default_factory=list)
    """Questions that the set asks already."""
    in_drafts: list[str] = field(default_factory=list)
    """Questions that wait in the review file already."""
    without_evidence: int = 0
    """Answerable drafts for which nothing could be proposed."""


def promote(wishes: Iterable[Wish], target: Target) -> Promoted:
    """A draft per question that neither the set nor the review file has, for the same persona, date and history."""
    result, searcher, places = Promoted(), Searcher(target.documents), Places(target.earlier, target.as_of)
    asked = {_key(row, target.as_of) for row in target.questions}
    waiting = {_key(row, target.as_of) for row in target.drafts}
    taken = {str(row["id"]) for row in target.earlier}
    for wish in wishes:
        key = _key(wish.fields, target.as_of)
        if key in waiting:
            result.in_drafts.append(wish.fields["question"])
        elif key in asked and not wish.forced:
            result.in_set.append(wish.fields["question"])
        else:
            waiting.add(key)
            draft = _draft(wish, target, searcher, places, draft_id("promoted", *key, taken=taken))
            places.add(draft)
            taken.add(draft["id"])
            result.drafts.append(draft)
            result.without_evidence += bool(draft["answerable"] and not draft["evidence"])
    return result


def _key(fields: Mapping[str, Any], as_of: str) -> tuple[Any, ...]:
    return " ".join(normalise(fields["question"]).casefold().split()), asker(fields, as_of)


def _draft(wish: Wish, target: Target, searcher: Searcher, places: Places, name: str) -> dict[str, Any]:
    fields = {name: value for name, value in wish.fields.items() if name not in ("id", "retired")}
    answerable = bool(fields.get("answerable", True))
    if not _holds(fields, target):
        fields = {name: value for name, value in fields.items() if name not in _TRUTH}
    kept = fields.get("evidence", [])
    evidence = kept or (_proposed(wish, target, searcher) if answerable else [])
    group, split = places.of(fields, evidence[0][0]["doc"] if evidence else "")
    made = {
        **fields,
        "id": name,
        "answerable": answerable,
        "kind": fields.get("kind") or ("factoid" if answerable else "unanswerable"),
        "split": split,
        "group": group or name,
        "provenance": f"{wish.provenance}; {_to_decide(answerable, bool(kept))}",
        "reviewed": False,
        "tags": list(dict.fromkeys([*fields.get("tags", []), "promoted", *([wish.station] if wish.station else [])])),
    }
    return {**without_empty(made), **({"evidence": evidence} if answerable else {})}


def _to_decide(answerable: bool, kept: bool) -> str:
    if not answerable:
        return "that nothing answers it here has to be checked by a person"
    return (
        "evidence and answers as they were" if kept else "the evidence is only proposed: a person has to choose and complete it"
    )


def _holds(fields: Mapping[str, Any], target: Target) -> bool:
    """Whether all quotes of the question stand in the target's documents, where its asker sees them."""
    places = [place for group in fields.get("evidence", []) for place in group]
    spans = [resolve(place, target.documents, "") for place in [*places, *fields.get("forbid", [])]]
    if not all(isinstance(span, Span) for span in spans):
        return False
    who, day, _ = asker(fields, target.as_of)
    return all(sees(target.documents[place["doc"]], who, day) for place in places)


def _proposed(wish: Wish, target: Target, searcher: Searcher) -> list[list[dict[str, Any]]]:
    question, (who, day, _) = wish.fields["question"], asker(wish.fields, target.as_of)
    found = searcher.proposals(question, wish.shown, who, day)
    found = found or searcher.proposals(question, searcher.search(question, who, day), who, day)
    return [found] if found else []
