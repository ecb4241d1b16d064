"""Answers written by a language model under the grounding contract."""

from typing import Annotated

from pydantic import ConfigDict, Field, SkipValidation
from pydantic.dataclasses import dataclass

from harness.errors import StageError
from harness.generation.citations import cited_ids, without_citations
from harness.generation.prompts import answer_turns
from harness.generation.refusals import refuses
from harness.protocols import LLM
from harness.text import REFUSAL
from harness.types import Answer, Question, Ranking, Request


@dataclass(frozen=True, config=ConfigDict(extra="forbid", arbitrary_types_allowed=True))
class LLMGenerator:
    """Asks a language model; a reply is a refusal when it is the refusal sentence, or refuses in other words and cites nothing."""

    llm: SkipValidation[LLM]
    """Who writes."""
    max_tokens: Annotated[int, Field(ge=16)] = 400
    """Longest answer; a longer one is an error, never a cut."""
    mark_planted: bool = True
    """Whether paragraphs of a passage that talk to the model are marked as quoted (`planted`)."""

    @property
    def calls_per_question(self) -> int:
        """Calls of the language model for one question."""
        return 1

    def generate(self, question: Question, passages: Ranking) -> Answer:
        """The answer with its citations, invented ones included. Without passages it refuses and asks nobody.

        Raises:
            StageError: when the reply is empty or was cut off, or the model failed.
        """
        if not passages.hits:
            return Answer(REFUSAL, refused=True, refusal_reason="generator: no passage was shown")
        completion = self.llm.complete(Request(answer_turns(question, passages, self.mark_planted), max_tokens=self.max_tokens))
        text = completion.text.strip()
        if completion.finish_reason != "stop" or not text:
            raise StageError(
                f"the answer to {question.question_id!r} is not whole: finish_reason={completion.finish_reason!r}, "
                f"{len(text)} characters, max_tokens={self.max_tokens}. Raise generator.max_tokens or shorten the context"
            )
        if is_refusal(text):
            return Answer(REFUSAL, refused=True, refusal_reason="generator: the model declined", usage=completion.usage)
        citations = cited_ids(text)
        if not citations and refuses(text):
            reason = "generator: the model declined in its own words"
            return Answer(text, refused=True, refusal_reason=reason, usage=completion.usage)
        return Answer(text, citations=citations, usage=completion.usage)


def is_refusal(text: str) -> bool:
    """Whether a reply is the refusal sentence alone; case, quotation marks, stops and markers do not count."""
    return _bare(without_citations(text)) == _bare(REFUSAL)


def _bare(text: str) -> str:
    return " ".join(text.lower().split()).strip(" .!\"'“”‘’*_`")
