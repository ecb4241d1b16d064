"""What can become of a question, and the records that say so.

A question needs all of its evidence groups. Each group gets one station, and the question the earliest of its groups' in
the order of `Station`. A group is *covered* by chunks whose union holds at least tau of one of its alternatives, *whole* in
a chunk that does so alone; its rank in a ranking is the first at which the ranking's head covers it (`metrics.coverage`).
A group that the context covers was not lost on the way. Otherwise it is the first of these that holds:

    not_in_corpus           all chunks of the index together do not cover it
    hidden                  they do, but not those of the documents that the asker may see on that day
    destroyed_by_chunking   it is whole in no chunk that the asker may see, and the passages shown do not reassemble it
    below_depth             the candidates of all retrievers together do not cover it
    lost_in_fusion          the fused hits that the reranker reads do not cover it
    cut_by_reranker         its rank after reranking is beyond `depth.shown`
    cut_by_context          its rank is not, yet the context leaves it out: near-duplicate of a better passage, or over budget

A group that the context covers is told by the answer:

    refused_although_present   the answer is a refusal
    shown_but_unused           no cited passage touches the group, and the answer holds no accepted answer
    used_but_not_cited         no cited passage touches the group, but the answer holds an accepted answer
    answered                   a cited passage touches it; whether the words are right is for the answer metrics to say
    shown                      no answer was asked for

Without evidence there is nothing to lose: `rightly_refused` or `answered_although_unanswerable` for an unanswerable question,
`nothing_to_find` when no answer was asked for or an answerable question has no evidence. `error`: a stage failed.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any


class Station(StrEnum):
    """What became of a question: the losses in the order of the pipeline, then what is no loss."""

    ERROR = "error"
    NOT_IN_CORPUS = "not_in_corpus"
    HIDDEN = "hidden"
    DESTROYED_BY_CHUNKING = "destroyed_by_chunking"
    BELOW_DEPTH = "below_depth"
    LOST_IN_FUSION = "lost_in_fusion"
    CUT_BY_RERANKER = "cut_by_reranker"
    CUT_BY_CONTEXT = "cut_by_context"
    REFUSED_ALTHOUGH_PRESENT = "refused_although_present"
    SHOWN_BUT_UNUSED = "shown_but_unused"
    USED_BUT_NOT_CITED = "used_but_not_cited"
    ANSWERED_ALTHOUGH_UNANSWERABLE = "answered_although_unanswerable"
    SHOWN = "shown"
    ANSWERED = "answered"
    RIGHTLY_REFUSED = "rightly_refused"
    NOTHING_TO_FIND = "nothing_to_find"


ORDER = tuple(Station)
"""From the earliest to the latest."""
RETRIEVAL = ORDER[: ORDER.index(Station.CUT_BY_CONTEXT) + 1]
"""Losses up to the context: all that a run without answers can have."""
LOSSES = ORDER[: ORDER.index(Station.USED_BUT_NOT_CITED) + 1]
"""Losses of evidence."""
FINE = (Station.SHOWN, Station.ANSWERED, Station.RIGHTLY_REFUSED, Station.NOTHING_TO_FIND)
"""Nothing was lost."""


@dataclass(frozen=True, slots=True)
class GroupLoss:
    """What became of one evidence group."""

    number: int
    """Its place in the question's evidence, from 0."""
    station: Station
    """Where it was lost, or shown or answered."""
    ranks: Mapping[str, int | None]
    """Rank in each retriever's ranking, fused, reranked and context; None where it is not."""
    searched: int
    """How many hits deep each retriever was searched."""
    remedy: str = ""
    """What would have found it, in the words of config keys; empty when nothing was lost."""
    quote: str = ""
    """The start of the evidence, for a group that never got into the context; empty when unknown."""


@dataclass(frozen=True, slots=True)
class Attribution:
    """What became of one question."""

    question_id: str
    """The question."""
    station: Station
    """The earliest loss of its groups, or that nothing was lost."""
    groups: tuple[GroupLoss, ...] = ()
    """Its evidence groups, in order."""
    remedy: str = ""
    """What would have found the groups lost at that station."""
    stated: bool | None = None
    """Whether the answer holds an accepted answer; None without accepted answers or without an answer."""


@dataclass(frozen=True, slots=True)
class Step:
    """One line of a waterfall."""

    station: Station
    """Where questions were lost."""
    lost: int
    """Questions lost here."""
    left: int
    """Questions that came through."""


def waterfall(attributions: Mapping[str, Attribution], wanted: Collection[str]) -> list[Step]:
    """How many of the wanted questions are lost at each station; those without evidence to lose are left out.

    The lines end at the context when no answer was asked for. The first line's lost + left is the number of questions.
    """
    chosen = [item for name, item in attributions.items() if name in wanted]
    stations = [item.station for item in chosen if item.groups or item.station is Station.ERROR]
    left, steps = len(stations), []
    for station in LOSSES if asks_for_answers(attributions) else RETRIEVAL:
        lost = stations.count(station)
        left -= lost
        steps.append(Step(station, lost, left))
    return steps


def asks_for_answers(attributions: Mapping[str, Attribution]) -> bool:
    """Whether any question came to an answer: a run without a generator ends with what was shown."""
    return any(
        item.station not in (*RETRIEVAL, Station.SHOWN, Station.NOTHING_TO_FIND) or item.stated is not None
        for item in attributions.values()
    )


def encode(attributions: Mapping[str, Attribution]) -> list[dict[str, Any]]:
    """Attributions as JSON types, in the order of the questions."""
    return [asdict(item) for item in attributions.values()]


def decode(rows: Iterable[Mapping[str, Any]]) -> dict[str, Attribution]:
    """The attributions that `encode` wrote, by question_id."""
    return {row["question_id"]: _decoded(row) for row in rows}


def _decoded(row: Mapping[str, Any]) -> Attribution:
    groups = (GroupLoss(**{**group, "station": Station(group["station"])}) for group in row["groups"])
    return Attribution(**{**row, "station": Station(row["station"]), "groups": tuple(groups)})
