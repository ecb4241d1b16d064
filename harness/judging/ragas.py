"""Four metrics as ragas computes them (Es et al. 2023, arXiv 2309.15217), through this project's own clients.

ragas' retries, cache, telemetry and batch runner are left out; one adapter hands it our language model and our embedder. What
it answers with NaN, a dropped row or a silent zero is an error state here, with its reason. Values are rounded to nine digits,
which undoes the 1e-10 that ragas puts under context precision: a perfect order is 1. A cosine below 0 is 0.
The prompts are ragas' own: they hold answers and passages as JSON strings, without the fences of harness.fence.
"""

import asyncio
import os
from collections.abc import Callable, Coroutine, Mapping, Sequence
from functools import cached_property
from importlib.metadata import version
from math import isnan
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, SkipValidation
from pydantic.dataclasses import dataclass

from harness.errors import ConfigError, StageError
from harness.fingerprint import digest
from harness.generation.citations import without_citations
from harness.judging.chosen import metric_problems
from harness.judging.reading import Finding
from harness.judging.replies import REFORMAT, Reply, ask
from harness.llm.aside import Aside
from harness.protocols import LLM, Embedder
from harness.types import Question, Score, State, Trace, Turn

KNOWN = ("faithfulness", "answer_relevancy", "context_precision", "context_recall")
"""Ids that can be scored."""


@dataclass(frozen=True, config=ConfigDict(extra="forbid", arbitrary_types_allowed=True))
class RagasJudge:
    """ragas' metrics with a language model and an embedder of ours.

    Requests a question: faithfulness 2, answer_relevancy 1 (at temperature 0 ragas' three would be the same one),
    context_precision 1 per passage shown, context_recall 1; none where a metric does not apply.
    """

    llm: SkipValidation[LLM]
    """Who is asked."""
    embedder: SkipValidation[Embedder]
    """Who compares questions, for answer_relevancy."""
    metrics: Annotated[tuple[str, ...], Field(min_length=1)] = KNOWN
    """Ids of the metrics to score."""
    max_tokens: Annotated[int, Field(ge=256)] = 4096
    """Longest reply; a longer one is an error state, never a score."""
    max_input_tokens: Annotated[int, Field(ge=256)] = 100_000
    """Longest prompt by this project's own count; a longer one is an error, never cut."""

    def __post_init__(self) -> None:
        if problems := metric_problems(self.metrics, KNOWN):
            raise ConfigError("The judge does not hold.", problems)

    @property
    def identity(self) -> str:
        """ragas' version (which fixes its prompts), our reformat prompt's digest, the model, and the embedder where it is used."""
        by = self.llm.identity
        if "answer_relevancy" in self.metrics:
            by = f"{by} and {self.embedder.identity}"
        return f"ragas {version('ragas')} v2 {digest(REFORMAT.encode())[:8]} max_tokens={self.max_tokens} by {by}"

    @property
    def calls_per_question(self) -> int | None:
        """Calls of the language model for one question; None where they depend on the passages shown."""
        return None if "context_precision" in self.metrics else sum(_CALLS[metric] for metric in self.metrics)

    def judge(self, question: Question, trace: Trace) -> Sequence[Score]:
        """One score per metric id, in the order of `metrics`; an error state names what ragas or the model did."""
        return [self._score(name, question, trace) for name in self.metrics]

    def _score(self, metric: str, question: Question, trace: Trace) -> Score:
        known = _without_asking(metric, question, trace)
        try:
            found = known or Finding(self._asked(metric, question, trace), "ragas")
        except (StageError, ValueError) as error:
            return self._as_score(metric, question, Finding(None, f"judge error: {error}"), State.ERROR)
        return self._as_score(metric, question, found, State.NOT_APPLICABLE if found.value is None else State.SCORED)

    def _asked(self, metric: str, question: Question, trace: Trace) -> float:
        inputs = {
            "user_input": question.text,
            "response": without_citations(trace.answer.text if trace.answer else ""),
            "retrieved_contexts": [hit.chunk.indexed_text for hit in trace.context.hits],
            "reference": question.reference,
        }
        asked = self._metrics[metric].ascore(**{name: inputs[name] for name in _READS[metric]})
        value = round(float(_run(asked).value), 9)
        if isnan(value):
            raise StageError(f"ragas found {_NOTHING[metric]} (NaN)")
        return max(0.0, min(1.0, value)) if metric == "answer_relevancy" else value

    def _as_score(self, metric: str, question: Question, found: Finding, state: State) -> Score:
        return Score(metric, question.question_id, found.value, state, f"{found.reason} [{self.identity}]")

    @cached_property
    def _metrics(self) -> Mapping[str, Any]:
        return _ragas_metrics(self.llm, self.embedder, self.metrics, self.max_tokens, self.max_input_tokens)


