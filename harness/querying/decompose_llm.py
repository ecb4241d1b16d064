"""A question of several parts, taken apart by a language model."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated

from pydantic import ConfigDict, Field, SkipValidation
from pydantic.dataclasses import dataclass

from harness.protocols import LLM
from harness.querying.asking import OnFailure, listed, tried
from harness.types import Query, Question

RULES = """\
You take a question apart into the questions that must each be looked up to answer it.

- Each part can be searched for alone: it names what it is about, with the names, numbers and conditions of the question.
- At most {most} parts, none of which says the same as another or asks for what the question does not need.
- A question that is answered from one place has no parts: the list is empty.
- Keep the language of the question. Do not answer.

Reply with one JSON object: `queries` holds the parts."""
"""What the model is told."""


@dataclass(frozen=True, config=ConfigDict(extra="forbid", arbitrary_types_allowed=True))
class LLMDecomposition:
    """Asks a language model for the parts of the first query and puts them behind it: one call a question."""

    llm: SkipValidation[LLM]
    """Who takes it apart."""
    most: Annotated[int, Field(ge=2, le=20)] = 4
    """Parts at most."""
    max_tokens: Annotated[int, Field(ge=16)] = 512
    """Longest reply; a longer one is a failure."""
    on_failure: OnFailure = "error"
    """error: the question fails. skip: it is searched for as one, and the trace says why."""

    @property
    def calls_per_question(self) -> int:
        """Calls of the language model for one question; a reply that cannot be read takes another."""
        return 1

    def transform(self, question: Question, queries: Sequence[Query]) -> Sequence[Query]:
        """The first query, its parts, then the others; a model that gives no part has read one question.

        Raises:
            StageError: under on_failure=error, when the model failed or its reply is cut or unreadable.
        """
        return tried("subqueries", self.on_failure, queries, self._split)

    def _split(self, queries: Sequence[Query]) -> Sequence[Query]:
        rules = RULES.format(most=self.most)
        whole, *found = listed(self.llm, rules, queries[0], self.most, self.max_tokens, "subqueries")
        return [whole, *(replace(query, part=True) for query in found), *queries[1:]]
