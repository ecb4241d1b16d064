"""Faithfulness as ragas computes it (Es et al. 2023, arXiv 2309.15217), through this project's own language model client.

ragas' retries, cache, telemetry and batch runner are left out; one adapter hands it our LLM. What it answers with NaN,
a dropped row or a silent zero is an error state here, with its reason.
"""

import asyncio
import os
import re
from collections.abc import Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from importlib.metadata import version
from math import isnan
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, SkipValidation, ValidationError
from pydantic.dataclasses import dataclass

from harness.errors import StageError
from harness.fingerprint import digest
from harness.generation.citations import without_citations
from harness.judging.lexical import METRIC, not_judged
from harness.protocols import LLM
from harness.types import Question, Request, Score, State, Trace, Turn

Reply = TypeVar("Reply", bound=BaseModel)

REFORMAT = "That reply does not follow the JSON schema. Send the same content again as one JSON object of that schema, without any other text."
"""Asked once when a reply cannot be read."""
_FENCED = re.compile(r"\s*```(?:json)?\s*\n(.*)\n\s*```\s*", re.DOTALL)


@dataclass(frozen=True, config=ConfigDict(extra="forbid", arbitrary_types_allowed=True))
class RagasJudge:
    """ragas' Faithfulness with a language model of ours: two requests a question, none for a refusal."""

    llm: SkipValidation[LLM]
    """Who splits the answer into statements and judges them."""
    max_tokens: Annotated[int, Field(ge=256)] = 4096
    """Longest reply; a longer one is an error state, never a score."""

    @property
    def metrics(self) -> tuple[str, ...]:
        """Faithfulness alone."""
        return ("faithfulness",)

    @property
    def identity(self) -> str:
        """ragas' version (which fixes its prompts), our reformat prompt's digest and the model."""
        return f"ragas {version('ragas')} faithfulness {digest(REFORMAT.encode())[:8]} max_tokens={self.max_tokens} by {self.llm.identity}"

    def judge(self, question: Question, trace: Trace) -> Sequence[Score]:
        """One score; an error state names what ragas or the model did."""
        if reason := not_judged(trace):
            return [self._score(question, None, State.NOT_APPLICABLE, reason)]
        try:
            value = self._faithfulness(question, trace)
        except (StageError, ValueError) as error:
            return [self._score(question, None, State.ERROR, f"judge error: {error}")]
        if isnan(value):
            return [self._score(question, None, State.ERROR, "judge error: ragas found no statement in the answer (NaN)")]
        return [self._score(question, value, State.SCORED, "ragas")]

    def _faithfulness(self, question: Question, trace: Trace) -> float:
        response = without_citations(trace.answer.text if trace.answer else "")
        contexts = [hit.chunk.indexed_text for hit in trace.context.hits]
        asked = self._metric.ascore(user_input=question.text, response=response, retrieved_contexts=contexts)
        return float(_run(asked).value)

    def _score(self, question: Question, value: float | None, state: State, reason: str) -> Score:
        return Score(METRIC, question.question_id, value, state, f"{reason} [{self.identity}]")

    @cached_property
    def _metric(self) -> Any:
        return _checked_faithfulness(self.llm, self.max_tokens)


def read_reply(text: str, model: type[Reply]) -> Reply:
    """A reply as its model; a Markdown fence around the JSON is taken off.

    Raises:
        ValidationError: when it is no JSON of that model.
    """
    fenced = _FENCED.fullmatch(text)
    return model.model_validate_json(fenced.group(1) if fenced else text)


def ask(llm: LLM, prompt: str, model: type[Reply], max_tokens: int) -> Reply:
    """A reply of the model's schema, with one request to reformat an unreadable one.

    Raises:
        StageError: when the reply was cut off, or is unreadable twice.
    """
    asked = (Turn("user", prompt),)
    first = _whole_reply(llm, asked, model, max_tokens)
    try:
        return read_reply(first, model)
    except ValidationError:
        second = _whole_reply(llm, (*asked, Turn("assistant", first), Turn("user", REFORMAT)), model, max_tokens)
    try:
        return read_reply(second, model)
    except ValidationError as error:
        faults = f"{error.error_count()} faults after one reformat"
        raise StageError(f"the judge's reply is no {model.__name__} ({faults}): {second[:200]!r}") from error


def _whole_reply(llm: LLM, turns: tuple[Turn, ...], model: type[BaseModel], max_tokens: int) -> str:
    completion = llm.complete(Request(turns, max_tokens=max_tokens, schema=model.model_json_schema()))
    if completion.finish_reason != "stop":
        reason = f"finish_reason={completion.finish_reason!r}, max_tokens={max_tokens}"
        raise StageError(f"the judge's reply is not whole: {reason}. Raise judge.max_tokens")
    return completion.text


def _run(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """The coroutine's result, in a thread of its own: the caller may have a running event loop (a notebook)."""
    with ThreadPoolExecutor(max_workers=1) as thread:
        return thread.submit(asyncio.run, coroutine).result()


def _checked_faithfulness(llm: LLM, max_tokens: int) -> Any:
    """ragas' metric over our client, which also counts the verdicts that come back."""
    os.environ["RAGAS_DO_NOT_TRACK"] = "true"
    from ragas.llms.base import InstructorBaseRagasLLM
    from ragas.metrics.collections import Faithfulness

    class Adapter(InstructorBaseRagasLLM):  # type: ignore[misc]
        """Our client under ragas' interface."""

        def generate(self, prompt: str, response_model: type[Reply]) -> Reply:
            return ask(llm, prompt, response_model, max_tokens)

        async def agenerate(self, prompt: str, response_model: type[Reply]) -> Reply:
            return ask(llm, prompt, response_model, max_tokens)

    class CheckedFaithfulness(Faithfulness):  # type: ignore[misc]
        """A judge that drops, adds or half-decides statements does not get a score."""

        async def _create_verdicts(self, statements: list[str], context: str) -> Any:
            output = await super()._create_verdicts(statements, context)
            verdicts = [item.verdict for item in output.statements]
            if len(verdicts) != len(statements) or any(verdict not in (0, 1) for verdict in verdicts):
                raise StageError(f"asked for {len(statements)} verdicts of 0 or 1, the judge gave {verdicts!r}")
            return output

    return CheckedFaithfulness(llm=Adapter())