_READS = {
    "faithfulness": ("user_input", "response", "retrieved_contexts"),
    "answer_relevancy": ("user_input", "response"),
    "context_precision": ("user_input", "reference", "retrieved_contexts"),
    "context_recall": ("user_input", "retrieved_contexts", "reference"),
}
_CALLS = {"faithfulness": 2, "answer_relevancy": 1, "context_recall": 1}
_NOTHING = {
    "faithfulness": "no statement in the answer",
    "answer_relevancy": "no direction in an embedding",
    "context_precision": "no verdict",
    "context_recall": "no statement in the reference",
}


def _without_asking(metric: str, question: Question, trace: Trace) -> Finding | None:
    """What needs no model: metrics that do not apply, and zeros that follow from the trace alone; None: ask."""
    if metric in ("faithfulness", "answer_relevancy"):
        if trace.answer is None:
            return Finding(None, "no answer was generated")
        if not trace.answer.refused:
            return None
        if metric == "answer_relevancy" and question.answerable:
            return Finding(0.0, "refused although the question can be answered")
        return Finding(None, "the answer is a refusal")
    if not question.reference.strip():
        return Finding(None, "the question has no reference")
    return None if trace.context.hits else Finding(0.0, "no passage was shown")


def _run(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """The coroutine's result, in a thread of its own: the caller may have a running event loop (a notebook), or be interrupted."""
    return Aside(lambda: asyncio.run(coroutine)).result()


def _ragas_metrics(
    llm: LLM, embedder: Embedder, wanted: Sequence[str], max_tokens: int, max_input_tokens: int
) -> Mapping[str, Any]:
    """ragas' metrics over one adapter of our client; a reply that half-decides something gives no score."""
    os.environ["RAGAS_DO_NOT_TRACK"] = "true"
    from ragas.llms.base import InstructorBaseRagasLLM
    from ragas.metrics.collections import AnswerRelevancy, ContextPrecision, ContextRecall, Faithfulness

    class Adapter(InstructorBaseRagasLLM):  # type: ignore[misc]
        """Our client under ragas' interface."""

        def generate(self, prompt: str, response_model: type[Reply]) -> Reply:
            reply = ask(llm, [Turn("user", prompt)], response_model, max_tokens, max_input_tokens)
            _check(reply)
            return reply

        async def agenerate(self, prompt: str, response_model: type[Reply]) -> Reply:
            return self.generate(prompt, response_model)

    class CheckedFaithfulness(Faithfulness):  # type: ignore[misc]
        """A judge that drops or adds statements does not get a score."""

        async def _create_verdicts(self, statements: list[str], context: str) -> Any:
            output = await super()._create_verdicts(statements, context)
            if len(output.statements) != len(statements):
                given = [item.verdict for item in output.statements]
                raise StageError(f"J001 asked for {len(statements)} verdicts of 0 or 1, the judge gave {given!r}")
            return output

    adapter = Adapter()
    made: Mapping[str, Callable[[], Any]] = {
        "faithfulness": lambda: CheckedFaithfulness(llm=adapter),
        "answer_relevancy": lambda: AnswerRelevancy(llm=adapter, embeddings=_embeddings(embedder), strictness=1),
        "context_precision": lambda: ContextPrecision(llm=adapter),
        "context_recall": lambda: ContextRecall(llm=adapter),
    }
    return {name: made[name]() for name in wanted}


def _embeddings(embedder: Embedder) -> Any:
    """Our embedder under ragas' interface; the question and the generated one are both read as queries."""
    from ragas.embeddings.base import BaseRagasEmbedding

    class Vectors(BaseRagasEmbedding):  # type: ignore[misc]
        """Our embedder."""

        def embed_text(self, text: str, **_more: Any) -> list[float]:
            return [float(number) for number in embedder.embed_queries([text])[0]]

        async def aembed_text(self, text: str, **_more: Any) -> list[float]:
            return self.embed_text(text)

    return Vectors()


def _check(reply: BaseModel) -> None:
    """Holds a reply of any of ragas' schemas against what its fields may be.

    Raises:
        StageError: for a verdict that is neither 0 nor 1, and for a generated question that is blank.
    """
    fields = reply.model_dump()
    items = fields.get("statements") or fields.get("classifications") or [fields]
    rows = [item for item in items if isinstance(item, dict)]
    for name in ("verdict", "attributed", "noncommittal"):
        given = [item[name] for item in rows if name in item]
        if any(value not in (0, 1) for value in given):
            raise StageError(f"J002 asked for {len(given)} verdicts of 0 or 1, the judge gave {given!r}")
    if any(not item["question"].strip() for item in rows if "question" in item):
        raise StageError("J001 the judge wrote a blank question for the answer")
