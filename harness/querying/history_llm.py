"""A turn of a conversation made to stand alone by a language model."""

from dataclasses import replace
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, SkipValidation
from pydantic.dataclasses import dataclass

from harness.errors import StageError
from harness.protocols import LLM
from harness.querying.asking import OnFailure, ask, prompt, tried
from harness.text import words
from harness.types import Query, Question

RULES = """\
You rewrite the last question of a conversation so that it can be understood and searched for without the conversation.

- Put what each pronoun, short form or omission stands for in its place, from the conversation only: product names, numbers, \
places, dates as they were said.
- Keep what is asked, the language and every condition. Do not answer, do not add anything, do not ask back.
- A question that can be understood alone, or that turns to another topic, stays word for word.

Reply with one JSON object: `question` holds the rewritten question."""
"""What the model is told."""


class Standalone(BaseModel):
    """What the model replies."""

    model_config = ConfigDict(extra="forbid", strict=True)

    question: str


@dataclass(frozen=True, config=ConfigDict(extra="forbid", arbitrary_types_allowed=True))
class LLMHistory:
    """Asks a language model for the last turn as a question of its own: one call a question with a history."""

    llm: SkipValidation[LLM]
    """Who rewrites."""
    turns: Annotated[int, Field(ge=1, le=1000)] = 10
    """Turns of both sides that the model reads, the newest ones."""
    max_tokens: Annotated[int, Field(ge=16)] = 256
    """Longest reply; a longer one is a failure."""
    on_failure: OnFailure = "error"
    """error: the question fails. skip: it is asked as it is, and the trace says why."""

    @property
    def calls_per_question(self) -> int:
        """Calls of the language model for a question with a conversation; others take none."""
        return 1

    def standalone(self, question: Question) -> tuple[Question, Query]:
        """The question as the model wrote it, on one line; without a history nobody is asked.

        Raises:
            StageError: under on_failure=error, when the model failed or its reply is unreadable, cut or without a word.
        """
        if not question.history:
            return question, Query(question.text)
        (query,) = tried("history", self.on_failure, [Query(question.text)], lambda _: [self._written(question)])
        return replace(question, text=query.text), query

    def _written(self, question: Question) -> Query:
        read = question.history[-self.turns :]
        reply = ask(self.llm, prompt(RULES, question.text, read), Standalone, self.max_tokens, "history")
        return Query(_line(reply.question, question), notes=(f"history: written by a model that read {len(read)} turns",))


def _line(text: str, question: Question) -> str:
    if not words(text):
        raise StageError(f"history: the model wrote no question for {question.question_id!r}: {text!r}")
    return " ".join(text.split())
