"""A reply of claims and the passages behind them: its schema, and the answer that is written from it."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict

from harness.generation.citations import cited_ids, strip
from harness.generation.llm import is_refusal
from harness.generation.refusals import refuses
from harness.generation.said import joined, marked
from harness.text import REFUSAL, sentences
from harness.types import Answer, Completion

_PLAIN = re.compile(r"[a-z0-9]+")
_ITEM = re.compile(r"\s*[-*•+]\s+")


class Claim(BaseModel):
    """A statement and the names of the passages behind it."""

    model_config = ConfigDict(extra="forbid", strict=True)
    passages: list[str]
    claim: str


class Reply(BaseModel):
    """What a model answers."""

    model_config = ConfigDict(extra="forbid", strict=True)
    answerable: bool
    claims: list[Claim]


def schema(names: Sequence[str], most_claims: int, most_passages: int) -> dict[str, Any]:
    """The form of a reply over passages of these names."""
    claim = {
        "type": "object",
        "properties": {
            "passages": {
                "type": "array",
                "items": {"type": "string", "enum": list(names)},
                "minItems": 1,
                "maxItems": min(most_passages, len(names)),
            },
            "claim": {"type": "string"},
        },
        "required": ["passages", "claim"],
        "additionalProperties": False,
    }
    return {
        "title": "Answer",
        "type": "object",
        "properties": {"answerable": {"type": "boolean"}, "claims": {"type": "array", "items": claim, "maxItems": most_claims}},
        "required": ["answerable", "claims"],
        "additionalProperties": False,
    }


def answer(reply: Reply, names: Mapping[str, str], most_claims: int, completion: Completion) -> Answer:
    """The answer that a reply makes: its claims with the markers of their passages, or the refusal; `actions` tell what is left out.

    Args:
        reply: what the model answered.
        names: chunk_id by the name under which a passage was shown.
        most_claims: claims above this number are left out.
        completion: what the reply took.
    """
    kept, left = list[Claim](), list[str]()
    for claim in reply.claims:
        why = _unfit(claim, names, reply.answerable, len(kept) >= most_claims)
        if why:
            left.append(f"left out {claim.claim!r}: {why}")
        else:
            kept.append(claim)
    if not kept:
        reason = f"generator: {left[0] if left and reply.answerable else 'the model declined'}"
        return Answer(REFUSAL, refused=True, refusal_reason=reason, usage=completion.usage, actions=tuple(left))
    behind: dict[str, tuple[str, ...]] = {}
    for claim in kept:
        for sentence, ids in _said(claim, names):
            behind[sentence] = tuple(dict.fromkeys((*behind.get(sentence, ()), *ids)))
    said = [marked(sentence, ids) for sentence, ids in behind.items()]
    text = joined(said, [cited for ids in behind.values() for cited in ids])
    return Answer(text, citations=cited_ids(text), usage=completion.usage, actions=tuple(left))


def _unfit(claim: Claim, names: Mapping[str, str], answerable: bool, full: bool) -> str:
    """Why a claim is not said; empty when it is."""
    if not _said(claim, names):
        return "it says nothing"
    if not claim.passages:
        return "no passage is named"
    if is_refusal(claim.claim) or refuses(claim.claim):
        return "it declines to answer"
    if not answerable:
        return "the model says that the passages do not hold the answer"
    return "there are more claims than most_claims" if full else ""


def _said(claim: Claim, names: Mapping[str, str]) -> list[tuple[str, tuple[str, ...]]]:
    """The sentences of a claim, each with the ids behind it; names that the model wrote into the text are taken out of it."""
    ids = tuple(dict.fromkeys(cited for name in claim.passages for cited in _ids(name, names)))
    bare = strip(claim.claim, frozenset(names))
    spoken = [" ".join(sentence[_item(sentence) :].split()) for sentence in sentences(bare)]
    return [(sentence, ids) for sentence in spoken if any(map(str.isalnum, sentence))]


def _item(sentence: str) -> int:
    """Where a line of a list begins behind its mark."""
    mark = _ITEM.match(sentence)
    return mark.end() if mark else 0


def _ids(name: str, names: Mapping[str, str]) -> tuple[str, ...]:
    """The chunk_id behind a name. A name that was not shown stays, in a form that is read as the invented citation it is."""
    if name in names:
        return (names[name],)
    read = cited_ids(f"[{name.strip()}]")
    slug = "-".join(_PLAIN.findall(name.lower()))[:40].strip("-")
    return tuple(names.get(cited.lower(), cited) for cited in read) or (f"unknown-{slug or 'name'}",)
