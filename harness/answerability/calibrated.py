"""Where the numbers of a rule come from, and whether they hold for the pipeline at hand."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass as record
from dataclasses import field, fields, is_dataclass
from typing import Annotated, Any, Protocol, runtime_checkable

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

from harness.errors import ConfigError, Problem
from harness.fingerprint import fingerprint
from harness.types import Assessment, Ranking

Limits = Mapping[str, float]
"""By setting of a rule what the question at hand has: it is answered where no setting is above."""

STEPS = ("rewrite", "subqueries", "hyde", "route")
"""Slots that decide what a retriever is asked, or whether it is."""
NONE = "none"
"""What stands for a slot that is left out."""


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Calibrated:
    """What `harness calibrate refusal` chose a rule's numbers on."""

    run: str
    """Run whose traces were read."""
    golden_set: str
    """Name and version of its golden set."""
    questions: str
    """SHA-256 of the golden set's questions."""
    reranker: str
    """Identity of the reranker whose scores it holds for."""
    embedder: str
    """Identity of the embedder whose cosines it holds for."""
    retrieval: Mapping[str, str]
    """By slot of what makes the retrievers' scores its fingerprint, as `retrieval_of` has it."""
    n: Annotated[int, Field(ge=1)]
    """Tune questions it was chosen on."""
    auroc: float | None
    """AUROC of its confidence on the test questions; None where test lacks a class."""


@runtime_checkable
class Limited(Protocol):
    """A rule that refuses where a number of the question lies below one of its settings."""

    def limits(self, assessment: Assessment, stations: Mapping[str, Ranking]) -> Limits:
        """What each setting was held against."""
        ...


@record(frozen=True, slots=True)
class Parts:
    """The stages that a rule depends on."""

    reranker: Any
    """The reranker."""
    embedder: Any
    """The embedder."""
    retrievers: Sequence[str]
    """Names of the retrievers."""
    retrieval: Mapping[str, str] = field(default_factory=dict)
    """What makes their scores, as `retrieval_of` has it; empty where only the models are judged."""


def retrieval_of(stages: Mapping[str, Any]) -> dict[str, str]:
    """What makes the scores of each retriever, by slot: 16 hex digits of the stage's fields, or `none`.

    Args:
        stages: `retrievers` by name, and the stages of `STEPS`; empty or None where a step is left out.

    A store that compares every vector leaves cosines as they are and is not told from another such. A model inside a step stands
    by its identity: timeouts of its client change no score.
    """
    named = {f"retrievers.{name}": stage for name, stage in sorted(stages["retrievers"].items())}
    named |= {slot: stages[slot] for slot in STEPS}
    return {slot: _digest(stage) if stage else NONE for slot, stage in named.items()}


def _digest(stage: Any) -> str:
    """Of a stage's fields; one of somebody else's that has none to tell stands by its class."""
    try:
        return fingerprint(_made_of(stage))[:16]
    except TypeError:
        return fingerprint(f"{type(stage).__module__}.{type(stage).__qualname__}")[:16]


def _made_of(stage: Any) -> Any:
    if not is_dataclass(stage) or isinstance(stage, type):
        return stage
    if getattr(stage, "exact", False):
        return "exact"
    if hasattr(type(stage), "identity"):
        return _at_hand(stage)
    return {"type": type(stage).__qualname__, **{item.name: _made_of(getattr(stage, item.name)) for item in fields(stage)}}


def identity_of(stage: Any) -> str:
    """A stage's identity, or its class where it has none."""
    return str(getattr(stage, "identity", type(stage).__name__))


def uncalibrated(where: str, parts: Parts) -> list[Problem]:
    """F007: scores that are no share or probability, on which no threshold means anything."""
    if parts.reranker.calibrated:
        return []
    scale = scale_of(parts.reranker)
    what = f"the reranker {type(parts.reranker).__name__} gives {scale}, no score in [0, 1]"
    why = f"A threshold on {scale} would refuse too much or too little."
    fix = "answerability=never, or reranker=cross_encoder or lexical"
    if scale == "logits":
        fix = "answerability=never, or reranker=cross_encoder, whose scores `python -m harness calibrate reranker` makes probabilities"
    return [Problem("F007", where, what, why, fix)]


def scale_of(reranker: Any) -> str:
    """What the scores of a reranker are."""
    return str(getattr(reranker, "scale", "scores in [0, 1]" if reranker.calibrated else "scores of fusion"))


def unchosen(where: str, source: Calibrated | None, parts: Parts) -> list[Problem]:
    """F007: probabilities that were learned, under a minimum that was chosen nowhere."""
    if source is not None or scale_of(parts.reranker) != "probabilities of relevance":
        return []
    what = "the reranker gives probabilities that were learned, and this minimum was chosen on no such scale"
    why = "Most probabilities of relevance are low: a minimum for plain scores would refuse nearly everything."
    fix = "run with answerability=never, then `python -m harness calibrate refusal`, and use the option that it writes"
    return [Problem("F007", where, what, why, fix)]


def misplaced(source: Calibrated | None, parts: Parts, needs: Collection[str]) -> list[Problem]:
    """F014: other models, retrievers or query steps than those whose scores the numbers were chosen on; what is not read may differ.

    Args:
        source: where the numbers were chosen; None is nowhere.
        parts: the stages at hand.
        needs: stations that the rule reads.
    """
    if source is None:
        return []
    pairs = (
        ("reranker", "reranked", source.reranker, parts.reranker),
        ("embedder", "dense", source.embedder, parts.embedder),
    )
    models = [
        Problem(
            "F014",
            f"answerability.calibrated.{slot}",
            f"its numbers were chosen on scores of {known!r}, this pipeline has {_at_hand(stage)!r}",
            "Scores of another model have another scale: the rule would refuse too much or too little.",
            "run this pipeline, then `python -m harness calibrate refusal`, or choose that model",
        )
        for slot, station, known, stage in pairs
        if station in needs and _at_hand(stage) != known
    ]
    return models + _retrieved_otherwise(source, parts, needs)


def _retrieved_otherwise(source: Calibrated, parts: Parts, needs: Collection[str]) -> list[Problem]:
    """A retriever that is asked otherwise, or not at all, gives scores on another scale; the reranker reads the whole question."""
    retrievers = sorted(name for name in parts.retrievers if name in needs)
    steps = STEPS if retrievers else ("rewrite", "subqueries") if "reranked" in needs else ()
    slots = [*(f"retrievers.{name}" for name in retrievers), *steps]
    other = [slot for slot in slots if slot in parts.retrieval and parts.retrieval[slot] != source.retrieval.get(slot, NONE)]
    if not other:
        return []
    what = f"its numbers were chosen with another setting of {', '.join(other)}"
    why = "Scores are then on another scale, or a retriever is not asked: the rule would refuse too much or too little."
    fix = (
        "run this pipeline with answerability=never, then `python -m harness calibrate refusal`, or set those slots as they were"
    )
    return [Problem("F014", "answerability.calibrated.retrieval", what, why, fix)]


def _at_hand(stage: Any) -> str:
    """A stage's identity; of a model that is not installed, whose identity nobody can tell, that it is not."""
    try:
        return identity_of(stage)
    except ConfigError:
        return f"{type(stage).__name__}, which is not installed"
