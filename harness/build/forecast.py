"""What a run would ask of models, found out without asking any: calls, tokens and money by stage.

A stage that asks a model tells how often: `calls_per_question`, or `calls_for(chunks)` of one that works on the corpus. A stage
that does not is shown as unknown, and so is a model without a price: neither is ever counted as nothing.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from harness.build.experiment import STAGES, Experiment
from harness.cache import CachedLLM
from harness.generation.verification import Verification
from harness.golden.golden_set import GoldenSet
from harness.llm.remote import Remote
from harness.nesting import parts_of
from harness.pipeline import QUERY_STEPS, Pipeline
from harness.text import count_tokens
from harness.types import Chunk, Question, Usage

INSTRUCTIONS = 400
"""Tokens of instructions that are taken to stand in each prompt."""
REPLY = 256
"""Tokens of a reply where the stage names no `max_tokens`."""
_READS = {"reranker": "reranked", "generator": "shown", "verification": "shown", "judge": "shown"}
"""Slots whose prompts hold passages, and the depth that says how many."""
_CORPUS = ("chunker", "doc2query", "embedder")
"""Slots that work on the corpus before any question is asked."""


@dataclass(frozen=True, slots=True)
class Row:
    """What one stage would ask."""

    stage: str
    """Name of the slot; `regenerate` are the drafts that a verification asks for again."""
    models: tuple[str, ...]
    """Who is asked."""
    calls: int | None
    """Requests at most, if each is answered at once in a form that can be read; None where that is not known."""
    usage: Usage | None
    """Tokens as estimated, those of replies at their most, and what they cost; None where the calls are not known."""
    priced: bool
    """Whether every model has a price."""


def forecast(experiment: Experiment, golden: GoldenSet, questions: Sequence[Question]) -> list[Row]:
    """A row for each stage with a model, in the order of the pipeline.

    Raises:
        ConfigError, StageError: when a step cannot work on these chunks.
    """
    stages = {name: getattr(experiment.pipeline, name) for name in STAGES} | {"judge": experiment.judge}
    asking = {name: (stage, clients) for name, stage in stages.items() if (clients := list(_clients(stage)))}
    chunks = None if _costly(asking, experiment) else _chunks(experiment, golden)
    passage = fmean(count_tokens(chunk.text) for chunk in chunks) if chunks else float(getattr(stages["chunker"], "size", 256))
    asked = fmean(count_tokens(question.text) for question in questions)
    rows = []
    for name, (stage, clients) in asking.items():
        calls = _calls(name, stage, questions, chunks, experiment)
        shown = getattr(experiment.pipeline.depth, _READS[name]) if name in _READS else name in _CORPUS
        read = shown * passage + (0 if name in _CORPUS else asked)
        rows.append(_row(name, stage, clients, calls, read))
        if name == "generator" and (again := _drafts(experiment.pipeline)):
            drafts = _longest(stage) * (again + 1) / 2
            rows.append(_row("regenerate", stage, clients, None if calls is None else calls * again, read + drafts))
    return rows


def _drafts(pipeline: Pipeline) -> int:
    """How often a verification asks the generator again at most."""
    verification = pipeline.verification
    return verification.attempts if isinstance(verification, Verification) and verification.policy == "regenerate" else 0


def _queries(name: str, pipeline: Pipeline) -> int:
    """Queries of a question, at most, that a stage takes one by one: those of its parts or wordings count each."""
    step = pipeline.subqueries
    parts = getattr(step, "most", 0)
    if name == "hyde":
        return 1 + (parts or getattr(step, "count", 0))
    return 1 + parts if name == "reranker" and pipeline.reranker.calibrated else 1


def _clients(stage: Any) -> Iterator[Any]:
    """The language models and remote models of a stage."""
    if isinstance(stage, Remote | CachedLLM):
        yield stage.inner if isinstance(stage, CachedLLM) else stage
        return
    for part in parts_of(stage).values():
        yield from _clients(part)


def _costly(asking: Mapping[str, Any], experiment: Experiment) -> bool:
    """Whether the chunks cannot be had for nothing, or are those of an index."""
    return "chunker" in asking or bool(experiment.settings.index)


def _chunks(experiment: Experiment, golden: GoldenSet) -> list[Chunk]:
    """The chunks, which the steps that learn from them are shown: a step that cannot work on them says so."""
    pipeline = experiment.pipeline
    documents = pipeline.duplicates.apply(golden.documents)
    chunks = [chunk for document in documents for chunk in pipeline.chunker.chunk(document)]
    for step in (getattr(pipeline, name) for name in QUERY_STEPS):
        if hasattr(step, "learn"):
            step.learn(documents, [chunk for chunk in chunks if chunk.searched])
    return chunks


def _calls(
    name: str, stage: Any, questions: Sequence[Question], chunks: Sequence[Chunk] | None, experiment: Experiment
) -> int | None:
    """Requests of a stage for all questions and repeats, and for the corpus."""
    stage = getattr(stage, "inner", stage)
    each = getattr(stage, "calls_per_question", None)
    count = sum(bool(question.history) for question in questions) if name == "history" else len(questions)
    if name not in _CORPUS:
        return None if each is None else each * count * _queries(name, experiment.pipeline) * experiment.settings.repeats
    if experiment.settings.index:
        return None if each is None and name == "embedder" else (each or 0) * count
    of_corpus = stage.calls_for(chunks) if chunks is not None and hasattr(stage, "calls_for") else None
    return None if of_corpus is None else of_corpus + (each or 0) * count


def _row(name: str, stage: Any, clients: Sequence[Any], calls: int | None, read: float) -> Row:
    models = tuple(dict.fromkeys(getattr(client, "model", None) or client.identity for client in clients))
    remote = [client for client in clients if isinstance(client, Remote)]
    priced = all(client.priced for client in remote)
    if calls is None:
        return Row(name, models, None, None, priced)
    embeds = name == "embedder"
    usage = Usage(round(calls * (read + (0 if embeds else INSTRUCTIONS))), 0 if embeds else calls * _longest(stage), calls)
    cost = max((client.cost(usage) for client in remote), default=0.0)
    return Row(name, models, calls, Usage(usage.input_tokens, usage.output_tokens, calls, cost), priced)


def _longest(stage: Any) -> int:
    """Tokens of the longest reply that the stage, or a part of it, lets a model write."""
    own = getattr(stage, "max_tokens", 0)
    return max([own, *(_longest(part) for part in parts_of(stage).values())]) or REPLY
